"""The minutes that a run may measure: what its rounds took, whether another one still fits, and what was left out.

Time is that of rounds' own records, added up: a clock that is set, or a run that goes on on another day, changes nothing. Only
who wants the report by a certain time, as `make report` does, goes by the clock too.
In: the raw directory. Out: seconds; a round that was left out has a stamp that says so beside where it would lie.
"""

import math
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from jcarerun.plan import expectation
from jcarerun.rounds import manifest

if TYPE_CHECKING:
    # Not in the job of a round, which knows its run from a schedule: bench/jcarerun/run/round_file.py.
    from jcarerun.plan.plan import Round

# Part of a budget that the first stage may be expected to take. A run that looks again needs some for what is open then; one that
# does not would lose a fork of every cell where rounds take longer than expected.
FIRST_PART = 0.6
# Part of what is left that each later stage may take, since what it leaves open needs some more; these seconds at least, if they
# are left.
LATER_PART, LATER_LEAST_S = 0.5, 300


def limit_s(minutes: float) -> float:
    """Seconds of measuring in all; no end where no minutes are asked for."""
    return minutes * 60 if minutes else math.inf


def left_s(raw: Path, rounds: Iterable["Round"], minutes: float, until: int = 0) -> float:
    """Seconds that are left of a budget after the rounds that are there; below 0 where the last one took longer than expected.

    until: when measuring ends in any case, in seconds since 1970; 0 for never.
    """
    left = limit_s(minutes) - sum(taken for _, taken in expectation.finished(raw, rounds))
    return min(left, until - time.time()) if until else left


def stage_s(left: float, last: bool) -> float:
    """Seconds that a stage after the first may be expected to take of what is left; all for the last."""
    return left if last else min(left, max(left * LATER_PART, LATER_LEAST_S))


def fits(raw: Path, rounds: list["Round"], planned: "Round", minutes: float, until: int = 0) -> bool:
    """Whether a round may still be begun.

    It is the run's first; or what it will take here, going by those before, is left, and with its place's first round in any
    case, else where all rounds that the place still lacks can be had: a slow machine decides fewer claims, instead of none.
    """
    if not (minutes or until) or not expectation.finished(raw, rounds):
        return True
    seconds = left_s(raw, rounds, minutes, until) / expectation.correction(raw, rounds)
    missing = [one for one in expectation.missing(raw, rounds) if one.path != planned.path]
    return planned.expected_s <= seconds and (
        planned.number == 1 or _place(planned) in _had_whole([*missing, planned], seconds)
    )


def _place(one: "Round") -> tuple[str, str]:
    return one.experiment, one.environment


def _had_whole(missing: list["Round"], seconds: float) -> set[tuple[str, str]]:
    """The places whose missing rounds all fit into seconds as the plan expects them: shortest first, and one at least."""
    needed = Counter()
    for one in missing:
        needed[_place(one)] += one.expected_s
    kept: set[tuple[str, str]] = set()
    for place, cost in sorted(needed.items(), key=lambda item: (item[1], item[0])):
        seconds -= cost
        if kept and seconds < 0:
            break
        kept.add(place)
    return kept


def summary(whole: list["Round"], first: list["Round"], minutes: float, left: float) -> str:
    """What of a plan fits into a run's minutes, in a line."""
    fit, every = (
        len({(one.experiment, one.environment, cell.id) for one in rounds for cell in one.cells})
        for rounds in (first, whole)
    )
    if not minutes:
        return (
            f"  {fit} of {every} cells, as an earlier run with minutes= chose them; to have the others, move what that run left "
            "below data/raw elsewhere"
        )
    missing = sorted({one.experiment for one in whole} - {one.experiment for one in first})
    none = f"; none of {', '.join(missing)}" if missing else ""
    return (
        f"  {expectation.clock(max(left, 0))} of {minutes:g} minutes of measuring left (MINUTES=, or --config "
        f"minutes=): {fit} of {every} cells fit, those first on which most claims hang{none}"
    )


def short(planned: "Round", left: float) -> str:
    """That there is no time for every round any more, and what that means, in a line."""
    return (
        f"{expectation.clock(max(left, 0))} of measuring are left, too few for every round: from "
        f"{planned.experiment} in {planned.environment} on, what does not fit is left out, the report is made of the others, and "
        f"the same command with more minutes goes on"
    )


def leave_out(folder: Path) -> None:
    """Put a stamp where the round would have one, so that the report is made without it."""
    manifest.stamp_of(folder).parent.mkdir(parents=True, exist_ok=True)
    manifest.stamp_of(folder).write_text(f"{manifest.LEFT_OUT}\n")


def is_left_out(folder: Path) -> bool:
    """Whether a round was left out for want of time."""
    return not folder.is_dir() and manifest.is_left_out(folder)
