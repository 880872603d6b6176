"""The minutes of a run: a first stage that fits into them, rounds that are not begun once they are up, and going on with more."""

import json
import math
import re
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from jcarerun.errors import UserError
from jcarerun.plan import budget, expectation, first_stage, later_stage, settings, stages, wants
from jcarerun.plan.wants import Want
from jcarerun.rounds import manifest
from jcarerun.run import described, folders, run, run_round, verified

PLACE = "e/x/quick-0"


def keys(*cells):
    return {(PLACE, cell): 5 for cell in cells}


COSTS = {(PLACE, ""): 1.0} | {(PLACE, cell): 2.0 for cell in "abcdef"}


def test_what_costs_least_for_each_claim_that_it_settles_is_chosen_first():
    both = [Want("both", keys("a", "b", "c")), Want("part", keys("a", "b"))]
    chosen = wants.choose([*both, Want("alone", keys("d", "e"))], COSTS, 36)
    assert chosen == keys("a", "b", "c")
    assert wants.choose([*both, Want("alone", keys("d", "e"))], COSTS, 25) == keys("d", "e")
    assert wants.choose(both, COSTS, 24) == {}


def test_what_is_less_likely_decided_must_cost_less_to_be_chosen():
    likely, unlikely = Want("likely", keys("a", "b"), chance=0.9), Want("unlikely", keys("d"), chance=0.4)
    assert wants.choose([likely, unlikely], COSTS, 26) == keys("a", "b")
    assert wants.choose([likely, replace(unlikely, chance=0.6)], COSTS, 26) == keys("d")


def test_a_claim_is_decided_in_one_more_place_as_often_as_in_others():
    place = {"experiment": "e", "claim": "C1", "protocol": "modern"}
    states = [
        {**place, "state": "decided", "claims": "3"},
        {**place, "state": "given up", "claims": "1"},
        {**place, "claim": "C2", "state": "given up", "claims": "8"},
    ]
    named = [("e C1 modern x y", "modern"), ("e C2 modern", "modern"), ("e C1 cold", "cold")]
    found = [later_stage.chance(Want(name, {}, protocol=protocol), states) for name, protocol in named]
    assert found == [4 / 6, 1 / 10, 1 / 2]


def test_what_is_chosen_beside_something_costs_its_own_part_and_takes_nothing_away():
    first = wants.choose([Want("warm", keys("a", "b"))], COSTS, 26)
    every = [Want("warm", keys("a", "b")), Want("cold", keys("a", "c")), Want("dear", keys("d", "e"))]
    assert wants.choose(every, COSTS, 35, first) == keys("a", "b", "c")


@pytest.mark.parametrize(
    ("stage_s", "left_s", "cells"),
    [
        (26, 99, "ab"),  # half of it is too short for the warmed-up code: what costs least
        (40, 99, "abd"),  # half is enough for it, and the rest is chosen by cost
        (9, 40, "abc"),  # nothing fits into the stage: what fits into all that is left
        (9, 9, ""),
    ],
)
def test_half_of_a_stage_is_kept_for_code_that_was_warmed_up(stage_s, left_s, cells):
    cold = [
        Want("e C1 cold", keys("a", "b"), protocol="cold"),
        Want("e C2 cold", keys("c"), chance=0.5, protocol="cold"),
    ]
    warm = Want("e C1 modern", keys("d"), chance=0.1, protocol="modern")
    found = later_stage.chosen([*cold, warm], COSTS, stage_s, left_s, {"e": "modern"})
    assert found == keys(*cells)


def test_a_lower_rank_comes_first_whatever_it_costs_and_what_does_not_fit_holds_nothing_up():
    dear, cheap = Want("dear", keys("a", "b", "c"), 1), Want("cheap", keys("d"), 2)
    assert wants.choose([cheap, dear], COSTS, 36) == keys("a", "b", "c")
    assert wants.choose([cheap, dear], COSTS, 15) == keys("d")


def test_of_each_study_what_settles_most_for_its_cost_comes_first():
    cheap, dear = (Want(f"one {name}", keys(*name), wants.CLAIMS) for name in ("a", "ab"))
    other = (Want(f"{name} x", keys(*"cdef"[: 4 - i]), wants.CLAIMS) for i, name in enumerate(("two", "two-more")))
    found = wants.each_study_first([cheap, dear, *other], {"one": "s", "two": "t", "two-more": "t"}, COSTS)
    # Half of 25 s for each claim of the first study; 35 s for one claim of the second, or half of 45 s for both.
    assert {want.name: want.rank for want in found} == {"one a": 1, "one ab": 0, "two x": 0, "two-more x": 1}
    calibration = Want("calibration sha-256", keys("a"))
    assert wants.each_study_first([calibration], {}, COSTS) == [calibration]


