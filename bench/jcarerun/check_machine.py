"""`jca-rerun check-machine`: what this machine can measure, and what that means for the results.

`collect` asks the system, the engines and the package tools, each with a short patience. `rows` judges these facts; with a row of
level BAD nothing can be measured, and it says the remedy. Works before set-up, with Python's own library.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from textwrap import wrap

from jcarerun.errors import UserError
from jcarerun.images import maven
from jcarerun.rounds import audit
from jcarerun.support import trust

ENGINES = ("docker", "podman")
# How these are asked for their version.
TOOLS = {"java": "-version", "Rscript": "--version", "apptainer": "--version"}
MEMORY_MIB, SPARE_MIB, DISK_MIB = 2048, 512, 8192
STEAL_MOST, LOAD_MOST = 0.01, 0.5
PATIENCE_S = 15
OK, NOTE, BAD = "ok", "note", "BAD"


@dataclass(frozen=True)
class Row:
    """One row of the table: its level, what was looked at, what was found, what that means."""

    level: str
    name: str
    found: str
    meaning: str


# Facts


def run(*command: str, **more) -> subprocess.CompletedProcess:
    """A program's end; where it is not there or takes too long, a failure that says nothing."""
    options = {"capture_output": True, "text": True, "timeout": PATIENCE_S, "stdin": subprocess.DEVNULL}
    try:
        return subprocess.run(command, **options, **more)
    except (OSError, subprocess.TimeoutExpired):
        return subprocess.CompletedProcess(command, 127, "", "")


def _first_line(done: subprocess.CompletedProcess) -> str:
    lines = (done.stderr + done.stdout).strip().splitlines()
    return lines[0][:120] if lines else ""


# What `info` is asked for: the version, and whether limits of CPUs and memory are enforced.
_INFO = {
    "docker": "{{json .ServerVersion}} {{json .CPUSet}} {{json .MemoryLimit}}",
    "podman": "{{json .Version.Version}} {{json .Host.Security.Rootless}} {{json .Host.CgroupControllers}}",
}


def _engine(name: str) -> dict:
    installed = shutil.which(name) is not None
    found = {"installed": installed, "version": None, "words": "", "cpuset": False, "memory": False}
    done = run(name, "info", "--format", _INFO[name])
    words = done.stdout.split(" ", 2) if done.returncode == 0 else []
    if len(words) != 3 or not json.loads(words[0]):
        return {**found, "words": _first_line(done)}
    version, second, third = map(json.loads, words)
    if name == "podman":
        # A rootless podman has those controllers alone that were delegated to it; on cgroup v1 none.
        second, third = ("cpuset" in third, "memory" in third) if second and third else (not second, not second)
    return {**found, "version": version, "cpuset": second, "memory": third}


def _version(name: str, argument: str) -> str | None:
    found = re.search(r"\d+(\.\d+)+[^\s\"]*", _first_line(run(name, argument)))
    return found.group() if found else "there" if shutil.which(name) else None


def _reach_packages() -> str | None:
    """None where pip gets an answer from the package index that it is configured to use, else why not."""
    argv = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--retries", "0", "--timeout", "8")
    done = run(*argv, "index", "versions", "pip", env={**os.environ, **trust.for_pip()})
    if "No module named" in done.stderr:
        return "pip is not installed yet: make setup"
    return None if done.returncode == 0 else "pip gets no answer"


def _reach_debian() -> str | None:
    helper = shutil.which("apt-helper", path="/usr/lib/apt")
    listed = run("apt-get", "indextargets", "--format", "$(REPO_URI)dists/$(RELEASE)/InRelease")
    addresses = sorted(set(listed.stdout.split())) if listed.returncode == 0 else []
    if helper is None or not addresses:
        return "no apt sources on this system"
    limits = [f"-o=Acquire::{key}" for key in ("Retries=0", "http::Timeout=8", "https::Timeout=8")]
    with tempfile.TemporaryDirectory() as scratch:
        done = run(helper, *limits, "download-file", addresses[0], f"{scratch}/InRelease")
    return None if done.returncode == 0 else "apt gets no answer from its first source"


def _reach_maven() -> str | None:
    """Whether Maven's repository answers, as set-up and builds ask it."""
    try:
        with trust.opened(f"{maven.base().rstrip('/')}/org/openjdk/jmh/jmh-core/maven-metadata.xml", 8):
            return None
    except UserError as error:
        return str(error)
    except (OSError, ValueError):
        return "Maven's repository gives no answer"


def _expected(engine: str, tier: str) -> str | None:
    """How long the tier will take; None before the Python environment is set up."""
    try:
        from jcarerun.plan import budget
        from jcarerun.run import run as runs

        current = runs.from_config({"engine": engine, "tier": tier})
    except Exception:  # Snakemake says what is wrong with the files; here it is a time that is not known
        return None
    if minutes := current.settings.minutes:
        return f"{minutes:g} minutes of measuring for tier {tier}, then the report"
    return f"{budget.format_duration(current.budget.remaining_s())} for tier {tier}"


