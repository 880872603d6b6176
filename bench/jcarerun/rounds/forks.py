"""A round's forks: what they are by its inputs (cells.csv, forks.tsv), which of them ran (offered.csv), and their raw timings."""

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jcarerun.rounds import tables
from jcarerun.rounds.tree import InvalidRound

CELLS, FORKS = "cells.csv", "forks.tsv"
# Of a round: its files have numbers of five digits at most.
MOST_FORKS = 99_999
NATIVE = "native:"
# The provider of a benchmark that isn't ours.
DEFAULT_PROVIDER = "default"

# Columns of cells.csv that name the parts of a cell, beside its factors.
LABELS = ("workload", "benchmark", "protocol", "provider", "cpu_profile", "mode")

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class Fork:
    """One fork: its cell, and the arguments of its JVM or program. params: of the benchmark, with the provider.

    labels: what cells.csv calls the cell's parts, by column.

    sampled: whether it runs one iteration more than it records, as those of benchmarks that aren't ours do (IterationLog).
    """

    number: int
    cell: str
    benchmark: str
    provider: str
    cpu_profile: str
    mode: str
    iterations: int
    threads: int
    params: dict[str, str]
    native: bool
    sampled: bool = False
    labels: dict[str, str] = field(default_factory=dict)


def read(folder: Path) -> dict[int, Fork]:
    """Number to fork, in the order they ran; without those that were run again. Raises InvalidRound for a contradiction."""
    rows = tables.read(folder, CELLS, tables.CELLS, tables.FACTOR, most=MOST_FORKS)
    lines = [line.split("\t") for line in tables.lines(folder, FORKS)]
    if not rows or [row["fork"] for row in rows] != list(range(1, len(rows) + 1)):
        raise InvalidRound(CELLS, "must have a row for each of forks 1, 2, ...")
    if len({row["cell"] for row in rows}) != len(rows):
        raise InvalidRound(CELLS, "has a cell twice")
    if [words[0] for words in lines] != [str(row["fork"]) for row in rows]:
        raise InvalidRound(FORKS, f"must have a line for each of the {len(rows)} forks of {CELLS}")
    return {row["fork"]: _fork(row, words[1:]) for row, words in zip(rows, lines, strict=True)}


def _fork(row: dict[str, Any], words: list[str]) -> Fork:
    warmup = row["warmup"]
    if warmup != "steady-state" and int(warmup) >= row["iterations"]:
        raise InvalidRound(CELLS, f"fork {row['fork']}: warmup {warmup} leaves none of {row['iterations']} iterations")
    benchmark = re.sub(r"\\(.)", r"\1", words[0].removeprefix("^").removesuffix("$")) if words else ""
    pairs = list(zip(words[1::2], words[2::2], strict=False))
    params = dict(value.split("=", 1) for name, value in pairs if name == "-p" and "=" in value)
    options = dict(reversed(pairs))
    if len(words) % 2 == 0 or len(params) != sum(name == "-p" for name, _ in pairs):
        raise InvalidRound(FORKS, f"fork {row['fork']}: is no benchmark with its arguments")
    profile = next((word.partition("=")[2] for word in words if word.startswith("-Djcarerun.cpu-profile=")), None)
    outside = "-Djcarerun.outside=true" in words
    sampled = outside and row["mode"] == "average-time"
    mode = tables.MODES[row["mode"]]
    for key, stated, expected in (
        ("benchmark", benchmark, row["benchmark"]),
        ("mode", options.get("-bm"), mode),
        ("iterations", options.get("-i"), str(row["iterations"] + sampled)),
        ("forks", options.get("-f"), "1"),
        ("warm-up iterations", options.get("-wi"), "0"),
        ("time unit", options.get("-tu"), "ns"),
        ("provider", DEFAULT_PROVIDER if outside else params.get("provider"), row["provider"]),
        ("cpu_profile", profile, row["cpu_profile"]),
    ):
        if stated != expected:
            raise InvalidRound(FORKS, f"fork {row['fork']}: {key} is {stated}, {expected} in {CELLS}")
    if not _NUMBER.fullmatch(threads := options.get("-t", "1")):
        raise InvalidRound(FORKS, f"fork {row['fork']}: -t is {threads!r}, a number of threads expected")
    native = f"-Djcarerun.provider.{row['provider']}={NATIVE}"
    return Fork(
        row["fork"], row["cell"], row["benchmark"], row["provider"], row["cpu_profile"], mode, row["iterations"],
        int(threads), params, any(word.startswith(native) for word in words), sampled,
        {name: row[name] for name in row if (name in LABELS or tables.FACTOR.fullmatch(name)) and row[name]},
    )  # fmt: skip


OFFERED = "offered.csv"


