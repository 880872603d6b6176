"""Reference forks: long forks that nothing has warmed up: what a time becomes in the end, and how long a program waits for that.

In: the rounds of a run's first stage. Out: rounds of one cell each, named by what the cell is of and nothing else: another tier,
or a later run with the same image, jar and flags, finds them again.
"""

from collections.abc import Iterable
from dataclasses import replace

from jcarerun.plan.cells import WARM_MS, Cell, expected_us
from jcarerun.plan.definitions import Registry
from jcarerun.plan.plan import Round, round_hash
from jcarerun.plan.settings import INTERVALS, Settings
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
