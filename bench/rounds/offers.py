"""Which forks of a round ran: a provider that lacks an algorithm, or gives another result than the others, is not timed.

In: a round's offered.csv, which its runner writes where its workloads compare providers (jcarerun.round.Offers). Out: the forks
that must have left results.
"""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from envs.support.errors import UserError
from envs.support.yamlfile import where

_Cell = TypeVar("_Cell")

NAME = "offered.csv"
COLUMNS = ["fork", "offered", "why", "answer"]

# Whether a fork ran, by what was found: offered; not offered; a wrong result; another result than the other providers'.
RAN = {"yes": True, "no": False, "wrong": False, "differs": False}


def read(folder: Path) -> dict[int, str]:
    """Fork number to what was found of it; empty for a round that asks nothing. Raises UserError for a damaged file."""
    file = folder / NAME
    if not file.is_file():
        return {}
    with file.open(newline="", encoding="utf-8") as lines:
        rows = csv.DictReader(lines)
        if rows.fieldnames != COLUMNS:
            raise UserError(f"{where(file)}: columns {rows.fieldnames}, {COLUMNS} expected")
        found = {}
        for row in rows:
            if row["offered"] not in RAN or not row["fork"].isdigit():
                raise UserError(f"{where(file)}: fork {row['fork']} is {row['offered']!r}, one of {list(RAN)} expected")
            found[int(row["fork"])] = row["offered"]
    return found


def measured(folder: Path, cells: Sequence[_Cell]) -> Iterator[tuple[int, _Cell]]:
    """The forks that ran, with their cells."""
    found = read(folder)
    for fork, cell in enumerate(cells, start=1):
        if RAN[found.get(fork, "yes")]:
            yield fork, cell
