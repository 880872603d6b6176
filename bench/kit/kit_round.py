"""Whether a round that a kit measured is what this checkout's plan wants, and whole: checked before it is imported.

In: the round's directory, and the planned round. Out: nothing, or a UserError in one line that names the file.
"""

import csv
import hashlib
import json
import re
import tempfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from bench.kit import kit
from bench.plan import cpu_profiles
from bench.plan.definitions import World
from bench.plan.plan import Round
from bench.plan.workloads import compares_providers
from bench.rounds import gates, interference, manifest, offers, outputs, record
from bench.run import container, limits
from envs.support.errors import UserError
from envs.support.files import sha256
from envs.support.yamlfile import where

MACHINE = re.compile(r"kit-([0-9a-f]{12})")
PLATFORMS = ("linux", "windows", "macos", "other")
REMEDY = "have the kit's own zip sent again: a result is imported as it was measured, or not at all"

_FILES = (
    "round.json", "cells.csv", "forks.tsv", "commands.txt", "iterations.csv", "environment.json", "audit.json", "console.log",
    "limits.txt", "jvm/version.txt", gates.FILE, interference.FILE, manifest.NAME,
)  # fmt: skip
_OF_SOME = re.compile(
    r"observations\.csv|gc/\d{3}-server\.log|jit/\d{3}\.(log\.gz|stacks)|jmh/\d{3}-frozen\.txt|tls/[a-z]+-\d+\.p12"
)
_OWN_KEYS = {"machine_id", "image_id", "started_at", "finished_at", "elapsed_s"}


def _refuse(file: Path, what: str, remedy: str = REMEDY) -> UserError:
    return UserError(f"{where(file)}: {what}; {remedy}")


def read_json(file: Path) -> dict:
    """A JSON file that holds an object. Raises UserError for anything else."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise _refuse(file, f"not whole JSON ({error})") from None
    if not isinstance(found, dict):
        raise _refuse(file, "not a record")
    return found


def check(folder: Path, planned: Round, world: World) -> None:
    """Hold a round's directory against the planned round. Raises UserError for the first thing that is amiss."""
    one = replace(planned, environment=folder.parent.name)
    manifest.verify(folder, REMEDY)
    _check_files(folder, one)
    _check_inputs(folder, one, world)
    _check_record(folder, one, world)
    outputs.check_outputs(folder, one.cells)
    _check_results(folder, one)
    limits.read(folder)
    cpu_profiles.check_flags(folder, [cell.cpu_profile for cell in one.cells], world.cpu_profiles)


def _check_files(folder: Path, planned: Round) -> None:
    wanted = {*_FILES, *(f"jvm/flags-{cell.cpu_profile}.txt" for cell in planned.cells)}
    if any(compares_providers(cell.benchmark) for cell in planned.cells):
        wanted.add(offers.NAME)
    for fork in interference.forks(folder, planned.cells):
        wanted |= {f"jmh/{fork:03d}.json", f"jmh/{fork:03d}.txt", f"gc/{fork:03d}.log"}
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    # Only some workloads observe anything besides time, or talk to a server.
    found -= {name for name in found if _OF_SOME.fullmatch(name)}
    for name in sorted(wanted ^ found):
        raise _refuse(folder / name, "missing" if name in wanted else "no file of a round")


def _check_inputs(folder: Path, planned: Round, world: World) -> None:
    """cells.csv, forks.tsv and gates.tsv are byte for byte what the kit was given."""
    with tempfile.TemporaryDirectory() as scratch:
        kit.write_inputs(Path(scratch), planned, world)
        for name in ("cells.csv", "forks.tsv", gates.FILE):
            if (folder / name).read_bytes() != (Path(scratch) / name).read_bytes():
                raise _refuse(folder / name, "differs from this checkout's plan (changed, or of another kit)")


def _planned_record(planned: Round, world: World) -> dict:
    return {
        "schema": record.SCHEMA, **planned.record(), "engine": "kit", "jar_sha256": sha256(container.JAR),
        "providers": kit.provider_sums(planned, world),
    }  # fmt: skip


