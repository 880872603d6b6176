"""The one check of a round: after measuring, at the import of a kit, and before a report from somebody's directory.

In: a round's directory. Out: its forks, or a UserError in one line for the first file that is not as it must be. A round that
passed is stamped, and believed by whatever reads it afterwards.
"""

import os
import re
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from jcarerun.errors import UserError
from jcarerun.rounds import forks, interference, manifest, record, tables, tree
from jcarerun.rounds.forks import Fork
from jcarerun.rounds.tree import MANIFEST, RESTORE, ROUND, InvalidRound, name_errors
from jcarerun.support.files import confined, where, write_file

# JMH rounds to three decimals, a native program to ten digits.
_TOLERANCE = 1e-6


def check_result(folder: Path, number: int, fork: Fork, rows: list[dict[str, Any]]) -> str | None:
    """Hold a fork's result against its plan and its iterations; return its JVM's version."""
    name = f"jmh/{number:03d}.json"
    expected = {
        "benchmark": fork.benchmark, "mode": fork.mode, "threads": fork.threads, "forks": 1,
        "measurementIterations": fork.iterations + fork.sampled,
    }  # fmt: skip
    found = record.read_json(folder, name)
    try:
        (result,) = found
        metric = result["primaryMetric"]
        (values,) = metric["rawData"]
        # JMH writes none for a benchmark that has none.
        params, unit, score = result["params"] if fork.params else {}, metric["scoreUnit"], metric["score"]
        stated = {key: result[key] for key in expected}
    except (LookupError, TypeError, ValueError) as error:
        raise InvalidRound(
            name, f"no JMH result of one fork of {fork.cell} ({type(error).__name__}: {error})"
        ) from None
    for key, value in expected.items():
        if stated[key] != value or isinstance(stated[key], bool):
            raise InvalidRound(name, f"is of {key} {stated[key]}, not {value}, as {fork.cell} is")
    _check_params(name, fork, params)
    if unit != "ns/op":
        raise InvalidRound(name, f"is in {unit}, ns/op expected")
    _check_values(name, fork, values, score, rows)
    version = result.get("vmVersion")
    return version if isinstance(version, str) else None


def _check_params(name: str, fork: Fork, params: Any) -> None:
    if not isinstance(params, dict):
        raise InvalidRound(name, "has no params")
    for key, value in fork.params.items():
        # A native program tells its own words for some parameters, and not those that it need not know.
        if params.get(key, value if fork.native else None) != value:
            raise InvalidRound(name, f"is of {key}={params.get(key)}, not of {key}={value}, as {fork.cell} is")


def _check_values(name: str, fork: Fork, values: Any, score: Any, rows: list[dict[str, Any]]) -> None:
    expected = len(rows) + fork.sampled
    if not isinstance(values, list) or len(values) != expected:
        count = len(values) if isinstance(values, list) else "no"
        raise InvalidRound(name, f"{count} iterations of {fork.cell}, {expected} expected")
    for row, theirs in zip(rows, values[: len(rows)], strict=True):
        ours = row["duration_ns"] / row["operations"]
        # duration_ns is a whole number: of few operations that are short, half a nanosecond is more than the tolerance.
        allowed = _TOLERANCE * ours + 0.5 / row["operations"]
        if not record.is_number(theirs) or not abs(ours - theirs) <= allowed:
            raise InvalidRound(name, f"iteration {row['iteration']} took {theirs} ns/op, {ours} in iterations.csv")
    if not all(map(record.is_number, values)):
        raise InvalidRound(name, "has an iteration without a number")
    mean = sum(values) / len(values)
    if not record.is_number(score) or not abs(score - mean) <= _TOLERANCE * mean:
        raise InvalidRound(name, f"has score {score}, the mean of its iterations is {mean}")


# Of a GC log, and of a line of it, which has some hundred.
MOST_LOG_BYTES, _MOST_LINE_BYTES = 1 << 30, 64 << 10

