"""What a round's forks must leave, and how a lack of it is named."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from bench.rounds import interference, observations
from bench.rounds.interference import Cell
from envs.support.errors import UserError
from envs.support.yamlfile import where


def _lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))


def _native_providers(folder: Path) -> set[str]:
    """The providers that forks.tsv says are native programs."""
    return set(re.findall(r"-Djcarerun\.provider\.([^=\t]+)=native", (folder / "forks.tsv").read_text()))


def check_outputs(folder: Path, cells: Sequence[Cell]) -> None:
    """Raise UserError unless every fork that ran, planned or again, left a readable JMH result, all its iterations and a GC log.

    A native program has no GC log. What forks observed besides must be of these iterations.
    """
    forks, native = interference.forks(folder, cells), _native_providers(folder)
    for fork, cell in forks.items():
        result, pauses = folder / f"jmh/{fork:03d}.json", folder / f"gc/{fork:03d}.log"
        try:
            found = json.loads(result.read_text())
            values = sum(len(fork_values) for fork_values in found[0]["primaryMetric"]["rawData"])
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise UserError(
                f"{where(result)}: no JMH result of fork {fork}, {cell.id} ({error}); see jmh/{fork:03d}.txt"
            ) from None
        if values != cell.iterations:
            raise UserError(f"{where(result)}: {values} iterations of {cell.id}, {cell.iterations} expected")
        if cell.provider not in native and (not pauses.is_file() or pauses.stat().st_size == 0):
            raise UserError(f"{where(pauses)}: fork {fork}, {cell.id}, left no GC log")
    expected = 1 + sum(cell.iterations for cell in forks.values())
    if (rows := _lines(folder / "iterations.csv")) != expected:
        raise UserError(f"{where(folder / 'iterations.csv')}: {rows} lines, {expected} expected")
    observations.check(folder, {fork: cell.iterations for fork, cell in forks.items()})
