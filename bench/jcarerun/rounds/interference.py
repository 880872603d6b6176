"""What disturbed a round's forks, which of them were run again, and the gates that decide it (interference.csv, gates.tsv)."""

import math
import re
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from jcarerun.rounds import forks, tables
from jcarerun.rounds.forks import Fork
from jcarerun.rounds.tree import InvalidRound

GATES = "gates.tsv"

_NUMBER = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,12})?(?:e-?[0-9]{1,2})?")


@dataclass(frozen=True)
class Gates:
    """Gate to its limit and to the least amount that is judged; the share of a round's forks that are run again at most."""

    limits: dict[str, tuple[float, float]]
    rerun_share: float

    def text(self) -> str:
        """The content of gates.tsv: gate, limit, least in each line; then `reruns` and the share."""
        rows = [(name, *numbers) for name, numbers in self.limits.items()]
        return "".join("\t".join(map(str, row)) + "\n" for row in [*rows, ("reruns", self.rerun_share)])

    def most_reruns(self, forks: int) -> int:
        """How many forks of a round of `forks` are run again at most."""
        return math.ceil(Decimal(str(self.rerun_share)) * forks)


def read_gates(folder: Path) -> Gates:
    """The gates of a round. Raises InvalidRound for a file that holds none."""
    rows = [line.split("\t") for line in tables.lines(folder, GATES)]
    named = {row[0]: row[1:] for row in rows}
    sizes = {name: 1 if name == "reruns" else 2 for name in named}
    if len(named) != len(rows) or "reruns" not in named or not named.keys() <= {*tables.GATES, "reruns"}:
        raise InvalidRound(
            GATES, f"must have a line for each of some gates ({', '.join(tables.GATES)}), and one for reruns"
        )
    for name, numbers in named.items():
        if len(numbers) != sizes[name] or not all(_NUMBER.fullmatch(number) for number in numbers):
            raise InvalidRound(
                GATES, f"{name}: must have {sizes[name]} numbers of 0 or more, has {', '.join(numbers)[:80]!r}"
            )
    values = {name: tuple(map(float, numbers)) for name, numbers in named.items()}
    (share,) = values.pop("reruns")
    return Gates({name: (limit, least) for name, (limit, least) in values.items()}, share)


NAME = "interference.csv"

# Of numbers that are rounded to three decimals, per iteration.
_ROUNDING_MS = 0.002


def all_forks(folder: Path, ran: dict[int, Fork], planned: int) -> dict[int, Fork]:
    """Number of every fork that ran to what it is, the reruns after the planned ones.

    `ran`: the planned forks that could run; `planned`: how many there are in all. Raises InvalidRound for a contradiction.
    """
    rows, found = tables.read(folder, NAME, tables.INTERFERENCE), dict(ran)
    first, more = rows[: len(found)], rows[len(found) :]
    numbers = [*found, *range(planned + 1, planned + 1 + len(more))]
    if [row["fork"] for row in rows] != numbers:
        raise InvalidRound(
            NAME, f"must have a row for each of {len(found)} forks and for those run again, in their order"
        )
    if len(more) > (most := read_gates(folder).most_reruns(planned)):
        raise InvalidRound(NAME, f"{len(more)} forks were run again, {most} of {planned} may be")
    again = {row["rerun_as"]: row for row in rows if row["rerun_as"]}
    for row in first:
        if row["rerun_of"] or (row["rerun_as"] and not row["broken"]):
            raise InvalidRound(NAME, f"fork {row['fork']} is planned, and is run again only if it broke a gate")
    for row in more:
        repeated = again.pop(row["fork"], None)
        if repeated is None or repeated["fork"] != row["rerun_of"] or repeated["fork"] not in ran:
            raise InvalidRound(
                NAME,
                f"fork {row['fork']}: rerun_of {row['rerun_of'] or 'empty'} is no planned fork that was run again so",
            )
        found[row["fork"]] = found[repeated["fork"]]
    if again:
        raise InvalidRound(NAME, f"fork {next(iter(again))} is named in rerun_as and has no row")
    return found


def check(folder: Path, times: dict[int, list[dict[str, Any]]], planned: int) -> None:
    """Check what interference.csv says of each fork against its iterations. The round's runner decided which gates it broke.

    `times`: fork number to its rows of iterations.csv. Raises InvalidRound for a contradiction.
    """
    rows = tables.read(folder, NAME, tables.INTERFERENCE)
    best = (
        min(min(row["spin_before_ns"], row["spin_after_ns"]) for row in rows if row["fork"] <= planned) if rows else 0
    )
    for row in rows:
        own, place = times[row["fork"]], f"fork {row['fork']}"
        if abs(row["window_ms"] - forks.window_ms(own)) > _ROUNDING_MS * len(own):
            raise InvalidRound(
                NAME, f"{place}: window_ms {row['window_ms']}, its iterations last {forks.window_ms(own):.3f} ms"
            )
        for column in ("involuntary_switches", "gc_ms"):
            if row[column] != (total := forks.total(own, column)):
                raise InvalidRound(NAME, f"{place}: {column} {row[column]}, the sum over its iterations is {total}")
        if row["elapsed_ms"] + 1 < row["window_ms"]:
            raise InvalidRound(NAME, f"{place}: took {row['elapsed_ms']} ms, less than its iterations")
        if row["spin_reference_ns"] != best:
            raise InvalidRound(
                NAME, f"{place}: spin_reference_ns {row['spin_reference_ns']}, the round's best is {best}"
            )


def undisturbed_cells(folder: Path) -> dict[str, bool]:
    """Cell to whether its fork broke no gate, or was run again undisturbed; also true for a fork that could not run."""
    cells = {row["fork"]: row["cell"] for row in tables.read(folder, forks.CELLS, tables.CELLS, tables.FACTOR)}
    rows = tables.read(folder, NAME, tables.INTERFERENCE)
    kept = dict.fromkeys(cells, True) | {row["fork"]: not row["broken"] for row in rows if not row["rerun_of"]}
    kept |= {row["rerun_of"]: True for row in rows if row["rerun_of"] and not row["broken"]}
    return {cell: kept[fork] for fork, cell in cells.items()}


def summary(folder: Path) -> str:
    """How many forks broke which gates, and which were run again as which, in a line; empty where none did."""
    rows = tables.read(folder, NAME, tables.INTERFERENCE)
    first = [row for row in rows if not row["rerun_of"]]
    broken = [row for row in first if row["broken"]]
    if not broken:
        return ""
    causes = Counter(tables.GATES[gate] for row in broken for gate in row["broken"].split(";"))
    words = [
        f"{len(broken)} of {len(first)} forks disturbed ({', '.join(f'{n} {cause}' for cause, n in causes.most_common())})"
    ]
    if again := [f"{row['fork']} as {row['rerun_as']}" for row in broken if row["rerun_as"]]:
        words.append(f"run again: {', '.join(again)}")
    if twice := [str(row["fork"]) for row in rows if row["rerun_of"] and row["broken"]]:
        words.append(f"disturbed again: {', '.join(twice)}")
    return "; ".join(words)
