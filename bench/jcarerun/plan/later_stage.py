"""Which of what open claims want a stage after the first measures: the likeliest decisions for their time.

In: wants (bench/jcarerun/plan/wants.py), what a fork of each cell costs, seconds. Out: the forks that each cell gets.
"""

from collections.abc import Iterable, Mapping

from jcarerun.plan.wants import Key, Want, choose

# What analysis/run.R plan_claims says of a claim in a place.
STATES = DECIDED, OPEN, GIVEN_UP = "decided", "open", "given up"
# Part of a stage that is kept for verdicts on warmed-up code, which cost more than those on cold calls and say what lasts.
WARM_PART = 0.5


def chance(want: Want, states: Iterable[dict[str, str]]) -> float:
    """How likely a claim is decided in one more place: as often as it was in others, by Laplace's rule of succession."""
    of = [*want.name.split()[:2], want.protocol]
    own = [row for row in states if of == [row["experiment"], row["claim"], row["protocol"]]]
    judged, decided = (sum(int(row["claims"]) for row in own if row["state"] in kept) for kept in (STATES, STATES[:1]))
    return (decided + 1) / (judged + 2)


def chosen(
    wanted: list[Want], costs: dict[Key, float], stage_s: float, left_s: float, last_protocols: Mapping[str, str]
) -> dict[Key, int]:
    """The forks of a stage that may take `stage_s` of the `left_s` seconds that are left; more where nothing fits otherwise.

    last_protocols: by experiment, the one that warms its code up.
    """
    warm = [want for want in wanted if want.protocol == last_protocols[want.name.split()[0]]]
    return choose(wanted, costs, stage_s, choose(warm, costs, stage_s * WARM_PART)) or choose(wanted, costs, left_s)
