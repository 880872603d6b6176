"""Stages in real containers, each test in a checkout of its own: a run that is cut short or killed goes on as planned."""

import csv
import json
import re
import signal
import subprocess
import time
from hashlib import sha256

import pytest

from envs.tests import checkout as checkouts
from jcarerun.rounds import manifest

pytestmark = pytest.mark.containers

# A fork is too little for a verdict, so that a claim is undecided after it; single shots are proven by definition. Nothing
# reaches a half-width of a hundredth of a per cent within five forks, so every planned cell goes to the cap.
EXPERIMENT = """
title: Stages
study: {id: own, authors: this project, year: 2026, where: bench/tests, then: Nothing.}
measure: wall
workloads:
  run: {benchmark: SelfTest.run, params: {outcome: pass}}
  again: {benchmark: SelfTest.run, params: {outcome: pass}}
providers: [sunjce]
protocols:
  as-published: {mode: single-shot, warmup: 0, iterations: 5}
  steady-state: {mode: average-time, warmup: steady-state, iterations: 12, iteration_ms: 10}
tiers:
  smoke:
    rounds: 3
    max_rounds: 5
    environments: {tag: smoke}
    protocols: {steady-state: {half_width: 0.0001}}
  quick: {rounds: 2, environments: {tag: smoke}}
  standard: {rounds: 2, environments: {tag: smoke}}
  full: {rounds: 2, environments: {tag: smoke}}
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
SETTINGS = {"experiment_dir": "bench/tests/stages", "tier": "smoke", "calibration": False}
CONFIG = tuple(f"{key}={value}" for key, value in SETTINGS.items())


@pytest.fixture
def checkout(tmp_path):
    """A scratch checkout with that experiment, in which nothing was measured."""
    made = checkouts.make(tmp_path / "checkout")
    (made.path / "bench/tests/stages").mkdir()
    (made.path / "bench/tests/stages/stages.yaml").write_text(EXPERIMENT)
    return made


def of_stage(checkout, stage):
    found = [(folder, json.loads((folder / "round.json").read_text())) for folder in checkout.rounds()]
    return [folder for folder, record in found if record["stage"] == stage]


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def run(checkout, *config, target):
    done = checkout.snakemake(*CONFIG, *config, targets=(target,))
    assert done.returncode == 0, done.stderr[-3000:]
    again = checkout.run("snakemake", "-n", "--cores", "2", "--config", *CONFIG, *config, "--", target)
    assert "Nothing to be done" in again.stdout + again.stderr, (again.stdout + again.stderr)[-3000:]
    return done


def test_a_run_for_verdicts_whose_minutes_are_up_has_a_report_and_goes_on_with_more_minutes(checkout):
    target = "data/tidy/verdicts.csv"
    program = f"from jcarerun.run import run; print(run.from_config({SETTINGS | {'goal': 'verdicts'}!r}).first[0].path)"
    path = checkout.run("python", "-c", program).stdout.strip()
    first_run = checkout.snakemake(*CONFIG, "goal=verdicts", targets=(f"data/raw/{path}.done",))
    assert first_run.returncode == 0, first_run.stderr[-3000:]

    short = run(checkout, "goal=verdicts", "minutes=0.001", target=target)
    assert "rounds that do not fit are left out" in short.stderr
    assert re.search(r"0:00 min of measuring left; what is still to be measured does not fit", short.stderr)
    assert (len(of_stage(checkout, 1)), of_stage(checkout, 2)) == (1, [])

    more = run(checkout, "goal=verdicts", "minutes=60", target=target)
    assert re.search(r"stage 2 of 9 at most: \d+ rounds?", more.stderr), more.stderr[-3000:]
    assert len(of_stage(checkout, 1)) == 1
    assert of_stage(checkout, 2)
    assert "holds" in {row["verdict"] for row in rows(checkout.path / target)}


def test_a_run_for_intervals_that_is_killed_in_its_second_stage_goes_on_with_the_same_plan(checkout, tmp_path):
    process = subprocess.Popen(
        ["snakemake", "--cores", "2", "--config", *CONFIG],
        cwd=checkout.path,
        env=checkout.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    end = time.monotonic() + 600
    while not list((checkout.path / "data/raw").glob("*/*/.part-*-04")):
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (plan,) = (checkout.path / "data/raw").glob("*/*/*.stage-2.csv")
    content, made = plan.read_bytes(), plan.stat().st_mtime_ns
    assert len(of_stage(checkout, 2)) < 2

    run(checkout, target="data/tidy/cells.csv")
    assert (plan.read_bytes(), plan.stat().st_mtime_ns) == (content, made)
    planned = {row["cell"]: row for row in rows(plan)}
    assert [row["reason"] for row in planned.values()] == ["cap", "cap"]
    folders = of_stage(checkout, 2)
    assert [folder.name[-2:] for folder in folders] == ["04", "05"]
    for folder in folders:
        manifest.verify(folder)
        forks = rows(folder / "cells.csv")
        assert {row["cell"] for row in forks} == set(planned)
        assert all(row["iterations"] == planned[row["cell"]]["iterations"] for row in forks)
        record = json.loads((folder / "round.json").read_text())
        assert record["plan_sha256"] == sha256(content).hexdigest()
    cells = rows(checkout.path / "data/tidy/cells.csv")
    found = {(row["protocol"], row["forks"], row["reached"], row["wanted_half_width_pct"]) for row in cells}
    assert found == {("steady-state", "5", "no", "0.01"), ("as-published", "3", "", "")}

    # The stage files go with the rounds, and are needed there.
    other = tmp_path / "raw"
    checkout.run("cp", "-r", "data/raw", str(other))
    cells = checkout.path / "other/tidy/cells.csv"
    foreign = checkout.snakemake(*CONFIG, f"raw={other}", "results=other", targets=(str(cells),))
    assert foreign.returncode == 0, foreign.stderr[-3000:]
    assert {row["reached"] for row in rows(cells)} == {"no", ""}
    next(other.glob("*/*/*.stage-2.csv")).unlink()
    lost = checkout.snakemake(*CONFIG, f"raw={other}", "results=other")
    assert lost.returncode != 0
    assert "stage-2.csv: missing, though" in lost.stderr
