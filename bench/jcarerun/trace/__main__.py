"""`jca-rerun trace ID`: prints what a verdict or a ratio rests on, and computes it again from raw files.

Exit status 0 where it agrees, 1 where it does not, 2 for what can't be traced.
"""

import argparse
import math
import sys
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.trace import again, words
from jcarerun.trace.tables import Row, Side, Tables

# Raw times are whole nanoseconds and tables have 15 digits.
MOST_APART = 1e-9


def closing(row: Row, found: float | None) -> tuple[str, bool]:
    """The last line, and whether what was computed again is what the table has."""
    if found is None:
        return "not computed again: it takes more than sums over the raw files named above", True
    stands = float(row["ratio"])
    same = math.isclose(found, stands, rel_tol=MOST_APART, abs_tol=MOST_APART)
    return (
        f"from the raw files: {found:.15g}; in the table: {stands:.15g}; {'the same' if same else 'NOT THE SAME'}",
        same,
    )


def trace(tables: Tables, wanted: str, rounds: Path, every: bool) -> bool:
    """Print the trace of an id; whether the ratio computed again is the table's."""
    verdict, row = tables.find(wanted)
    if verdict:
        print("\n".join(words.of_verdict(verdict, tables.claim(verdict))))
    if row is None:
        print("  it rests on no single ratio: its reason above is all there is, and the tables' rows of its claim")
        return True
    if not row["ratio"]:
        print(
            f"  {row.get('contrast') or row.get('ratio_id')} has no estimate: a cell has fewer than two forks, or a mean of 0"
        )
        return True
    print("\n".join(words.of_row(row)))
    sides: list[Side] = tables.sides(row)
    values = [again.fork_values(tables, side, row["measure"], rounds) for side in sides]
    for side, found in zip(sides, values, strict=True):
        paths = {
            id(each): str(rounds / tables.path(each.fork) / f"jmh/{int(each.fork['fork']):03d}.json") for each in found
        }
        print("\n".join(words.of_side(side, found, paths, row["measure"], every)))
    form = next((each["form"] for each in tables.verdicts.values() if _judges(each, row)), "")
    found = None if form == "linear" else again.ratio(row, values, form == "difference-between")
    text, same = closing(row, found)
    print(f"\n{text}")
    return same


def _judges(verdict: Row, row: Row) -> bool:
    keys = ("experiment", "claim", "variant", "protocol")
    return "claim" in row and all(verdict[key] == row[key] for key in keys)


def main(arguments: argparse.Namespace) -> None:
    """Trace what the command line names."""
    if not arguments.id:
        raise UserError("ID= is missing: make trace ID=v10")
    if not trace(Tables(arguments.tidy), arguments.id, arguments.raw, arguments.every):
        sys.exit(1)
