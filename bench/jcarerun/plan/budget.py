"""How long rounds take, and how much of a run's minutes is left.

Spent time is read from the records of rounds: setting a clock or going on another day changes nothing. Only a run with `until`
(as `make report` has it) also ends by the clock.
In: planned rounds, the raw directory. Out: seconds; the stamp of a round that was left out.
"""

import json
import math
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jcarerun.errors import count
from jcarerun.rounds import manifest

if TYPE_CHECKING:
    # Not in the job of a round, which knows its run from a schedule: bench/jcarerun/run/round_file.py.
    from jcarerun.plan.plan import Round

# Part of the minutes that the first stage may be expected to take. The rest is for what is undecided then, and for slow machines.
FIRST_PART = 0.5
# Part of the time left that each later stage may take, and the least seconds: what a stage leaves undecided needs another one.
LATER_PART, LATER_LEAST_S = 0.5, 300
# Part of a run's forks that must be undisturbed; below it, a command measures again with all of its minutes.
UNDISTURBED_PART = 0.5


def limit_s(minutes: float) -> float:
    """Seconds of measuring in all; infinite where no minutes are given."""
    return minutes * 60 if minutes else math.inf


def is_left_out(folder: Path) -> bool:
    """Whether a round was left out for want of time."""
    return not folder.is_dir() and manifest.is_left_out(folder)


def leave_out(folder: Path) -> None:
    """Write the stamp of a round that was left out, so that the report is made without it."""
    manifest.stamp_of(folder).parent.mkdir(parents=True, exist_ok=True)
    manifest.stamp_of(folder).write_text(f"{manifest.LEFT_OUT}\n")


@dataclass(frozen=True)
class Budget:
    """The time of a run's rounds below its raw directory.

    minutes: of measuring in all, 0 for no end. until: end of measuring in seconds since 1970, 0 for none. uncounted: paths of
    rounds whose time does not count.
    """

    raw: Path
    rounds: Sequence["Round"]
    minutes: float = 0
    until: int = 0
    uncounted: Collection[str] = ()

    def missing(self) -> list["Round"]:
        """Rounds that are neither measured nor left out for want of time."""
        folders = ((round_, self.raw / round_.path) for round_ in self.rounds)
        return [round_ for round_, folder in folders if not folder.is_dir() and not manifest.is_left_out(folder)]

    def finished(self) -> list[tuple[str, float, float]]:
        """Path, seconds expected and seconds taken of each measured round."""
        found = []
        for round_ in self.rounds:
            with suppress(OSError, ValueError, KeyError, TypeError):
                record = json.loads((self.raw / round_.path / "round.json").read_text())
                found.append((round_.path, float(record["expected_s"]), float(record["elapsed_s"])))
        return found

    def correction(self) -> float:
        """Seconds that this machine takes for an expected second."""
        finished = self.finished()
        expected = sum(expected for _, expected, _ in finished)
        return sum(elapsed for _, _, elapsed in finished) / expected if expected > 0 else 1.0

    def remaining_s(self) -> float:
        """Seconds that the missing rounds are expected to take."""
        return self.correction() * sum(round_.expected_s for round_ in self.missing())

    def left_s(self) -> float:
        """Seconds left of the minutes; below 0 where the last round took longer than expected."""
        left = limit_s(self.minutes) - sum(taken for path, _, taken in self.finished() if path not in self.uncounted)
        return min(left, self.until - time.time()) if self.until else left

    def fits(self, planned: "Round") -> bool:
        """Whether a round may still be started.

        The first round of a run always may. Any other starts only together with the missing rounds that its pairs need, and not
        where one of these was left out. From the second turn of a stage on, it must be of a comparison whose missing rounds all
        fit: a slow machine decides fewer claims.
        """
        if not (self.minutes or self.until) or not self.finished():
            return True
        seconds, turns = self.left_s() / self.correction(), self._turns()
        turn = turns[planned.path]

        def is_partner(other: "Round") -> bool:
            return other.comparison == planned.comparison and turns[other.path] == turn

        # One that is left out itself is asked for again, with more minutes: its partners are too.
        if not is_left_out(self.raw / planned.path) and any(
            is_left_out(self.raw / round_.path) for round_ in self.rounds if is_partner(round_)
        ):
            return False
        left = [planned, *(round_ for round_ in self.missing() if round_.path != planned.path)]
        if sum(round_.expected_s for round_ in left if is_partner(round_)) > seconds:
            return False
        return turn == (1, 1) or planned.comparison in _completable(left, seconds)

    def _turns(self) -> dict[str, tuple[int, int]]:
        """Path to the stage of a round and its position in the stage, from 1 on: pairs across environments share these."""
        numbers: dict[tuple[str, str, int], list[Round]] = defaultdict(list)
        for round_ in self.rounds:
            numbers[round_.experiment, round_.environment, round_.stage].append(round_)
        return {
            round_.path: (round_.stage, position)
            for group in numbers.values()
            for position, round_ in enumerate(sorted(group, key=lambda round_: round_.number), start=1)
        }

    def summary(self) -> list[str]:
        """The planned rounds in a few lines: cells, environments, rounds, forks and expected time."""
        lines = []
        for name in sorted({round_.experiment for round_ in self.rounds if round_.stage == 1}):
            first = [round_ for round_ in self.rounds if round_.experiment == name and round_.stage == 1]
            environments = sorted({round_.environment for round_ in first})
            cells = {cell.id: cell for round_ in first for cell in round_.cells}
            lines.append(
                f"  {name}: {count(len(cells), 'cell')}{_by_profile(first[0])} in {count(len(environments), 'environment')} "
                f"({', '.join(environments)}), {count(len(first) // len(environments), 'round')} each"
            )
        left = self.missing()
        lines.append(
            f"  {extent(self.rounds)}; to run: {extent(left)}; expected time {format_duration(self.remaining_s())}"
            f"{_shares(left)}"
        )
        return lines


