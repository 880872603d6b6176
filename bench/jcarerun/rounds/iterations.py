"""A round's raw timings: iterations.csv."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jcarerun.rounds import columns, table
from jcarerun.rounds.damage import Damage
from jcarerun.rounds.forks import Fork

NAME = "iterations.csv"

# A clock that is read before and after may tell the same; one of a JVM never steps back by more.
_SLACK_MS = 1.0


def read(folder: Path, forks: dict[int, Fork]) -> dict[int, list[dict[str, Any]]]:
    """Fork number to its iterations' rows, in order. Raises Damage unless each fork has all of its own, one after the other."""
    found: dict[int, list[dict[str, Any]]] = {number: [] for number in forks}
    for line, row in enumerate(table.read(folder, NAME, columns.ITERATIONS, later=columns.ITERATIONS_LATER), start=2):
        own = found.get(row["fork"])
        if own is None:
            raise Damage(NAME, f"line {line}: fork {row['fork']} did not run")
        if row["iteration"] != len(own) + 1:
            raise Damage(
                NAME, f"line {line}: iteration {row['iteration']} of fork {row['fork']}, {len(own) + 1} expected"
            )
        if row["end_uptime_ms"] < row["start_uptime_ms"]:
            raise Damage(NAME, f"line {line}: ends before it begins")
        if own and row["start_uptime_ms"] < own[-1]["end_uptime_ms"] - _SLACK_MS:
            raise Damage(NAME, f"line {line}: begins before the iteration before it ends")
        if row["all_operations"] < row["operations"]:
            raise Damage(NAME, f"line {line}: has fewer operations in all than were timed")
        own.append(row)
    for number, rows in found.items():
        if len(rows) != forks[number].iterations:
            raise Damage(NAME, f"fork {number} has {len(rows)} iterations, {forks[number].iterations} expected")
    return found


def window_ms(rows: Iterable[dict[str, Any]]) -> float:
    """How long a fork's iterations lasted together."""
    return sum(row["end_uptime_ms"] - row["start_uptime_ms"] for row in rows)


def total(rows: Iterable[dict[str, Any]], column: str) -> int | None:
    """The sum of a counter over a fork's iterations; None where the system does not tell."""
    values = [row[column] for row in rows]
    return None if None in values else sum(values)
