"""Reads a CSV file of a round, strictly: exactly its columns, and each value of its column's kind."""

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jcarerun.rounds import tree
from jcarerun.rounds.damage import Damage

MOST_BYTES = 1 << 30

_WHOLE = re.compile(r"[0-9]{1,18}")
_DECIMAL = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,9})?")


@dataclass(frozen=True)
class Kind:
    """What a column holds: how a text becomes a value (ValueError where it can't), and that in words."""

    parse: Callable[[str], Any]
    words: str


def _matching(pattern: re.Pattern, convert: Callable[[str], Any]) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        if pattern.fullmatch(text) is None:
            raise ValueError
        return convert(text)

    return parse


def _or_empty(kind: Kind) -> Kind:
    return Kind(lambda text: kind.parse(text) if text else None, f"{kind.words}, or nothing")


def text(pattern: str, words: str) -> Kind:
    """A text that is wholly of a pattern."""
    return Kind(_matching(re.compile(pattern), str), words)


def one_of(*words: str) -> Kind:
    """One of some words."""
    return text("|".join(map(re.escape, words)), " or ".join(words))


WHOLE = Kind(_matching(_WHOLE, int), "a whole number of 0 or more")
COUNT = Kind(_matching(re.compile(r"[1-9][0-9]{0,17}"), int), "a whole number of 1 or more")
DECIMAL = Kind(_matching(_DECIMAL, float), "a number of 0 or more")
_ANY = Kind(str, "a text")
WHOLE_OR_EMPTY, COUNT_OR_EMPTY = _or_empty(WHOLE), _or_empty(COUNT)


def lines(folder: Path, name: str, most: int = tree.MOST_BYTES) -> list[str]:
    """The lines of a text file of a round, each ended by one line feed. Raises Damage for any other text."""
    try:
        content = tree.read(folder, name, most).decode("utf-8")
    except UnicodeDecodeError:
        raise Damage(name, "is not text in UTF-8") from None
    if not content.endswith("\n") or "\r" in content or "\0" in content:
        raise Damage(name, "is cut short, or has other line ends than it was written with")
    return content[:-1].split("\n")


def read(
    folder: Path,
    name: str,
    columns: dict[str, Kind],
    more: re.Pattern | None = None,
    later: dict[str, Kind] | None = None,
) -> list[dict[str, Any]]:
    """The rows of a table, each value of its column's kind.

    `more`: names of further columns, which hold text. `later`: columns that all stand there, or none of them.

    Raises Damage for another set of columns, a row of another length, and a value that is not of its kind.
    """
    source = "\n".join(lines(folder, name, MOST_BYTES)) + "\n"
    rows = csv.reader(io.StringIO(source, newline=""), strict=True)
    try:
        header = next(rows, [])
        if later and header[len(columns) :] == list(later):
            columns = {**columns, **later}
        kinds = _kinds(name, header, columns, more)
        return [_row(name, number, row, header, kinds) for number, row in enumerate(rows, start=2)]
    except csv.Error as error:
        raise Damage(name, f"line {rows.line_num}: is no row of a table ({error})") from None


def _kinds(name: str, header: list[str], columns: dict[str, Kind], more: re.Pattern | None) -> list[Kind]:
    own = [column for column in header if more is None or not more.fullmatch(column)]
    if own != list(columns) or header[: len(own)] != own or len(set(header)) != len(header):
        raise Damage(name, f"the first line must be {','.join(columns)}, is {','.join(header)[:200]!r}")
    return [columns.get(column, _ANY) for column in header]


def _row(name: str, line: int, row: list[str], header: list[str], kinds: list[Kind]) -> dict[str, Any]:
    if len(row) != len(header):
        raise Damage(name, f"line {line}: has {len(row)} fields, {len(header)} expected")
    found = {}
    for column, kind, value in zip(header, kinds, row, strict=True):
        try:
            found[column] = kind.parse(value)
        except ValueError:
            raise Damage(name, f"line {line}: {column} is {value[:80]!r}, {kind.words} expected") from None
    return found
