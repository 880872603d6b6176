"""Checks what forks observed besides time: observations.csv of a round, which is there only if a workload observes anything."""

import csv
import math
import re
from pathlib import Path

from envs.support.errors import UserError
from envs.support.yamlfile import where

NAME = "observations.csv"
COLUMNS = ["fork", "iteration", "measure", "value"]

_MEASURE = re.compile(r"[a-z0-9][a-z0-9.-]*")
_COUNTS = re.compile(r"[0-9]+(;[0-9]+)+")


def _is_value(text: str) -> bool:
    try:
        return bool(_COUNTS.fullmatch(text)) or math.isfinite(float(text))
    except ValueError:
        return False


def check(folder: Path, iterations: dict[int, int]) -> None:
    """Raise UserError for a row that is of no fork or iteration of the round, has no value, or is there twice.

    `iterations`: fork number to how many it has, those that were run again too.
    """
    file = folder / NAME
    if not file.is_file():
        return
    planned = {str(fork): count for fork, count in iterations.items()}
    seen = set()
    with file.open(newline="", encoding="ascii", errors="replace") as lines:
        rows = csv.reader(lines)
        if next(rows, None) != COLUMNS:
            raise UserError(f"{where(file)}: the first line must be {','.join(COLUMNS)}")
        for number, row in enumerate(rows, start=2):
            fork, iteration, measure, value = row if len(row) == len(COLUMNS) else ("", "", "", "")
            known = iteration.isdigit() and 1 <= int(iteration) <= planned.get(fork, 0)
            if not known or not _MEASURE.fullmatch(measure) or not _is_value(value):
                raise UserError(
                    f"{where(file)}: line {number}: must have a fork and an iteration of the round, a measure, and a number "
                    f"or counts; is {','.join(row)[:80]!r}"
                )
            if (key := (fork, iteration, measure)) in seen:
                raise UserError(f"{where(file)}: line {number}: {measure} of fork {fork}, iteration {iteration}, again")
            seen.add(key)
