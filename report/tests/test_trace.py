"""Numbers lead back: by a trace to rows, formula and raw files, and to the same number again; by its id a printed one to its row.

What R writes for the report is what its tables have: each verdict, and each estimate to its last printed digit.
"""

import json
import re
import shutil
from pathlib import Path

import pytest

from jcarerun import trace
from jcarerun.errors import UserError
from jcarerun.explorer import tidy

SAMPLE = Path("data/sample")


@pytest.fixture
def a_round(tmp_path):
    """A round's iterations.csv, with one fork: (duration in ns, operations) of each iteration."""

    def write(times):
        lines = ["fork,iteration,duration_ns,operations,worker_cpu_ns,all_operations"]
        lines += [f"1,{number},{ns},{count},{3 * ns},{2 * count}" for number, (ns, count) in enumerate(times, 1)]
        (tmp_path / "iterations.csv").write_text("\n".join(lines) + "\n")
        return tmp_path

    return write


def test_iterations_weigh_by_their_operations(a_round):
    folder = a_round([(9000, 1), (100, 10), (600, 30)])
    assert trace.fork_value(folder, 1, {2, 3}, "wall") == 700 / 40
    assert trace.fork_value(folder, 1, {2, 3}, "cpu") == 2100 / 80


def test_raw_files_are_read_as_those_of_strangers(a_round):
    folder = a_round([(100, 10)])
    (folder / "iterations.csv").rename(folder / "other.csv")
    with pytest.raises(UserError, match="there is no such file; name the directory of the rounds"):
        trace.fork_value(folder, 1, {1}, "wall")
    (folder / "iterations.csv").symlink_to(folder / "other.csv")
    with pytest.raises(UserError, match="link"):
        trace.fork_value(folder, 1, {1}, "wall")


def test_paired_forks_of_a_round_count_as_their_mean():
    def forks(*values):
        return [({"round": round_, "number": round_}, value) for round_, value in values]

    row = {"method": "paired", **dict.fromkeys(("numerator_environment", "denominator_environment"), "v")}
    row |= dict.fromkeys(("numerator_image_id", "denominator_image_id"), "i")
    sides = [forks(("1", 2.0), ("1", 8.0), ("2", 16.0)), forks(("1", 1.0), ("2", 1.0))]
    assert trace.ratio(row, sides, False) == pytest.approx(8)
    assert trace.ratio({**row, "method": "Welch"}, sides, False) == pytest.approx((2 * 8 * 16) ** (1 / 3))
    assert trace.ratio({**row, "method": "Welch"}, sides, True) == pytest.approx(26 / 3 - 1)
    assert "rounds' means" in trace.formula(row, False)


@pytest.fixture(scope="module")
def tables(sample_report, tmp_path_factory):
    return shutil.copytree(sample_report.path / "data/tidy", tmp_path_factory.mktemp("trace") / "tidy")


@pytest.mark.sample
def test_every_ratio_of_times_of_the_sample_comes_again_from_its_raw_files(tables, capsys):
    rows = [("contrast", row) for row in tidy.read(tables, "contrasts.csv")]
    rows += [("ratio_id", row) for row in tidy.read(tables, "ratios.csv")]
    assert all(trace.trace(tables, SAMPLE, row[key]) for key, row in rows)
    of_times = [row for _, row in rows if row["measure"] in trace.TIMES and row["ratio"]]
    assert capsys.readouterr().out.count("; the same") == len(of_times) > 15


@pytest.mark.sample
def test_the_raw_files_that_a_number_is_in_are_named(tables, capsys):
    """JMH's JSON is never named: it has no CPU times."""
    trace.trace(tables, SAMPLE, "r1")
    said = capsys.readouterr().out
    named = re.findall(r"^  (\S+), rows with fork", said, re.MULTILINE)
    assert named and all(name.endswith("/iterations.csv") and Path(name).is_file() for name in named)
    assert "value of a fork: sum(duration_ns) / sum(operations)" in said


@pytest.mark.sample
def test_a_table_with_another_number_is_reported(tables, tmp_path, capsys):
    folder = shutil.copytree(tables, tmp_path / "tidy")
    rows = tidy.read(folder, "ratios.csv")
    rows[0]["ratio"] = str(float(rows[0]["ratio"]) * 1.001)
    (folder / "ratios.csv").write_text(tidy.text(rows[0], rows))
    assert not trace.trace(folder, SAMPLE, rows[0]["ratio_id"])
    assert "NOT THE SAME" in capsys.readouterr().out


@pytest.mark.sample
def test_an_unknown_id_is_answered_with_those_that_there_are(tables):
    with pytest.raises(
        UserError, match=r"v9999: .* has no row of that id; verdicts.csv has v1 to v\d+; contrasts.csv has"
    ):
        trace.find(tables, "v9999")


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
