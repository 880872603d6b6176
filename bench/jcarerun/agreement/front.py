"""What page 1 says of a run's cells, counted again from the tables: how many are proved settled, and their middle half-width.

The page has each number to two or three digits, so it is held to half of its last one.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from jcarerun.agreement.printed import Triple, plain
from jcarerun.explorer import tidy
from jcarerun.explorer.tidy import Row

SHORTENED = ", shortened"
CELL = ("experiment", "environment", "image_id", "machine_id", "cell", "settled")
STATES = ("proved", "still compiling", "not proved")
_SETTLED = re.compile(
    r"Of (\d+) cells? that looks? for steady times, (\d+) (?:is|are) proved settled by what the JVM had compiled, "
    r"(\d+) (?:was|were) still compiling, (\d+) (?:is|are) not proved"
)
_WIDTH = re.compile(r"±(\d+(?:\.\d+)?) % \(([\w-]+), (\d+) intervals?\)")


def settled(cells: list[Row]) -> tuple[int, ...]:
    """Cells that look for steady times, and how many of them are in each state."""
    sought = {tuple(row[name] for name in CELL) for row in cells if row["settled"] not in ("", "by definition")}
    return (len(sought), *(sum(one[-1] == state for one in sought) for state in STATES))


def widths(cells: list[Row], measures: dict[str, str]) -> dict[str, list[float]]:
    """Half-widths in per cent by protocol, in the measure that each experiment's claims are about."""
    found = defaultdict(list)
    for row in cells:
        if measures.get(row["experiment"]) == row["measure"] and row["half_width_pct"]:
            found[row["protocol"].removesuffix(SHORTENED)].append(float(row["half_width_pct"]))
    return found


def wrong(page: str, folder: Path) -> Iterator[str | None]:
    """For each such sentence of the first page: None where the tables say the same, else what is wrong with it."""
    cells = tidy.read(folder, "cells.csv")
    known = json.loads((folder / "definitions.json").read_text(encoding="utf-8"))
    text = plain(page)
    for said in _SETTLED.findall(text):
        counted = settled(cells)
        yield None if tuple(map(int, said)) == counted else f"counts {said} of cells settled, the table has {counted}"
    measured = widths(cells, {one["id"]: one["measure"] for one in known["experiments"]})
    for number, protocol, count in _WIDTH.findall(text):
        own = measured.get(protocol, [])
        near = Triple((number,) * 3, "%")
        holds = len(own) == int(count) and abs(median(own) - near.numbers()[0]) <= near.halves()[0] * (1 + 1e-6)
        yield None if holds else f"says ±{number} % of {count} intervals under {protocol}, the table has {sorted(own)}"