def stage_s(left: float, last: bool) -> float:
    """Seconds that a stage after the first may be expected to take of the seconds left."""
    return left if last else min(left, max(left * LATER_PART, LATER_LEAST_S))


def _completable(left: Iterable["Round"], seconds: float) -> set[str]:
    """Comparisons whose missing rounds all fit into the seconds, cheapest first; one at least."""
    needed = Counter()
    for round_ in left:
        needed[round_.comparison] += round_.expected_s
    kept: set[str] = set()
    for name, cost in sorted(needed.items(), key=lambda item: (item[1], item[0])):
        seconds -= cost
        if kept and seconds < 0:
            break
        kept.add(name)
    return kept


def exhausted_message(planned: "Round", left: float) -> str:
    """That the time left is too short for every round, and what follows from it."""
    return (
        f"{format_duration(max(left, 0))} of measuring are left, too few for every round: from {planned.experiment} in "
        f"{planned.environment} on, rounds that do not fit are left out; the report is made of the others, and the same command "
        f"with more minutes goes on"
    )


def format_duration(seconds: float) -> str:
    """`95` as `1:35 min`, `4000` as `1:06 h`."""
    total = round(seconds)
    if total < 3600:
        return f"{total // 60}:{total % 60:02d} min"
    return f"{total // 3600}:{total % 3600 // 60:02d} h"


def _by_profile(planned: "Round") -> str:
    """Cells per CPU profile, in brackets; empty where all run on the machine's own CPU."""
    count = Counter(cell.cpu_profile for cell in planned.cells)
    words = ", ".join(f"{number} {profile}" for profile, number in sorted(count.items(), reverse=True))
    return f" ({words})" if set(count) != {"native"} else ""


def _shares(rounds: list["Round"]) -> str:
    """Shares of iterations, warm-up and starts in the time of rounds, in brackets; empty without rounds."""
    cells = [cell for round_ in rounds for cell in round_.cells]
    total = sum(round_.expected_s for round_ in rounds)
    if not total:
        return ""
    measured, warm = sum(cell.measured_s for cell in cells) / total, sum(cell.warm_s for cell in cells) / total
    return f" ({measured:.0%} iterations, {warm:.0%} warm-up by count, {1 - measured - warm:.0%} starts)"


def extent(rounds: list["Round"]) -> str:
    """How many rounds these are, and how many forks."""
    return f"{count(len(rounds), 'round')}, {count(sum(len(round_.cells) for round_ in rounds), 'fork')}"