def test_a_claims_cheapest_place_comes_before_its_others_and_each_protocol_is_a_claim_of_its_own():
    near, far, published = (
        Want(f"one A {place}", keys(*cells), wants.CLAIMS)
        for place, cells in (("modern here", "a"), ("modern there", "b"), ("as-published here", "ab"))
    )
    rest = Want("calibration sha-256", keys("c"), wants.REST)
    found = {want.name: want.rank for want in wants.each_claim_first([far, near, published, rest], COSTS)}
    assert found == {near.name: 1, far.name: 2, published.name: 1, rest.name: 3}
    study = Want("one B modern", keys("d"), 0)
    assert wants.each_claim_first([study], COSTS) == [study]


def test_a_cell_costs_once_however_many_claims_share_it_and_a_round_too():
    assert wants.price(keys("a", "b"), COSTS) == 5 * (1 + 2 + 2)
    assert wants.price(keys("a", "b"), COSTS, wants.choose([Want("a", keys("a"))], COSTS, 99) | {(PLACE, ""): 5}) == 10
    assert wants.choose([Want("b", keys("b"))], COSTS, 25, keys("a")) == keys("a", "b")


@pytest.fixture
def plan(rounds, kofahi, world, tmp_path):
    """Plans the first stage of kofahi2013 in quick for some minutes; gives every round, and those of the stage."""

    def planned(minutes):
        whole = rounds(goal="verdicts")
        chosen = settings.read({"minutes": minutes, "goal": "verdicts"})
        first = first_stage.rounds(whole, {"kofahi2013": kofahi}, world.catalogue.environments, chosen, tmp_path)
        return whole, first

    return planned


def test_the_first_stage_fits_into_its_part_of_the_minutes_and_has_both_sides_of_what_it_measures(plan, kofahi, world):
    whole, first = plan(2)
    assert sum(one.expected_s for one in first) <= budget.FIRST_PART * 2 * 60
    forks = Counter(cell.id for one in first for cell in one.cells)
    assert 0 < len(forks) < len(whole[0].cells)
    assert set(forks.values()) == {len(whole)}
    # The study's single calls cost least for each claim that they settle, and its other protocol comes next.
    assert {cell.protocol for one in first for cell in one.cells} == {"as-published"}
    assert {cell.protocol for one in plan(8)[1] for cell in one.cells} == {"as-published", "modern"}
    ciphers = {cell.factors["cipher"] for cell in first[0].cells}
    assert ciphers == {cell.factors["cipher"] for cell in whole[0].cells}
    assert {one.id for one in first} == {one.id for one in whole}


def test_a_later_stage_leaves_time_for_those_after_it_where_there_is_enough():
    left = [4000.0, 400.0, 200.0, -5.0, math.inf]
    assert [budget.stage_s(one, last=False) for one in left] == [2000, 300, 200, -5, math.inf]
    assert [budget.stage_s(one, last=True) for one in left] == left


def test_minutes_in_which_no_claim_fits_are_refused_with_how_many_would_do(plan):
    with pytest.raises(UserError, match=r"--config minutes=0\.01: too few .*; give \d+ or more$") as caught:
        plan(0.01)
    enough = int(str(caught.value).split()[-3])
    assert plan(enough)[1]


def test_without_an_end_or_with_time_for_all_nothing_is_cut(plan):
    whole, first = plan(0)
    assert first == whole
    assert plan(100)[1] == whole


def test_a_run_that_goes_on_with_more_minutes_keeps_the_first_stage_that_it_had(plan, tmp_path):
    whole, first = plan(4)
    first_stage.keep(whole, first, tmp_path)
    assert plan(5)[1] == plan(0)[1] == first
    assert not list(tmp_path.rglob(".part-*"))


def test_a_place_of_which_nothing_fits_is_measured_whole_by_a_later_run_with_more_minutes(plan, tmp_path):
    whole, _ = plan(0)
    first_stage.keep(whole, [], tmp_path)
    assert plan(0)[1] == whole
    assert not list(tmp_path.rglob("*.stage-1.csv"))