def _lacking(engine: str) -> str | None:
    """What set-up can't install for this user, in its own words; None where it lacks nothing."""
    done = run("bash", "envs/setup.sh", engine, "ask")
    lines = done.stderr.splitlines() if done.returncode else []
    return next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), None)


def collect(engine: str, tier: str) -> dict:
    """Every fact. CPU steal is looked at first, for a second in which nothing else runs."""
    before = audit.moment()
    time.sleep(1)
    after = audit.moment()
    memory, load = after["memory_available_kb"], before["load_average"]
    with ThreadPoolExecutor() as pool:
        network = {"pip": _reach_packages, "apt": _reach_debian, "maven": _reach_maven}
        asked = {name: pool.submit(ask) for name, ask in network.items()}
        engines = {name: pool.submit(_engine, name) for name in ENGINES}
        expected, lacking = pool.submit(_expected, engine, tier), pool.submit(_lacking, engine)
        return {
            "host": audit.host(),
            "engines": {name: each.result() for name, each in engines.items()},
            "tools": {name: _version(name, argument) for name, argument in TOOLS.items()},
            "cpus": sorted(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else [*range(os.cpu_count() or 1)],
            "memory_mib": int(memory) // 1024 if memory else None,
            "disk_mib": shutil.disk_usage(".").free >> 20,
            "steal": audit.steal_share(before, after),
            "load": float(load.split()[0]) if load else None,
            "network": {name: each.result() for name, each in asked.items()},
            "expected": expected.result(),
            "lacking": lacking.result(),
        }


# Rows


def _words(value: object) -> str:
    """A fact for people; None is what the system doesn't expose."""
    return "not exposed" if value is None else str(value)


def _either(good: bool, name: str, found: object, meaning: str, otherwise: str, level: str = NOTE) -> Row:
    """A row that is fine, or of another level with another meaning."""
    return Row(OK, name, _words(found), meaning) if good else Row(level, name, _words(found), otherwise)


def _engine_row(facts: dict, name: str, chosen: str) -> Row:
    engine, title = facts["engines"][name], f"engine {name}"
    lacking = BAD if name == chosen else NOTE
    if not engine["installed"]:
        return Row(lacking, title, "not installed", f"make setup ENGINE={name} installs it; ENGINE=host needs none")
    if engine["version"] is None:
        remedy = f"does not answer; make setup ENGINE={name} starts it, or choose ENGINE=host"
        return Row(lacking, title, engine["words"] or "no answer", remedy)
    missing = " and ".join(what for what, key in (("CPUs", "cpuset"), ("memory", "memory")) if not engine[key])
    otherwise = (
        f"does not enforce limits of {missing} here, so a round would be refused; run it as root, or on cgroup v2 with the "
        "controllers delegated"
    )
    return _either(
        not missing, title, engine["version"], "isolated rounds, with CPUs and memory as asked", otherwise, lacking
    )


def _without_daemon(facts: dict, chosen: str) -> list[Row]:
    java, r, apptainer = (facts["tools"][name] for name in ("java", "Rscript", "apptainer"))
    return [
        _either(
            bool(apptainer), "engine apptainer", apptainer or "not installed",
            "isolated rounds for an ordinary user, without a limit of memory; the report says so",
            "make setup ENGINE=apptainer installs it; clusters have it", BAD if chosen == "apptainer" else NOTE,
        ),
        _either(
            bool(java and r), "engine host", f"java {java or '-'}; R {r or '-'}",
            "rounds without isolation on the machine's own JDK; the report says so",
            "not there: make setup ENGINE=host says what to install", BAD if chosen == "host" else NOTE,
        ),
    ]  # fmt: skip


def _resources(facts: dict) -> list[Row]:
    cpus, memory, disk, lacking = facts["cpus"], facts["memory_mib"], facts["disk_mib"], facts["lacking"]
    wanted = MEMORY_MIB + SPARE_MIB
    few = (
        "the forks share theirs with the system: wider intervals" if len(cpus) == 2
        else "one alone: no core2 profile, and the JVM's own threads disturb what is timed"
    )  # fmt: skip
    return [
        _either(
            lacking is None, "set-up", "nothing is lacking" if lacking is None else lacking.partition(";")[0],
            "make setup gets what is missing, without asking anybody",
            "make setup prints one line to hand to an administrator", BAD,
        ),
        _either(
            len(cpus) > 2, "CPUs", f"{len(cpus)} usable ({', '.join(map(str, cpus[:8]))})",
            "two for the forks, the rest for everything else", few,
        ),
        _either(
            memory is not None and memory >= wanted, "memory", f"{_words(memory)} MiB available", "enough",
            f"{wanted} MiB are needed: close programs, or add memory", NOTE if memory is None else BAD,
        ),
        _either(
            disk >= DISK_MIB, "disk", f"{disk} MiB free", "enough", f"{DISK_MIB} MiB are needed for the images: make room", BAD
        ),
    ]  # fmt: skip


def _machine(facts: dict) -> list[Row]:
    host, steal, load = facts["host"], facts["steal"], facts["load"]
    virtual, governor, smt, clock = host["hypervisor"], host["governor"], host["smt"], host["clock_source"]
    turbo = {("0", None): "on", ("1", None): "off", (None, "1"): "on", (None, "0"): "off"}.get(
        (host["turbo_off"], host["boost"])
    )
    cgroup = (
        "rootless engines enforce limits too" if host["cgroup"] == "v2" else "limits need an engine that runs as root"
    )
    return [
        Row(OK, "machine", f"{host['system']} {host['kernel']}, {_words(host['cpu_model'])}", "recorded in every round"),
        _either(
            not virtual, "virtual", virtual or "no sign of it", "the machine is yours",
            "others share the hardware unseen: trust ratios within a block more than times",
        ),
        Row(OK, "cgroup", _words(host["cgroup"]), cgroup),
        _either(
            governor == "performance", "governor", governor, "clock stays up",
            "the clock rate is not known: drift shows as spread between forks" if governor is None
            else "the clock follows the load: set performance (cpupower frequency-set -g performance)",
        ),
        _either(
            turbo == "off", "turbo", turbo, "steady clock",
            "the clock depends on heat and neighbours: wider intervals between forks",
        ),
        _either(
            smt == "0", "SMT", {"0": "off", "1": "on"}.get(smt, smt), "no sibling thread",
            "a sibling thread may share a core with a fork: keep the machine idle",
        ),
        _either(
            clock == "tsc", "clock source", clock, "fast and fine",
            "reading it may cost more than a short operation: trust averages only",
        ),
        _either(
            steal is not None and steal <= STEAL_MOST, "steal now", None if steal is None else f"{steal:.1%}",
            "none to speak of", "not exposed: theft by neighbours can't be seen in the data" if steal is None
            else "neighbours take CPU time: measure another time",
        ),
        _either(
            load is None or load <= LOAD_MOST * max(len(facts["cpus"]), 1), "load now", load, "quiet",
            "something else is running: end it before measuring",
        ),
    ]  # fmt: skip


def _network(facts: dict) -> list[Row]:
    uses = {
        "pip": ("package index", "JDK wheels and Python packages can be fetched"),
        "apt": ("Debian archive", "images can be built"),
        "maven": ("Maven repository", "the jar can be built and providers fetched"),
    }
    return [
        _either(
            facts["network"][key] is None, name, facts["network"][key] or "answers", use,
            f"not now; what is built or cached goes on working ({use} when it answers)",
        )
        for key, (name, use) in uses.items()
    ]  # fmt: skip


def rows(facts: dict, engine: str) -> list[Row]:
    """Every row, for a run with that engine."""
    expected = facts["expected"]
    return [
        *(_engine_row(facts, name, engine) for name in ENGINES),
        *_without_daemon(facts, engine),
        *_resources(facts),
        *_machine(facts),
        *_network(facts),
        _either(
            bool(expected), "time to expect", expected or "not known", "for the tier that was asked about",
            "after make setup, snakemake -n says it",
        ),
    ]  # fmt: skip


def table(every: list[Row], width: int = 100) -> str:
    """The rows as text; long meanings go on below."""
    name_width = max(len(row.name) for row in every)
    lines = []
    for row in every:
        head = f"{row.level:<4}  {row.name:<{name_width}}  "
        body = wrap(f"{row.found}: {row.meaning}", max(width - len(head), 30))
        lines += [head + body[0], *(" " * len(head) + more for more in body[1:])]
    return "\n".join(lines)


def verdict(every: list[Row], engine: str) -> tuple[str, int]:
    """The last line, and the exit status: 0 when measuring is possible."""
    if bad := [row.name for row in every if row.level == BAD]:
        return f"not possible with ENGINE={engine} until this is corrected: {', '.join(bad)}", 1
    notes = sum(row.level == NOTE for row in every)
    return f"measuring is possible with ENGINE={engine}; {notes} things to know above", 0


def main(arguments: argparse.Namespace) -> int:
    """Collect, print, and return the exit status."""
    every = rows(collect(arguments.engine, arguments.tier), arguments.engine)
    words, status = verdict(every, arguments.engine)
    print(f"{table(every)}\n\n{words}")
    return status