def forks_that_ran(folder: Path, planned: dict[int, Fork]) -> dict[int, Fork]:
    """The planned forks that ran: all, where nothing was asked. Raises InvalidRound for answers that contradict each other."""
    if not os.path.lexists(folder / OFFERED):
        return planned
    rows = tables.read(folder, OFFERED, tables.OFFERED)
    asked = {row["fork"]: row for row in rows}
    if len(asked) != len(rows) or not asked.keys() <= planned.keys():
        raise InvalidRound(OFFERED, "has a fork twice, or one that cells.csv lacks")
    _check_answers(asked, planned)
    return {
        number: fork for number, fork in planned.items() if number not in asked or tables.RAN[asked[number]["offered"]]
    }


def _check_answers(asked: dict[int, dict], planned: dict[int, Fork]) -> None:
    """Providers that were timed with one another gave the same answer to the same question."""
    believed: dict[tuple, tuple[int, str]] = {}
    for number, row in asked.items():
        fork = planned[number]
        if row["offered"] != "yes" or not row["answer"]:
            continue
        question = (fork.benchmark, *sorted((key, value) for key, value in fork.params.items() if key != "provider"))
        other, answer = believed.setdefault(question, (number, row["answer"]))
        if answer != row["answer"]:
            raise InvalidRound(OFFERED, f"forks {other} and {number} are both timed and gave different answers")


ITERATIONS = "iterations.csv"

# A clock that is read before and after may tell the same; one of a JVM never steps back by more.
_SLACK_MS = 1.0


def read_iterations(folder: Path, forks: dict[int, Fork]) -> dict[int, list[dict[str, Any]]]:
    """Fork number to its rows of iterations.csv. Raises InvalidRound unless each fork has all of its own, one after the other."""
    found: dict[int, list[dict[str, Any]]] = {number: [] for number in forks}
    most = min(sum(fork.iterations for fork in forks.values()), tables.MOST_ROWS)
    rows = tables.read(folder, ITERATIONS, tables.ITERATIONS, later=tables.ITERATIONS_LATER, most=most)
    for line, row in enumerate(rows, start=2):
        own = found.get(row["fork"])
        if own is None:
            raise InvalidRound(ITERATIONS, f"line {line}: fork {row['fork']} did not run")
        if row["iteration"] != len(own) + 1:
            raise InvalidRound(
                ITERATIONS, f"line {line}: iteration {row['iteration']} of fork {row['fork']}, {len(own) + 1} expected"
            )
        if row["end_uptime_ms"] < row["start_uptime_ms"]:
            raise InvalidRound(ITERATIONS, f"line {line}: ends before it begins")
        if own and row["start_uptime_ms"] < own[-1]["end_uptime_ms"] - _SLACK_MS:
            raise InvalidRound(ITERATIONS, f"line {line}: begins before the iteration before it ends")
        if row["all_operations"] < row["operations"]:
            raise InvalidRound(ITERATIONS, f"line {line}: has fewer operations in all than were timed")
        own.append(row)
    for number, rows in found.items():
        if len(rows) != forks[number].iterations:
            raise InvalidRound(
                ITERATIONS, f"fork {number} has {len(rows)} iterations, {forks[number].iterations} expected"
            )
    return found


# Iterations that are compared, of a whole fork and of each piece of one, and how many of them must differ: a coarse clock gives
# short iterations the same few durations in any fork.
LEAST_DISTINCT, PIECE, LEAST_DISTINCT_IN_PIECE = 3, 8, 6


def content_digests(times: dict[int, list[dict[str, Any]]]) -> dict[str, int]:
    """Digests of each fork's durations and operations, with its number: of all, and of pieces, which a changed copy still has.

    Durations are in nanoseconds: two forks never measure the same ones. Raises InvalidRound for a fork that is another's copy.
    """
    found: dict[str, int] = {}
    for number, rows in times.items():
        values = [(row["duration_ns"], row["operations"]) for row in rows]
        pieces = [values[at : at + PIECE] for at in range(0, len(values) - PIECE + 1, PIECE)]
        kept = [values] if len(set(values)) >= LEAST_DISTINCT else []
        for each in kept + [piece for piece in pieces if len(set(piece)) >= LEAST_DISTINCT_IN_PIECE]:
            other = found.setdefault(hashlib.sha256(repr(each).encode()).hexdigest(), number)
            if other != number:
                raise InvalidRound(ITERATIONS, f"forks {other} and {number} have the same times: one is a copy")
    return found


def window_ms(rows: Iterable[dict[str, Any]]) -> float:
    """How long a fork's iterations lasted together."""
    return sum(row["end_uptime_ms"] - row["start_uptime_ms"] for row in rows)


def total(rows: Iterable[dict[str, Any]], column: str) -> int | None:
    """The sum of a counter over a fork's iterations; None where the system does not tell."""
    values = [row[column] for row in rows]
    return None if None in values else sum(values)
