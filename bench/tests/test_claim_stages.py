"""A run that wants verdicts, in real containers: where its minutes are up there is a report, and nothing more to do."""

import json
import re

import pytest

from envs.tests import checkout as checkouts

pytestmark = pytest.mark.containers

# A fork is too little for a verdict, so that the claim is open after it; single shots are settled by definition.
EXPERIMENT = """
title: Claims
study: {id: own, authors: this project, year: 2026, where: bench/tests, then: Nothing.}
measure: wall
workloads:
  run: {benchmark: SelfTest.run, params: {outcome: pass}}
  again: {benchmark: SelfTest.run, params: {outcome: pass}}
  alone: {benchmark: SelfTest.run, params: {outcome: pass}}
providers: [sunjce]
protocols:
  as-published: {mode: single-shot, warmup: 0, iterations: 5}
tiers:
  smoke: {rounds: 3, environments: {tag: smoke}}
  quick: {rounds: 3, environments: {tag: smoke}}
  standard: {rounds: 3, environments: {tag: smoke}}
  full: {rounds: 3, environments: {tag: smoke}}
claims:
  T1:
    text: The same workload measured as two takes the same time, but for a factor of a thousand
    place: nowhere
    form: ratio-about
    parameters: {value: 1, within: 1000}
    ratios:
      - numerator: {workload: run}
        denominator: {workload: again}
"""
SETTINGS = {"experiment_dir": "bench/tests/claims", "tier": "smoke", "goal": "verdicts", "calibration": False}
CONFIG = tuple(f"{key}={value}" for key, value in SETTINGS.items())
TABLES = ("data/tidy/verdicts.csv",)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A scratch checkout in which every stage has run, down to the verdicts."""
    made = checkouts.make(tmp_path_factory.mktemp("checkout"))
    (made.path / "bench/tests/claims").mkdir()
    (made.path / "bench/tests/claims/claims.yaml").write_text(EXPERIMENT)
    # However busy the machine is, every fork counts.
    gates = made.path / "bench/gates.yaml"
    gates.write_text(re.sub(r"(?m)^( +limit:).*$", r"\1 1000000", gates.read_text()))
    return made


def of_stage(checkout, stage):
    found = [(folder, json.loads((folder / "round.json").read_text())) for folder in checkout.rounds()]
    return [folder for folder, record in found if record["stage"] == stage]


def test_what_only_builds_does_not_choose_the_cells_of_later_runs(checkout):
    built = checkout.path / "bench/target/providers.sha256"
    built.unlink()
    run = checkout.snakemake("tier=quick", targets=(str(built.relative_to(checkout.path)),))
    assert run.returncode == 0, run.stderr[-3000:]
    assert built.is_file()
    assert "cells fit" in run.stderr, "nothing had to be left out, so that this shows nothing"
    assert not list((checkout.path / "data/raw").rglob("*.csv"))


def test_time_up_after_stage_one_is_no_error_and_leaves_verdicts_open(checkout):
    program = "from jcarerun.run import run; print(run.from_config({}).first[0].path)".replace("{}", repr(SETTINGS))
    path = checkout.run("python", "-c", program).stdout.strip()
    one = checkout.snakemake(*CONFIG, targets=(f"data/raw/{path}.done",))
    assert one.returncode == 0, one.stderr[-3000:]
    run = checkout.snakemake(*CONFIG, "minutes=0.001", targets=TABLES)
    assert run.returncode == 0, run.stderr[-3000:]
    assert "what does not fit is left out, the report is made of the others" in run.stderr
    assert re.search(
        r"claims: 0 decided, 0 open, 0 given up; 0:00 min of measuring left; what they want does not fit", run.stderr
    ), run.stderr[-3000:]
    assert len(of_stage(checkout, 1)) == 1
    again = checkout.run("snakemake", "-n", "--cores", "2", "--config", *CONFIG, "minutes=0.001", "--", *TABLES)
    assert "Nothing to be done" in again.stdout + again.stderr


def test_the_same_command_with_more_minutes_measures_the_stage_that_it_plans(checkout):
    run = checkout.snakemake(*CONFIG, "minutes=4", targets=TABLES)
    assert run.returncode == 0, run.stderr[-3000:]
    assert re.search(r"stage 2 of 9 at most: \d+ rounds", run.stderr), run.stderr[-3000:]
    assert len(of_stage(checkout, 1)) == 1
    assert of_stage(checkout, 2)
    assert "1 decided, 0 open" in run.stderr, run.stderr[-3000:]
    again = checkout.run("snakemake", "-n", "--cores", "2", "--config", *CONFIG, "minutes=4", "--", *TABLES)
    assert "Nothing to be done" in again.stdout + again.stderr
