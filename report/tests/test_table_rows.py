"""What R writes for the report is what its tables have: each verdict, and each estimate to its last printed digit."""

import json
import re

import pytest

from jcarerun.explorer import tidy

TABLES = (
    ("verdicts.csv", "verdict_id", "estimate"), ("contrasts.csv", "contrast", "ratio"), ("ratios.csv", "ratio_id", "ratio"),
)  # fmt: skip


def entries(value):
    """Every object of a JSON text that names a row."""
    if isinstance(value, dict):
        if re.fullmatch(r"[vcr]\d+", str(value.get("id"))):
            yield value
        value = list(value.values())
    for each in value if isinstance(value, list) else []:
        yield from entries(each)


def is_printed_as(number, text):
    """Whether a number, itself or in per cent, is `text` when it is rounded to the digits of `text`."""
    digits = text.replace("\u2212", "-").replace(",", "")
    # A whole number may be rounded to tens or more.
    place = len(digits.partition(".")[2]) if "." in digits else len(digits.rstrip("0")) - len(digits)
    half = 0.5 * 10.0**-place
    return any(abs(number * scale - float(digits)) <= half * (1 + 1e-6) for scale in (1, 100, 1e-3, 1e-6, 1e-9))


@pytest.mark.parametrize(
    ("number", "text"),
    [(1.0345, "1.034"), (9312.0, "9310"), (0.171, "17.1"), (-0.02, "\u22120.02"), (20631.0, "20,631")],
)
def test_a_number_is_known_as_it_is_printed(number, text):
    assert is_printed_as(number, text)
    assert not is_printed_as(number * 1.5, text)


@pytest.mark.sample
def test_every_verdict_and_estimate_is_its_rows(sample_report):
    rows = {
        row[key]: (row, row[column])
        for name, key, column in TABLES
        for row in tidy.read(sample_report.path / "data/tidy", name)
    }
    compared = 0
    for file in sorted((sample_report.path / "report/build/tables").glob("*.json")):
        for entry in entries(json.loads(file.read_text(encoding="utf-8"))):
            row, number = rows[entry["id"]]
            assert entry.get("verdict", row.get("verdict")) == row.get("verdict"), (file.name, entry)
            printed = re.match(r"[-\u2212]?\d[\d,]*(\.\d+)?", str(entry.get("estimate", "")))
            if printed and number:
                compared += 1
                assert is_printed_as(float(number), printed[0].strip()), (file.name, entry, number)
    assert compared >= 5
