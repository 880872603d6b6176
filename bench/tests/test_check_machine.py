"""`jca-rerun check-machine`: from facts to rows, a last line and an exit status; facts are collected before set-up too."""

import copy
import os
import subprocess
import sys

import pytest

from jcarerun import check_machine
from jcarerun.rounds import audit

READY = {"installed": True, "version": "20.10", "words": "", "cpuset": True, "memory": True}
ABSENT = {"installed": False, "version": None, "words": "", "cpuset": False, "memory": False}
GOOD = {
    "host": {
        **dict.fromkeys(audit.host()), "system": "Linux", "kernel": "6.1", "cpu_model": "CPU", "governor": "performance",
        "turbo_off": "1", "smt": "0", "clock_source": "tsc", "cgroup": "v2",
    },
    "engines": {"docker": READY, "podman": READY}, 
    "tools": {"java": "17.0.1", "Rscript": "4.5.0", "apptainer": "1.4.5"},
    "cpus": [0, 1, 2, 3], "memory_mib": 8000, "disk_mib": 50000, "steal": 0.0, "load": 0.1,
    "network": {"pip": None, "apt": None, "maven": None}, "expected": "10:00 min for tier quick",
    "lacking": None,
}  # fmt: skip


def rows(engine="docker", **changes):
    facts = copy.deepcopy(GOOD)
    for key, value in changes.items():
        facts[key] = {**facts[key], **value} if isinstance(value, dict) else value
    return {row.name: row for row in check_machine.rows(facts, engine)}


def status(found, engine="docker"):
    return check_machine.verdict(list(found.values()), engine)[1]


def test_a_good_machine():
    found = rows()
    assert {row.level for row in found.values()} == {check_machine.OK}
    assert status(found) == 0


@pytest.mark.parametrize(
    ("engine", "changes", "name", "words"),
    [
        ("docker", {"engines": {"docker": ABSENT}}, "engine docker", "make setup ENGINE=docker installs it"),
        ("docker", {"engines": {"docker": {**READY, "version": None, "words": "no daemon"}}}, "engine docker", "starts it"),
        ("podman", {"engines": {"podman": {**READY, "cpuset": False}}}, "engine podman", "does not enforce limits of CPUs"),
        ("podman", {"engines": {"podman": {**READY, "memory": False}}}, "engine podman", "limits of memory"),
        ("host", {"tools": {"Rscript": None}}, "engine host", "make setup ENGINE=host"),
        ("apptainer", {"tools": {"apptainer": None}}, "engine apptainer", "make setup ENGINE=apptainer"),
        ("docker", {"lacking": "me lacks what only root can give; ..."}, "set-up", "one line to hand to an administrator"),
        ("docker", {"memory_mib": 1000}, "memory", "2560 MiB are needed"),
        ("docker", {"disk_mib": 100}, "disk", "make room"),
    ],
)  # fmt: skip
def test_what_keeps_one_from_measuring_says_the_remedy(engine, changes, name, words):
    found = rows(engine, **changes)
    assert found[name].level == check_machine.BAD
    assert words in found[name].meaning
    assert status(found, engine) == 1
    assert name in check_machine.verdict(list(found.values()), engine)[0]


def test_an_engine_that_is_not_wanted_may_lack():
    assert status(rows("host", engines={"docker": ABSENT, "podman": ABSENT}), "host") == 0
    assert status(rows("docker", tools={"java": None, "Rscript": None})) == 0


@pytest.mark.parametrize(
    ("changes", "name", "words"),
    [
        ({"host": {"hypervisor": "present"}}, "virtual", "trust ratios"),
        ({"host": {"governor": None}}, "governor", "not known"),
        ({"host": {"governor": "powersave"}}, "governor", "set performance"),
        ({"host": {"turbo_off": None}}, "turbo", "depends on heat"),
        ({"host": {"turbo_off": None, "boost": "1"}}, "turbo", "depends on heat"),
        ({"host": {"smt": "1"}}, "SMT", "sibling"),
        ({"host": {"clock_source": "hpet"}}, "clock source", "averages"),
        ({"steal": 0.2}, "steal now", "neighbours take"),
        ({"steal": None}, "steal now", "can't be seen"),
        ({"load": 3.9}, "load now", "end it"),
        ({"network": {"apt": "no answer"}}, "Debian archive", "cached goes on"),
        ({"cpus": [0]}, "CPUs", "no core2"),
        ({"expected": None}, "time to expect", "make setup"),
    ],
)
def test_what_bears_on_the_results_is_said(changes, name, words):
    found = rows(**changes)
    assert found[name].level == check_machine.NOTE
    assert words in found[name].meaning
    assert status(found) == 0


def test_the_table_fits_a_terminal():
    text = check_machine.table(list(rows(host={"hypervisor": "present"}).values()))
    assert max(map(len, text.splitlines())) <= 100
    assert len({line.index("  ") for line in text.splitlines() if line[0] != " "}) <= 2


def test_without_engine_packages_or_network(tmp_path):
    """An empty machine: no engine, no Maven, no pip index; and only Python's own library, as before the set-up."""
    code = (
        "import json, sys; from jcarerun import check_machine; check_machine.PATIENCE_S = 5; "
        "from argparse import Namespace; sys.exit(check_machine.main(Namespace(engine='docker', tier='quick')))"
    )
    environment = {
        **os.environ,
        "PATH": str(tmp_path),
        "PIP_INDEX_URL": "http://localhost:9/",
        "PIP_CONFIG_FILE": os.devnull,
    }
    environment.pop("PIP_EXTRA_INDEX_URL", None)
    run = subprocess.run([sys.executable, "-S", "-c", code], env=environment, capture_output=True, text=True)
    assert run.returncode == 1, run.stderr
    assert "BAD   engine docker" in run.stdout
    assert "not possible with ENGINE=docker until this is corrected: engine docker" in run.stdout
    assert "Traceback" not in run.stderr


def test_a_program_that_hangs_is_left_behind():
    assert check_machine.run(sys.executable, "-c", "import time; time.sleep(60)", patience=0.2) is None
