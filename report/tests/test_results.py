"""report/results: every estimate that its README gives is its row's, by the id behind it."""

import csv
import re
from pathlib import Path

import pytest

RESULTS = Path("report/results")
# 2.78 [2.70, 2.86] (v12): an estimate, its interval, and the row that both are of.
STATED = re.compile(r"(-?[\d.]+) \[(-?[\d.]+), (-?[\d.]+)\] \(([vcr]\d+)\)")
# Each table, the column of its ids, and that of its estimates.
TABLES = (("verdicts.csv", "verdict_id", "estimate"), ("contrasts.csv", "contrast", "ratio"), ("ratios.csv", "ratio_id", "ratio"))


def _rows() -> dict[str, dict]:
    found = {}
    for name, key, estimate in TABLES:
        with (RESULTS / name).open(newline="") as file:
            found |= {row[key]: row | {"estimate": row[estimate]} for row in csv.DictReader(file)}
    return found


def _text() -> str:
    return (RESULTS / "README.md").read_text()


def test_every_estimate_has_the_id_of_its_row_and_is_what_stands_there():
    rows, stated = _rows(), STATED.findall(_text())
    assert len(stated) >= 20
    for *numbers, id in stated:
        row = rows[id]
        for number, key in zip(numbers, ("estimate", "lower", "upper"), strict=True):
            decimals = len(number.partition(".")[2])
            assert f"{float(row[key]):.{decimals}f}" == number, f"{id}: {key}"


def test_no_interval_stands_without_an_id():
    assert len(re.findall(r"\[-?[\d.]+, -?[\d.]+\]", _text())) == len(STATED.findall(_text()))


@pytest.mark.parametrize("verdict", ["supported", "refuted"])
def test_every_decided_verdict_that_is_named_is_that_of_its_row(verdict):
    rows = _rows()
    for id in re.findall(rf"\*\*{verdict}\*\* \((v\d+)\)", _text()):
        assert rows[id]["verdict"] == verdict, id
