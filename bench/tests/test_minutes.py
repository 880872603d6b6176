"""The minutes of a run: a first stage that fits, rounds that are not started once they are up, and going on with more."""

import json
import math
import re
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from jcarerun.errors import UserError
from jcarerun.plan import budget, demand, scheduler, settings
from jcarerun.plan.budget import Budget
from jcarerun.plan.demand import CLAIMS, REST, CellDemand
from jcarerun.rounds import manifest
from jcarerun.run import described, round_file, run_round, verified

PLACE = "e/x/quick-0"


def keys(*cells):
    return {(PLACE, cell): 5 for cell in cells}


COSTS = {(PLACE, ""): 1.0} | {(PLACE, cell): 2.0 for cell in "abcdef"}


def test_the_demand_with_the_least_seconds_for_each_decision_is_chosen_first():
    both = [CellDemand("both", keys("a", "b", "c")), CellDemand("part", keys("a", "b"))]
    chosen = demand.choose([*both, CellDemand("alone", keys("d", "e"))], COSTS, 36)
    assert chosen == keys("a", "b", "c")
    assert demand.choose([*both, CellDemand("alone", keys("d", "e"))], COSTS, 25) == keys("d", "e")
    assert demand.choose(both, COSTS, 24) == {}


def test_what_is_less_likely_decided_must_cost_less_to_be_chosen():
    likely, unlikely = CellDemand("likely", keys("a", "b"), chance=0.9), CellDemand("unlikely", keys("d"), chance=0.4)
    assert demand.choose([likely, unlikely], COSTS, 26) == keys("a", "b")
    assert demand.choose([likely, replace(unlikely, chance=0.6)], COSTS, 26) == keys("d")


def test_a_claim_is_decided_in_one_more_place_as_often_as_in_others():
    place = {"experiment": "e", "claim": "C1", "protocol": "steady-state"}
    states = [
        {**place, "state": "decided", "claims": "3"},
        {**place, "state": "given up", "claims": "1"},
        {**place, "claim": "C2", "state": "given up", "claims": "8"},
    ]
    named = [("e C1 steady-state x y", "steady-state"), ("e C2 steady-state", "steady-state"), ("e C1 cold", "cold")]
    found = [demand.chance(CellDemand(name, {}, protocol=protocol), states) for name, protocol in named]
    assert found == [4 / 6, 1 / 10, 1 / 2]


def test_what_is_chosen_beside_something_costs_its_own_part_and_takes_nothing_away():
    first = demand.choose([CellDemand("warm", keys("a", "b"))], COSTS, 26)
    every = [CellDemand("warm", keys("a", "b")), CellDemand("cold", keys("a", "c")), CellDemand("dear", keys("d", "e"))]
    assert demand.choose(every, COSTS, 35, first) == keys("a", "b", "c")


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
        CellDemand("e C1 cold", keys("a", "b"), protocol="cold"),
        CellDemand("e C2 cold", keys("c"), chance=0.5, protocol="cold"),
    ]
    warm = CellDemand("e C1 steady-state", keys("d"), chance=0.1, protocol="steady-state")
    found = demand.choose_later([*cold, warm], COSTS, stage_s, left_s, {"e": "steady-state"})
    assert found == keys(*cells)


def test_a_lower_rank_comes_first_whatever_it_costs_and_what_does_not_fit_holds_nothing_up():
    dear, cheap = CellDemand("dear", keys("a", "b", "c"), 1), CellDemand("cheap", keys("d"), 2)
    assert demand.choose([cheap, dear], COSTS, 36) == keys("a", "b", "c")
    assert demand.choose([cheap, dear], COSTS, 15) == keys("d")


def test_of_each_study_what_settles_most_for_its_cost_comes_first():
    cheap, dear = (CellDemand(f"one {name}", keys(*name), CLAIMS) for name in ("a", "ab"))
    other = (CellDemand(f"{name} x", keys(*"cdef"[: 4 - i]), CLAIMS) for i, name in enumerate(("two", "two-more")))
    found = demand.each_study_first([cheap, dear, *other], {"one": "s", "two": "t", "two-more": "t"}, COSTS)
    # Half of 25 s for each claim of the first study; 35 s for one claim of the second, or half of 45 s for both.
    assert {wanted.name: wanted.rank for wanted in found} == {"one a": 1, "one ab": 0, "two x": 0, "two-more x": 1}
    calibration = CellDemand("calibration sha-256", keys("a"))
    assert demand.each_study_first([calibration], {}, COSTS) == [calibration]


