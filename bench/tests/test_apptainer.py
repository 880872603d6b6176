"""Apptainer: the command lines of containers, and its images as files. A stand-in notes what it is called with."""

import io
import os
import stat
from pathlib import Path

import pytest

from jcarerun.errors import UserError
from jcarerun.run import limits
from jcarerun.support import apptainer
from jcarerun.support import engine as engines

IMAGE = "sha256:" + "ab" * 32
STAND_IN = """#!/bin/sh
echo "$@" >> {log}
case $1 in
--version) echo apptainer version 1.4.5 ;;
build)
  for each; do previous=$last; last=$each; done
  [ -z "$REFUSE" ] && echo image > "$previous" || {{ echo no space left >&2; exit 1; }} ;;
esac
"""


@pytest.fixture
def log(tmp_path, monkeypatch) -> Path:
    """Where a stand-in for apptainer notes its calls; the working directory is empty."""
    program, noted = tmp_path / "bin/apptainer", tmp_path / "calls"
    program.parent.mkdir()
    program.write_text(STAND_IN.format(log=noted))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    monkeypatch.chdir(checkout)
    return noted


def archive(stream: io.BufferedIOBase) -> None:
    stream.write(b"layers")


def test_an_image_is_loaded_once_as_a_file_named_by_its_id(log):
    assert not engines.has_image("apptainer", IMAGE)
    engines.load("apptainer", IMAGE, archive)
    assert engines.has_image("apptainer", IMAGE)
    assert [path.name for path in apptainer.STORE.iterdir()] == [f"{'ab' * 32}.sif"]
    assert "docker-archive:" in log.read_text()


def test_an_image_that_is_refused_leaves_nothing_and_says_why(log, monkeypatch):
    monkeypatch.setenv("REFUSE", "yes")
    with pytest.raises(UserError, match="no space left"):
        engines.load("apptainer", IMAGE, archive)
    assert list(apptainer.STORE.iterdir()) == []


def test_an_image_of_a_registry_has_its_digest_as_id(log):
    name = f"registry.example/java@{IMAGE}"
    assert engines.image_id("apptainer", name) is None
    engines.pull("apptainer", name)
    assert engines.image_id("apptainer", name) == IMAGE
    assert f"docker://{name}" in log.read_text()


def test_a_round_has_no_network_no_privileges_and_its_own_cpus(log, tmp_path):
    work = tmp_path / 'a, "quoted" folder'
    work.mkdir()
    options = engines.isolation("apptainer", work, {"jar": "/bench/benchmarks.jar"}, "0,1", "2048m")
    command = engines.measuring_command("apptainer", IMAGE, "unused", options, ["java", "-version"])
    assert command[:3] == ["taskset", "--cpu-list", "0,1"]
    assert {"--containall", "--net", "--network=none", "--no-privs", "--no-home"} <= set(command)
    assert command[-3:] == [str(apptainer.image_file(IMAGE)), "java", "-version"]
    mounts = [word for word in command if word.startswith("--mount")]
    assert f'"source={tmp_path}/a, ""quoted"" folder","destination=/round"' in mounts[0] and not mounts[0].endswith(
        ",ro"
    )
    assert mounts[1].endswith('"destination=/bench/benchmarks.jar",ro')


def test_the_analysis_writes_where_it_may_and_nowhere_else(log, tmp_path):
    out = tmp_path / "out"
    command = engines.analysis_command("apptainer", IMAGE, ["Rscript"], writable=[out])
    mounts = [word for word in command if word.startswith("--mount")]
    assert [mount.endswith(",ro") for mount in mounts] == [True, False]
    assert str(out) in mounts[1]


@pytest.mark.parametrize(("user", "refused"), [(0, True), (1000, False)])
def test_root_is_refused_since_a_round_would_be_root(log, monkeypatch, user, refused):
    monkeypatch.setattr(os, "getuid", lambda: user)
    if refused:
        with pytest.raises(UserError, match="ordinary user"):
            engines.require("apptainer")
    else:
        engines.require("apptainer")


def test_one_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(UserError, match="apptainer: not installed"):
        engines.run_in("apptainer", IMAGE, ["java"])


def test_its_cpus_are_checked_and_its_memory_is_recorded_as_unlimited(tmp_path):
    (tmp_path / "limits.txt").write_text("cpus_allowed: 0-1\nmemory_limit_bytes: not exposed\n")
    found = limits.enforced(tmp_path, "apptainer", "0,1", 2048)
    assert found["enforced"] is False and found["inside"]["memory_limit_bytes"] is None
    with pytest.raises(UserError, match="CPUs 0 asked, 0-1 inside"):
        limits.enforced(tmp_path, "apptainer", "0", 2048)
