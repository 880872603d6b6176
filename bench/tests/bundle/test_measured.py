"""Two runs of the same experiments are held against each other: which verdicts are the same, and how far ratios are apart."""

import shutil
from collections import Counter

import pytest

from bench.tests.bundle.sealing import replaced, unpacked
from bench.tests.csv_files import change_rows, read_rows
from jcarerun import cli
from jcarerun.bundle import repeat, sealed, verify

pytestmark = pytest.mark.sample


@pytest.fixture
def folder(bundle, tmp_path):
    return unpacked(bundle, tmp_path / "bundle")


@pytest.fixture
def again(folder, tmp_path):
    """Tables of another run: so far the same ones."""
    return shutil.copytree(folder / sealed.TIDY, tmp_path / "again")


def test_a_run_agrees_with_itself(folder, again):
    lines, same = repeat.changes(folder / sealed.TIDY, again)
    assert same and not any("then," in line for line in lines)


def test_another_machine_and_image_are_no_other_verdict(folder, again):
    for name in ("verdicts.csv", "contrasts.csv"):
        change_rows(again / name, lambda row: True, machine_id="0123456789ab", image_id="sha256:0")
    assert repeat.changes(folder / sealed.TIDY, again)[1]


def test_another_verdict_is_named(folder, again):
    altered = change_rows(
        again / "verdicts.csv", lambda row: row["claim"] == "P1" and row["verdict"] == "other-size", verdict="holds"
    )
    lines, same = repeat.changes(folder / sealed.TIDY, again)
    assert not same and sum("other-size then, holds now" in line for line in lines) == altered == 3


def test_ratios_are_those_of_the_same_cells_whatever_these_are_called(folder, again):
    change_rows(again / "contrasts.csv", lambda row: True, numerator="one", denominator="other", scope="")
    assert repeat.changes(folder / sealed.TIDY, again) == repeat.changes(folder / sealed.TIDY, folder / sealed.TIDY)


def test_what_was_not_measured_here_is_no_agreement(folder, again):
    moved = change_rows(again / "verdicts.csv", lambda row: row["claim"] == "P4", environment="elsewhere")
    lines, same = repeat.changes(folder / sealed.TIDY, again)
    assert not same and sum("phenry2014, P4" in line and "missing now" in line for line in lines) == moved > 0


def test_it_is_measured_as_the_run_was(folder, tmp_path):
    replaced(folder / "raw/run.json", '"cpu_profiles": []', '"cpu_profiles": ["native"]')
    files = sorted((folder / sealed.EXPERIMENTS).iterdir())
    words = verify.measuring_command(folder, files, tmp_path / "results", "podman")
    assert words[:3] == ["snakemake", "--cores", "all"]
    for word in (
        "tier=standard",
        "seed=20140816",
        "goal=intervals",
        "cpu_profiles=[native]",
        "experiments=[phenry2014,stegerer2008]",
        "calibration=True",
        "engine=podman",
        f'results="{tmp_path}/results"',
    ):
        assert word in words


def test_of_a_repeat_each_mean_ratio_and_verdict_has_a_row(folder, again, tmp_path, capsys):
    first, out = folder / sealed.TIDY, tmp_path / "repeat.csv"
    twice = {key: lambda text: f"{2 * float(text)}" for key in ("ratio", "lower", "upper")}
    moved = change_rows(again / "contrasts.csv", lambda row: row["claim"] == "P1", **twice)
    change_rows(again / "verdicts.csv", lambda row: row["claim"] == "P4", environment="elsewhere")
    changed = change_rows(
        again / "verdicts.csv", lambda row: row["claim"] == "P1" and row["verdict"] == "other-size", verdict="holds"
    )
    repeat.main(cli.command_line().parser.parse_args(["repeat", str(first), str(again), "--out", str(out)]))
    rows = read_rows(out)
    count = Counter((row["kind"], row["same"]) for row in rows)
    assert count[repeat.RATIO, "no"] == moved and count[repeat.VERDICT, "no"] == changed
    assert count[repeat.MEAN, "no"] == 0
    assert not any(row["experiment"] == "calibration" for row in rows)
    assert not any(row["claim"] == "P4" for row in rows if row["kind"] == repeat.VERDICT)
    said = capsys.readouterr().out
    every = len({(row["experiment"], row["environment"], row["cell"]) for row in rows if row["kind"] == repeat.MEAN})
    assert said.startswith(f"{every} of {every} cells were measured again, 100%\n")
    assert f"{count[repeat.MEAN, 'yes']} of {count[repeat.MEAN, 'yes']} intervals of means overlap\n" in said
    assert f"{count[repeat.RATIO, 'yes']} of {count[repeat.RATIO, 'yes'] + moved} intervals of ratios overlap\n" in said
