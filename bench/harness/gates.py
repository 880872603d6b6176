"""Reads gates.yaml: how much of a disturbance makes a fork invalid, and how many forks of a round are run again.

In: bench/gates.yaml. Out: Gates, and gates.tsv as the round's runner (jcarerun.round.RoundMain) reads it.
"""

import math
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from envs.builder.yamlfile import load_checked

FILE = Path("bench/gates.yaml")
NAME = "gates.tsv"


@dataclass(frozen=True)
class Gates:
    """Gate to its limit and to the least amount that is judged; the share of a round's forks that are run again at most."""

    limits: dict[str, tuple[float, float]]
    rerun_share: float

    def text(self) -> str:
        """The content of gates.tsv: gate, limit, least in each line; then `reruns` and the share."""
        rows = [(name, *numbers) for name, numbers in self.limits.items()]
        return "".join("\t".join(map(str, row)) + "\n" for row in [*rows, ("reruns", self.rerun_share)])

    def most_reruns(self, forks: int) -> int:
        """How many forks of a round of `forks` are run again at most."""
        return math.ceil(Decimal(str(self.rerun_share)) * forks)


def read(path: Path = FILE) -> Gates:
    """The gates. Raises UserError for what can't be used."""
    data = load_checked(path, path.with_suffix(".schema.yaml"))
    limits = {name: (gate["limit"], gate.get("least", 0)) for name, gate in data["gates"].items()}
    return Gates(limits, data["reruns"]["share"])
