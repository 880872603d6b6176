"""How long a program waits for its compiled code, read off the rounds of long forks that nothing warms up.

In: a round's iterations.csv, chain.csv and compilations.csv. Out: seconds.
"""

import csv
from pathlib import Path

from jcarerun.rounds import hot_path

# Last part of a fork in which nothing may happen to the code of its hot chain: what its time needs (analysis/R/warm_up.R).
TAIL = 0.25

TABLES = ("iterations.csv", hot_path.CHAIN, hot_path.COMPILATIONS)


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def compiled_after_s(folder: Path) -> float | None:
    """Seconds from the first iteration until the last code of the hot chain took over, of the slowest fork.

    None where a fork ended before that, or too soon after it to have a time; also without a record of what was compiled.
    """
    try:
        return _compiled_after_s(*(_rows(folder / name) for name in TABLES))
    except (OSError, ValueError, KeyError):
        return None  # not there; or damaged, which is said by those who check the round itself


def _compiled_after_s(iterations: list[dict], chain: list[dict], events: list[dict]) -> float | None:
    found = 0.0
    for fork in {row["fork"] for row in iterations}:
        own = [row for row in iterations if row["fork"] == fork]
        steps = [row["state"] for row in chain if row["fork"] == fork]
        begin, end = float(own[0]["start_uptime_ms"]), float(own[-1]["end_uptime_ms"])
        at = [float(row["uptime_ms"]) for row in events if row["fork"] == fork and float(row["uptime_ms"]) <= end]
        last = max(at, default=begin)
        if not steps or not hot_path.SETTLED.issuperset(steps) or last > end - TAIL * (end - begin):
            return None
        found = max(found, (last - begin) / 1000)
    return found
