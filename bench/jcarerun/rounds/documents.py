"""Reads a round's JSON files, strictly (bench/jcarerun/support/files.py)."""

from pathlib import Path
from typing import Any

from jcarerun.rounds import tree
from jcarerun.rounds.damage import Damage
from jcarerun.support.files import parse_json


def read(folder: Path, name: str) -> Any:
    """What a JSON file holds. Raises Damage for one that is damaged or that two readers would read differently."""
    try:
        return parse_json(tree.read(folder, name))
    except ValueError as error:
        raise Damage(name, f"not whole JSON ({error})") from None


def record(folder: Path, name: str) -> dict[str, Any]:
    """A JSON file that holds an object."""
    found = read(folder, name)
    if not isinstance(found, dict):
        raise Damage(name, "not a record")
    return found
