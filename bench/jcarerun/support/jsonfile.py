"""Reads JSON strictly: no key twice, no number that is none, nothing deeper than it may be."""

import json
from pathlib import Path
from typing import Any

from jcarerun.errors import UserError
from jcarerun.support.textfile import read_text, where

MOST_BYTES, DEEPEST = 64 << 20, 50


def parse(text: str | bytes) -> Any:
    """What a JSON text says. Raises ValueError for one that is damaged or that two readers would read differently."""
    try:
        found = json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if _depth(found) > DEEPEST:
        raise ValueError("nested too deeply")
    return found


def load(path: Path, remedy: str) -> dict[str, Any]:
    """The record that a JSON file holds. Raises UserError, with the remedy, for a missing or damaged one."""
    try:
        found = parse(read_text(path, MOST_BYTES))
        if isinstance(found, dict):
            return found
        words = "not a record"
    except ValueError as error:
        words = str(error)
    raise UserError(f"{where(path)}: not whole JSON ({words}); {remedy}")


def _pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in found]
    if len(set(keys)) != len(keys):
        raise ValueError(f"{next(key for key in keys if keys.count(key) > 1)} stands twice")
    return dict(found)


def _constant(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def _depth(value: Any) -> int:
    deepest, left = 0, [(value, 1)]
    while left:
        one, depth = left.pop()
        deepest = max(deepest, depth)
        inside = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        left += [(each, depth + 1) for each in inside]
    return deepest
