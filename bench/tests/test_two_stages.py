"""Two stages in real containers: the plan is made from stage one, stage two holds to it, whatever is killed, edited or lost."""

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

# Nothing reaches a half-width of a hundredth of a per cent within five forks, so every planned cell goes to the cap.
EXPERIMENT = """
title: Two stages
study: {id: own, authors: this project, year: 2026, where: bench/tests, then: Nothing.}
measure: wall
workloads:
  run: {benchmark: SelfTest.run, params: {outcome: pass}}
  again: {benchmark: SelfTest.run, params: {outcome: pass}}
providers: [sunjce]
protocols:
  as-published: {mode: single-shot, warmup: 0, iterations: 5}
  modern: {mode: average-time, warmup: steady-state, iterations: 12, iteration_ms: 10}
tiers:
  smoke:
    rounds: 3
    max_rounds: 5
    environments: {tag: smoke}
    protocols:
      modern: {half_width: 0.0001}
  quick: {rounds: 2, environments: {tag: smoke}}
  standard: {rounds: 2, environments: {tag: smoke}}
  full: {rounds: 2, environments: {tag: smoke}}
claims:
  T1:
    text: The same workload measured as two takes the same time
    place: nowhere
    form: ratio-about
    parameters: {value: 1, within: 2}
    ratios:
      - numerator: {workload: run}
        denominator: {workload: again}
"""
CONFIG = ("experiment_dir=bench/tests/two", "tier=smoke", "calibration=false")
# The rounds of both stages, and nothing made of them.
ROUNDS = ("data/tidy/definitions.json",)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A scratch checkout in which both stages have run, down to the PDF."""
    made = checkouts.make(tmp_path_factory.mktemp("checkout"))
    (made.path / "bench/tests/two").mkdir()
    (made.path / "bench/tests/two/two.yaml").write_text(EXPERIMENT)
    # However busy the machine is, every fork counts.
    gates = made.path / "bench/gates.yaml"
    gates.write_text(re.sub(r"(?m)^( +limit:).*$", r"\1 1000000", gates.read_text()))
    run = made.snakemake(*CONFIG)
    assert run.returncode == 0, run.stderr[-3000:]
    (made.path / "said").write_text(run.stderr)
    return made


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def plan_files(checkout):
    return sorted((checkout.path / "data/raw").glob("*/*/*.plan.csv"))


def second_stage(checkout, plan):
    family = plan.name.removesuffix(".plan.csv")
    found = [folder for folder in checkout.rounds() if folder.name.rpartition("-")[0] == family]
    return [folder for folder in found if json.loads((folder / "round.json").read_text())["stage"] == 2]


def test_the_plan_says_what_both_stages_cost(checkout):
    said = (checkout.path / "said").read_text()
    assert "more forks of 2 cells: at most 2 rounds" in said
    assert "stage two of two in debian-12-temurin-17: 2 of 2 cells need more forks; 2 of them stay wider" in said


def test_stage_two_holds_what_is_missing_at_the_planned_length(checkout):
    (plan,) = plan_files(checkout)
    planned = {row["cell"]: row for row in rows(plan)}
    assert sorted(row["reason"] for row in planned.values()) == ["cap", "cap", "not planned", "not planned"]
    folders = second_stage(checkout, plan)
    assert [folder.name[-2:] for folder in folders] == ["04", "05"]
    for folder in folders:
        manifest.verify(folder)
        forks = rows(folder / "cells.csv")
        assert {row["cell"] for row in forks} == {name for name, row in planned.items() if row["reason"] == "cap"}
        assert all(row["iterations"] == planned[row["cell"]]["iterations"] for row in forks)
        record = json.loads((folder / "round.json").read_text())
        assert record["plan_sha256"] == sha256(plan.read_bytes()).hexdigest()


def test_the_tables_say_which_cells_did_not_reach_their_width(checkout):
    cells = rows(checkout.path / "data/tidy/cells.csv")
    modern = [row for row in cells if row["protocol"] == "modern"]
    assert {(row["forks"], row["reached"], row["wanted_half_width_pct"]) for row in modern} == {("5", "no", "0.01")}
    others = [row for row in cells if row["protocol"] != "modern"]
    assert {(row["forks"], row["reached"], row["wanted_half_width_pct"]) for row in others} == {("3", "", "")}
    (plan,) = plan_files(checkout)
    planned = {row["cell"]: row for row in rows(plan)}
    forks = [row for row in rows(checkout.path / "data/tidy/forks.csv") if row["protocol"] == "modern"]
    for row in forks:
        own = planned[row["cell"]]
        assert int(row["measured_iterations"]) == int(own["iterations"]) - int(own["warmup_iterations"])
        assert row["planned"] == "TRUE"
    assert "did not reach" in (checkout.path / "data/tidy/notes.csv").read_text()


def test_a_second_run_has_nothing_to_do(checkout):
    run = checkout.run("snakemake", "-n", "--cores", "2", "--config", *CONFIG)
    assert "Nothing to be done" in run.stdout + run.stderr, (run.stdout + run.stderr)[-2000:]


def test_a_plan_that_was_edited_or_lost_is_refused(checkout):
    (plan,) = plan_files(checkout)
    whole = plan.read_text()
    try:
        plan.write_text(whole.replace("cap", "more forks"))
        edited = checkout.snakemake(*CONFIG)
        plan.unlink()
        lost = checkout.snakemake(*CONFIG)
    finally:
        plan.write_text(whole)
    for run, words in ((edited, "was changed after"), (lost, "missing, though")):
        assert run.returncode != 0
        complaint = next(line for line in run.stderr.splitlines() if line.startswith("error: "))
        assert f"{plan.name}: {words}" in complaint
        assert "to plan anew" in complaint
        assert "Traceback" not in run.stderr


def test_other_wishes_than_the_plan_was_made_for_are_refused(checkout):
    file = checkout.path / "bench/tests/two/two.yaml"
    try:
        file.write_text(EXPERIMENT.replace("half_width: 0.0001", "half_width: 0.0002"))
        run = checkout.snakemake(*CONFIG)
    finally:
        file.write_text(EXPERIMENT)
    assert run.returncode != 0
    assert "the experiment has 3, 5, 0.02" in run.stderr
    assert "Traceback" not in run.stderr


def test_kill_9_in_stage_two_goes_on_with_the_same_plan(checkout):
    """The first run is killed while it measures a round of stage two; the second one measures what is missing."""
    before = plan_files(checkout)
    process = subprocess.Popen(
        ["snakemake", "--cores", "2", "--config", *CONFIG, "seed=7"],
        cwd=checkout.path,
        env=checkout.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    part = ".part-*-04"
    end = time.monotonic() + 300
    while not list((checkout.path / "data/raw").glob(f"*/*/{part}")):
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (plan,) = [path for path in plan_files(checkout) if path not in before]
    content, made = plan.read_bytes(), plan.stat().st_mtime_ns
    assert len(second_stage(checkout, plan)) < 2
    run = checkout.snakemake(*CONFIG, "seed=7", targets=ROUNDS)
    assert run.returncode == 0, run.stderr[-2000:]
    assert (plan.read_bytes(), plan.stat().st_mtime_ns) == (content, made)
    assert len(second_stage(checkout, plan)) == 2


def test_somebody_elses_raw_data_has_its_plan_with_it(checkout, tmp_path):
    (plan, *_) = plan_files(checkout)
    family = plan.name.removesuffix(".plan.csv")
    target = tmp_path / "raw/two/debian-12-temurin-17"
    target.mkdir(parents=True)
    for found in plan.parent.glob(f"{family}*"):
        checkout.run("cp", "-r", str(found), str(target))
    before = (checkout.path / "data/tidy/cells.csv").read_text()
    config = (CONFIG[0], f"raw={tmp_path / 'raw'}", "calibration=false")
    run = checkout.snakemake(*config, targets=("data/tidy/cells.csv",))
    assert run.returncode == 0, run.stderr[-2000:]
    cells = rows(checkout.path / "data/tidy/cells.csv")
    assert {row["reached"] for row in cells} == {"no", ""}
    assert before.splitlines()[0] == (checkout.path / "data/tidy/cells.csv").read_text().splitlines()[0]
    (target / plan.name).unlink()
    run = checkout.snakemake(*config)
    assert run.returncode != 0
    assert f"{plan.name}: missing, though" in run.stderr