# The unified log from JDK 9 on, decorated with time, uptime, level and tags; JDK 8's opens with the JVM's name.
_UNIFIED = re.compile(rb"\[[0-9T:.+-]{20,40}\]\[[0-9]+\.[0-9]{3}s\]\[[a-z]+ *\]\[[a-z0-9,_ ]+\] ?")
_OLD = re.compile(rb"[^\n]{0,200} VM \(([^)\s]+)\) for ")
_VERSION = re.compile(rb"\] Version: (\S+) ")


def check_gc_log(folder: Path, name: str, version: str | None) -> None:
    """Raise InvalidRound unless a file is a GC log of HotSpot, and of that version where both tell one."""
    with tree.open_file(folder, name, MOST_LOG_BYTES) as file:
        lines = iter(lambda: file.readline(_MOST_LINE_BYTES), b"")
        first = next(lines, b"")
        if not first:
            raise InvalidRound(name, "is empty, a GC log expected")
        found = old = _OLD.match(first)
        for number, line in enumerate(chain([first], lines), start=1):
            if b"\0" in line:
                raise InvalidRound(name, "holds bytes that no GC log has")
            if not old and not _UNIFIED.match(line):
                raise InvalidRound(name, f"line {number}: is no line of a GC log")
            found = found or _VERSION.search(line)
    version_of_log = found.group(1).decode("ascii", "replace") if found else None
    if version_of_log and version and version_of_log != version:
        raise InvalidRound(name, f"is of a JVM of version {version_of_log}, the fork's result of {version}")


OBSERVATIONS = "observations.csv"


def check_observations(folder: Path, forks: dict[int, Fork]) -> None:
    """Raise InvalidRound for a row that is of no fork or iteration of the round, has no value, or is there twice."""
    if not os.path.lexists(folder / OBSERVATIONS):
        return
    seen = set()
    for line, row in enumerate(tables.read(folder, OBSERVATIONS, tables.OBSERVATIONS), start=2):
        fork = forks.get(row["fork"])
        if fork is None or row["iteration"] > fork.iterations:
            raise InvalidRound(
                OBSERVATIONS, f"line {line}: fork {row['fork']}, iteration {row['iteration']}: the round has none such"
            )
        key = (row["fork"], row["iteration"], row["measure"])
        if key in seen:
            raise InvalidRound(
                OBSERVATIONS,
                f"line {line}: {row['measure']} of fork {row['fork']}, iteration {row['iteration']}, again",
            )
        seen.add(key)


# Raised when rounds that passed must be looked at again.
VERSION = 1

LIMITS = "limits.txt"
ALWAYS_THERE = {
    record.FILE, forks.CELLS, forks.FORKS, interference.GATES, "commands.txt", forks.ITERATIONS, interference.NAME, LIMITS,
    record.ENVIRONMENT, record.AUDIT, record.VERSION, "console.log",
}  # fmt: skip
# Only some workloads observe anything, compare providers, or talk to a server; only some profiles set variables.
SOMETIMES_THERE = re.compile(
    r"observations\.csv|offered\.csv|gc/[0-9]+-server\.log|jmh/[0-9]+-frozen\.txt|tls/[a-z]+-[0-9]+\.p12|jvm/java-[^/]+"
    r"|jit/[0-9]+\.(?:log\.gz|stacks)|chain\.csv|compilations\.csv|plan\.json|machine/.*"
)


def validate_round(folder: Path, remedy: str = RESTORE) -> str:
    """Hold a round against its manifest, and all that it says against the rest of it; return the manifest's SHA-256."""
    digest = manifest.verify(folder, remedy)
    validate_content(folder, remedy)
    return digest


@dataclass(frozen=True)
class RoundFacts:
    """What a checked round says: its planned forks, its record, the versions of its JVMs, the digests of its forks' times."""

    planned: dict[int, Fork]
    record: dict[str, Any]
    versions: frozenset[str]
    contents: dict[str, int]


