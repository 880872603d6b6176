"""The trace: from an id to raw files, and the same number again; what it says of ids, tables and files that are wrong."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from jcarerun.errors import UserError
from jcarerun.trace import __main__ as command
from jcarerun.trace import again, raw
from jcarerun.trace.tables import Tables

SAMPLE = Path("data/sample")


def a_round(folder, times, observations=()):
    """A raw round with one fork: (duration in ns, operations) of each iteration, as iterations.csv and as JMH's JSON."""
    (folder / "jmh").mkdir(parents=True)
    lines = ["fork,iteration,duration_ns,operations,all_operations,worker_cpu_ns"]
    lines += [f"1,{i},{ns},{n},{2 * n},{ns}" for i, (ns, n) in enumerate(times, 1)]
    (folder / "iterations.csv").write_text("\n".join(lines) + "\n")
    result = {"primaryMetric": {"scoreUnit": "ns/op", "rawData": [[ns / n for ns, n in times]]}}
    (folder / "jmh/001.json").write_text(json.dumps([result]))
    rows = ["fork,iteration,measure,value", *(f"1,{i},{name},{value}" for i, name, value in observations)]
    (folder / "observations.csv").write_text("\n".join(rows) + "\n")
    return folder


def test_iterations_weigh_by_their_operations(tmp_path):
    folder = a_round(tmp_path / "r", [(9000, 1), (100, 10), (600, 30)])
    found = raw.counted(folder, 1, {2, 3}, "wall")
    assert raw.mean(found) == 700 / 40
    assert [each.weight(40) for each in found] == [0.25, 0.75]
    assert raw.mean(raw.counted(folder, 1, {2, 3}, "cpu")) == 700 / 80


def test_times_that_jmh_has_otherwise_are_refused(tmp_path):
    folder = a_round(tmp_path / "r", [(100, 10), (200, 10)])
    text = (folder / "iterations.csv").read_text().replace("200,10", "300,10")
    (folder / "iterations.csv").write_text(text)
    with pytest.raises(UserError, match=r"001.json: iteration 2 took 20.0 ns/op, in iterations.csv 30.0"):
        raw.counted(folder, 1, {1, 2}, "wall")


def test_what_is_observed_comes_from_sums(tmp_path):
    told = [(1, "step.a", 9), (2, "step.a", 1), (2, "step.b", 3), (3, "step.a", 2), (3, "step.b", 6), (3, "x", 5)]
    folder = a_round(tmp_path / "r", [(100, 10)] * 3, told)
    assert raw.observed(folder, 1, {2, 3}, "share.a") == 3 / 12
    assert raw.observed(folder, 1, {2, 3}, "step-ratio.b.a") == 3
    assert raw.observed(folder, 1, {2, 3}, "total") == 6
    assert raw.observed(folder, 1, {2, 3}, "x") == 5
    assert raw.observed(folder, 1, {2, 3}, "deviation.100") is None


def test_paired_forks_of_a_round_count_as_their_mean():
    def fork(round_, value):
        return again.ForkValue({"round": round_, "number": round_}, [], value)

    row = {"method": "paired", **dict.fromkeys(("numerator_environment", "denominator_environment"), "v")}
    row |= dict.fromkeys(("numerator_image_id", "denominator_image_id"), "i")
    sides = [[fork("1", 2.0), fork("1", 8.0), fork("2", 16.0)], [fork("1", 1.0), fork("2", 1.0)]]
    assert again.ratio(row, sides, False) == pytest.approx(8)
    assert again.ratio({**row, "method": "Welch"}, sides, False) == pytest.approx((2 * 8 * 16) ** (1 / 3))
    assert again.ratio({**row, "method": "Welch"}, sides, True) == pytest.approx(26 / 3 - 1)


@pytest.fixture(scope="module")
def tidy(checkout, tmp_path_factory):
    kept = tmp_path_factory.mktemp("trace") / "tidy"
    shutil.copytree(checkout.path / "data/tidy", kept)
    return kept


@pytest.mark.sample
def test_every_ratio_of_the_sample_comes_again_from_its_raw_files(tidy):
    tables = Tables(tidy)
    held = 0
    for row in [*tables.contrasts.values(), *tables.ratios.values()]:
        if row["ratio"]:
            values = [again.fork_values(tables, side, row["measure"], SAMPLE) for side in tables.sides(row)]
            assert again.ratio(row, values, False) == pytest.approx(float(row["ratio"]), rel=1e-9)
            held += 1
    assert held > 25


@pytest.mark.sample
def test_a_verdict_is_traced_to_files_that_are_there(tidy, capsys):
    tables = Tables(tidy)
    verdict = next(each for each in tables.verdicts.values() if each["contrast"])
    assert command.trace(tables, verdict["verdict_id"], SAMPLE, every=True)
    said = capsys.readouterr().out
    row = tables.contrasts[verdict["contrast"]]
    for words in (verdict["reason"], row["numerator_cell"], row["denominator_cell"], "; the same", "weight"):
        assert words in said
    named = [Path(line.rpartition("; ")[2]) for line in said.splitlines() if line.endswith(".json")]
    assert len(named) == sum(len(side.counted) for side in tables.sides(row))
    assert all(path.is_file() for path in named)


@pytest.mark.sample
def test_a_table_that_says_otherwise_is_found_out(tidy, tmp_path, capsys):
    folder = tmp_path / "tidy"
    shutil.copytree(tidy, folder)
    rows = list(csv.DictReader((folder / "ratios.csv").open()))
    rows[0]["ratio"] = str(float(rows[0]["ratio"]) * 1.001)
    with (folder / "ratios.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)
    assert not command.trace(Tables(folder), rows[0]["ratio_id"], SAMPLE, every=False)
    assert "NOT THE SAME" in capsys.readouterr().out


@pytest.mark.sample
def test_an_unknown_id_is_answered_with_those_that_there_are(checkout):
    run = checkout.run("python", "-m", "jcarerun", "trace", "v9999")
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert "ID=v9999: there is no such row in data/tidy; there are verdicts v1 to v" in run.stderr


@pytest.mark.sample
def test_rounds_that_lie_elsewhere_are_asked_for(checkout):
    run = checkout.run("python", "-m", "jcarerun", "trace", "r1", "--raw", "data/elsewhere")
    assert run.returncode == 2
    assert "missing; name the directory of the run's rounds: RAW=DIR" in run.stderr


def test_raw_files_are_read_as_those_of_strangers(tmp_path):
    folder = a_round(tmp_path / "r", [(100, 10)])
    (tmp_path / "other.csv").write_text((folder / "iterations.csv").read_text())
    (folder / "iterations.csv").unlink()
    (folder / "iterations.csv").symlink_to(tmp_path / "other.csv")
    with pytest.raises(UserError, match=r"link"):
        raw.counted(folder, 1, {1}, "wall")
