"""Reference forks: long forks that nothing has warmed up: what a time becomes in the end, and how long a program waits for that.

In: the rounds of a run's first stage. Out: rounds of one cell each, named by what the cell is of and nothing else: another tier,
or a later run with the same image, jar and flags, finds them again.

Forks of somebody else's benchmarks, which nothing warms up, are as long as their reference forks say: iterations are longer
where a fork would end before its code is compiled. Such rounds have other ids: short forks are of other cells.
"""

import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from jcarerun.errors import count
from jcarerun.plan import budget
from jcarerun.plan.cells import WARM_MS, Cell, expected_us
from jcarerun.plan.definitions import Registry
from jcarerun.plan.plan import Round, round_hash
from jcarerun.plan.settings import INTERVALS, Settings
from jcarerun.rounds import hot_path
from jcarerun.rounds.record import EARLY, REFERENCE

# Calls that a reference fork is to hold, twice what HotSpot wants before it compiles a method for good; its bounds in seconds.
CALLS, LEAST_S, MOST_S = 15_000, 20, 60

# An early-compilation fork: where a reference fork ends before its code is compiled, a fork whose JVM compiles after a
# fiftieth of the calls.
EARLY_OPTION, EARLY_S = "-XX:CompileThresholdScaling=0.02", 20
JDK_WITH_SCALING = 9
# JDK 8 has no such option. These are what it makes of the same thresholds later on (-XX:+PrintFlagsFinal of JDK 21).
_JDK_8_THRESHOLDS = {
    "Tier0InvokeNotifyFreqLog": 1,
    "Tier0BackedgeNotifyFreqLog": 4,
    "Tier2InvokeNotifyFreqLog": 5,
    "Tier2BackedgeNotifyFreqLog": 8,
    "Tier3InvokeNotifyFreqLog": 4,
    "Tier3BackedgeNotifyFreqLog": 7,
    "Tier23InlineeNotifyFreqLog": 14,
    "Tier3InvocationThreshold": 4,
    "Tier3MinInvocationThreshold": 2,
    "Tier3CompileThreshold": 40,
    "Tier3BackEdgeThreshold": 1200,
    "Tier4InvocationThreshold": 100,
    "Tier4MinInvocationThreshold": 12,
    "Tier4CompileThreshold": 300,
    "Tier4BackEdgeThreshold": 800,
}

# A fork's length, as a multiple of the time that its code takes until it is compiled: half of it is measured.
LENGTH = 2
# An (experiment, environment, cell) and seconds until its code is compiled.
Waits = dict[tuple[str, str, str], float]


def early_options(java: int) -> tuple[str, ...]:
    """Options of a JVM of this Java version that make it compile after a fiftieth of the calls."""
    if java >= JDK_WITH_SCALING:
        return (EARLY_OPTION,)
    return tuple(f"-XX:{name}={value}" for name, value in _JDK_8_THRESHOLDS.items())


def _long(cell: Cell, seconds: int, options: tuple[str, ...] = ()) -> Cell:
    return replace(
        cell,
        iterations=seconds,
        iteration_ms=1000,
        warm_calls=0,
        warm_ms=WARM_MS,  # a tier's own, and nothing to a fork without such calls
        jvm_options=(*cell.jvm_options, *options),
        half_width=0.0,
        warm_s=0.0,
        measured_s=seconds,
    )


def _round(model: Round, kind: str, cell: Cell, settings: Settings, registry: Registry) -> Round:
    # Nobody looks at a reference fork stage by stage, whatever the run wants.
    once = replace(settings, goal=INTERVALS)
    name = f"{kind}-{round_hash([cell], model.environment, once, registry, model.subject)}"
    return replace(model, id=f"{name}-01", number=1, tier=kind, cells=(cell,), looks=1)


def rounds(
    first: Iterable[Round], experiments: dict[str, dict], settings: Settings, registry: Registry
) -> list[tuple[Round, Round]]:
    """A reference fork of every cell that looks for its steady state in a JVM, and the early-compilation fork beside it."""
    found = []
    for round_ in first:
        for cell in round_.cells if round_.number == 1 else ():
            if cell.warmup != "steady-state" or registry.providers[cell.provider].native:
                continue
            call_us = expected_us(experiments[round_.experiment]["workloads"][cell.workload], cell.params)
            seconds = round(min(MOST_S, max(LEAST_S, CALLS * call_us / 1e6)))
            # This machine's own JVM (engine host) is no entry of the catalogue, and taken for a later one.
            known = registry.catalogue.environments.get(round_.environment)
            options = early_options(known.jdk.java if known else JDK_WITH_SCALING)
            own = (_long(cell, seconds), _long(cell, EARLY_S, options))
            found.append(
                tuple(
                    _round(round_, kind, chosen, settings, registry)
                    for kind, chosen in zip((REFERENCE, EARLY), own, strict=True)
                )
            )
    return sorted(found, key=lambda both: (both[0].environment, both[0].cells[0].id))


def waits(
    planned: Iterable[Round], experiments: dict[str, dict], settings: Settings, registry: Registry, folder: Path
) -> Waits:
    """What the reference forks of somebody else's benchmarks waited, where they are measured and were long enough."""
    outside = [round_ for round_ in planned if any(cell.outside for cell in round_.cells)]
    found = {}
    for reference_fork, _ in rounds(outside, experiments, settings, registry):
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
