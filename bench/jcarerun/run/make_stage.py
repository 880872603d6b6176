"""Plans a run's next stage for the claims that are open: analysis/run.R plan_claims reads the rounds so far, in its image.

In: the rounds that are there. Out: the files of the stage (plan/stages.py), the run's stamp of it, a line for the terminal.
A stage that is planned is kept as it is. A decided claim gets nothing more, nor does one that lies on its limit.
"""

import csv
import json
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from jcarerun.images import image
from jcarerun.images.catalogue import HOST
from jcarerun.plan import budget, expectation, later_stage, stages, wants
from jcarerun.plan.later_stage import DECIDED, GIVEN_UP, OPEN
from jcarerun.plan.wants import Key, Want
from jcarerun.run.make_plan import analyse
from jcarerun.run.run import Run

# Forks of a cell in one stage: what needs more lies too near to its limit.
MOST = 40


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as text:
        return list(csv.DictReader(text))


def _claims(current: Run, raw: Path) -> tuple[list[Want], list[dict[str, str]]]:
    """What open claims want, and how many claims are in which state."""
    raw.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=raw, prefix=".part-claims-") as name:
        files = {key: Path(name) / key for key in ("rounds", "definitions", "wants", "states")}
        files["rounds"].write_text("".join(f"{path}\n" for path in current.round_paths()))
        files["definitions"].write_text(json.dumps(current.definitions()))
        words = [word for key, file in files.items() for word in (f"--{key}", str(file))]
        argv = ["Rscript", "analysis/run.R", "plan_claims", "--raw", str(raw), *words, "--most", str(MOST)]
        analyse(current.settings.engine, argv, raw, Path(name))
        rows, states = _rows(files["wants"]), _rows(files["states"])
    places = {(one.experiment, one.environment): wants.place_of(one) for one in current.whole}
    found: dict[str, Want] = {}
    for row in rows:
        # What a kit measured elsewhere has no place here.
        if place := places.get((row["experiment"], row["environment"])):
            new = Want(row["want"], {}, wants.CLAIMS, float(row["chance"]), row["protocol"])
            want = found.setdefault(row["want"], new)
            want.forks[place, row["cell"]] = int(row["forks"])
    return list(found.values()), states


def _unmeasured(current: Run, measured: set[Key], states: list[dict[str, str]]) -> list[Want]:
    """What claims want of which some cell has hardly a fork yet, where its environment is built."""
    built = {one.environment for one in current.first}
    whole = [
        one
        for one in current.whole
        if one.environment in {*built, HOST} or image.record_path(one.environment).is_file()
    ]
    programs = {one.environment for one in current.first if current.has_native(one)}
    able = [one for one in whole if one.environment in programs or not current.has_native(one)]
    every = wants.of_claims(current.experiments, able, current.world.catalogue.environments)
    # With the cells that are there already: both sides of what is compared are in the same rounds.
    return [
        replace(want, chance=later_stage.chance(want, states)) for want in every if not want.forks.keys() <= measured
    ]


def _told(states: list[dict[str, str]]) -> str:
    """How many claims are decided, open and given up, in words."""
    count, causes = Counter(), Counter()
    for row in states:
        count[row["state"]] += int(row["claims"])
        if row["state"] == GIVEN_UP:
            causes[row["why"]] += int(row["claims"])
    given_up = [f"{n} {why}" for why, n in sorted(causes.items())]
    why = f" ({', '.join(given_up)})" if given_up else ""
    return f"claims: {count[DECIDED]} decided, {count[OPEN]} open, {count[GIVEN_UP]} given up{why}"


def _plan(current: Run, stage: int, raw: Path) -> str:
    """Choose a stage's forks and write its files; what its stamp says."""
    rounds, minutes, until = current.rounds, current.settings.minutes, current.settings.until
    own, states = _claims(current, raw)
    left = budget.left_s(raw, rounds, minutes, until)
    forks = Counter((wants.place_of(one), cell.id) for one in rounds if (raw / one.path).is_dir() for cell in one.cells)
    # A single fork has no spread, and its claims no contrast that could want more.
    measured = {key for key, count in forks.items() if count > 1}
    wanted = [*own, *_unmeasured(current, measured, states)]
    factor = expectation.correction(raw, rounds)
    costs = {key: factor * seconds for key, seconds in wants.costs(current.whole).items()}
    last = {name: list(experiment["protocols"])[-1] for name, experiment in current.experiments.items()}
    seconds = budget.stage_s(left, stage == current.settings.stages)
    chosen = later_stage.chosen(wanted, costs, seconds, left, last)
    for place in stages.staged(current.whole):
        if forks := stages.of_place(chosen, place):
            place.write(raw, stage, forks)
    time = f"; {expectation.clock(max(left, 0))} of measuring left" if minutes or until else ""
    more = [one for one in current.rounds if one.stage == stage]
    if more:
        count, seconds = sum(len(one.cells) for one in more), factor * sum(one.expected_s for one in more)
        most = f"{current.settings.stages} at most"
        words = f"stage {stage} of {most}: {len(more)} rounds, {count} forks, {expectation.clock(seconds)}"
    else:
        words = "what they want does not fit" if wanted else "nothing more to measure"
    print(f"{_told(states)}{time}; {words}", file=sys.stderr)
    if more:
        return stages.PLANNED
    if not wanted:
        return stages.NOTHING_OPEN
    # Where the clock ended it, the same minutes go on another time.
    unused = budget.left_s(raw, rounds, minutes)
    return stages.out_of_time(minutes - unused / 60 if minutes and left < unused else minutes)


def make(current: Run, stage: int) -> None:
    """Make sure that a stage is planned, as far as there is time for it, and stamp it."""
    raw = current.folders.raw
    there = any(place.file(raw, stage).is_file() for place in stages.staged(current.whole))
    words = stages.PLANNED if there else _plan(current, stage, raw)
    stamp = current.stages.stamp(stage)
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(f"{words}\n")
