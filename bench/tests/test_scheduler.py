"""Which cells are measured: all of them, or left out by name; disturbed forks again; both sides of a comparison together."""

import json
import math

import pytest

from bench.tests.csv_files import write_rows
from bench.tests.made_up_round import QUIET
from jcarerun.plan import budget, definitions, plan, scheduler, settings, stages
from jcarerun.plan.budget import Budget
from jcarerun.plan.demand import CellDemand
from jcarerun.rounds import interference, manifest, tables
from jcarerun.run import plan_stage, run, session, verified

# Three JDKs, of which the only claim compares two.
STUDY = """
title: A hash on two JDKs of three
study: {id: hashes, authors: we, where: our question, then: Nothing was published.}
measure: wall
workloads:
  hash: {benchmark: Digest.digest, factors: [digest], params: {bytes: 1048576, content: fixed}, expected_us: 600}
factors:
  digest:
    SHA-256: {algorithm: SHA-256}
    SHA-512: {algorithm: SHA-512}
providers: [sunjce]
protocols:
  steady-state: {mode: average-time, warmup: steady-state, iterations: 20, iteration_ms: 200}
tiers:
  smoke: {rounds: 5, environments: [%s]}
  quick: {rounds: 5, environments: [%s]}
  standard: {rounds: 5, environments: [%s]}
  full: {rounds: 5, environments: [%s]}
claims:
  H1:
    text: SHA-256 takes the same time on JDK 17 as on JDK 21
    place: our question
    form: ratio-below
    parameters: {limit: 1.02}
    ratios:
      - {numerator: {digest: SHA-256, jdk: temurin-17.0.9}, denominator: {digest: SHA-256, jdk: temurin-21.0.8}}
"""
JDKS = [f"debian-12-temurin-{jdk}" for jdk in (17, 21, 25)]


@pytest.fixture
def study(registry, scratch_raw, tmp_path_factory, monkeypatch):
    """Plans a run of that study for some minutes; its raw directory is a scratch one, all environments are built."""
    file = tmp_path_factory.mktemp("study") / "hashes.yaml"
    monkeypatch.setattr(plan_stage.image, "record_path", lambda name: file)
    file.write_text(STUDY % ((", ".join(JDKS),) * 4))
    experiments = {"hashes": definitions.read(file, registry)}

    def made(minutes, uncounted=None, **config):
        chosen = settings.read({"minutes": minutes, "calibration": False, "tier": "quick", **config})
        return run.staged(chosen, registry, experiments, plan.rounds(experiments, chosen, registry), uncounted)

    return made


def measure(current, round_, disturbed=(), factor=1.0):
    """Leaves what planning reads of a round: how long it took, its cells, and which forks were disturbed."""
    folder = current.folders.raw / round_.path
    folder.mkdir(parents=True)
    record = {**round_.record(), "elapsed_s": factor * round_.expected_s}
    (folder / "round.json").write_text(json.dumps(record))
    cells = [dict.fromkeys(tables.CELLS, "") | {"fork": n} for n in range(1, len(round_.cells) + 1)]
    for row, cell in zip(cells, round_.cells, strict=True):
        row |= {"cell": cell.id} | {name: getattr(cell, name) for name in list(tables.CELLS)[2:]}
    rows = [
        {"fork": n, "window_ms": "1.000", **QUIET, **({"broken": "steal_share"} if cell.id in disturbed else {})}
        for n, cell in enumerate(round_.cells, start=1)
    ]
    rows = [{name: row[name] for name in tables.INTERFERENCE} for row in rows]
    write_rows(folder / "cells.csv", cells)
    write_rows(folder / interference.NAME, rows)


def measured(current, disturbed=lambda round_: (), factor=1.0):
    """The run after its first stage is kept and measured. disturbed: the cells of a round whose forks were."""
    scheduler.keep_first(current.stages[0])
    for round_ in current.first:
        measure(current, round_, disturbed(round_), factor)
    return current


def all_cells(round_):
    return {cell.id for cell in round_.cells}


def keys_of(rounds):
    return scheduler.cell_forks(rounds).keys()


def undecided(current, *_):
    """What the analysis says of a run whose claim is open."""
    return [], {}, []


@pytest.mark.parametrize("minutes", [3, 4, 5, 6, 0])
def test_each_cell_is_planned_or_left_out_by_name_and_each_claim_has_all_of_its_cells(study, minutes):
    current = study(minutes)
    chosen, every = keys_of(current.first), keys_of(current.full_plan)
    (claim,) = (wanted for wanted in current.planner.demands() if wanted.protocol)
    assert claim.forks.keys() <= chosen
    lines = " ".join(line for line in current.planner.summary(current.stages, minutes, 60 * minutes or math.inf))
    for family, cell in every - chosen:
        assert f"{cell} in {family.split('/')[1]}" in lines or "more" in lines
    assert ("left out" in lines) == bool(every - chosen)
    whole = [wanted for wanted in current.planner.demands() if wanted.forks.keys() & chosen]
    assert all(wanted.forks.keys() <= chosen for wanted in whole)


@pytest.mark.parametrize("minutes", [3, 4, 6])
def test_the_first_stage_is_the_same_for_every_job_of_a_run_whatever_is_measured_by_then(study, minutes):
    current = study(minutes)
    scheduler.keep_first(current.stages[0])
    for round_ in current.first:
        assert study(minutes).first == current.first
        measure(current, round_)
    assert study(minutes).first == current.first
    assert study(minutes).rounds == current.first


