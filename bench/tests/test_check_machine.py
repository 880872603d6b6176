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
    ("level", "engine", "changes", "name", "words"),
    [
        ("BAD", "docker", {"engines": {"docker": ABSENT}}, "engine docker", "make setup ENGINE=docker installs it"),
        ("BAD", "docker", {"engines": {"docker": {**READY, "version": None, "words": "down"}}}, "engine docker", "starts it"),
        ("BAD", "podman", {"engines": {"podman": {**READY, "cpuset": False}}}, "engine podman", "not enforce limits of CPUs"),
        ("BAD", "podman", {"engines": {"podman": {**READY, "memory": False}}}, "engine podman", "limits of memory"),
        ("BAD", "host", {"tools": {"Rscript": None}}, "engine host", "make setup ENGINE=host"),
        ("BAD", "apptainer", {"tools": {"apptainer": None}}, "engine apptainer", "make setup ENGINE=apptainer"),
        ("BAD", "docker", {"lacking": "me lacks what only root can give; ..."}, "set-up", "one line to hand to an administrator"),
        ("BAD", "docker", {"memory_mib": 1000}, "memory", "2560 MiB are needed"),
        ("BAD", "docker", {"disk_mib": 100}, "disk", "make room"),
        ("note", "docker", {"host": {"hypervisor": "present"}}, "virtual", "trust ratios"),
        ("note", "docker", {"host": {"governor": None}}, "governor", "not known"),
        ("note", "docker", {"host": {"governor": "powersave"}}, "governor", "set performance"),
        ("note", "docker", {"host": {"turbo_off": None}}, "turbo", "depends on heat"),
        ("note", "docker", {"host": {"turbo_off": None, "boost": "1"}}, "turbo", "depends on heat"),
        ("note", "docker", {"host": {"smt": "1"}}, "SMT", "sibling"),
        ("note", "docker", {"host": {"clock_source": "hpet"}}, "clock source", "averages"),
        ("note", "docker", {"steal": 0.2}, "steal now", "neighbours take"),
        ("note", "docker", {"steal": None}, "steal now", "can't be seen"),
        ("note", "docker", {"load": 3.9}, "load now", "end it"),
        ("note", "docker", {"network": {"apt": "no answer"}}, "Debian archive", "cached goes on"),
        ("note", "docker", {"cpus": [0]}, "CPUs", "no core2"),
        ("note", "docker", {"expected": None}, "time to expect", "make setup"),
    ],
)  # fmt: skip
def test_a_row_says_what_keeps_one_from_measuring_or_bears_on_the_results(level, engine, changes, name, words):
    found = rows(engine, **changes)
    assert found[name].level == level
    assert words in found[name].meaning
    assert status(found, engine) == (level == check_machine.BAD)
    assert (name in check_machine.verdict(list(found.values()), engine)[0]) == (level == check_machine.BAD)


def test_an_engine_that_is_not_wanted_may_lack():
    assert status(rows("host", engines={"docker": ABSENT, "podman": ABSENT}), "host") == 0
    assert status(rows("docker", tools={"java": None, "Rscript": None})) == 0


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
    environment = {**os.environ, "PATH": str(tmp_path), "PIP_INDEX_URL": "http://localhost:9/"}
    environment |= {"PIP_CONFIG_FILE": os.devnull, "PIP_EXTRA_INDEX_URL": ""}
    run = subprocess.run([sys.executable, "-S", "-c", code], env=environment, capture_output=True, text=True)
    assert run.returncode == 1, run.stderr
    assert "BAD   engine docker" in run.stdout
    assert "not possible with ENGINE=docker until this is corrected: engine docker" in run.stdout
    assert "Traceback" not in run.stderr


def test_a_program_that_hangs_is_left_behind(monkeypatch):
    monkeypatch.setattr(check_machine, "PATIENCE_S", 0.2)
    assert check_machine.run(sys.executable, "-c", "import time; time.sleep(60)").returncode == 127
