"""The estimates with intervals of all tables, those of the run and those that the studies printed."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from jcarerun.agreement.printed import Numbers
from jcarerun.errors import UserError
from jcarerun.explorer import tidy

# Table to the columns of its estimates, each with its interval.
ESTIMATES = {
    "verdicts.csv": (("estimate", "lower", "upper"),),
    "machine_verdicts.csv": (("estimate", "lower", "upper"), ("estimate", "predicted_lower", "predicted_upper")),
    "drifts.csv": (("drift", "lower", "upper"),),
    "contrasts.csv": (("ratio", "lower", "upper"), ("ratio", "welch_lower", "welch_upper")),
    "ratios.csv": (("ratio", "lower", "upper"),),
    "cells.csv": (("mean_ns", "lower_ns", "upper_ns"),),
    "observed_means.csv": (("mean", "lower", "upper"), ("geometric_mean", "geometric_lower", "geometric_upper")),
    "call_checks.csv": (("estimate", "lower", "upper"),),
    "sensitivity.csv": (("estimate", "lower", "upper"),),
    "calibration.csv": (("ratio", "lower", "upper"),),
    "variance_shares.csv": (("share", "lower", "upper"),),
    "published_ratios.csv": (("ratio", "lower", "upper"),),
}

# Table to the column of its rows' ids.
IDS = {
    "verdicts.csv": "verdict_id",
    "machine_verdicts.csv": "machine_verdict_id",
    "contrasts.csv": "contrast",
    "ratios.csv": "ratio_id",
    "observed_means.csv": "observed_id",
    "drifts.csv": "drift_id",
    "variance_shares.csv": "share_id",
}


def by_id(folder: Path) -> dict[str, list[Numbers]]:
    """The estimates with an interval of every row that has an id; an empty list for a row without any."""
    return {
        row[key]: [
            tuple(float(row[column]) for column in triple)
            for triple in ESTIMATES[name]
            if all(row[column] for column in triple)
        ]
        for name, key in IDS.items()
        for row in tidy.read(folder, name)
    }


def verdicts(folder: Path) -> dict[str, str]:
    """What each row of verdicts says."""
    return {row["verdict_id"]: row["verdict"] for row in tidy.read(folder, "verdicts.csv")}


def of_run(folder: Path) -> Iterator[Numbers]:
    """All of a run's estimates that have an interval."""
    for name, columns in ESTIMATES.items():
        for row in tidy.read(folder, name):
            for triple in columns:
                if lacking := [column for column in triple if column not in row]:
                    raise UserError(f"{folder / name}: lacks column {lacking[0]}; make the report again")
                if all(row[column] for column in triple):
                    yield tuple(float(row[column]) for column in triple)


def published(folder: Path) -> Iterator[Numbers]:
    """What the studies printed with a range, or with an error as value less and plus it."""
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row.get("value") and row.get("error"):
                    value, error = float(row["value"]), float(row["error"])
                    yield value, value - error, value + error
