"""The tables of a round: their columns with what each holds, from the schema data/tables.yaml, and their strict reader."""

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jcarerun.rounds import compilation_log, tree
from jcarerun.rounds.tree import InvalidRound

MOST_TABLE_BYTES, MOST_ROWS = 128 << 20, 300_000

_WHOLE = re.compile(r"[0-9]{1,18}")
_DECIMAL = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,9})?")


@dataclass(frozen=True)
class Kind:
    """What a column holds: how a text becomes a value (ValueError where it can't), that in words, and the value of no text."""

    parse: Callable[[str], Any]
    words: str
    empty: Any = None


def _matching(pattern: re.Pattern, convert: Callable[[str], Any]) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        if pattern.fullmatch(text) is None:
            raise ValueError
        return convert(text)

    return parse


def _or_empty(kind: Kind) -> Kind:
    return Kind(lambda text: kind.parse(text) if text else kind.empty, f"{kind.words}, or nothing")


def text(pattern: str, words: str) -> Kind:
    """A text that is wholly of a pattern."""
    return Kind(_matching(re.compile(pattern), str), words, "")


def one_of(*words: str) -> Kind:
    """One of some words."""
    return text("|".join(map(re.escape, words)), " or ".join(words))


WHOLE = Kind(_matching(_WHOLE, int), "a whole number of 0 or more")
COUNT = Kind(_matching(re.compile(r"[1-9][0-9]{0,17}"), int), "a whole number of 1 or more")
DECIMAL = Kind(_matching(_DECIMAL, float), "a number of 0 or more")
_ANY = Kind(str, "a text")


def lines(folder: Path, name: str, most: int = tree.MOST_BYTES) -> list[str]:
    """The lines of a text file of a round, each ended by one line feed. Raises InvalidRound for any other text."""
    try:
        return _content(folder, name, most).decode("utf-8")[:-1].split("\n")
    except UnicodeDecodeError:
        raise InvalidRound(name, "is not text in UTF-8") from None


def _content(folder: Path, name: str, most: int) -> bytes:
    content = tree.read(folder, name, most)
    if not content.endswith(b"\n") or b"\r" in content or b"\0" in content:
        raise InvalidRound(name, "is cut short, or has other line ends than it was written with")
    return content


def read(
    folder: Path,
    name: str,
    columns: dict[str, Kind],
    more: re.Pattern | None = None,
    later: dict[str, Kind] | None = None,
    most: int = MOST_ROWS,
) -> list[dict[str, Any]]:
    """The rows of a table, each value of its column's kind.

    `more`: names of further columns, which hold text. `later`: columns that all stand there, or none of them. `most`: rows.

    Raises InvalidRound for another set of columns, more rows, a row of another length, and a value that is not of its kind.
    """
    content = io.BytesIO(_content(folder, name, MOST_TABLE_BYTES))
    rows = csv.reader(io.TextIOWrapper(content, "utf-8", newline=""), strict=True)
    try:
        header = next(rows, [])
        if later and header[len(columns) :] == list(later):
            columns = {**columns, **later}
        kinds = _kinds(name, header, columns, more)
        found = []
        for number, row in enumerate(rows, start=2):
            if len(found) == most:
                raise InvalidRound(
                    name, f"line {number}: is one of more than {most} rows, which is all that there can be"
                )
            found.append(_row(name, number, row, header, kinds))
        return found
    except UnicodeDecodeError:
        raise InvalidRound(name, "is not text in UTF-8") from None
    except csv.Error as error:
        raise InvalidRound(name, f"line {rows.line_num}: is no row of a table ({error})") from None


def _kinds(name: str, header: list[str], columns: dict[str, Kind], more: re.Pattern | None) -> list[Kind]:
    own = [column for column in header if more is None or not more.fullmatch(column)]
    if own != list(columns) or header[: len(own)] != own or len(set(header)) != len(header):
        raise InvalidRound(name, f"the first line must be {','.join(columns)}, is {','.join(header)[:200]!r}")
    return [columns.get(column, _ANY) for column in header]


