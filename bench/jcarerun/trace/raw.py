"""A fork's value from the raw files of its round, by nothing but sums: no code of the analysis has a part in it.

Which iterations count is the table's (`measured` of iterations.csv.gz), since changepoints, plans and protocols decide it;
their times are those of the round's iterations.csv, which must be those of JMH's own JSON.
"""

from __future__ import annotations

import csv
import json
import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.rounds import tree

MOST_APART = 1e-9
# What is made from sums over the iterations that count: data/README.md, observed.csv.
OF_SUMS = {
    "throughput": lambda sums: 1e9 * sums["load.done"] / sums["load.span"],
    "client-utilisation": lambda sums: sums["load.client"] / sums["load.span"],
    "server-utilisation": lambda sums: sums["load.server"] / sums["load.span"],
    "server-per-client": lambda sums: sums["load.server"] / sums["load.client"],
    "client-jvm-cpu": lambda sums: sums["load.client"] / sums["load.done"],
    "server-jvm-cpu": lambda sums: sums["load.server"] / sums["load.done"],
}


@dataclass(frozen=True)
class Counted:
    """An iteration that enters its fork's mean: its number, time in ns, operations, and part of the mean."""

    iteration: int
    time_ns: float
    operations: float

    def weight(self, total: float) -> float:
        """Its part of the fork's mean, of the operations that count in all."""
        return self.operations / total


def counted(folder: Path, fork: int, measured: set[int], measure: str) -> list[Counted]:
    """The iterations of a fork that count, with wall or CPU time. Raises UserError where the raw files disagree."""
    rows = [row for row in _rows(folder, "iterations.csv") if int(row["fork"]) == fork]
    _as_jmh_has_it(folder, fork, rows)
    columns = ("worker_cpu_ns", "all_operations") if measure == "cpu" else ("duration_ns", "operations")
    found = [Counted(int(row["iteration"]), *(float(row[name]) for name in columns)) for row in rows]
    return [each for each in found if each.iteration in measured]


def mean(iterations: list[Counted]) -> float:
    """Time per operation: each iteration weighs as much as it has operations."""
    return sum(each.time_ns for each in iterations) / sum(each.operations for each in iterations)


def observed(folder: Path, fork: int, measured: set[int], measure: str) -> float | None:
    """The fork's value of something observed besides time; None where it is made by more than sums."""
    rows = [
        row
        for row in _rows(folder, "observations.csv")
        if int(row["fork"]) == fork and int(row["iteration"]) in measured
    ]
    values = defaultdict(list)
    for row in rows:
        if ";" not in row["value"]:
            values[row["measure"]].append(float(row["value"]))
    if measure in values:
        return sum(values[measure]) / len(values[measure])
    sums = {name: math.fsum(each) for name, each in values.items()}
    steps = {name.removeprefix("step."): total for name, total in sums.items() if name.startswith("step.")}
    kind, _, rest = measure.partition(".")
    if kind == "share" and rest in steps:
        return steps[rest] / sum(steps.values())
    if kind == "step-ratio" and all(name in steps for name in rest.split(".")):
        above, below = rest.split(".")
        return steps[above] / steps[below]
    if measure == "total" and steps:
        return sum(steps.values()) / len({row["iteration"] for row in rows})
    return OF_SUMS[measure](sums) if measure in OF_SUMS and "load.span" in sums else None


@cache
def _rows(folder: Path, name: str) -> list[dict[str, str]]:
    if not (folder / name).is_file():
        raise UserError(f"{folder / name}: missing; name the directory of the run's rounds: RAW=DIR")
    return list(csv.DictReader(tree.read(folder, name).decode().splitlines()))


def _as_jmh_has_it(folder: Path, fork: int, rows: list[dict[str, str]]) -> None:
    """Hold the times of all iterations of a fork against those that JMH wrote itself."""
    name = f"jmh/{fork:03d}.json"
    result = json.loads(tree.read(folder, name))[0]["primaryMetric"]
    theirs = [value for values in result["rawData"] for value in values]
    ours = [float(row["duration_ns"]) / float(row["operations"]) for row in rows]
    if result["scoreUnit"] != "ns/op" or len(theirs) != len(ours):
        raise UserError(
            f"{folder / name}: has {len(theirs)} iterations in {result['scoreUnit']}, iterations.csv {len(ours)}"
        )
    for number, (one, two) in enumerate(zip(theirs, ours, strict=True), 1):
        if not math.isclose(one, two, rel_tol=MOST_APART):
            raise UserError(f"{folder / name}: iteration {number} took {one} ns/op, in iterations.csv {two}")
