"""When a fork of plain JMH had its operation compiled, by the log that it was asked for (arms.RECORD).

In: plain.csv, the results and the logs of a trial's folder, and the samples of the pipeline's own forks of the same cells, which
tell the hot chain. Out: compiled.csv (cell, block, compiled_s: the JVM's uptime at which the last code of the chain took over,
empty where some of it was not compiled for good at the fork's end; in_time: yes where that was before what the fork says).
"""

import csv
import json
import math
from collections.abc import Mapping
from pathlib import Path

from jcarerun.rounds import compilation, hot_chain

COLUMNS = ("cell", "block", "compiled_s", "in_time")


def compiled_s(log: Path, stacks: Path, result: Path) -> float | None:
    """Seconds from the JVM's start to the last code of its hot chain; None where that was not compiled when the fork ended."""
    benchmark, samples = hot_chain.read_stacks(stacks)
    operation_ns = json.loads(result.read_bytes())[0]["primaryMetric"]["score"]
    chain = hot_chain.chain_of(hot_chain.read_log(log), samples, benchmark, math.inf, operation_ns)
    if not chain.steps or any(step.state not in compilation.SETTLED for step in chain.steps):
        return None
    return max((event.ms for event in chain.events()), default=0) / 1000


def write(folder: Path, stacks: Mapping[str, Path], warm_s: Mapping[str, float]) -> None:
    """Write the table for the forks that left a log.

    `stacks`: cell to the samples of one of its forks. `warm_s`: cell to how long a plain fork warms up.
    """
    rows = []
    with (folder / "plain.csv").open(newline="") as plain:
        for row in csv.DictReader(plain):
            result = folder / row["file"]
            if (log := result.with_suffix(".log.gz")).exists():
                found = compiled_s(log, stacks[row["cell"]], result)
                in_time = found is not None and found <= warm_s[row["cell"]]
                shown = "" if found is None else f"{found:.3f}"
                rows.append((row["cell"], row["block"], shown, "yes" if in_time else "no"))
    with (folder / "compiled.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows])
