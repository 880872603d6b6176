"""The files of a round that say what it is: written before it runs (cells, forks) and after (its record)."""

import csv
import json
import re
from datetime import UTC, datetime
from pathlib import Path

from bench.harness import cpu_profiles, gates, interference, observations
from bench.harness.cells import JVM_OPTIONS
from bench.harness.cpu_profiles import CpuProfile
from bench.harness.plan import Round
from bench.harness.providers import NATIVE, Provider
from bench.rounds import tree
from envs.builder.errors import UserError
from envs.builder.yamlfile import where

COLUMNS = (
    "fork",
    "cell",
    "workload",
    "benchmark",
    "protocol",
    "provider",
    "cpu_profile",
    "mode",
    "warmup",
    "iterations",
    "iteration_ms",
)


def now() -> str:
    """UTC, ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def write_inputs(
    folder: Path, one: Round, providers: dict[str, Provider], profiles: dict[str, CpuProfile], jars: str, platform: str,
    more: tuple[str, ...] = (),
) -> None:  # fmt: skip
    """Write cells.csv, forks.tsv (which fork is which cell, and its JMH arguments), gates.tsv and the scripts that start JVMs.

    `jars` is the directory of provider jars as the forks see it. `platform` is the system that the forks run on: a CPU profile's
    environment variables are for native code on `linux`, and set by a script there. `more` are JVM options for every fork.
    """
    factors = sorted({name for cell in one.cells for name in cell.factors})
    with (folder / "cells.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*COLUMNS, *(f"factor.{name}" for name in factors)])
        for fork, cell in enumerate(one.cells, start=1):
            own = [cell.id, *(getattr(cell, name) for name in COLUMNS[2:])]
            writer.writerow([fork, *own, *(cell.factors.get(name, "") for name in factors)])
    lines = []
    for fork, cell in enumerate(one.cells, start=1):
        profile = profiles[cell.cpu_profile]
        own = [profile.marker, providers[cell.provider].jvm_argument(jars)]
        options = [*more, *JVM_OPTIONS, *profile.jvm_options, *own]
        jvm = _script(folder, profile) if profile.variables and platform == "linux" else None
        lines.append("\t".join([str(fork), *cell.jmh_arguments(options, jvm)]))
    (folder / "forks.tsv").write_text("\n".join(lines) + "\n")
    (folder / gates.NAME).write_text(gates.read().text())


def _script(folder: Path, profile: CpuProfile) -> str:
    """Write the script that starts a profile's forks, and return its path as the forks see it."""
    path = folder / profile.script
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(profile.script_text())
        path.chmod(0o755)
    return profile.script


def write_record(folder: Path, one: Round, facts: dict) -> None:
    """Write round.json: the plan's part of it, and `facts` that only the run knows."""
    record = {
        "schema": 2, "experiment": one.experiment, "environment": one.environment, "round": one.id,
        "number": one.number, "stage": one.stage, "plan_sha256": one.plan_sha256,
        "tier": one.tier, "seed": one.seed, "order_seed": one.order_seed,
        "expected_s": round(one.expected_s, 3), **facts,
    }  # fmt: skip
    (folder / "round.json").write_text(json.dumps(record, indent=1) + "\n")


def _lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))


def _native_providers(folder: Path) -> set[str]:
    """The providers that forks.tsv says are native programs."""
    return set(re.findall(rf"-Djcarerun\.provider\.([^=\t]+)={NATIVE}", (folder / "forks.tsv").read_text()))


def check_outputs(folder: Path, one: Round) -> None:
    """Raise UserError unless every fork that ran, planned or again, left a readable JMH result, all its iterations and a GC log.

    A native program has no GC log. What forks observed besides must be of these iterations.
    """
    forks, native = interference.forks(folder, one), _native_providers(folder)
    for fork, cell in forks.items():
        result, pauses = folder / f"jmh/{fork:03d}.json", folder / f"gc/{fork:03d}.log"
        try:
            found = json.loads(result.read_text())
            values = sum(len(fork_values) for fork_values in found[0]["primaryMetric"]["rawData"])
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise UserError(
                f"{where(result)}: no JMH result of fork {fork}, {cell.id} ({error}); see jmh/{fork:03d}.txt"
            ) from None
        if values != cell.iterations:
            raise UserError(f"{where(result)}: {values} iterations of {cell.id}, {cell.iterations} expected")
        if cell.provider not in native and (not pauses.is_file() or pauses.stat().st_size == 0):
            raise UserError(f"{where(pauses)}: fork {fork}, {cell.id}, left no GC log")
    expected = 1 + sum(cell.iterations for cell in forks.values())
    if (rows := _lines(folder / "iterations.csv")) != expected:
        raise UserError(f"{where(folder / 'iterations.csv')}: {rows} lines, {expected} expected")
    observations.check(folder, forks)


def check_flags(folder: Path, one: Round, profiles: dict[str, CpuProfile]) -> dict[str, dict[str, str]]:
    """CPU profile to the intrinsics its JVM used. Raises UserError if a feature was on that the profile forbids."""
    used = {}
    for name in sorted({cell.cpu_profile for cell in one.cells}):
        file = folder / f"jvm/flags-{name}.txt"
        found = cpu_profiles.flags(tree.read(folder, f"jvm/flags-{name}.txt").decode(errors="replace"))
        if on := profiles[name].forbidden_on(found):
            raise UserError(
                f"{where(file)}: {', '.join(on)}: must be off in the CPU profile {name}; mend its jvm_options in "
                f"{cpu_profiles.FILE}, or measure without it: cpu_profiles=[{cpu_profiles.NATIVE}]"
            )
        used[name] = cpu_profiles.intrinsics(found)
    return used
