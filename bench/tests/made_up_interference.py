"""A round's interference.csv, made without measuring."""

import csv
from pathlib import Path

from bench.rounds import interference

QUIET = {
    "elapsed_ms": "600", "window_ms": "200.000", "steal_ms": "", "others_ms": "", "cpu_ms": "", "throttled": "",
    "spin_before_ns": "8000000", "spin_after_ns": "8000000", "spin_reference_ns": "8000000", "involuntary_switches": "",
    "gc_ms": "0", "broken": "", "rerun_as": "", "rerun_of": "",
}  # fmt: skip


def write(folder: Path, forks: int, again: tuple[int, ...] = ()) -> None:
    """Write the table of a round of `forks`, of which those of `again` broke a gate and were run again, in that order."""
    rows = [{"fork": str(number), **QUIET} for number in range(1, forks + len(again) + 1)]
    for new, old in enumerate(again, start=forks + 1):
        rows[old - 1] |= {"broken": "steal_share;spin_ratio", "rerun_as": str(new)}
        rows[new - 1]["rerun_of"] = str(old)
    with (folder / interference.FILE).open("w", newline="") as file:
        writer = csv.DictWriter(file, interference.COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
