"""Reads the tables of data/tidy as text, and makes of them the columns that the page holds.

A column is a list of numbers (JSON's, digit for digit as the table has them; null where it is empty), or of texts: the
texts that occur and, for each row, which.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from collections.abc import Iterable
from pathlib import Path

from jcarerun.errors import UserError

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
FORK = ("experiment", "environment", "round", "fork")
# What names a cell among those of a run.
CELL = ("experiment", "environment", "image_id", "machine_id", "protocol", "cell")
# Names, also where they look like numbers.
NAMES = {*FORK[:3], "image_id", "machine_id", "cell", "workload", "protocol", "provider", "cpu_profile", "variant"}
# A row of contrasts.csv is of the verdict that has the same here.
OF_VERDICT = ("experiment", "claim", "variant", "environment", "image_id", "machine_id", "protocol", "cpu_profile")
Row = dict[str, str]


# States of a warm-up that a time may rest on: proven, or a protocol that says itself what counts.
PROVEN = ("proven", "by definition", "")


def read(folder: Path, name: str) -> list[Row]:
    """The rows of a table, `.csv` or `.csv.gz`, every value as its text. Raises UserError for a missing or damaged one."""
    path = folder / name
    try:
        content = path.read_bytes()
        if name.endswith(".gz"):
            # R leaves the end of a packed table out that is nothing but its header.
            unpacking = zlib.decompressobj(wbits=31)
            content = unpacking.decompress(content)
            if not unpacking.eof and content.count(b"\n") > 1:
                raise ValueError("it is cut short")
        rows = list(csv.DictReader(io.StringIO(content.decode(), newline="")))
        if any(None in row or None in row.values() for row in rows):
            raise ValueError("a row has another number of columns than its header")
        return rows
    except OSError as error:
        raise UserError(
            f"{path}: can't be read ({error.strerror}); make the report first, or name another --tidy"
        ) from error
    except (ValueError, csv.Error, zlib.error) as error:
        raise UserError(f"{path}: is no whole table ({error}); remove it and make the report again") from error


def text(columns: Iterable[str], rows: Iterable[Row]) -> str:
    """A table as text; a column that a row lacks is empty."""
    out = io.StringIO()
    table = csv.DictWriter(out, list(columns), restval="", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return out.getvalue()


def pack(rows: list[Row], leave_out: tuple[str, ...] = ()) -> str:
    """JSON of a table: `rows`, their number, and `columns` in the table's order."""
    names = [name for name in rows[0] if name not in leave_out] if rows else []
    columns = ", ".join(f"{json.dumps(name)}: {_column(name, [row[name] for row in rows])}" for name in names)
    return f'{{"rows": {len(rows)}, "columns": {{{columns}}}}}'


def _column(name: str, values: list[str]) -> str:
    named = name in NAMES or name.startswith("factor.")
    if not named and any(values) and all(NUMBER.fullmatch(value) for value in values if value):
        return f"[{','.join(value or 'null' for value in values)}]"
    levels = {value: code for code, value in enumerate(dict.fromkeys(values))}
    codes = ",".join(str(levels[value]) for value in values)
    return f'{{"levels": {json.dumps(list(levels))}, "codes": [{codes}]}}'


def beside_forks(rows: list[Row], forks: list[Row], what: str) -> list[Row]:
    """Rows with `fork_row`, their fork's place in forks.csv, for the four columns that name it, in that table's order.

    Raises UserError for a row of no fork: then the tables are of two runs.
    """
    places = {tuple(fork[key] for key in FORK): place for place, fork in enumerate(forks)}
    found = []
    for row in rows:
        place = places.get(tuple(row[key] for key in FORK))
        if place is None:
            raise UserError(
                f"{what}: has a row of {'/'.join(row[key] for key in FORK[:3])}, fork {row['fork']}, which forks.csv lacks;"
                " remove data/tidy and make the report again"
            )
        rest = {key: value for key, value in row.items() if key not in FORK}
        found.append({"fork_row": str(place), **rest})
    return sorted(found, key=lambda row: int(row["fork_row"]))


def beside_cells(rows: list[Row], cells: list[Row]) -> list[Row]:
    """Contrasts or pairs with `numerator_row` and `denominator_row`: their cells' positions in cells.csv, or empty.

    A contrast of another measure than time leads to the wall-clock row of its cell.
    """
    positions = {(*(cell[key] for key in CELL), cell["measure"]): str(place) for place, cell in enumerate(cells)}

    def position(row: Row, side: str) -> str:
        own = {key: row.get(f"{side}_{key}", row.get(key, "")) for key in CELL}
        keys = [(*own.values(), measure) for measure in (row["measure"], "wall")]
        return next((positions[key] for key in keys if key in positions), "")

    return [{**row, **{f"{side}_row": position(row, side) for side in ("numerator", "denominator")}} for row in rows]