def test_a_later_run_without_minutes_says_that_it_keeps_the_cells_of_the_first(plan):
    whole, first = plan(4)
    assert "cells, as an earlier run with minutes= chose them; to have the others, move" in budget.summary(
        whole, first, 0, 0
    )


def test_a_run_that_has_begun_with_every_cell_is_not_cut(plan, tmp_path):
    whole, _ = plan(0)
    (tmp_path / whole[0].path).mkdir(parents=True)
    assert plan(4)[1] == whole


@pytest.mark.parametrize("text", ["cell,forks\nother,5\n", "cell,forks\n{cell},0\n", "hello\n{cell}\n"])
def test_a_spoilt_file_of_a_stage_is_refused_in_one_line(plan, tmp_path, text):
    whole, first = plan(4)
    first_stage.keep(whole, first, tmp_path)
    (place,) = stages.staged(whole)
    place.file(tmp_path, 1).write_text(text.format(cell=whole[0].cells[0].id))
    with pytest.raises(UserError, match=r"stage-1\.csv: must have the columns cell, forks.*; put it back") as caught:
        plan(4)
    assert "\n" not in str(caught.value)


def test_a_run_ends_when_it_is_done_but_for_quick_and_one_that_is_asked_for_minutes(tmp_path):
    assert [settings.read({"tier": tier}).minutes for tier in ("smoke", "quick", "standard", "full")] == [0, 9, 150, 0]
    assert settings.read({}).goal == "verdicts"
    assert settings.read({"tier": "full"}).goal == "intervals"
    assert settings.read({"minutes": 0}).minutes == settings.read({"raw": str(tmp_path)}).minutes == 0
    assert settings.read({"tier": "full", "minutes": 2.5}).minutes == 2.5
    with pytest.raises(UserError, match=r"--config minutes=-1: must be minutes, such as 10; 0 for no end"):
        settings.read({"minutes": -1})


def measured(raw, one, factor):
    """A round as far as its time goes, which took so many times what was expected."""
    folder = raw / one.path
    folder.mkdir(parents=True)
    record = {"expected_s": one.expected_s, "elapsed_s": factor * one.expected_s}
    (folder / "round.json").write_text(json.dumps(record))


def test_a_round_is_begun_while_what_it_takes_on_this_machine_is_left(plan, tmp_path):
    whole, _ = plan(0)
    each = whole[0].expected_s
    minutes = 2.5 * each / 60
    assert budget.fits(tmp_path, whole, whole[0], 0.01)
    measured(tmp_path, whole[0], 1)
    assert budget.left_s(tmp_path, whole, minutes) == pytest.approx(1.5 * each)
    assert budget.fits(tmp_path, whole, whole[1], minutes)
    measured(tmp_path, whole[1], 1)
    assert not budget.fits(tmp_path, whole, whole[2], minutes)
    assert budget.fits(tmp_path, whole, whole[2], 0)
    assert not budget.fits(tmp_path, whole, whole[2], 3 * 0.99 * each / 60)
    assert budget.fits(tmp_path, whole, whole[2], 3.01 * each / 60)


def test_measuring_ends_when_the_report_is_due_whatever_minutes_are_left(plan, tmp_path, monkeypatch):
    whole, _ = plan(0)
    each = whole[0].expected_s
    monkeypatch.setattr(budget.time, "time", lambda: 1000.0)
    due = math.ceil(1000 + 1.5 * each)
    assert budget.fits(tmp_path, whole, whole[0], 0, until=1), "a run's first round is measured in any case"
    measured(tmp_path, whole[0], 1)
    assert budget.left_s(tmp_path, whole, 0, due) == due - 1000
    assert budget.left_s(tmp_path, whole, each / 60, due) == pytest.approx(0)
    assert budget.fits(tmp_path, whole, whole[1], 0, due)
    assert not budget.fits(tmp_path, whole, whole[1], 0, math.floor(1000 + 0.9 * each))
    assert budget.fits(tmp_path, whole, whole[1], 0)


def test_on_a_slow_machine_fewer_rounds_are_begun_and_the_time_is_kept_to(plan, tmp_path):
    whole, _ = plan(0)
    minutes = 4 * whole[0].expected_s / 60
    measured(tmp_path, whole[0], 3)
    assert not budget.fits(tmp_path, whole, whole[1], minutes)


