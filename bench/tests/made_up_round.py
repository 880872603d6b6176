"""What a round's forks would leave, made without measuring, and in itself without contradiction: for tests that then alter it."""

import hashlib
import json
from pathlib import Path

from bench.tests.csv_files import write_rows
from jcarerun.rounds import forks, interference, tables
from jcarerun.rounds.forks import Fork

VERSION = "21.0.8+9-LTS"
JAVA = 'openjdk version "17.0.9" 2023-10-17\r\nOpenJDK 64-Bit Server VM (build 17.0.9+9, mixed mode)\r\n'
GC_LOG = (
    "[2026-11-20T16:48:56.453+0000][0.004s][info][gc     ] Using Serial\n"
    f"[2026-11-20T16:48:56.454+0000][0.005s][info][gc,init] Version: {VERSION} (release)\n"
)
# 10 ms after each other, of 1 ms.
PERIOD_MS, LENGTH_MS, FASTEST_NS = 10, 1, 1000
QUIET = {
    "elapsed_ms": 600, "steal_ms": 0, "others_ms": 0, "cpu_ms": 1000, "throttled": "", "spin_before_ns": 8_000_000,
    "spin_after_ns": 8_000_000, "spin_reference_ns": 8_000_000, "involuntary_switches": "", "gc_ms": 0, "broken": "",
    "rerun_as": "", "rerun_of": "",
}  # fmt: skip
DISTURBED = {"steal_ms": 500, "spin_after_ns": 12_000_000, "broken": "steal_share;spin_ratio"}


def every_fork(planned: dict[int, Fork], again: tuple[int, ...]) -> dict[int, Fork]:
    """The planned forks, and those of `again` once more."""
    return {**planned, **{len(planned) + new: planned[old] for new, old in enumerate(again, start=1)}}


def write_interference(folder: Path, planned: dict[int, Fork], again: tuple[int, ...] = ()) -> None:
    """interference.csv of a round of which the forks of `again` broke a gate and were run again, in that order."""
    rows = [
        {"fork": number, **QUIET, "window_ms": f"{LENGTH_MS * fork.iterations}.000"}
        for number, fork in every_fork(planned, again).items()
    ]
    for new, old in enumerate(again, start=len(planned) + 1):
        rows[old - 1] |= {**DISTURBED, "rerun_as": new}
        rows[new - 1]["rerun_of"] = old
    write_rows(folder / interference.NAME, [{name: row[name] for name in tables.INTERFERENCE} for row in rows])


def _rows(folder: Path, number: int, fork: Fork) -> list[dict]:
    """A fork's iterations. Those of two forks are never the same, so their operations differ."""
    place = "/".join((*folder.parts[-3:], str(number))).encode()
    operations = 10 + int.from_bytes(hashlib.sha256(place).digest()[:4], "big")
    return [
        {
            "fork": number, "iteration": i, "start_epoch_ms": 1_795_193_336_761 + i * PERIOD_MS,
            "start_uptime_ms": f"{i * PERIOD_MS}.000", "end_uptime_ms": f"{i * PERIOD_MS + LENGTH_MS}.000",
            "duration_ns": (FASTEST_NS + i) * operations, "operations": operations, "all_operations": operations,
            "worker_cpu_ns": 5, "process_user_ns": "", "process_system_ns": "", "involuntary_switches": "", "gc_ms": 0,
        }
        for i in range(1, fork.iterations + 1)
    ]  # fmt: skip


def _result(fork: Fork) -> list[dict]:
    values = [float(FASTEST_NS + i) for i in range(1, fork.iterations + 1)]
    return [{
        "jmhVersion": "1.37", "benchmark": fork.benchmark, "mode": fork.mode, "threads": fork.threads, "forks": 1,
        "vmVersion": VERSION, "measurementIterations": fork.iterations, "params": fork.params,
        "primaryMetric": {"score": sum(values) / len(values), "scoreUnit": "ns/op", "rawData": [values]},
    }]  # fmt: skip


def write_outputs(folder: Path, again: tuple[int, ...] = ()) -> None:
    """What the forks of a round, whose inputs are there, would leave, those of `again` twice."""
    planned = forks.read(folder)
    for name in ("jmh", "gc", "jvm"):
        (folder / name).mkdir(exist_ok=True)
    write_interference(folder, planned, again)
    rows = []
    for number, fork in every_fork(planned, again).items():
        rows += _rows(folder, number, fork)
        (folder / f"jmh/{number:03d}.json").write_text(json.dumps(_result(fork)))
        (folder / f"jmh/{number:03d}.txt").write_text("log\n")
        (folder / f"gc/{number:03d}.log").write_text(GC_LOG)
        (folder / f"jvm/flags-{fork.cpu_profile}.txt").write_text("  bool UseAES = true {product}\n")
    write_rows(folder / forks.ITERATIONS, rows)
    (folder / "jvm/version.txt").write_bytes(JAVA.encode())
    for name in ("commands.txt", "console.log", "limits.txt"):
        (folder / name).write_text("cpus_allowed: not exposed\n")
