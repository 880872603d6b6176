"""A report from a bundle's raw directory says of its run what that run's own report said."""

import json
import shutil

import pytest

from jcarerun.errors import UserError
from jcarerun.rounds import tree
from jcarerun.run import described, run, run_record, verified

REFERENCE = "phenry2014/debian-12-temurin-17/reference-0123abcd-01"
LEFT_OUT = [{"experiment": "phenry2014", "environment": "debian-12-temurin-17", "cells": 12, "none": 1, "fewer": 2}]
SETTINGS = {
    "tier": "quick", "seed": 7, "minutes": 9, "goal": "verdicts", "engine": "podman", "cpuset": "2,3", "memory": 1024,
    "strict": True, "cpu_profiles": ["native"],
}  # fmt: skip

KEPT = {"raw": "my study/raw", "tidy": "my study/tidy", "report": "my study/report.html"}


@pytest.fixture
def raw(tmp_path):
    """The sample's rounds of a study, with what a run recorded of itself."""
    shutil.copytree("data/sample/phenry2014", tmp_path / "raw/phenry2014")
    rounds = tree.folders(tmp_path / "raw", 3)[::-1]
    content = {
        "settings": SETTINGS,
        "kept": KEPT,
        "left_out": LEFT_OUT,
        "rounds": rounds,
        "reference_forks": [REFERENCE],
    }
    (tmp_path / "raw" / run_record.NAME).write_text(json.dumps(content))
    return tmp_path / "raw"


def test_settings_places_left_out_cells_order_and_reference_forks_are_the_runs(raw):
    current = run.from_config({"raw": str(raw)})
    shown = current.definitions()["settings"]
    assert {key: shown[key] for key in SETTINGS if key != "memory"} == {
        k: v for k, v in SETTINGS.items() if k != "memory"
    }
    assert shown["memory_mib"] == 1024
    assert current.definitions()["kept"] == KEPT
    assert described.left_out_cells(current) == LEFT_OUT
    assert current.round_paths() == sorted(tree.folders(raw, 3), reverse=True)
    assert current.reference_paths == [REFERENCE]
    assert current.reference_folder == raw / run_record.REFERENCE_FORKS


def test_without_it_the_run_that_reports_stands_in(raw):
    (raw / run_record.NAME).unlink()
    current = run.from_config({"raw": str(raw), "seed": 5})
    assert current.definitions()["settings"]["seed"] == 5
    assert (described.left_out_cells(current), current.reference_paths) == ([], [])
    assert current.round_paths() == sorted(tree.folders(raw, 3))


def test_a_reference_fork_that_is_gone_is_named(raw):
    with pytest.raises(UserError, match="reference-0123abcd-01"):
        verified.verify(run.from_config({"raw": str(raw)}))


def test_a_round_that_was_added_is_named(raw):
    first = raw / tree.folders(raw, 3)[0]
    shutil.copytree(first, first.with_name("standard-4d630ec7-09"))
    with pytest.raises(UserError, match="standard-4d630ec7-09 is there, but not among its rounds"):
        run.from_config({"raw": str(raw)}).round_paths()
