"""Forks as long as their reference forks say, where nothing else warms them up: those of somebody else's benchmarks.

In: the rounds as the tier has them, the reference forks that were measured. Out: the same rounds, with longer iterations where a
fork would end before its code is compiled. The rounds have other ids then: what was measured with short forks is of other cells.
"""

import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from jcarerun.errors import count
from jcarerun.plan import budget, reference_forks
from jcarerun.plan.cells import Cell
from jcarerun.plan.definitions import Registry
from jcarerun.plan.plan import Round, round_hash
from jcarerun.plan.settings import Settings
from jcarerun.rounds import hot_path

# A fork's length, as a multiple of the time that its code takes until it is compiled: half of it is measured.
LENGTH = 2

# An (experiment, environment, cell) and seconds until its code is compiled.
Waits = dict[tuple[str, str, str], float]


def waits(
    planned: Iterable[Round], experiments: dict[str, dict], settings: Settings, registry: Registry, folder: Path
) -> Waits:
    """What the reference forks of somebody else's benchmarks waited, where they are measured and were long enough."""
    outside = [round_ for round_ in planned if any(cell.outside for cell in round_.cells)]
    found = {}
    for reference_fork, _ in reference_forks.rounds(outside, experiments, settings, registry):
        seconds = hot_path.compiled_after_s(folder / reference_fork.path)
        if seconds is not None:
            found[reference_fork.experiment, reference_fork.environment, reference_fork.cells[0].id] = seconds
    return found


def lengthened(planned: list[Round], waits: Waits, settings: Settings, registry: Registry) -> list[Round]:
    """The rounds, with forks of twice what their reference forks waited where they would be shorter."""
    made = []
    for round_ in planned:
        own = {
            cell.id: _long_enough(cell, waits.get((round_.experiment, round_.environment, cell.id), 0.0))
            for cell in round_.cells
        }
        if any(own[cell.id] != cell for cell in round_.cells):
            every = [own[id] for id in sorted(own)]
            family = f"{round_.tier}-{round_hash(every, round_.environment, settings, registry, round_.subject)}"
            round_ = replace(
                round_, id=f"{family}-{round_.number:02d}", cells=tuple(own[cell.id] for cell in round_.cells)
            )
        made.append(round_)
    return made


def _long_enough(cell: Cell, wait_s: float) -> Cell:
    own_s = cell.iterations * cell.iteration_ms / 1000
    if not own_s or LENGTH * wait_s <= own_s:
        return cell
    scale = math.ceil(LENGTH * wait_s / own_s)
    return replace(cell, iteration_ms=scale * cell.iteration_ms, measured_s=scale * cell.measured_s)


def summary(planned: Iterable[Round], cells: dict[str, dict[str, Cell]]) -> list[str]:
    """How many cells have longer forks than their tier says, and what that costs, in a line; no line where none has.

    cells: of each experiment, by id, as the tier has them.
    """
    more: dict[tuple[str, str, str], float] = {}
    for round_ in planned:
        for cell in round_.cells:
            if (seconds := cell.measured_s - cells[round_.experiment][cell.id].measured_s) > 0:
                key = (round_.experiment, round_.environment, cell.id)
                more[key] = more.get(key, 0) + seconds
    if not more:
        return []
    names = ", ".join(sorted({name for name, _, _ in more}))
    return [
        f"  longer forks than the tier's for {count(len(more), 'cell')} of {names}, whose reference forks waited longer for "
        f"compiled code: {budget.format_duration(sum(more.values()))} more in all rounds"
    ]
