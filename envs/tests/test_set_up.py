"""Set-up: what it says to an ordinary user, whom only root can help, and what it leaves behind. Nothing is installed here."""

import importlib.util
import os
import subprocess
from pathlib import Path

import snakemake

START = "systemctl enable --now docker" if Path("/run/systemd/system").is_dir() else "service docker start"
THERE = dict.fromkeys(
    ("python3", "javac", "mvn", "git", "ssh-keygen", "dockerd", "mmdebstrap", "newuidmap", "getsubids"), ""
)


def set_up(tmp_path, **programs):
    """What set-up says to an ordinary user named me, who has these programs (name: what it does) and next to nothing else."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "dirname", "apt-get", "env", "cut", "tr", "grep", "awk", "cat", "tail"):
        found = subprocess.run(["which", name], capture_output=True, text=True).stdout.strip()
        (tools / name).symlink_to(found or "/bin/true")
    own = {"id": "case $1 in -u) echo 1000 ;; *) echo me ;; esac", "service": "", **programs}
    for name, does in own.items():
        (tools / name).unlink(missing_ok=True)
        (tools / name).write_text(f"#!/bin/sh\n{does}\n")
        (tools / name).chmod(0o755)
    run = subprocess.run(["bash", "envs/setup.sh", "docker"], env={"PATH": str(tools)}, capture_output=True, text=True)
    assert run.returncode == 1
    return run.stderr.splitlines()


def test_setup_says_what_to_install_where_it_may_not(tmp_path):
    """An ordinary user on a machine that has nothing: one line for whoever may."""
    error, line = set_up(tmp_path)
    assert error.startswith("error: me lacks") and "ENGINE=host make report" in error
    assert line.startswith("sudo sh -c 'apt-get update && apt-get install --yes --no-install-recommends ")
    for package in ("python3-venv", "maven", "docker.io", "mmdebstrap", "uidmap"):
        assert f" {package}" in line
    assert " && usermod --add-subuids " in line and " && usermod --append --groups docker me" in line


def test_setup_says_what_else_only_root_can_give(tmp_path):
    """All is installed, but the user is not in the group, and no daemon runs."""
    error, line = set_up(tmp_path, **THERE, docker="exit 1", getent="echo docker:x:105:other", pgrep="exit 1")
    assert "packages" not in error
    assert line == f"sudo sh -c 'usermod --append --groups docker me && {START}'"


def test_setup_asks_for_nothing_that_is_there(tmp_path):
    """In the group, and only the daemon does not run."""
    lines = set_up(tmp_path, **THERE, docker="exit 1", getent="echo docker:x:105:me,other", pgrep="exit 1")
    assert lines[1:] == [f"sudo sh -c '{START}'"]


def test_setup_tells_a_session_that_is_older_than_its_group(tmp_path):
    (line,) = set_up(tmp_path, **THERE, docker="exit 1", getent="echo docker:x:105:me", pgrep="")
    assert "log in anew" in line and "sudo" not in line


def test_setup_asks_nobody_for_a_daemon_elsewhere(tmp_path):
    """`docker context show` names one that is not this machine's."""
    does = '[ "$*" != "context show" ] || { echo elsewhere; exit 0; }; echo no answer; exit 1'
    (line,) = set_up(tmp_path, **THERE, docker=does, getent="exit 2", pgrep="exit 1")
    assert "no Docker daemon answers (no answer)" in line and "sudo" not in line


def test_setup_refuses_an_unknown_engine():
    around = {"PATH": os.environ["PATH"]}
    run = subprocess.run(["bash", "envs/setup.sh", "dokcer"], env=around, capture_output=True, text=True)
    assert run.returncode == 2
    assert "unknown engine" in run.stderr


def test_packages_are_compiled_so_that_no_job_compiles_them_anew():
    assert Path(importlib.util.cache_from_source(snakemake.__file__)).is_file()
