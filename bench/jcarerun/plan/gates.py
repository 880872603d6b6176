"""Reads gates.yaml: how much of a disturbance makes a fork invalid, and how many forks of a round are run again."""

from functools import cache
from pathlib import Path

from jcarerun.rounds.interference import Gates
from jcarerun.support.yamlfile import load_checked

FILE = Path("bench/gates.yaml")
SCHEMA = Path("bench/schemas/gates.schema.yaml")


def read(path: Path = FILE) -> Gates:
    """The gates. Raises UserError for what can't be used."""
    state = path.stat() if path.is_file() else None
    return _read(path, state and (state.st_mtime_ns, state.st_size, state.st_ino))


# Every planned round asks for them, thousands of times in a large plan.
@cache
def _read(path: Path, _state: tuple | None) -> Gates:
    data = load_checked(path, SCHEMA)
    limits = {name: (gate["limit"], gate.get("least", 0)) for name, gate in data["gates"].items()}
    return Gates(limits, data["reruns"]["share"])