def _row(name: str, line: int, row: list[str], header: list[str], kinds: list[Kind]) -> dict[str, Any]:
    if len(row) != len(header):
        raise InvalidRound(name, f"line {line}: has {len(row)} fields, {len(header)} expected")
    found = {}
    for column, kind, value in zip(header, kinds, row, strict=True):
        try:
            found[column] = kind.parse(value)
        except ValueError:
            raise InvalidRound(name, f"line {line}: {column} is {value[:80]!r}, {kind.words} expected") from None
    return found


# What a cell's `mode` is to JMH.
MODES = {"average-time": "avgt", "single-shot": "ss"}

_ID = text(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", "an id")

# The gates, and what disturbed a fork that broke one.
GATES = {
    "steal_share": "by other machines", "others_share": "by other programs", "throttled": "by throttling",
    "involuntary_per_s": "by other threads", "gc_share": "by garbage collection", "spin_ratio": "by a slower CPU",
}  # fmt: skip
# Whether a fork ran, by what was found: offered; not offered; a wrong result; another result than the other providers'.
RAN = {"yes": True, "no": False, "wrong": False, "differs": False}

# What columns hold, by the types of the schema (data/tables.yaml).
KINDS = {
    "whole": WHOLE, "count": COUNT, "decimal": DECIMAL, "id": _ID, "mode": one_of(*MODES), "offered": one_of(*RAN),
    "cell": text(r"[a-z0-9][a-z0-9.:-]{0,299}", "a cell's id"), "warmup": text("steady-state|[0-9]{1,9}", "a warm-up"),
    "benchmark": text(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+", "a benchmark method"),
    "gates": text(rf"(?:{'|'.join(GATES)})(?:;(?:{'|'.join(GATES)}))*", "names of gates"),
    "line": text(r"[^\x00-\x1f\x7f]{0,2000}", "a line"), "sha256": text("[0-9a-f]{64}", "a SHA-256"),
    "measure": text(r"[a-z0-9][a-z0-9.-]{0,99}", "a measure's name"),
    "observation": text(r"-?[0-9]{1,18}(?:\.[0-9]{1,9})?|[0-9]{1,18}(?:;|(?:;[0-9]{1,18})+)", "a number, or counts"),
    "method": text(r"[^\x00-\x20,;]{1,1000}::[^\x00-\x20,;]{1,500}", "a method"),
    "share": text(r"0(?:\.[0-9]{1,4})?|1(?:\.0)?", "a share"),
    "state": one_of(
        compilation_log.C2, compilation_log.C1, compilation_log.INTERPRETED, compilation_log.TRIVIAL, compilation_log.INLINED,
        compilation_log.INTRINSIC, compilation_log.NATIVE,
    ),
    "event": one_of("compiled", "ready", "discarded"),
}  # fmt: skip


@cache
def schema() -> dict[str, dict[str, dict[str, str]]]:
    """The types of all columns, by section and table, from the file that `jca-rerun dictionary` writes."""
    return json.loads((Path(__file__).parents[3] / "analysis/inst/columns.json").read_text())


def _columns(table: str) -> dict[str, Kind]:
    """The kinds of a raw table's columns, those for factors left out."""
    names = {name: type_ for name, type_ in schema()["raw"][table].items() if "<" not in name}
    return {
        name: _or_empty(KINDS[type_[:-1]]) if type_.endswith("?") else KINDS[type_] for name, type_ in names.items()
    }


CELLS, OFFERED, INTERFERENCE = _columns("cells.csv"), _columns("offered.csv"), _columns("interference.csv")
OBSERVATIONS, CHAIN, COMPILATIONS = _columns("observations.csv"), _columns("chain.csv"), _columns("compilations.csv")
ITERATIONS = _columns("iterations.csv")
# Missing in rounds that were measured before it was recorded.
ITERATIONS_LATER = {"jit_ms": ITERATIONS.pop("jit_ms")}
FACTOR = re.compile(r"factor\.[a-z0-9][a-z0-9-]*")
