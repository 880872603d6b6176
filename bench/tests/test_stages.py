"""Later stages of a run that wants verdicts: read off small files, the same each time, both sides of a contrast together."""

import json
from collections import Counter
from dataclasses import replace
from hashlib import sha256

import pytest

from jcarerun.errors import UserError
from jcarerun.plan import fork_plan, kit_rounds, settings, stages
from jcarerun.run import folders, run


@pytest.fixture
def place(rounds):
    (found,) = stages.staged(rounds(goal="verdicts"))
    return found


def two(place):
    return [cell.id for cell in place.whole[0].cells[:2]]


def test_a_later_stage_has_the_cells_of_its_file_in_as_many_rounds_each_from_its_first_on(place, tmp_path):
    one, other = two(place)
    place.write(tmp_path, 2, {one: 4, other: 2})
    later = place.later(tmp_path, 2)
    assert [round.number for round in later] == [6, 7, 8, 9]
    assert {(round.stage, round.looks, round.family) for round in later} == {(2, 4, place.whole[0].family)}
    assert [{cell.id for cell in round.cells} for round in later] == [{one, other}, {one, other}, {one}, {one}]
    assert {round.plan_sha256 for round in later} == {sha256(place.file(tmp_path, 2).read_bytes()).hexdigest()}
    assert place.later(tmp_path, 2) == later
    assert len({round.order_seed for round in (*place.whole, *later)}) == 9


def test_numbers_go_on_after_what_the_stages_before_have_measured_or_not(place, tmp_path):
    one, other = two(place)
    assert place.later(tmp_path, 3) == []
    place.write(tmp_path, 2, {one: 3})
    place.write(tmp_path, 4, {other: 3})
    assert [round.number for round in place.later(tmp_path, 4)] == [9, 10, 11]
    place.write(tmp_path, 1, {})
    assert [round.number for round in place.later(tmp_path, 4)] == [4, 5, 6]


def test_a_stages_record_says_how_often_the_plan_looks_and_other_plans_have_other_rounds(rounds, place):
    assert place.whole[0].record()["looks"] == settings.LOOKS
    single = rounds(goal="intervals")[0]
    assert "looks" not in single.record()
    assert single.family != place.whole[0].family


def test_a_kit_whose_rounds_nobody_looks_at_is_looked_at_once(kofahi, world):
    assert (settings.read({"goal": "intervals"}).looks, settings.read({}).looks) == (1, settings.LOOKS)
    packed = kit_rounds.rounds(
        {"kofahi2013": {**kofahi, "id": "kofahi2013"}}, settings.read({"goal": "verdicts"}), world
    )
    assert {one.looks for one in packed} == {1}


@pytest.mark.parametrize(
    ("words", "minutes", "planned", "stands"),
    [
        ("planned", 9, True, True),
        ("planned", 9, False, False),
        ("nothing open", 0, False, True),
        ("out of time after 9", 9, False, True),
        ("out of time after 9", 8.5, False, True),
        ("out of time after 9", 10, False, False),
        ("out of time after 9", 0, False, False),
        ("", 9, False, False),
    ],
)
def test_a_stage_is_planned_again_only_with_more_minutes_or_without_its_files(words, minutes, planned, stands):
    assert stages.stands(words, minutes, planned) is stands


@pytest.fixture
def current(place, kofahi, world, tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "OWN", replace(folders.OWN, raw=tmp_path))
    chosen = settings.read({"minutes": 9, "calibration": False, "goal": "verdicts"})
    return run.Run(chosen, world, {"kofahi2013": kofahi}, list(place.whole), list(place.whole))


class Checkpoints:
    """Stands for Snakemake's: every stage that is asked for is there already."""

    def __init__(self):
        self.asked, self.stage = [], self

    def get(self, run, stage):
        """Note what is asked for."""
        self.asked.append(stage)


def test_stages_are_asked_for_until_one_has_nothing_to_measure(current, place, tmp_path):
    place.write(tmp_path, 2, {two(place)[0]: 3})
    asked = Checkpoints()
    found = current.stages.later_stages(asked, None)
    assert asked.asked == [2, 3]
    assert len(found) == 5 + 3
    assert len(current.rounds) == 8
    assert current.round(place.later(tmp_path, 2)[1].path).number == 7


def test_more_minutes_forget_that_a_stage_had_no_time_and_those_after_it(current, tmp_path):
    for stage, words in ((2, "nothing open"), (3, "out of time after 9"), (4, "nothing open")):
        file = current.stages.stamp(stage)
        file.parent.mkdir(exist_ok=True)
        file.write_text(words + "\n")
    current.stages.verify()
    assert [current.stages.stamp(stage).is_file() for stage in (2, 3, 4)] == [True, True, True]
    more = replace(current, settings=replace(current.settings, minutes=20.0))
    more.stages.verify()
    assert [current.stages.stamp(stage).is_file() for stage in (2, 3, 4)] == [True, False, False]


def test_a_stages_file_is_held_against_the_rounds_that_were_measured_by_it(place, tmp_path):
    one, other = two(place)
    place.write(tmp_path, 2, {one: 3})
    made = place.later(tmp_path, 2)[0]
    folder = tmp_path / made.path
    folder.mkdir(parents=True)
    (folder / "round.json").write_text(json.dumps(made.record()))
    fork_plan.verify_rounds([folder])
    place.write(tmp_path, 2, {one: 3, other: 3})
    with pytest.raises(UserError, match=r"stage-2\.csv: was changed after .*-06 was measured by it"):
        fork_plan.verify_rounds([folder])
    place.file(tmp_path, 2).unlink()
    with pytest.raises(UserError, match=r"stage-2\.csv: missing, though .*-06 was measured by it"):
        fork_plan.verify_rounds([folder])


def test_stein_s_second_stage_is_not_planned_beside_stages_for_claims(rounds, kofahi):
    def wide(data):
        data["tiers"]["quick"]["max_rounds"] = 9
        data["tiers"]["quick"]["protocols"]["modern"]["half_width"] = 0.02

    assert fork_plan.places(rounds(wide, goal="verdicts"), {"kofahi2013": kofahi}) == []
    assert len(fork_plan.places(rounds(wide, goal="intervals"), {"kofahi2013": kofahi})) == 1
    assert Counter(one.stage for one in rounds(goal="verdicts")) == {1: 5}
