"""The tables of a round: their columns, what each holds (data/README.md says what it means), and their strict reader."""

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jcarerun.rounds import compilation_log, tree
from jcarerun.rounds.tree import InvalidRound

MOST_TABLE_BYTES = 1 << 30

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
    """The lines of a text file of a round, each ended by one line feed. Raises InvalidRound for any other text."""
    try:
        content = tree.read(folder, name, most).decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidRound(name, "is not text in UTF-8") from None
    if not content.endswith("\n") or "\r" in content or "\0" in content:
        raise InvalidRound(name, "is cut short, or has other line ends than it was written with")
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

    Raises InvalidRound for another set of columns, a row of another length, and a value that is not of its kind.
    """
    source = "\n".join(lines(folder, name, MOST_TABLE_BYTES)) + "\n"
    rows = csv.reader(io.StringIO(source, newline=""), strict=True)
    try:
        header = next(rows, [])
        if later and header[len(columns) :] == list(later):
            columns = {**columns, **later}
        kinds = _kinds(name, header, columns, more)
        return [_row(name, number, row, header, kinds) for number, row in enumerate(rows, start=2)]
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

CELLS = {
    "fork": COUNT, "cell": text(r"[a-z0-9][a-z0-9.:-]{0,299}", "a cell's id"), "workload": _ID,
    "benchmark": text(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+", "a benchmark method"), "protocol": _ID,
    "provider": _ID, "cpu_profile": _ID, "mode": one_of(*MODES), "warmup": text("steady-state|[0-9]{1,9}", "a warm-up"),
    "iterations": COUNT, "iteration_ms": DECIMAL,
}  # fmt: skip
FACTOR = re.compile(r"factor\.[a-z0-9][a-z0-9-]*")

ITERATIONS = {
    "fork": COUNT, "iteration": COUNT, "start_epoch_ms": WHOLE, "start_uptime_ms": DECIMAL, "end_uptime_ms": DECIMAL,
    "duration_ns": COUNT, "operations": COUNT, "all_operations": COUNT, "worker_cpu_ns": WHOLE_OR_EMPTY,
    "process_user_ns": WHOLE_OR_EMPTY, "process_system_ns": WHOLE_OR_EMPTY, "involuntary_switches": WHOLE_OR_EMPTY,
    "gc_ms": WHOLE_OR_EMPTY,
}  # fmt: skip

# Missing in rounds that were measured before it was recorded.
ITERATIONS_LATER = {"jit_ms": WHOLE_OR_EMPTY}

GATES = ("steal_share", "others_share", "throttled", "involuntary_per_s", "gc_share", "spin_ratio")
INTERFERENCE = {
    "fork": COUNT, "elapsed_ms": WHOLE, "window_ms": DECIMAL, "steal_ms": WHOLE_OR_EMPTY, "others_ms": WHOLE_OR_EMPTY,
    "cpu_ms": WHOLE_OR_EMPTY, "throttled": WHOLE_OR_EMPTY, "spin_before_ns": COUNT, "spin_after_ns": COUNT,
    "spin_reference_ns": COUNT, "involuntary_switches": WHOLE_OR_EMPTY, "gc_ms": WHOLE_OR_EMPTY,
    "broken": text(rf"(?:(?:{'|'.join(GATES)})(?:;(?!$)|$))*", "names of gates"),
    "rerun_as": COUNT_OR_EMPTY, "rerun_of": COUNT_OR_EMPTY,
}  # fmt: skip

# Whether a fork ran, by what was found: offered; not offered; a wrong result; another result than the other providers'.
RAN = {"yes": True, "no": False, "wrong": False, "differs": False}
OFFERED = {
    "fork": COUNT,
    "offered": one_of(*RAN),
    "why": text(r"[^\x00-\x1f\x7f]{0,2000}", "a line"),
    "answer": text("(?:[0-9a-f]{64})?", "a SHA-256, or nothing"),
}

OBSERVATIONS = {
    "fork": COUNT,
    "iteration": COUNT,
    "measure": text(r"[a-z0-9][a-z0-9.-]{0,99}", "a measure's name"),
    "value": text(r"-?[0-9]{1,18}(?:\.[0-9]{1,9})?|[0-9]{1,18}(?:;[0-9]{1,18})+", "a number, or counts"),
}

_METHOD = text(r"[^\x00-\x20,;]{1,1000}::[^\x00-\x20,;]{1,500}", "a method")
_METHOD_OR_EMPTY = text(r"(?:[^\x00-\x20,;]{1,1000}::[^\x00-\x20,;]{1,500})?", "a method, or nothing")
CHAIN = {
    "fork": COUNT, "depth": WHOLE, "method": _METHOD, "share": text(r"0(?:\.[0-9]{1,4})?|1(?:\.0)?", "a share"),
    "state": one_of(
        compilation_log.C2, compilation_log.C1, compilation_log.INTERPRETED, compilation_log.TRIVIAL, compilation_log.INLINED,
        compilation_log.INTRINSIC, compilation_log.NATIVE,
    ),
    "within": _METHOD_OR_EMPTY, "since_ms": WHOLE_OR_EMPTY,
}  # fmt: skip
COMPILATIONS = {
    "fork": COUNT,
    "uptime_ms": WHOLE,
    "method": _METHOD,
    "tier": WHOLE,
    "event": one_of("compiled", "ready", "discarded"),
}