def _check_record(folder: Path, planned: Round, world: World) -> None:
    file = folder / "round.json"
    found, wanted = read_json(file), _planned_record(planned, world)
    for key in sorted(found.keys() ^ (wanted.keys() | _OWN_KEYS)):
        raise _refuse(file, f"{key}: {'no key of a round' if key in found else 'missing'}")
    for key, value in wanted.items():
        if found[key] != value:
            raise _refuse(file, f"{key}: {found[key]!r}, but this checkout's plan has {value!r}")
    machine = MACHINE.fullmatch(planned.environment).group(1)
    image_id = "kit:" + digest_version(folder / "jvm/version.txt")
    for key, value in (("machine_id", machine), ("image_id", image_id)):
        if found[key] != value:
            raise _refuse(file, f"{key}: {found[key]!r}, but the rest of the round says {value!r}")
    _check_times(file, found)
    environment, audit = read_json(folder / "environment.json"), read_json(folder / "audit.json")
    if (environment.get("environment"), environment.get("image_id")) != (planned.environment, image_id):
        raise _refuse(folder / "environment.json", "is of another environment or JVM than the round")
    jdk, label = environment.get("jdk"), environment.get("label")
    if environment.get("platform") not in PLATFORMS or not isinstance(jdk, dict) or not isinstance(label, str):
        raise _refuse(folder / "environment.json", "lacks platform, label or jdk")
    host = audit.get("host")
    if not isinstance(host, dict) or host.get("machine_id") != machine or audit.get("engine") != "kit":
        raise _refuse(folder / "audit.json", "is of another machine or engine than the round")


def digest_version(file: Path) -> str:
    """What stands for a JVM, as jcarerun.kit.Jvm makes it: its version without warnings, which come from a fork's options."""
    lines = (line.strip().decode("latin-1") for line in re.split(rb"[\r\n]+", file.read_bytes()))
    return hashlib.sha256("\n".join(line for line in lines if line and "warning:" not in line).encode()).hexdigest()


def _check_times(file: Path, record: dict) -> None:
    try:
        started, finished = (datetime.fromisoformat(record[key]) for key in ("started_at", "finished_at"))
        elapsed = float(record["elapsed_s"])
        # A second of slack: the one is a wall clock, which may be set while the other counts.
        if not elapsed > 0 or (finished - started).total_seconds() + 1 < 0:
            raise ValueError("it ends before it starts")
    except (TypeError, ValueError) as error:
        raise _refuse(file, f"started_at, finished_at, elapsed_s: {error}") from None


def _check_results(folder: Path, wanted: Round) -> None:
    """JMH's results are of the planned benchmark and parameters, and tell the same as iterations.csv."""
    file = folder / "iterations.csv"
    ours: dict[str, list[tuple[int, float]]] = {}
    try:
        with file.open(newline="", encoding="ascii") as rows:
            for row in csv.DictReader(rows):
                per_op = int(row["duration_ns"]) / int(row["operations"])
                ours.setdefault(row["fork"], []).append((int(row["iteration"]), per_op))
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise _refuse(file, f"not a table of iterations ({error})") from None
    for fork, cell in interference.forks(folder, wanted.cells).items():
        result = folder / f"jmh/{fork:03d}.json"
        told = json.loads(result.read_text())[0]
        if (told.get("benchmark"), told.get("params")) != (cell.benchmark, {**cell.params, "provider": cell.provider}):
            raise _refuse(result, f"is of {told.get('benchmark')} {told.get('params')}, not of {cell.id}")
        rows = ours.get(str(fork), [])
        if [number for number, _ in rows] != list(range(1, cell.iterations + 1)):
            raise _refuse(file, f"fork {fork} has {len(rows)} iterations, {cell.iterations} expected")
        for (number, mine), theirs in zip(rows, told["primaryMetric"]["rawData"][0], strict=True):
            if not isinstance(theirs, float | int) or abs(mine - theirs) > 1e-6 * abs(mine):
                raise _refuse(result, f"iteration {number} took {theirs} ns/op, {mine} in iterations.csv")
