"""The facts that doctor.py judges: asked of the system, the engines and the configured package tools, each with a short patience.

In: the machine. Out: a dict. Names no host: every tool is asked to reach what it is configured to use.
"""

import ctypes
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jcarerun.rounds import audit
from jcarerun.support import trust

PATIENCE_S = 15

_PERF_SYSCALL = {"x86_64": 298, "aarch64": 241}
_POM = Path("bench/pom.xml")


def _run(*command: str, patience: float = PATIENCE_S, **more) -> subprocess.CompletedProcess | None:
    """A program's end, or None where it is not there or takes too long."""
    try:
        return subprocess.run(
            command, capture_output=True, text=True, timeout=patience, stdin=subprocess.DEVNULL, **more
        )
    except (OSError, subprocess.TimeoutExpired):
        return None


def _first_line(run: subprocess.CompletedProcess | None) -> str:
    lines = [] if run is None else (run.stderr + run.stdout).strip().splitlines()
    return lines[0][:120] if lines else ""


def _docker() -> dict:
    form = "{{json .ServerVersion}} {{json .CPUSet}} {{json .MemoryLimit}}"
    run = _run("docker", "info", "--format", form)
    words = (run.stdout if run and run.returncode == 0 else "").split()
    if len(words) != 3 or not json.loads(words[0]):
        return {"version": None, "words": _first_line(run), "cpuset": False, "memory": False}
    version, cpuset, memory = map(json.loads, words)
    return {"version": version, "words": "", "cpuset": cpuset, "memory": memory}


def _podman() -> dict:
    form = "{{json .Version.Version}} {{json .Host.Security.Rootless}} {{json .Host.CgroupControllers}}"
    run = _run("podman", "info", "--format", form)
    words = (run.stdout if run and run.returncode == 0 else "").split(" ", 2)
    if len(words) != 3:
        return {"version": None, "words": _first_line(run), "cpuset": False, "memory": False}
    version, rootless, controllers = map(json.loads, words)
    # A rootless podman has those controllers alone that were delegated to it; on cgroup v1 none.
    held = set(controllers or ()) if rootless else {"cpuset", "memory"}
    return {"version": version, "words": "", "cpuset": "cpuset" in held, "memory": "memory" in held}


def _engine(name: str) -> dict:
    if shutil.which(name) is None:
        return {"installed": False, "version": None, "words": "", "cpuset": False, "memory": False}
    return {"installed": True, **(_docker() if name == "docker" else _podman())}


def _version(name: str, *arguments: str) -> str | None:
    if shutil.which(name) is None:
        return None
    found = re.search(r"\d+(\.\d+)+[^\s\"]*", _first_line(_run(name, *arguments)))
    return found.group() if found else "there"


def _perf() -> str | None:
    """None where a hardware counter can be opened, else why not."""
    number = _PERF_SYSCALL.get(platform.machine())
    if number is None or not sys.platform.startswith("linux"):
        return "not known on this system"
    attributes = bytearray(128)
    attributes[4:8] = len(attributes).to_bytes(4, sys.byteorder)  # type 0 (hardware), size, config 0 (cycles)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    handle = libc.syscall(number, (ctypes.c_char * 128).from_buffer(attributes), 0, -1, -1, 0)
    if handle >= 0:
        os.close(handle)
        return None
    return os.strerror(ctypes.get_errno())


def _pip() -> str | None:
    run = _run(
        sys.executable, "-m", "pip", "--disable-pip-version-check", "--retries", "0", "--timeout", "8",
        "index", "versions", "pip", env={**os.environ, **trust.for_pip()},
    )  # fmt: skip
    if run and "No module named" in run.stderr:
        return "pip is not installed yet: make setup"
    return None if run and run.returncode == 0 else _failure(run, "pip gets no answer")


def _failure(run: subprocess.CompletedProcess | None, words: str) -> str:
    return f"{words} within {PATIENCE_S} s" if run is None else words


