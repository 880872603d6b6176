"""A text's estimates, each followed by the row that it is of: `2.78 [2.70, 2.86] (v12)`; more may follow: `(v12, v13)`.

In: Markdown, and the folder of the tables that its ids are of. Out: how many estimates were held against theirs, and what does
not hold: an estimate without an id or that is another than its row's, and an id of no row.
"""

from __future__ import annotations

import re
from pathlib import Path

from report.agreement import rows
from report.agreement.printed import Rows, followed, plain

_IDS = re.compile(r"\(([a-z]\d+(?:, [a-z]\d+)*)\)")


def of_text(file: Path, folder: Path) -> tuple[int, list[str]]:
    """The number of estimates that a text has, and a line for each that is not its row's and for each id of no row."""
    text, known = plain(file.read_text(encoding="utf-8")), rows.by_id(folder)
    lines = [
        f"{file}: ({name}) is no row of {folder}"
        for name in dict.fromkeys(name for ids in _IDS.findall(text) for name in ids.split(", "))
        if name not in known
    ]
    found = followed(text)
    for triple, behind in found:
        ids = _IDS.match(behind.removeprefix(" "))
        if ids is None:
            lines.append(f"{file}: {triple} has no row behind it; write its id, as in (v12)")
        elif (row := known.get(ids[1].split(", ")[0])) is not None and not Rows(row).have(triple):
            lines.append(f"{file}: {triple} is not ({ids[1]}), which is {row}")
    return len(found), lines
