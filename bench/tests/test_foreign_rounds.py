"""Somebody else's raw directory (`--config raw=DIR`): its names and its files are read as hostile, whatever lies there."""

import os
import shutil
from pathlib import Path

import pytest

from jcarerun.errors import UserError
from jcarerun.run import run, verified

SAMPLE = Path("data/sample")


@pytest.fixture
def raw(tmp_path):
    """One place of the sample's, to be spoilt."""
    place = next(path for path in sorted((SAMPLE / "calibration").iterdir()))
    shutil.copytree(place, tmp_path / "raw/calibration" / place.name)
    return tmp_path / "raw"


def refusal(raw):
    with pytest.raises(UserError) as caught:
        verified.verify(run.from_config({"raw": str(raw), "experiments": ["kofahi2013"]}))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_sample_as_it_is(raw):
    verified.verify(run.from_config({"raw": str(raw), "experiments": ["kofahi2013"]}))


def test_reference_forks_count_where_they_lie_beside_the_rounds(raw):
    folder = next(raw.glob("*/*/*-01"))
    path = folder.relative_to(raw)
    shutil.copytree(folder, raw / ".reference_forks" / path)
    found = run.from_config({"raw": str(raw), "experiments": ["kofahi2013"]})
    assert found.reference_paths == [str(path)]
    verified.verify(found)
    (raw / ".reference_forks" / path / "iterations.csv").unlink()
    assert "iterations.csv" in refusal(raw)


def test_a_round_that_is_a_link(raw, tmp_path):
    folder = next(raw.glob("*/*/*-01"))
    shutil.move(folder, tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert f"{folder.name}: is no plain file or directory" in refusal(raw)


def test_an_environment_that_is_a_link(raw):
    (raw / "calibration/other").symlink_to("/etc")
    assert "other: is no plain file or directory" in refusal(raw)


@pytest.mark.parametrize("name", ["round.json", "environment.json", "manifest.sha256", "iterations.csv"])
def test_a_file_that_is_a_fifo_or_leads_out(raw, name):
    file = next(raw.glob("*/*/*-01")) / name
    file.unlink()
    os.mkfifo(file)
    assert f"{name}: is no plain file" in refusal(raw)
    file.unlink()
    file.symlink_to("/proc/kmsg")
    assert f"{name}: is no plain file" in refusal(raw)
