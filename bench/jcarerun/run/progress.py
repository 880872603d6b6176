"""The progress bar of a terminal: rounds and forks done, and the time left. Silent where there is no terminal."""

import sys
import time
from pathlib import Path

from jcarerun.plan import expectation
from jcarerun.run.round_file import RoundFile, ScheduledRound


class Progress:
    """One line at the bottom of a terminal while a round runs."""

    def __init__(self, raw: Path, rounds: list[ScheduledRound], current: RoundFile, stream=sys.stderr):
        self.stream = stream if stream.isatty() else None
        left = expectation.missing(raw, rounds)
        self.total, self.done = len(rounds) or 1, len(rounds) - len(left)
        self.remaining_s = expectation.remaining_s(raw, rounds)
        expected = sum(one.expected_s for one in left) or 1.0
        self.own_s = self.remaining_s * current.expected_s / expected
        self.title = current.title
        self.start = time.monotonic()

    def show(self, done: int, forks: int) -> None:
        """Draw the line: `done` of this round's `forks` are there."""
        if self.stream is None:
            return
        share = done / max(forks, 1)
        elapsed = time.monotonic() - self.start
        own_left = elapsed / share * (1 - share) if share > 0.2 else max(self.own_s - elapsed, 0)
        left = self.remaining_s - self.own_s + own_left
        overall = (self.done + share) / max(self.total, 1)
        bar = "#" * round(24 * overall)
        self.stream.write(
            f"\r\033[K[{bar:<24}] {overall:4.0%}  round {self.done + 1}/{self.total}, fork {done}/{forks}  "
            f"{expectation.clock(left)} left  {self.title}"
        )
        self.stream.flush()

    def finished(self, remark: str = "") -> None:
        """Say in a line of its own that the round is done, on a terminal or not; a remark has the next line."""
        self.close()
        taken = time.monotonic() - self.start
        print(
            f"round {self.done + 1} of {self.total}: {self.title}, {expectation.clock(taken)}; "
            f"{expectation.clock(max(self.remaining_s - self.own_s, 0))} left",
            file=sys.stderr,
        )
        if remark:
            print(f"  {remark}", file=sys.stderr)

    def close(self) -> None:
        """Clear the line."""
        if self.stream is not None:
            self.stream.write("\r\033[K")
            self.stream.flush()
