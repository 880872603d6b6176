"""What a page of the explorer holds: its tables back out of it, every value the text that it was."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.explorer.tidy import Row

# A page has at most 8 MB; what is packed in it, a small part of this.
MOST_BYTES = 64 << 20
_BLOCK = re.compile(r'<script type="application/gzip" data-block="main">([^<]*)</script>')


def tables(page: Path) -> dict[str, dict]:
    """Name to packed table of a page's first block. Raises UserError for what is no page of ours, or more than it may be."""
    try:
        if page.stat().st_size > MOST_BYTES:
            raise ValueError("it has more than 64 MB")
        block = _BLOCK.search(page.read_text(encoding="utf-8"))
        if not block:
            raise ValueError("no element of it is a run's tables")
        unpacking = zlib.decompressobj(wbits=31)
        text = unpacking.decompress(base64.b64decode(block[1]), 4 * MOST_BYTES)
        if not unpacking.eof:
            raise ValueError("its tables are cut short, or more than 256 MB")
        found = json.loads(text, parse_float=str, parse_int=str)
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
