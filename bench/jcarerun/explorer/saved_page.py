"""Reads the tables of a run back from a page of the explorer, every value as the text that it was."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.explorer import tidy
from jcarerun.explorer.tidy import Row
from jcarerun.support.files import write_file

# A page has at most 8 MB; what is packed in it, a small part of this.
MOST_BYTES = 64 << 20
FORKS = "forks.csv"
_BLOCK = re.compile(r'<script type="application/gzip" data-block="(?:main|cells|forks)">([^<]*)</script>')


def tables(page: Path) -> dict[str, dict]:
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


def rows(table: dict) -> list[Row]:
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
        found = tidy.read(run, FORKS)
    else:
        found = rows(tables(run)["forks"])
    if not found:
        raise UserError(f"{run}: has no fork; name a run that measured something")
    return tidy.text(found[0], found)


def write_forks(run: Path | str, out: Path | str) -> None:
    """Write the forks of a run to `forks.csv` in the directory `out`."""
    write_file(Path(out) / FORKS, forks_of(Path(run)))
