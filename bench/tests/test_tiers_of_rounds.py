"""Somebody else's rounds: each experiment is of one tier, and several experiments may be of different ones."""

import json

import pytest

from jcarerun.errors import UserError
from jcarerun.results import archive
from jcarerun.run import run_record


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
