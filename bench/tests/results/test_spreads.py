"""The spreads by which the full tier is planned come from runs' tables."""

import shutil

import pytest

from bench.tests.csv_files import read_rows, write_rows
from jcarerun.plan import fixed_plan
from jcarerun.results import spreads


def by_key(file):
    return {tuple(row[key] for key in spreads.KEY): row for row in read_rows(file)}


@pytest.fixture
def run(tmp_path):
    """The tidy tables of a run with one new cell, one that is known and one of the calibration."""
    known = read_rows(fixed_plan.SPREADS)[0]
    keys = {key: known[key] for key in spreads.KEY}
    cells = [
        {**keys, "mean_ns": 100, "sd_between_ns": 5, "forks": 10},
        {**keys, "cell": "new:sunjce:steady-state:native", "mean_ns": 200, "sd_between_ns": 2, "forks": 8},
        {**keys, "cell": "few", "mean_ns": 200, "sd_between_ns": 2, "forks": 2},
        {**keys, "experiment": "calibration", "mean_ns": 1, "sd_between_ns": 1, "forks": 8},
    ]
    # The interval of five forks with standard deviation 1: 2.776 / sqrt(5) each way.
    observed = [
        {**keys, "measure": measure, "forks": 5, "mean": 10, "lower": 8.7584, "upper": 11.2416}
        for measure in ("throughput", "x")
    ]
    write_rows(tmp_path / "cells.csv", cells)
    write_rows(tmp_path / "observed_means.csv", observed)
    write_rows(tmp_path / "contrasts.csv", [{"measure": "throughput"}])
    shutil.copy(fixed_plan.SPREADS, tmp_path / "spreads.csv")
    return tmp_path


def test_a_runs_cells_take_the_place_of_what_was_known(run):
    before = by_key(fixed_plan.SPREADS)
    assert spreads.update([run], run / "spreads.csv") == 3
    after = by_key(run / "spreads.csv")
    changed = {key: row for key, row in after.items() if before.get(key) != row}
    assert sorted((row["measure"], row["mean"], row["forks"]) for row in changed.values()) == [
        (next(iter(before.values()))["measure"], "100", "10"), (next(iter(before.values()))["measure"], "200", "8"),
        ("throughput", "10", "5"),
    ]  # fmt: skip
    (observed,) = [row for row in changed.values() if row["measure"] == "throughput"]
    assert float(observed["spread"]) == pytest.approx(0.1, rel=0.01)
    assert not before.keys() - after.keys()


@pytest.mark.parametrize(("df", "quantile"), [(2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (39, 2.0227)])
def test_students_quantile(df, quantile):
    assert spreads._t(df) == pytest.approx(quantile, rel=0.012)
