"""Reads gates.yaml: how much of a disturbance makes a fork invalid, and how many forks of a round are run again."""

from pathlib import Path

from jcarerun.rounds.gates import Gates
from jcarerun.support.yamlfile import load_checked

FILE = Path("bench/gates.yaml")


def read(path: Path = FILE) -> Gates:
    """The gates. Raises UserError for what can't be used."""
    data = load_checked(path, path.with_suffix(".schema.yaml"))
    limits = {name: (gate["limit"], gate.get("least", 0)) for name, gate in data["gates"].items()}
    return Gates(limits, data["reruns"]["share"])
