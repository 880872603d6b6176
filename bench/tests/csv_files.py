"""Tables that tests read, write and change."""

import csv
from collections.abc import Callable, Iterable
from pathlib import Path


def read_rows(file: Path) -> list[dict[str, str]]:
    """The rows of a table."""
    with file.open(newline="", encoding="utf-8") as source:
        return list(csv.DictReader(source))


def write_rows(file: Path, rows: list[dict], columns: Iterable[str] = ()) -> None:
    """Write a table as a round's runner does; `columns` where there may be no row."""
    with file.open("w", newline="", encoding="utf-8") as target:
        table = csv.DictWriter(target, list(columns or rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def change_rows(file: Path, which: Callable[[dict[str, str]], bool], **values: str | Callable[[str], str]) -> int:
    """Change some columns of the rows that `which` picks, to a value or by a function; return how many these are."""
    rows = read_rows(file)
    picked = [row for row in rows if which(row)]
    assert picked
    for row in picked:
        row |= {key: value(row[key]) if callable(value) else value for key, value in values.items()}
    write_rows(file, rows)
    return len(picked)
