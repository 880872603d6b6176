"""Reads a run's tables, every value as the text that it is: from data/tidy, or back from a page of the explorer."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import zlib
from collections.abc import Iterable
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.support.files import write_file

FORK = ("experiment", "environment", "round", "fork")
# What names a cell among those of a run.
CELL = ("experiment", "environment", "image_id", "machine_id", "protocol", "cell")
# A row of contrasts.csv is of the verdict that has the same here.
OF_VERDICT = ("experiment", "claim", "variant", "environment", "image_id", "machine_id", "protocol", "cpu_profile")
Row = dict[str, str]

# States of a warm-up that a time may rest on: proven, or a protocol that says itself what counts.
PROVEN = ("proven", "by definition", "")

# A page has at most 8 MB; what is packed in it, a small part of this.
MOST_BYTES = 64 << 20
FORKS = "forks.csv"
_BLOCK = re.compile(r'<script type="application/gzip" data-block="(?:main|cells|forks)">([^<]*)</script>')


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


def values(row: Row, columns: tuple[str, ...]) -> tuple[str, ...]:
    """What a row has in some columns, as a key."""
    return tuple(row[column] for column in columns)


def text(columns: Iterable[str], rows: Iterable[Row]) -> str:
    """A table as text; a column that a row lacks is empty."""
    out = io.StringIO()
    table = csv.DictWriter(out, list(columns), restval="", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return out.getvalue()


def saved_tables(page: Path) -> dict[str, dict]:
    """Name to packed table of a page. Raises UserError for what is no page of ours, or more than it may be."""
    try:
        if page.stat().st_size > MOST_BYTES:
            raise ValueError("it has more than 64 MB")
        blocks = _BLOCK.findall(page.read_text(encoding="utf-8"))
        if not blocks:
            raise ValueError("no element of it is a run's tables")
        found = {}
        for block in blocks:
            unpacking = zlib.decompressobj(wbits=31)
            text = unpacking.decompress(base64.b64decode(block), 4 * MOST_BYTES)
            if not unpacking.eof:
                raise ValueError("its tables are cut short, or more than 256 MB")
            found |= json.loads(text, parse_float=str, parse_int=str)
        return {name: found[name] for name in ("forks", "cells", "rounds")} | found
    except OSError as error:
        raise UserError(
            f"{page}: can't be read ({error.strerror}); name a report.html or a directory of tidy tables"
        ) from error
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise UserError(f"{page}: holds no run ({error}); name a report.html that this project made") from error


def saved_rows(table: dict) -> list[Row]:
    """The rows of a packed table, as they were in its CSV."""
    columns = {name: _texts(values) for name, values in table["columns"].items()}
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _texts(values: list[str | None] | dict) -> list[str]:
    if isinstance(values, list):
        return ["" if value is None else value for value in values]
    return [values["levels"][int(code)] for code in values["codes"]]


def forks_of(run: Path) -> str:
    """The text of the forks.csv of a run: of its report.html or its tidy directory. Raises UserError where it has none."""
    if run.is_dir():
        if not (run / FORKS).is_file():
            raise UserError(
                f"{run}: has no {FORKS}; name a directory of tidy tables, such as data/tidy, or a report.html"
            )
        found = read(run, FORKS)
    else:
        found = saved_rows(saved_tables(run)["forks"])
    if not found:
        raise UserError(f"{run}: has no fork; name a run that measured something")
    return text(found[0], found)


def write_forks(run: Path | str, out: Path | str) -> None:
    """Write the forks of a run to `forks.csv` in the directory `out`."""
    write_file(Path(out) / FORKS, forks_of(Path(run)))