def test_what_no_claim_needs_is_measured_by_later_stages_while_minutes_are_left(study, monkeypatch):
    monkeypatch.setattr(plan_stage, "_analysed", undecided)
    current = measured(study(3))
    left_out = keys_of(current.full_plan) - keys_of(current.first)
    assert left_out
    plan_stage.make(study(3), 2)
    plan_stage.make(study(60), 3)
    later = study(60)
    assert keys_of(later.rounds) == keys_of(later.full_plan)
    assert {round_.stage for round_ in later.rounds} >= {1, 3}


def test_a_run_whose_cells_are_all_measured_ends_with_nothing_more_to_measure(study, monkeypatch, capsys):
    monkeypatch.setattr(plan_stage, "_analysed", undecided)
    current = measured(study(0))
    plan_stage.make(current, 2)
    assert current.stages[1].words == stages.NOTHING_OPEN
    assert "nothing more to measure" in capsys.readouterr().err


@pytest.mark.parametrize("disturbed", ["all", "one"])
def test_disturbed_forks_count_as_still_to_be_measured(study, monkeypatch, disturbed):
    monkeypatch.setattr(plan_stage, "_analysed", undecided)
    current = study(0)
    broken = {cell.id for cell in current.first[0].cells if disturbed == "all" or "sha-256" in cell.id}
    measured(current, lambda _: broken)
    plan_stage.make(current, 2)
    again = keys_of(current.stages[1].rounds())
    assert {cell for _, cell in again} >= broken
    assert ({cell for _, cell in again} == broken) == (disturbed == "all")


def test_after_a_disturbed_run_the_same_command_measures_again_with_all_of_its_minutes(study, monkeypatch):
    monkeypatch.setattr(plan_stage, "_analysed", undecided)
    current = measured(study(6), all_cells, factor=1.9)
    plan_stage.make(study(6), 2)
    assert study(6).stages[1].words.startswith(stages.OUT_OF_TIME)
    again = run.with_disturbed(study(6))
    assert set(again.uncounted) == {round_.path for round_ in current.first}
    verified.verify_stages(again.stages, 6, repeat=bool(again.uncounted))
    assert not again.stages[1].stamp.is_file()
    assert any("disturbed" in line for line in session._planned(again))
    stages.write_requests(again.stages, 6, again.uncounted)
    plan_stage.make(study(6), 2)
    assert keys_of(study(6).stages[1].rounds()) & keys_of(current.first)


def test_a_few_disturbed_forks_give_no_more_minutes(study):
    measured(study(3), lambda round_: all_cells(round_) if round_.number == 1 else ())
    assert run.with_disturbed(study(3)).uncounted == []


def test_with_more_minutes_the_cells_that_a_short_run_left_out_are_chosen(study, monkeypatch):
    monkeypatch.setattr(plan_stage, "_analysed", undecided)
    measured(study(3))
    plan_stage.make(study(3), 2)
    long = study(60)
    verified.verify_stages(long.stages, 60)
    lines = session._planned(long)
    assert any("later stages (estimate): up to" in line and "cells left out" in line for line in lines)
    plan_stage.make(long, next(stage.number for stage in long.stages[1:] if not stage.words))
    assert keys_of(long.rounds) == keys_of(long.full_plan)


def test_the_minutes_left_go_to_rounds_that_complete_a_pair(study):
    current = study(0)
    every = [round_ for round_ in current.first if round_.environment != JDKS[2]]
    assert len({round_.comparison for round_ in every}) == 1
    turns = [[round_ for round_ in every if round_.number == number] for number in range(1, 6)]
    for round_ in turns[0]:
        measure(current, round_)
    each = every[0].expected_s
    raw = current.folders.raw
    for spare, started in ((1.5, False), (2.1, True)):
        minutes = (2 + spare) * each / 60
        assert Budget(raw, turns[0] + turns[1], minutes).fits(turns[1][0]) is started
    budget.leave_out(raw / turns[1][0].path)
    assert not Budget(raw, turns[0] + turns[1], 60).fits(turns[1][1]), "its partner was left out"
    assert Budget(raw, turns[0] + turns[1], 60).fits(turns[1][0]), "more minutes ask for both again"
    manifest.stamp_of(raw / turns[1][0].path).unlink()
    measure(current, turns[1][0])
    assert Budget(raw, turns[0] + turns[1], 4.1 * each / 60).fits(turns[1][1])


def test_environments_that_no_claim_compares_are_comparisons_of_their_own(study):
    (experiment,) = study(0).experiments.values()
    assert len({plan.name_of_comparison(experiment, name) for name in JDKS}) == 1
    alone = {**experiment, "claims": {"H2": {"compare": {"factor": "digest", "levels": ["SHA-256", "SHA-512"]}}}}
    assert len({plan.name_of_comparison(alone, name) for name in JDKS}) == 3


def test_more_minutes_are_said_to_decide_what_they_would_measure():
    costs = {("e/x/f", ""): 1.0, ("e/x/f", "a"): 20.0, ("e/x/f", "b"): 20.0}
    demands = [
        CellDemand(f"e {name} steady-state", {("e/x/f", name): 5}, chance=0.9, protocol="steady-state") for name in "ab"
    ]
    assert "10 more minutes would decide about 1 verdicts" in scheduler.expected_message(demands, costs, 120)
    assert scheduler.expected_message(demands, costs, 300) == ""
    assert scheduler.expected_message([], costs, 0) == ""
