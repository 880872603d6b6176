"""A round's forks, as what it was given says: cells.csv, and forks.tsv, which must tell the same."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jcarerun.rounds import columns, table
from jcarerun.rounds.damage import Damage

CELLS, FORKS = "cells.csv", "forks.tsv"
NATIVE = "native:"
# The provider of a benchmark that isn't ours.
OWN = "default"

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class Fork:
    """One fork: its cell, and what its JVM or program is told. params: of the benchmark, with the provider.

    sampled: whether it runs one iteration more than it records, as those of benchmarks that aren't ours do (IterationLog).
    """

    number: int
    cell: str
    benchmark: str
    provider: str
    cpu_profile: str
    mode: str
    iterations: int
    threads: int
    params: dict[str, str]
    native: bool
    sampled: bool = False


def read(folder: Path) -> dict[int, Fork]:
    """Number to fork, in the order they ran; without those that were run again. Raises Damage for a contradiction."""
    rows = table.read(folder, CELLS, columns.CELLS, columns.FACTOR)
    lines = [line.split("\t") for line in table.lines(folder, FORKS)]
    if not rows or [row["fork"] for row in rows] != list(range(1, len(rows) + 1)):
        raise Damage(CELLS, "must have a row for each of forks 1, 2, ...")
    if len({row["cell"] for row in rows}) != len(rows):
        raise Damage(CELLS, "has a cell twice")
    if [words[0] for words in lines] != [str(row["fork"]) for row in rows]:
        raise Damage(FORKS, f"must have a line for each of the {len(rows)} forks of {CELLS}")
    return {row["fork"]: _fork(row, words[1:]) for row, words in zip(rows, lines, strict=True)}


def _fork(row: dict[str, Any], words: list[str]) -> Fork:
    warmup = row["warmup"]
    if warmup != "steady-state" and int(warmup) >= row["iterations"]:
        raise Damage(CELLS, f"fork {row['fork']}: warmup {warmup} leaves none of {row['iterations']} iterations")
    benchmark = re.sub(r"\\(.)", r"\1", words[0].removeprefix("^").removesuffix("$")) if words else ""
    pairs = list(zip(words[1::2], words[2::2], strict=False))
    params = dict(value.split("=", 1) for name, value in pairs if name == "-p" and "=" in value)
    options = dict(reversed(pairs))
    if len(words) % 2 == 0 or len(params) != sum(name == "-p" for name, _ in pairs):
        raise Damage(FORKS, f"fork {row['fork']}: is no benchmark with its arguments")
    profile = next((word.partition("=")[2] for word in words if word.startswith("-Djcarerun.cpu-profile=")), None)
    outside = "-Djcarerun.outside=true" in words
    sampled = outside and row["mode"] == "average-time"
    told = {
        "benchmark": benchmark,
        "mode": options.get("-bm"),
        "iterations": options.get("-i"),
        "forks": options.get("-f"),
        "warm-up iterations": options.get("-wi"),
        "time unit": options.get("-tu"),
        "provider": OWN if outside else params.get("provider"),
        "cpu_profile": profile,
    }
    expected = {
        "benchmark": row["benchmark"],
        "mode": columns.MODES[row["mode"]],
        "iterations": str(row["iterations"] + sampled),
        "forks": "1",
        "warm-up iterations": "0",
        "time unit": "ns",
        "provider": row["provider"],
        "cpu_profile": row["cpu_profile"],
    }
    for key, value in expected.items():
        if told[key] != value:
            raise Damage(FORKS, f"fork {row['fork']}: {key} is {told[key]}, {value} in {CELLS}")
    if not _NUMBER.fullmatch(threads := options.get("-t", "1")):
        raise Damage(FORKS, f"fork {row['fork']}: -t is {threads!r}, a number of threads expected")
    native = f"-Djcarerun.provider.{row['provider']}={NATIVE}"
    return Fork(
        row["fork"], row["cell"], row["benchmark"], row["provider"], row["cpu_profile"], expected["mode"],
        row["iterations"], int(threads), params, any(word.startswith(native) for word in words), sampled,
    )  # fmt: skip
