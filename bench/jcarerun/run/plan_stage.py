"""Plans a run's next stage: the analysis reads the rounds so far and says what claims and widths still demand.

In: the rounds that are measured. Out: the files of the stage (plan/stages.py), its stamp, a line for the terminal. A stage that
is planned is kept as it is.
"""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from jcarerun.errors import UserError
from jcarerun.images import catalogue, image
from jcarerun.images.catalogue import HOST
from jcarerun.plan import budget, claim_pairs, demand, scheduler, stages
from jcarerun.plan.cells import programme_cell
from jcarerun.plan.demand import CLAIMS, DECIDED, GIVEN_UP, UNDECIDED, CellDemand, Key
from jcarerun.plan.settings import VERDICTS
from jcarerun.plan.stages import Stage
from jcarerun.rounds import interference
from jcarerun.run import described
from jcarerun.run.run import Run
from jcarerun.run.run_round import WHEELS
from jcarerun.run.verdict_lines import read_rows
from jcarerun.support import engine as engines

# Forks of a cell in one stage; a claim that needs more lies too close to its limit.
MOST_FORKS = 40


def analyse(engine: str, argv: list[str], raw: Path, folder: Path) -> None:
    """Run a program of the analysis. Raises UserError with its last line if it fails."""
    image_id = "" if engine == engines.HOST else image.ensure(engine, catalogue.read().analysis, WHEELS)
    run = subprocess.run(
        engines.analysis_command(engine, image_id, argv, readable=[raw], writable=[folder]),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    if run.returncode != 0:
        lines = (run.stderr or run.stdout).strip().splitlines() or ["no message"]
        raise UserError(f"{argv[2]} failed (status {run.returncode}): {lines[-1]}")


def _analysed(current: Run, raw: Path) -> tuple[list[CellDemand], dict[Key, dict[str, Any]], list[dict[str, str]]]:
    """The analysis's demands, the columns of stage files for cells with a planned interval, and the states of claims."""
    if current.settings.goal != VERDICTS and not current.stages[0].widths:
        return [], {}, []
    with tempfile.TemporaryDirectory(dir=raw, prefix=".part-stage-") as name:
        files = {key: Path(name) / key for key in ("rounds", "definitions", "pairs", "demands", "states")}
        files["rounds"].write_text("".join(f"{path}\n" for path in current.round_paths()))
        definitions = current.definitions()
        files["definitions"].write_text(json.dumps(definitions))
        claim_pairs.write(files["pairs"], described.pairs(current, definitions))
        words = [word for key, file in files.items() for word in (f"--{key}", str(file))]
        argv = ["Rscript", "analysis/run.R", "plan_stage", "--raw", str(raw), *words, "--most", str(MOST_FORKS)]
        analyse(current.settings.engine, argv, raw, Path(name))
        rows, states = read_rows(files["demands"]), read_rows(files["states"])
    # An interval is planned once, from the first forks of its cell.
    earlier = {key for stage in current.stages for key in stage.planned_widths()}
    paths = {(round_.experiment, round_.environment): round_.family_path for round_ in current.full_plan}
    known = {(round_.family_path, cell.id) for round_ in current.full_plan for cell in round_.cells}
    demands: dict[str, CellDemand] = {}
    planned: dict[Key, dict[str, Any]] = {}
    for row in rows:
        # Rounds that a kit measured on another machine are in no environment of this run.
        if not (family := paths.get((row["experiment"], row["environment"]))):
            continue
        key, forks = (family, row["cell"]), int(row["forks"])
        key = key if key in known else (family, programme_cell(row["cell"]))
        if key in earlier:
            continue
        if row["wanted_half_width_pct"]:
            planned[key] = {column: row[column] for column in stages.COLUMNS if column in row} | {"forks": 0}
        if forks:
            new = CellDemand(row["demand"], {}, CLAIMS, float(row["chance"]), row["protocol"])
            own = demands.setdefault(row["demand"], new).forks
            own[key] = max(forks, own.get(key, 0))
    return list(demands.values()), planned, states


def _valid_forks(current: Run, raw: Path) -> Counter:
    """Cell to its undisturbed forks so far."""
    count = Counter()
    for round_ in current.rounds:
        if (raw / round_.path).is_dir():
            kept = interference.undisturbed_cells(raw / round_.path)
            count.update((round_.family_path, cell) for cell, valid in kept.items() if valid)
    return count


def _unmeasured(current: Run, raw: Path, states: list[dict[str, str]]) -> list[CellDemand]:
    """Demands of which some cell lacks valid forks, where its environment is built.

    A fixed plan has all its environments. A user's own study has few: those that stage one had no time for are built now.
    """
    forks = _valid_forks(current, raw)
    if current.stages[0].is_fixed:
        return current.planner.lacking(forks)
    first = current.full_plan if current.settings.results else current.first
    built = {round_.environment for round_ in first}
    built |= {
        round_.environment
        for round_ in current.full_plan
        if round_.environment == HOST or image.record_path(round_.environment).is_file()
    }
    programs = {round_.environment for round_ in current.first if current.has_native(round_)}
    able = [
        round_
        for round_ in current.full_plan
        if round_.environment in built and (round_.environment in programs or not current.has_native(round_))
    ]
    return current.planner.unmeasured(forks, able, states)


def _counts(states: list[dict[str, str]]) -> Counter:
    """State to its number of verdicts."""
    count = Counter()
    for row in states:
        count[row["state"]] += int(row["claims"])
    return count


def _message(states: list[dict[str, str]]) -> str:
    """How many verdicts are decided, undecided and given up."""
    count, causes = _counts(states), Counter()
    for row in states:
        if row["state"] == GIVEN_UP:
            causes[row["why"]] += int(row["claims"])
    why = ", ".join(f"{n} {cause}" for cause, n in sorted(causes.items()))
    words = f"{count[DECIDED]} decided, {count[UNDECIDED]} undecided, {count[GIVEN_UP]} given up{f' ({why})' if why else ''}"
    return f"verdicts: {words}" if states else "intervals"


def _decided(states: list[dict[str, str]]) -> str:
    """`12 of 40 verdicts decided`; empty without verdicts."""
    count = _counts(states)
    return f"{count[DECIDED]} of {count.total()} verdicts decided" if states else ""


def _plan(current: Run, stage: Stage, raw: Path) -> None:
    """Choose a stage's forks, write its files, and stamp it."""
    time_budget, minutes, until = current.budget, current.settings.minutes, current.settings.until
    demands, planned, states = _analysed(current, raw)
    demands += _unmeasured(current, raw, states)
    left = time_budget.left_s()
    factor = time_budget.correction()
    costs = {key: factor * seconds for key, seconds in demand.costs(current.full_plan).items()}
    last = {name: list(experiment["protocols"])[-1] for name, experiment in current.experiments.items()}
    seconds = budget.stage_s(left, stage.number == len(current.stages))
    chosen = demand.choose_later(demands, costs, seconds, left, last)
    # Without time for any cell nothing is written, so that more minutes plan the stage anew.
    if chosen or not demands:
        stage.write({key: {**planned.get(key, {}), "forks": chosen.get(key, 0)} for key in {*planned, *chosen}})
    more = stage.rounds()
    left_words = f"; {budget.format_duration(max(left, 0))} of measuring left" if minutes or until else ""
    if more:
        stamp = stages.PLANNED
        expected = factor * sum(round_.expected_s for round_ in more)
        words = (
            f"stage {stage.number} of {len(current.stages)} at most: {budget.extent(more)}, "
            f"{budget.format_duration(expected)}"
        )
    elif demands:
        # Where the clock ended it, the same minutes suffice at another time.
        unused = replace(time_budget, until=0).left_s()
        stamp = f"{stages.OUT_OF_TIME} {minutes - unused / 60 if minutes and left < unused else minutes:g}"
        words = f"what is still to be measured does not fit{scheduler.expected_message(demands, costs, left)}"
    else:
        stamp = stages.NOTHING_OPEN
        words = "nothing more to measure"
    print(f"{_message(states)}{left_words}; {words}", file=sys.stderr)
    stage.mark(stamp, _decided(states))


def make(current: Run, number: int) -> None:
    """Make sure that a stage is planned, as far as there is time for it, and stamp it."""
    stage, raw = current.stages[number - 1], current.folders.raw
    if stage.is_planned:
        stage.mark(stages.PLANNED, stage.verdicts)
    else:
        _plan(current, stage, raw)
