"""Two runs of the same cells held together, row by row: means, ratios and verdicts that both have.

In: the tidy tables of the two. Out: rows of text; which of their intervals overlap, which verdicts are the same.
"""

import argparse
from collections.abc import Collection, Iterator
from pathlib import Path

from jcarerun.errors import say
from jcarerun.explorer import tidy
from jcarerun.explorer.tidy import Row
from jcarerun.plan import selection
from jcarerun.run.verdict_lines import DECIDED

# What makes two verdicts the same one, and two contrasts: not the machine, nor the image, which may be another there. Where a
# run has several machines in one environment, the last one's stands for them. Cells, not their words: these leave out what
# all cells of a run share.
CLAIM = ("experiment", "claim")
PLACE = (*CLAIM, "variant", "environment", "protocol", "cpu_profile", "measure")
_SIDES = ("numerator_cell", "denominator_cell", "numerator_environment", "denominator_environment")
PAIR = (*PLACE, *_SIDES)
_CELL = ("experiment", "environment", "protocol", "cpu_profile", "cell", "measure")

COLUMNS = (
    "kind", *PLACE, *_SIDES, "cell", "first", "first_lower", "first_upper", "again", "again_lower", "again_upper", "same",
)  # fmt: skip
MEAN, RATIO, VERDICT = "mean", "ratio", "verdict"
# Verdicts on what was measured.
_JUDGED = {*DECIDED, "undecided", "not-comparable"}


def by(rows: list[Row], keys: tuple[str, ...]) -> dict[tuple[str, ...], Row]:
    """Rows by what makes them the same in another run."""
    return {tuple(row[key] for key in keys): row for row in rows}


def interval(row: Row, columns: tuple[str, str, str]) -> tuple[float, float, float] | None:
    """A row's estimate and the ends of its interval; None where one of them is missing."""
    texts = [row[name] for name in columns]
    return tuple(map(float, texts)) if all(texts) else None


def overlap(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    """Whether two intervals have a value in common."""
    return one[1] <= other[2] and other[1] <= one[2]


def rows(first: Path, again: Path) -> list[Row]:
    """A row for each mean and each ratio that has an interval in both runs, and for each verdict on what both measured.

    `same`: whether the intervals overlap, or the verdicts are the same.
    """
    found = []
    for kind, table, keys, columns in (
        (MEAN, "cells.csv", _CELL, ("mean_ns", "lower_ns", "upper_ns")),
        (RATIO, "contrasts.csv", PAIR, ("ratio", "lower", "upper")),
    ):
        for key, one, other in _both(first, again, table, keys):
            if (a := interval(one, columns)) and (b := interval(other, columns)):
                ends = {f"{side}{end}": row[name] for side, row in (("first", one), ("again", other))
                        for end, name in zip(("", "_lower", "_upper"), columns, strict=True)}  # fmt: skip
                found.append({**dict(zip(keys, key, strict=True)), "kind": kind, **ends, "same": _word(overlap(a, b))})
    for key, one, other in _both(first, again, "verdicts.csv", PLACE):
        if {one["verdict"], other["verdict"]} <= _JUDGED:
            compared = {
                "first": one["verdict"],
                "again": other["verdict"],
                "same": _word(one["verdict"] == other["verdict"]),
            }
            found.append({**dict(zip(PLACE, key, strict=True)), "kind": VERDICT, **compared})
    return found


def _word(holds: bool) -> str:
    return "yes" if holds else "no"


def _both(first: Path, again: Path, table: str, keys: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Row, Row]]:
    """The rows of a table that both runs have, in order; the calibration's are of each run alone."""
    one, other = (by(tidy.read(folder, table), keys) for folder in (first, again))
    for key in sorted(one.keys() & other.keys()):
        if key[0] != selection.CALIBRATION:
            yield key, one[key], other[key]


def words(found: list[Row], first: Path) -> list[str]:
    """What came of it, in lines: how many cells of the first run were measured again, what overlaps, what is the same."""
    cells = {key[:-1] for key in by(tidy.read(first, "cells.csv"), _CELL) if key[0] != selection.CALIBRATION}
    again = {tuple(row[key] for key in _CELL[:-1]) for row in found if row["kind"] == MEAN}
    lines = [f"{len(again)} of {len(cells)} cells were measured again, {len(again) / max(len(cells), 1):.0%}"]
    labels = {
        MEAN: "intervals of means overlap",
        RATIO: "intervals of ratios overlap",
        VERDICT: "verdicts are the same",
    }
    for kind, what in labels.items():
        own = [row for row in found if row["kind"] == kind]
        lines.append(f"{_same(own)} of {len(own)} {what}")
    decided = [row for row in found if row["kind"] == VERDICT and row["first"] in DECIDED]
    return [*lines, f"{_same(decided)} of {len(decided)} verdicts that the first run had decided are the same"]


def changes(first: Path, again: Path) -> tuple[list[str], bool]:
    """The same lines, one more for each verdict that is another or missing, and whether there is none."""
    one, other = (by(tidy.read(folder, "verdicts.csv"), PLACE) for folder in (first, again))
    changed = [
        f"  {', '.join(filter(None, key[:6]))}: {row['verdict']} then, {other[key]['verdict'] if key in other else 'missing'} now"
        for key, row in sorted(one.items())
        if key not in other or other[key]["verdict"] != row["verdict"]
    ]
    return [*words(rows(first, again), first), *changed], not changed


def _same(found: Collection[Row]) -> int:
    return sum(row["same"] == "yes" for row in found)


def write(found: list[Row], file: Path) -> None:
    """Write the rows as a table."""
    file.write_text(tidy.text(COLUMNS, found), encoding="utf-8")


def main(arguments: argparse.Namespace) -> None:
    """Say how much of a run another one measured alike."""
    found = rows(arguments.first, arguments.again)
    if arguments.out:
        write(found, arguments.out)
    say(*words(found, arguments.first))
