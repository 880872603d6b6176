"""A text's estimates, each followed by the row that it is of: `2.78 [2.70, 2.86] (v12)`; more may follow: `(v12, v13)`.

A verdict may stand behind the ids, `(v12, v13: refuted)`; `open` is what the tables call inconclusive. In: Markdown, and the
folder of the tables that its ids are of. Out: how many estimates were held against theirs, and what does not hold: an estimate
without an id or that is another than its row's, an id of no row, and a verdict that a row hasn't.
"""

from __future__ import annotations

import re
from pathlib import Path

from jcarerun.agreement import rows
from jcarerun.agreement.printed import Rows, followed, plain

_IDS = re.compile(r"\(([a-z]\d+(?:, [a-z]\d+)*)(?:: (supported|refuted|open|not comparable))?\)")
_WORDS = {"inconclusive": "open"}


def of_text(file: Path, folder: Path) -> tuple[int, list[str]]:
    """The number of estimates that a text has; a line for each that is not its row's, id of no row, and wrong verdict."""
    text, known, verdicts = plain(file.read_text(encoding="utf-8")), rows.by_id(folder), rows.verdicts(folder)
    named = dict.fromkeys((name, verdict) for ids, verdict in _IDS.findall(text) for name in ids.split(", "))
    lines = [f"{file}: ({name}) is no row of {folder}" for name, _ in named if name not in known]
    for name, said in named:
        own = verdicts.get(name, "no verdict")
        if said and name in known and said != _WORDS.get(own, own):
            lines.append(f"{file}: ({name}) is {own}, not {said}")
    found = followed(text)
    for triple, behind in found:
        ids = _IDS.match(behind.removeprefix(" "))
        if ids is None:
            lines.append(f"{file}: {triple} has no row behind it; write its id, as in (v12)")
        elif (row := known.get(ids[1].split(", ")[0])) is not None and not Rows(row).have(triple):
            lines.append(f"{file}: {triple} is not ({ids[1]}), which is {row}")
    return len(found), lines