def _apt() -> str | None:
    helper = shutil.which("apt-helper", path="/usr/lib/apt")
    listed = _run("apt-get", "indextargets", "--format", "$(REPO_URI)dists/$(RELEASE)/InRelease")
    addresses = sorted(set(listed.stdout.split())) if listed and listed.returncode == 0 else []
    if helper is None or not addresses:
        return "no apt sources on this system"
    with tempfile.TemporaryDirectory() as scratch:
        limits = ("-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=8", "-o", "Acquire::https::Timeout=8")
        run = _run(helper, *limits, "download-file", addresses[0], f"{scratch}/InRelease")
        return None if run and run.returncode == 0 else _failure(run, "apt gets no answer from its first source")


def _maven() -> str | None:
    """Whether Maven can fetch the one file that JMH's parent is: a POM, into an empty repository."""
    if shutil.which("mvn") is None:
        return "Maven is not installed"
    version = re.search(r"<jmh.version>(.+?)</jmh.version>", _POM.read_text()) if _POM.is_file() else None
    if version is None:
        return "bench/pom.xml names no JMH to look for"
    parent = (
        f"<groupId>org.openjdk.jmh</groupId><artifactId>jmh-parent</artifactId><version>{version.group(1)}</version>"
    )
    with tempfile.TemporaryDirectory() as scratch:
        pom = Path(scratch) / "pom.xml"
        pom.write_text(
            f"<project><modelVersion>4.0.0</modelVersion><parent>{parent}<relativePath/></parent>"
            "<artifactId>doctor</artifactId><packaging>pom</packaging></project>"
        )
        local = f"-Dmaven.repo.local={scratch}/repository"
        told = {**os.environ, **trust.for_maven()}
        run = _run("mvn", "--batch-mode", "--quiet", "--non-recursive", "--file", str(pom), local, "validate", env=told)
        return None if run and run.returncode == 0 else _failure(run, "Maven gets no answer")


def _expected(engine: str, tier: str) -> str | None:
    """How long the tier will take; None before the Python environment is set up."""
    try:
        from jcarerun.plan import expectation
        from jcarerun.run import run

        current = run.from_config({"engine": engine, "tier": tier})
    except Exception:  # whatever is wrong with the files, Snakemake says it; here it is a time that is not known
        return None
    return f"{expectation.clock(expectation.remaining_s(current.folders.raw, current.rounds))} for tier {tier}"


def _lacking(engine: str) -> str | None:
    """What set-up can't get for this user, in its own words; None where it lacks nothing, or where there is no set-up to ask."""
    run = _run("bash", "envs/setup.sh", engine, "ask")
    lines = run.stderr.splitlines() if run and run.returncode != 0 else []
    return next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), None)


def _memory_mib(moment: dict) -> int | None:
    text = moment["memory_available_kb"]
    return int(text) // 1024 if text else None


def collect(engine: str, tier: str) -> dict:
    """Every fact. Steal is looked at first, for a second in which nothing else is asked."""
    before = audit.moment()
    time.sleep(1)
    after = audit.moment()
    with ThreadPoolExecutor() as pool:
        network = {name: pool.submit(ask) for name, ask in (("pip", _pip), ("apt", _apt), ("maven", _maven))}
        engines = {name: pool.submit(_engine, name) for name in ("docker", "podman")}
        expected = pool.submit(_expected, engine, tier)
        lacking = pool.submit(_lacking, engine)
        return {
            "host": audit.host(),
            "engines": {name: asked.result() for name, asked in engines.items()},
            "tools": {"java": _version("java", "-version"), "Rscript": _version("Rscript", "--version")},
            "cpus": sorted(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else list(range(os.cpu_count() or 1)),
            "memory_mib": _memory_mib(after),
            "disk_mib": shutil.disk_usage(".").free >> 20,
            "steal": audit.steal_share(before, after),
            "load": float(before["load_average"].split()[0]) if before["load_average"] else None,
            "perf": _perf(),
            "network": {name: asked.result() for name, asked in network.items()},
            "expected": expected.result(),
            "lacking": lacking.result(),
        }
