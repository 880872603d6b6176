"""A ratio computed again from raw files: each fork's value, then the difference of the cells' means of logarithms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from jcarerun.trace import raw
from jcarerun.trace.tables import Row, Side, Tables

TIMES = ("wall", "cpu")


@dataclass(frozen=True)
class ForkValue:
    """A fork that counts: its row, its iterations that count (none where its value is no time), and its value from raw."""

    fork: Row
    iterations: list[raw.Counted]
    value: float | None


def fork_values(tables: Tables, side: Side, measure: str, rounds: Path) -> list[ForkValue]:
    """Every fork of a cell that counts, from its raw files."""
    found = []
    for fork in side.counted:
        folder, number, measured = rounds / tables.path(fork), int(fork["fork"]), tables.measured(fork)
        iterations = raw.counted(folder, number, measured, measure)
        value = raw.mean(iterations) if measure in TIMES else raw.observed(folder, number, measured, measure)
        found.append(ForkValue(fork, iterations, value))
    return found


def ratio(row: Row, values: list[list[ForkValue]], of_difference: bool) -> float | None:
    """The ratio of a row (a difference, or one cell's own value, where it is such) from its forks' values.

    Where it is paired by rounds (`method`), forks of one round count as their mean. None where a value is not known.
    """
    if any(each.value is None or (each.value <= 0 and not of_difference) for side in values for each in side):
        return None
    to = float if of_difference else math.log
    blocks = [
        _blocks(side, row, to) if row["method"] == "paired" else [to(each.value) for each in side] for side in values
    ]
    if not all(blocks):
        return None
    difference = fmean(blocks[0]) - (fmean(blocks[1]) if len(blocks) > 1 else 0)
    return difference if of_difference else math.exp(difference)


def _blocks(side: list[ForkValue], row: Row, to) -> list[float]:
    """The mean of each round; of two environments, of the rounds of a number."""
    between = any(row[f"numerator_{name}"] != row[f"denominator_{name}"] for name in ("environment", "image_id"))
    groups: dict[str, list[float]] = {}
    for each in side:
        groups.setdefault(each.fork["number" if between else "round"], []).append(to(each.value))
    return [fmean(group) for group in groups.values()]
