"""`jca-rerun spreads`: takes means and spreads of a run's cells into data/spreads.csv, by which the full tier is planned.

In: tidy tables of runs. Out: the file, with the cells of these runs in place of what it had of them.
"""

import argparse
import csv
import math
from collections.abc import Iterable, Iterator
from pathlib import Path

from jcarerun.errors import say
from jcarerun.explorer import tidy
from jcarerun.plan import fixed_plan, selection
from jcarerun.support.files import write_file

COLUMNS = ("experiment", "environment", "cell", "measure", "mean", "spread", "forks")
KEY = COLUMNS[:4]
# A spread of fewer forks is too uncertain.
LEAST_FORKS = 3


def of_run(folder: Path, measures: Iterable[str]) -> Iterator[dict[str, str]]:
    """The rows of a run: of times, and of the other measures that claims are judged by.

    The spread is the standard deviation of the forks' means over their mean.
    """
    for row in tidy.read(folder, "cells.csv"):
        if row["mean_ns"] and row["sd_between_ns"]:
            yield _row(row, float(row["mean_ns"]), float(row["sd_between_ns"]))
    wanted = set(measures)
    for row in tidy.read(folder, "observed_means.csv"):
        forks = int(row["forks"])
        if row["measure"] in wanted and row["mean"] and row["lower"] and row["upper"] and forks >= LEAST_FORKS:
            half = (float(row["upper"]) - float(row["lower"])) / 2
            yield _row(row, float(row["mean"]), half / _t(forks - 1) * math.sqrt(forks))


def _row(row: dict[str, str], mean: float, deviation: float) -> dict[str, str]:
    spread = deviation / abs(mean) if mean else 0.0
    return {**{key: row[key] for key in KEY}, "mean": f"{mean:.6g}", "spread": f"{spread:.4g}", "forks": row["forks"]}


def _t(df: int) -> float:
    """The 97.5 % quantile of Student's t by Hill's expansion in the normal quantile, right within 1 % from two degrees on."""
    z = 1.959964
    terms = (
        z, (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )  # fmt: skip
    return 4.302653 if df == 2 else sum(term / df**power for power, term in enumerate(terms))


def update(folders: Iterable[Path], file: Path = fixed_plan.SPREADS) -> int:
    """Take the runs' cells into the file; return how many rows are of these runs."""
    with file.open(newline="") as old:
        rows = {tuple(row[key] for key in KEY): row for row in csv.DictReader(old)}
    found = {}
    for folder in folders:
        measures = {each for row in tidy.read(folder, "contrasts.csv") for each in row["measure"].split(";")}
        for row in of_run(folder, measures):
            if row["experiment"] != selection.CALIBRATION and int(row["forks"]) >= LEAST_FORKS and float(row["spread"]):
                found[tuple(row[key] for key in KEY)] = row
    write_file(file, tidy.text(COLUMNS, (row for _, row in sorted({**rows, **found}.items()))))
    return len(found)


def main(arguments: argparse.Namespace) -> None:
    """`jca-rerun spreads`."""
    say(f"{fixed_plan.SPREADS}: {update(arguments.tidy)} rows of these runs")
