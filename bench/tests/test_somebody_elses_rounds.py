"""Rounds of somebody else: which are reported on, their tiers, and what the analysis is told of a run."""

import json
import re
from pathlib import Path

import pytest

from jcarerun.errors import UserError
from jcarerun.results import archive
from jcarerun.run import run, run_record


def test_a_report_says_where_its_files_lie_without_a_machines_own_names(tmp_path):
    found = re.search(r"```yaml\n(.+?)```", Path("docs/own-study.md").read_text(), re.DOTALL)
    study = tmp_path / "study"
    study.mkdir()
    (study / "hashes.yaml").write_text(found[1])

    def kept(**config):
        return run.from_config({"calibration": False, **config}).definitions()["kept"]

    own = {"raw": "data/raw", "tidy": "data/tidy", "report": "report/report.html"}
    assert kept(experiments=["phenry2014"]) == own
    beside = {"raw": "results/raw", "tidy": "results/tidy", "report": "results/report.html"}
    assert kept(experiment_dir=str(study)) == beside
    assert kept(raw="data/sample")["raw"] == "data/sample"


def test_of_somebody_elses_rounds_those_of_the_experiments_named_are_reported_on():
    def paths(*names):
        return run.from_config({"raw": "data/sample", "experiments": list(names)}).round_paths()

    every, some = paths(), paths("phenry2014")
    assert {path.split("/")[0] for path in every} == {"calibration", "phenry2014", "stegerer2008"}
    assert some == [path for path in every if not path.startswith("stegerer2008")]
    with pytest.raises(UserError, match=r"raw=data/sample: holds no round of experiments=\[kofahi2013\]"):
        run.from_config({"raw": "data/sample", "experiments": ["kofahi2013"], "calibration": False}).round_paths()


@pytest.fixture
def raw(tmp_path):
    """A raw directory with a round of each experiment and tier that is named."""

    def made(*rounds):
        for number, (experiment, tier) in enumerate(rounds):
            folder = tmp_path / experiment / "debian-13-temurin-21" / f"{tier}-01234567-{number:02d}"
            folder.mkdir(parents=True)
            (folder / "round.json").write_text(json.dumps({"tier": tier}))
        return tmp_path

    return made


def test_experiments_may_be_of_different_tiers(raw):
    assert run_record.tiers_of(raw(("a", "quick"), ("a", "quick"), ("b", "full"))) == {"a": "quick", "b": "full"}


def test_the_calibration_may_be_of_several(raw):
    assert run_record.tiers_of(raw(("calibration", "full"), ("calibration", "quick"))) == {"calibration": "full"}


@pytest.mark.parametrize(
    ("rounds", "reason"),
    [
        ([("a", "quick"), ("a", "full")], r"a: must have rounds of one tier, has \['full', 'quick'\]"),
        ([("a", "other")], r"a: must have rounds of one tier, has \['other'\]"),
        ([], "must hold rounds, has none"),
    ],
)
def test_an_experiment_of_several_or_unknown_tiers_is_refused(raw, rounds, reason):
    with pytest.raises(UserError, match=reason):
        run_record.tiers_of(raw(*rounds))


def record_of(tier, seed=1):
    settings = {"tier": tier, "seed": seed}
    return {"settings": settings, "left_out": [], "rounds": [tier], "reference_forks": []}


def test_archives_of_several_tiers_have_the_settings_of_the_longest(tmp_path):
    merged = archive._merged([tmp_path, tmp_path], [record_of("quick"), record_of("full")])
    assert merged["settings"] == {"tier": "full", "seed": 1}
    assert merged["rounds"] == ["quick", "full"]


def test_archives_of_different_seeds_are_refused(tmp_path):
    with pytest.raises(UserError, match=r"is of seed 2, .* of 1"):
        archive._merged([tmp_path, tmp_path], [record_of("quick"), record_of("quick", seed=2)])