def test_a_claims_cheapest_place_comes_before_its_others_and_each_protocol_is_a_claim_of_its_own():
    near, far, published = (
        CellDemand(f"one A {place}", keys(*cells), CLAIMS)
        for place, cells in (("steady-state here", "a"), ("steady-state there", "b"), ("as-published here", "ab"))
    )
    rest = CellDemand("calibration sha-256", keys("c"), REST)
    found = {wanted.name: wanted.rank for wanted in demand.each_claim_first([near, far, published, rest], COSTS)}
    assert found == {near.name: 1, far.name: 2, published.name: 1, rest.name: 3}
    study = CellDemand("one B steady-state", keys("d"), 0)
    assert demand.each_claim_first([study], COSTS) == [study]


def test_of_a_claims_equal_places_the_first_comes_before_its_others():
    demands = [CellDemand(f"one A steady-state {name}", keys(*"aab"), CLAIMS) for name in ("there", "here")]
    for some in (demands, demands[::-1]):
        assert [wanted.rank for wanted in demand.each_claim_first(some, COSTS)] == [1, 2]


def test_a_cell_costs_once_however_many_claims_share_it_and_a_round_too():
    assert demand.price(keys("a", "b"), COSTS) == 5 * (1 + 2 + 2)
    assert (
        demand.price(keys("a", "b"), COSTS, demand.choose([CellDemand("a", keys("a"))], COSTS, 99) | {(PLACE, ""): 5})
        == 10
    )
    assert demand.choose([CellDemand("b", keys("b"))], COSTS, 25, keys("a")) == keys("a", "b")


@pytest.fixture
def of_run(rounds, staged):
    """Plans kofahi2013 in the quick tier with some minutes; its raw directory is a scratch one."""
    return lambda minutes, goal="verdicts": staged(rounds(goal=goal), minutes=minutes, goal=goal)


@pytest.fixture
def full_plan(of_run):
    """Every round of that plan."""
    return of_run(0).full_plan


def test_the_first_stage_fits_into_its_part_of_the_minutes_and_has_both_sides_of_what_it_measures(of_run, full_plan):
    first = of_run(2).first
    assert sum(round_.expected_s for round_ in first) <= budget.FIRST_PART * 2 * 60
    forks = Counter(cell.id for round_ in first for cell in round_.cells)
    assert 0 < len(forks) < len(full_plan[0].cells)
    assert set(forks.values()) == {len(full_plan)}
    # The study's single calls cost least for each claim that they settle, and its other protocol comes next.
    assert {cell.protocol for round_ in first for cell in round_.cells} == {"as-published"}
    assert {cell.protocol for round_ in of_run(8).first for cell in round_.cells} == {"as-published", "steady-state"}
    ciphers = {cell.factors["cipher"] for cell in first[0].cells}
    assert ciphers == {cell.factors["cipher"] for cell in full_plan[0].cells}
    assert {round_.id for round_ in first} == {round_.id for round_ in full_plan}


def test_a_later_stage_leaves_time_for_those_after_it_where_there_is_enough():
    left = [4000.0, 400.0, 200.0, -5.0, math.inf]
    assert [budget.stage_s(seconds, last=False) for seconds in left] == [2000, 300, 200, -5, math.inf]
    assert [budget.stage_s(seconds, last=True) for seconds in left] == left


def test_minutes_in_which_no_claim_fits_are_refused_with_how_many_would_do(of_run):
    with pytest.raises(UserError, match=r"--config minutes=0\.01: too few .*; give \d+ or more$") as caught:
        of_run(0.01)
    enough = int(str(caught.value).split()[-3])
    assert of_run(enough).first


def test_a_claim_that_fits_only_into_all_of_the_minutes_is_measured_at_once(of_run):
    """Later stages would have less time for it, and the run would end without a verdict."""
    planner = of_run(0).planner
    costs = demand.costs(planner.rounds)
    least = min(demand.price(wanted.forks, costs) for wanted in planner.demands()) / 60
    first = of_run(least * 1.1).first
    assert 0 < sum(round_.expected_s for round_ in first) <= least * 1.1 * 60
    assert budget.FIRST_PART * 1.1 < 1


