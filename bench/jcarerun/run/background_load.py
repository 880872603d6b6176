"""Other programs that keep this machine's CPUs busy: who disturbs a round, by name, and whether it is quiet.

In: /proc (proc_pid_stat(5), proc_stat(5)); a system without it tells nothing. Out: shares of a CPU, lines for a terminal.
"""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jcarerun.errors import one_line
from jcarerun.plan.budget import format_duration

PROC = Path("/proc")
# Below this share of a CPU a program is not named: a fork's own scatter is larger than what it may take.
NAMED = 0.05
MOST_NAMED = 3
LOOK_S = 2.0
BETWEEN_S = 10.0


@dataclass(frozen=True)
class Moment:
    """Seconds that the CPUs were busy in all, and that each process had of them: its number and start to its name and seconds."""

    at: float
    busy_s: float
    processes: dict[tuple[int, int], tuple[str, float]]


def moment(proc: Path = PROC) -> Moment | None:
    """How busy the machine has been until now; None where the system does not tell."""
    tick = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
    try:
        user, nice, system, _, _, irq, softirq, *_ = map(int, (proc / "stat").read_text().split("\n")[0].split()[1:])
    except (OSError, ValueError):
        return None
    found = {}
    for file in proc.glob("[0-9]*/stat"):
        try:
            text = file.read_text(errors="replace")
            # The name, in brackets, may have anything in it.
            begin, end = text.index("("), text.rindex(")")
            fields = text[end + 2 :].split()
            found[int(text[:begin]), int(fields[19])] = (
                text[begin + 1 : end],
                (int(fields[11]) + int(fields[12])) / tick,
            )
        except (OSError, ValueError, IndexError):
            continue  # it has just ended
    return Moment(time.monotonic(), (user + nice + system + irq + softirq) / tick, found)


def busy(before: Moment | None, after: Moment | None) -> list[tuple[str, int, float]]:
    """Name, number and share of a CPU of whatever ran at both moments, the busiest first; not of this process."""
    if before is None or after is None or after.at <= before.at:
        return []
    span = after.at - before.at
    shares = [
        (name, pid, (seconds - before.processes[pid, start][1]) / span)
        for (pid, start), (name, seconds) in after.processes.items()
        if (pid, start) in before.processes and pid != os.getpid()
    ]
    return sorted((share for share in shares if share[2] >= NAMED), key=lambda share: (-share[2], share[1]))


def in_words(shares: list[tuple[str, int, float]]) -> str:
    """The busiest, in words; empty where there are none."""
    return ", ".join(f"{one_line(name)} ({pid}) {share:.0%} of a CPU" for name, pid, share in shares[:MOST_NAMED])


def wait(
    minutes: float, limit: float, look: Callable[[], Moment | None] = moment, sleep: Callable = time.sleep
) -> None:
    """Wait until less than `limit` of the CPUs' time is taken, `minutes` at most; says once for whom, and how it ended."""
    cpus, waited, first = os.cpu_count() or 1, 0.0, True
    while True:
        before = look()
        sleep(LOOK_S)
        after = look()
        if before is None or after is None:
            return
        share = (after.busy_s - before.busy_s) / (after.at - before.at) / cpus
        if share < limit:
            if not first:
                print(f"  quiet after {format_duration(waited)}", file=sys.stderr)
            return
        if first:
            names = in_words(busy(before, after)) or "programs that can't be seen from here"
            print(f"  waiting for quiet, {format_duration(minutes * 60)} at most: {names}", file=sys.stderr)
            first = False
        waited += LOOK_S + BETWEEN_S
        if waited > minutes * 60:
            print(f"  not quiet after {format_duration(minutes * 60)}, measuring all the same", file=sys.stderr)
            return
        sleep(BETWEEN_S)
