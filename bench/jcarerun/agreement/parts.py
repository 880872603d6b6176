"""The three things that must agree with the tables: the PDF's text, what R made for it, and what the page holds."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from jcarerun.agreement import front, tally
from jcarerun.agreement.alone import Means
from jcarerun.agreement.printed import Rows, Triple, triples
from jcarerun.errors import UserError
from jcarerun.explorer import content, held, tidy

_ID = re.compile(r"[vcr]\d+")
_IDS = (
    ("verdicts.csv", "verdict_id", "estimate"),
    ("contrasts.csv", "contrast", "ratio"),
    ("ratios.csv", "ratio_id", "ratio"),
)


def text_of(pdf: Path, *options: str) -> str:
    """What a PDF says, in the order in which it was set. Raises UserError."""
    try:
        done = subprocess.run(["pdftotext", *options, "-raw", pdf, "-"], capture_output=True, text=True, check=True)
    except FileNotFoundError as error:
        raise UserError("pdftotext is missing: apt-get install poppler-utils") from error
    except subprocess.CalledProcessError as error:
        raise UserError(f"{pdf}: pdftotext can't read it ({error.stderr.strip()}); make the report again") from error
    return done.stdout


def of_pdf(pdf: Path, rows: Rows, tidy_folder: Path) -> tuple[int, list[str]]:
    """How many numbers the PDF prints with an interval, or counts on page 1, and which of them the tables don't have."""
    found = triples(text_of(pdf))
    wrong = [f"{pdf}: prints {triple}, which no row of the tables has" for triple in found if not rows.have(triple)]
    first = text_of(pdf, "-l", "1")
    said, printed = tally.said(first), tally.marks(first)
    for verdict in sorted(said | printed):
        if said[verdict] != printed[verdict]:
            wrong.append(f"{pdf}: page 1 says {said[verdict]} {verdict}, and prints {printed[verdict]} such marks")
    counted = list(front.wrong(first, tidy_folder))
    wrong += [f"{pdf}: page 1 {problem}" for problem in counted if problem]
    return len(found) + sum(printed.values()) + len(counted), wrong


def of_tables(folder: Path, tidy_folder: Path) -> tuple[int, list[str]]:
    """How many numbers of R's tables name their row, and which of them say something else than it."""
    means = Means(tidy_folder)
    rows = {}
    for name, key, estimate in _IDS:
        for row in tidy.read(tidy_folder, name):
            rows[row[key]] = (row, tuple(row[column] for column in (estimate, "lower", "upper")))
    held, wrong = 0, []
    for path in sorted(folder.glob("*.json")):
        for entry in _entries(json.loads(path.read_text(encoding="utf-8"))):
            for problem in means.wrong(entry):
                held += 1
                wrong += [f"{path}: {problem}"] if problem else []
            if not _ID.fullmatch(str(entry.get("id"))):
                continue
            if entry["id"] not in rows:
                wrong.append(f"{path}: names {entry['id']}, which no table has")
                continue
            row, numbers = rows[entry["id"]]
            held += 1
            if entry.get("verdict", row.get("verdict")) != row.get("verdict"):
                wrong.append(f"{path}: {entry['id']} is {entry['verdict']}, in the table {row['verdict']}")
            own = Rows([tuple(map(float, numbers))]) if all(numbers) else Rows([])
            other = [said for said in _said(entry) if not own.have(said)]
            wrong += [f"{path}: {entry['id']} is {said}, in the table {', '.join(numbers)}" for said in other]
    return held, wrong


def _entries(value: object) -> Iterator[dict]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _entries(each)


def _said(entry: dict) -> list[Triple]:
    """The estimates with intervals in an entry's own texts."""
    texts = [f"{entry.get('estimate', '')} {entry.get('interval', '')}"]
    texts += [value for key, value in entry.items() if key in ("text", "number") and isinstance(value, str)]
    return [triple for text in texts for triple in triples(text)]


def of_page(page: Path, tidy_folder: Path) -> tuple[int, list[str]]:
    """How many values the explorer's page holds, and which of them are not its tables'."""
    tables = held.tables(page)
    values, wrong = 0, []
    for name in (*content.AT_ONCE, "forks"):
        own, shown = tidy.read(tidy_folder, f"{name}.csv"), held.rows(tables[name])
        if len(shown) != len(own):
            wrong.append(f"{page}: {name} has {len(shown)} rows, the table {len(own)}")
            continue
        for row, found in zip(own, shown, strict=True):
            values += len(row)
            other = [column for column in row if row[column] != found.get(column)]
            wrong += [f"{page}: {name}, {column}: {found.get(column)}, in the table {row[column]}" for column in other]
    return values, wrong