def validate_content(folder: Path, remedy: str = "", path: str = "") -> RoundFacts:
    """Hold all that a round says against the rest of it, within limits of memory and time. Raises UserError.

    `path`: where below a raw directory the round belongs; where it lies, unless it is still being made.
    """
    return confined(lambda: _validate(folder, remedy, path), where(folder), tree.size(folder))


def _validate(folder: Path, remedy: str, path: str) -> RoundFacts:
    with name_errors(folder, remedy):
        planned = forks.read(folder)
        ran = forks.forks_that_ran(folder, planned)
        every = interference.all_forks(folder, ran, len(planned))
        _check_files(folder, planned, every)
        times = forks.read_iterations(folder, every)
        interference.check(folder, times, len(planned))
        versions = set()
        for number, fork in every.items():
            version = check_result(folder, number, fork, times[number])
            if not fork.native:
                check_gc_log(folder, f"gc/{number:03d}.log", version)
                versions |= {version} - {None}
        check_observations(folder, every)
        for name, own in (("chain.csv", tables.CHAIN), ("compilations.csv", tables.COMPILATIONS)):
            _check_forks_of(folder, name, own, every)
        _check_limits(folder)
        elapsed = sum(row["elapsed_ms"] for row in tables.read(folder, interference.NAME, tables.INTERFERENCE))
        found = record.check(folder, path or "/".join(folder.resolve().parts[-3:]), planned, elapsed)
        return RoundFacts(planned, found, frozenset(versions), forks.content_digests(times))


def _check_files(folder: Path, planned: dict[int, Fork], every: dict[int, Fork]) -> None:
    """A round has all of its files, and no other."""
    wanted = ALWAYS_THERE | {f"jvm/flags-{fork.cpu_profile}.txt" for fork in planned.values()}
    for number, fork in every.items():
        wanted |= {f"jmh/{number:03d}.json", f"jmh/{number:03d}.txt"} | (
            set() if fork.native else {f"gc/{number:03d}.log"}
        )
    found = tree.file_names(folder, ROUND) - {MANIFEST}
    for name in sorted(wanted ^ found):
        if name in wanted:
            raise InvalidRound(name, "missing")
        if not SOMETIMES_THERE.fullmatch(name):
            raise InvalidRound(name, "no file of this round")


def _check_forks_of(folder: Path, name: str, own: dict[str, tables.Kind], every: dict[int, Fork]) -> None:
    """Each row of a table that a round may have is of a fork that ran."""
    if os.path.lexists(folder / name):
        for line, row in enumerate(tables.read(folder, name, own), start=2):
            if row["fork"] not in every:
                raise InvalidRound(name, f"line {line}: fork {row['fork']} did not run")


def _check_limits(folder: Path) -> None:
    for line in tables.lines(folder, LIMITS):
        if not re.fullmatch(r"[a-z_]+: .+", line):
            raise InvalidRound(LIMITS, f"{line[:80]!r} is no limit")


def stamp_round(folder: Path) -> None:
    """Check a round, and stamp it. Raises UserError for one that can't be believed."""
    write_file(manifest.stamp_of(folder), f"{validate_round(folder)}\nchecked {VERSION}\n")


def verify_round(folder: Path, own: bool = True) -> RoundFacts | None:
    """Hold a stamped round against its stamp; check one that has none, and anybody's but our own. Raises UserError.

    Returns what a round says that is not our own. Writes nothing but the stamp of an own round, if an earlier check stamped it.
    """
    file = manifest.stamp_of(folder)
    digest = manifest.verify(folder)
    if not os.path.lexists(file):
        return validate_content(folder, RESTORE)
    words = tree.read(file.parent, file.name).decode(errors="replace").split("\n")
    if words[0].strip() != digest:
        raise UserError(
            f"{where(folder / manifest.NAME)}: differs from {where(file)}, so the round was changed after it was measured; "
            f"put it back, or remove {where(folder)} and its stamp"
        )
    if not own:
        return validate_content(folder, RESTORE)
    if f"checked {VERSION}" not in words:
        stamp_round(folder)
    return None
