"""Reads a round's JSON files, strictly: no key twice, no number that is none, nothing deeper than it may be."""

import json
from pathlib import Path
from typing import Any

from bench.rounds import tree
from bench.rounds.damage import Damage

_DEEPEST = 50


def read(folder: Path, name: str) -> Any:
    """What a JSON file holds. Raises Damage for one that is damaged or that two readers would read differently."""
    text = tree.read(folder, name)

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in found]
        if len(set(keys)) != len(keys):
            raise ValueError(f"{next(key for key in keys if keys.count(key) > 1)} stands twice")
        return dict(found)

    def constant(word: str) -> Any:
        raise ValueError(f"{word} is no number")

    try:
        found = json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except (ValueError, RecursionError) as error:
        raise Damage(name, f"not whole JSON ({error})") from None
    if _depth(found) > _DEEPEST:
        raise Damage(name, "is nested too deeply")
    return found


def record(folder: Path, name: str) -> dict[str, Any]:
    """A JSON file that holds an object."""
    found = read(folder, name)
    if not isinstance(found, dict):
        raise Damage(name, "not a record")
    return found


def _depth(value: Any) -> int:
    deepest, left = 0, [(value, 1)]
    while left:
        one, depth = left.pop()
        deepest = max(deepest, depth)
        inside = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        left += [(each, depth + 1) for each in inside]
    return deepest