def test_a_slow_machine_measures_some_places_whole_instead_of_all_in_part(plan, tmp_path):
    whole, _ = plan(0)
    other = [replace(one, experiment="other", cells=one.cells[:4]) for one in whole]
    every = [one for pair in zip(whole, other, strict=True) for one in pair]
    minutes = sum(one.expected_s for one in every) / 60
    measured(tmp_path, whole[0], 2)
    # The first round of a place is measured in any case, of the next only those of the place that can be had whole.
    assert budget.fits(tmp_path, every, other[0], minutes)
    measured(tmp_path, other[0], 2)
    assert not budget.fits(tmp_path, every, whole[1], minutes)
    assert budget.fits(tmp_path, every, other[1], minutes)
    # One that is left out costs nothing, and one place is measured as far as it goes.
    for one in other[1:]:
        budget.leave_out(tmp_path / one.path)
    assert budget.fits(tmp_path, every, whole[1], minutes)


def test_a_round_without_time_is_left_out_said_once_and_no_error(plan, tmp_path, capsys):
    whole, _ = plan(0)
    chosen = settings.read({"minutes": 1.5 * whole[0].expected_s / 60})
    measured(tmp_path, whole[0], 1)
    for one in whole[1:]:
        run_round.run(SimpleNamespace(path=one.path), tmp_path, run_round.Allowance(whole, chosen.minutes))
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert re.search(
        r"^\d:\d\d min of measuring are left, too few for every round: from kofahi2013 in ",
        said[0],
    )
    assert [budget.is_left_out(tmp_path / one.path) for one in whole] == [False, True, True, True, True]
    assert expectation.missing(tmp_path, whole) == []


@pytest.fixture
def of_plan(plan, kofahi, world, tmp_path, monkeypatch):
    """The run of that plan, its raw directory a scratch one."""
    monkeypatch.setattr(folders, "OWN", replace(folders.OWN, raw=tmp_path))

    def made(minutes, goal="verdicts"):
        whole, first = plan(minutes)
        chosen = settings.read({"minutes": minutes, "calibration": False, "goal": goal})
        return run.Run(chosen, world, {"kofahi2013": kofahi}, first, whole)

    return made


def test_what_was_left_out_stays_out_while_there_is_no_time_and_is_wanted_again_with_more(of_plan, tmp_path):
    current = of_plan(0)
    left_out = tmp_path / current.first[1].path
    budget.leave_out(left_out)
    # Whether a round that is there is whole is another test's.
    record = {"expected_s": 60.0, "elapsed_s": 120.0}
    written = tmp_path / current.first[0].path / "round.json"
    for minutes, stays in ((2, True), (0, False)):
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(json.dumps(record))
        again = of_plan(minutes, "intervals")
        assert verified.stays_out(again, current.first[1]) is stays
        # Whoever has looked at a stage measures no more of it, but another one.
        assert verified.stays_out(of_plan(minutes, "verdicts"), current.first[1])
    assert left_out.relative_to(tmp_path).as_posix() not in current.round_paths()
    assert current.first[2].path in current.round_paths()


def test_the_report_is_told_what_did_not_fit(of_plan, tmp_path):
    assert described.left_out_cells(of_plan(0)) == []
    current = of_plan(4)
    (told,) = described.left_out_cells(current)
    cells = len(current.whole[0].cells)
    assert (told["cells"], told["none"], told["fewer"]) == (cells, cells - len(current.first[0].cells), 0)
    budget.leave_out(tmp_path / current.first[0].path)
    (told,) = described.left_out_cells(current)
    assert told["fewer"] == len(current.first[0].cells)


def test_a_stamp_of_a_round_that_was_left_out_is_no_stamp_of_one(tmp_path):
    folder = tmp_path / "a"
    assert not manifest.is_left_out(folder)
    budget.leave_out(folder)
    assert manifest.is_left_out(folder)
    folder.mkdir()
    assert not budget.is_left_out(folder)


def test_of_rounds_handed_over_one_that_was_left_out_is_not_missed(tmp_path):
    place = tmp_path / "experiment" / "environment"
    place.mkdir(parents=True)
    manifest.stamp_of(place / "quick-0-01").write_text(f"{manifest.LEFT_OUT}\n")
    manifest.require_stamped_rounds(tmp_path)
    manifest.stamp_of(place / "quick-0-02").write_text("0" * 64 + "\n")
    with pytest.raises(UserError, match="quick-0-02: is gone, though its stamp is there"):
        manifest.require_stamped_rounds(tmp_path)