def test_without_an_end_or_with_time_for_all_nothing_is_cut(of_run, full_plan):
    assert of_run(0).first == full_plan
    assert of_run(100).first == full_plan


def test_the_choice_stays_once_a_round_is_measured_and_more_minutes_leave_the_rest_to_later_stages(of_run, tmp_path):
    before = of_run(4)
    scheduler.keep_first(before.stages[0])
    measured(tmp_path, before.first[0], 1)
    for minutes in (4, 8, 0):
        assert of_run(minutes).first == before.first
    assert not list(tmp_path.rglob(".part-*"))


def test_before_a_round_is_measured_other_minutes_choose_anew(of_run):
    scheduler.keep_first(of_run(4).stages[0])
    assert len(of_run(8).first[0].cells) > len(of_run(4).first[0].cells)
    assert of_run(100).first == of_run(100).full_plan


def test_a_run_that_has_begun_with_every_cell_is_not_cut(of_run, full_plan, tmp_path):
    (tmp_path / full_plan[0].path).mkdir(parents=True)
    assert of_run(4).first == full_plan


def test_the_plan_names_left_out_cells_and_estimates_later_stages_and_more_minutes(of_run):
    current = of_run(2)
    lines = current.planner.summary(current.stages, 2, 120.0)
    left_out = {cell.id for cell in current.full_plan[0].cells} - {cell.id for cell in current.first[0].cells}
    named = next(line for line in lines if "left out of stage one of kofahi2013: " in line)
    assert min(left_out) in named
    assert f"and {len(left_out) - scheduler.MOST_NAMED} more" in named
    assert any("later stages (estimate)" in line for line in lines)
    assert any(re.search(r"for \d+ of \d+ claims .*; 10 more minutes would add kofahi2013 K\d", line) for line in lines)
    everything = of_run(0)
    assert not any("left out" in line for line in everything.planner.summary(everything.stages, 0, math.inf))


def test_a_run_ends_when_it_is_done_but_for_quick_and_one_that_is_asked_for_minutes(tmp_path):
    assert [settings.read({"tier": tier}).minutes for tier in ("smoke", "quick", "standard", "full")] == [0, 11, 150, 0]
    assert settings.read({}).goal == "verdicts"
    assert settings.read({"tier": "full"}).goal == "fixed"
    assert settings.read({"minutes": 0}).minutes == settings.read({"raw": str(tmp_path)}).minutes == 0
    assert settings.read({"tier": "full", "minutes": 2.5}).minutes == 2.5
    with pytest.raises(UserError, match=r"--config minutes=-1: must be minutes, such as 10; 0 for no end"):
        settings.read({"minutes": -1})


def measured(raw, round_, factor):
    """A round as far as its time goes, which took so many times what was expected."""
    folder = raw / round_.path
    folder.mkdir(parents=True)
    record = {"expected_s": round_.expected_s, "elapsed_s": factor * round_.expected_s}
    (folder / "round.json").write_text(json.dumps(record))


def test_a_round_is_begun_while_what_it_takes_on_this_machine_is_left(full_plan, tmp_path):
    each = full_plan[0].expected_s
    minutes = 2.5 * each / 60
    assert Budget(tmp_path, full_plan, 0.01).fits(full_plan[0])
    measured(tmp_path, full_plan[0], 1)
    assert Budget(tmp_path, full_plan, minutes).left_s() == pytest.approx(1.5 * each)
    assert Budget(tmp_path, full_plan, minutes).fits(full_plan[1])
    measured(tmp_path, full_plan[1], 1)
    assert not Budget(tmp_path, full_plan, minutes).fits(full_plan[2])
    assert Budget(tmp_path, full_plan, 0).fits(full_plan[2])
    assert not Budget(tmp_path, full_plan, 3 * 0.99 * each / 60).fits(full_plan[2])
    assert Budget(tmp_path, full_plan, 3.01 * each / 60).fits(full_plan[2])


