"""What disturbed a round's forks, and which of them were run again, as the round's runner wrote it down.

In: interference.csv of a round, and its cells. Out: which cell each fork is of; a line for the person who waits.
"""

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from bench.rounds import gates, offers
from envs.support.errors import UserError
from envs.support.yamlfile import where

FILE = "interference.csv"
COLUMNS = (
    "fork", "elapsed_ms", "window_ms", "steal_ms", "others_ms", "cpu_ms", "throttled", "spin_before_ns", "spin_after_ns",
    "spin_reference_ns", "involuntary_switches", "gc_ms", "broken", "rerun_as", "rerun_of",
)  # fmt: skip


class Cell(Protocol):
    """What a fork is of, as far as its files tell."""

    id: str
    provider: str
    iterations: int


NEVER_EMPTY = ("elapsed_ms", "window_ms", "spin_before_ns", "spin_after_ns", "spin_reference_ns")
MAY_BE_EMPTY = ("steal_ms", "others_ms", "cpu_ms", "throttled", "involuntary_switches", "gc_ms")


def _read(folder: Path) -> list[dict[str, str]]:
    file = folder / FILE
    try:
        with file.open(newline="", encoding="ascii") as source:
            table = csv.DictReader(source)
            rows = list(table)
    except (OSError, ValueError) as error:
        raise UserError(f"{where(file)}: the round's runner left none ({error})") from None
    if tuple(table.fieldnames or ()) != COLUMNS or any(None in row or None in row.values() for row in rows):
        raise UserError(f"{where(file)}: not a table with the columns of data/README.md")
    return rows


def forks(folder: Path, cells: Sequence[Cell]) -> dict[int, Cell]:
    """Number of every fork that ran to its cell, the reruns after the planned ones.

    Raises UserError for a table that contradicts the plan.
    """
    file, rows, planned = folder / FILE, _read(folder), len(cells)
    found = dict(offers.measured(folder, cells))
    first, more = rows[: len(found)], rows[len(found) :]

    def refuse(what: str) -> UserError:
        return UserError(f"{where(file)}: {what}")

    numbers = [*found, *range(planned + 1, planned + 1 + len(more))]
    if [row["fork"] for row in rows] != [str(number) for number in numbers]:
        raise refuse(f"must have a row for each of {len(found)} forks and for those run again, in their order")
    if len(more) > (most := gates.read(folder).most_reruns(planned)):
        raise refuse(f"{len(more)} forks were run again, {most} of {planned} may be")
    for row in rows:
        _check_numbers(row, refuse)
    again = {row["rerun_as"]: row for row in rows if row["rerun_as"]}
    for row in first:
        if row["rerun_of"] or (row["rerun_as"] and not row["broken"]):
            raise refuse(f"fork {row['fork']} is planned, and is run again only if it broke a gate")
    for row in more:
        first = again.pop(row["fork"], None)
        if first is None or first["fork"] != row["rerun_of"] or int(first["fork"]) > planned:
            raise refuse(
                f"fork {row['fork']}: rerun_of {row['rerun_of'] or 'empty'} is no planned fork that was run again so"
            )
        found[int(row["fork"])] = found[int(first["fork"])]
    if again:
        raise refuse(f"fork {next(iter(again))} is named in rerun_as and has no row")
    return found


def _check_numbers(row: dict[str, str], refuse) -> None:
    for name in (*NEVER_EMPTY, *MAY_BE_EMPTY):
        value = row[name]
        try:
            good = float(value) >= 0 if value else name in MAY_BE_EMPTY
        except ValueError:
            good = False
        if not good:
            raise refuse(f"fork {row['fork']} has {name} {value or 'empty'}, a number of 0 or more expected")


def summary(folder: Path) -> str:
    """How many forks broke which gates, and which were run again as which, in a line; empty where none did."""
    rows = _read(folder)
    first = [row for row in rows if not row["rerun_of"]]
    broken = [row for row in first if row["broken"]]
    if not broken:
        return ""
    causes = Counter(cause for row in broken for cause in row["broken"].split(";"))
    words = [
        f"{len(broken)} of {len(first)} forks disturbed ({', '.join(f'{n} {cause}' for cause, n in causes.most_common())})"
    ]
    if again := [f"{row['fork']} as {row['rerun_as']}" for row in broken if row["rerun_as"]]:
        words.append(f"run again: {', '.join(again)}")
    if twice := [row["fork"] for row in rows if row["rerun_of"] and row["broken"]]:
        words.append(f"disturbed again: {', '.join(twice)}")
    return "; ".join(words)