def test_measuring_ends_when_the_report_is_due_whatever_minutes_are_left(full_plan, tmp_path, monkeypatch):
    each = full_plan[0].expected_s
    monkeypatch.setattr(budget.time, "time", lambda: 1000.0)
    due = math.ceil(1000 + 1.5 * each)
    assert Budget(tmp_path, full_plan, 0, until=1).fits(full_plan[0]), "a run's first round is measured in any case"
    measured(tmp_path, full_plan[0], 1)
    assert Budget(tmp_path, full_plan, 0, due).left_s() == due - 1000
    assert Budget(tmp_path, full_plan, each / 60, due).left_s() == pytest.approx(0)
    assert Budget(tmp_path, full_plan, 0, due).fits(full_plan[1])
    assert not Budget(tmp_path, full_plan, 0, math.floor(1000 + 0.9 * each)).fits(full_plan[1])
    assert Budget(tmp_path, full_plan, 0).fits(full_plan[1])


def test_on_a_slow_machine_fewer_rounds_are_begun_and_the_time_is_kept_to(full_plan, tmp_path):
    minutes = 4 * full_plan[0].expected_s / 60
    measured(tmp_path, full_plan[0], 3)
    assert not Budget(tmp_path, full_plan, minutes).fits(full_plan[1])


def test_a_slow_machine_completes_some_comparisons_instead_of_measuring_all_in_part(full_plan, tmp_path):
    other = [replace(round_, experiment="other", comparison="other", cells=round_.cells[:4]) for round_ in full_plan]
    every = [round_ for pair in zip(full_plan, other, strict=True) for round_ in pair]
    minutes = sum(round_.expected_s for round_ in every) / 60
    measured(tmp_path, full_plan[0], 2)
    # The first round of a comparison is measured in any case, later ones only where all of the comparison fits.
    assert Budget(tmp_path, every, minutes).fits(other[0])
    measured(tmp_path, other[0], 2)
    assert not Budget(tmp_path, every, minutes).fits(full_plan[1])
    assert Budget(tmp_path, every, minutes).fits(other[1])
    # A round that is left out costs nothing, and one comparison is measured as far as it goes.
    for round_ in other[1:]:
        budget.leave_out(tmp_path / round_.path)
    assert Budget(tmp_path, every, minutes).fits(full_plan[1])


def test_a_round_without_time_is_left_out_said_once_and_no_error(full_plan, tmp_path, capsys):
    allowed = run_round.Allowance(round_file.Schedule(full_plan), minutes=1.5 * full_plan[0].expected_s / 60)
    measured(tmp_path, full_plan[0], 1)
    for round_ in full_plan[1:]:
        run_round.run(SimpleNamespace(path=round_.path), tmp_path, allowed)
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert re.match(r"\d:\d\d min of measuring are left, too few for every round: from kofahi2013 in ", said[0])
    assert [budget.is_left_out(tmp_path / round_.path) for round_ in full_plan] == [False, True, True, True, True]
    assert Budget(tmp_path, full_plan).missing() == []


def test_what_was_left_out_stays_out_while_there_is_no_time_and_is_wanted_again_with_more(of_run, tmp_path):
    current = of_run(0)
    left_out = tmp_path / current.first[1].path
    budget.leave_out(left_out)
    # Whether a round that is there is full_plan is another test's.
    record = {"expected_s": 60.0, "elapsed_s": 120.0}
    written = tmp_path / current.first[0].path / "round.json"
    for minutes, stays in ((2, True), (0, False)):
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(json.dumps(record))
        again = of_run(minutes, "intervals")
        assert verified.stays_out(again, current.first[1]) is stays
        # Whoever has looked at a stage measures no more of it, but another one.
        assert verified.stays_out(of_run(minutes, "verdicts"), current.first[1])
    assert left_out.relative_to(tmp_path).as_posix() not in current.round_paths()
    assert current.first[2].path in current.round_paths()


def test_the_report_is_told_what_did_not_fit(of_run, tmp_path):
    assert described.left_out_cells(of_run(0)) == []
    current = of_run(4)
    (left_out,) = described.left_out_cells(current)
    cells = len(current.full_plan[0].cells)
    assert (left_out["cells"], left_out["none"], left_out["fewer"]) == (cells, cells - len(current.first[0].cells), 0)
    budget.leave_out(tmp_path / current.first[0].path)
    (left_out,) = described.left_out_cells(current)
    assert left_out["fewer"] == len(current.first[0].cells)


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
