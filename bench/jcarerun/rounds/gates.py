"""The gates of a round, gates.tsv: how much of a disturbance makes a fork invalid, and how many forks are run again."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from jcarerun.rounds import columns, table
from jcarerun.rounds.damage import Damage

FILE = "gates.tsv"

_NUMBER = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,12})?(?:e-?[0-9]{1,2})?")


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


def read(folder: Path) -> Gates:
    """The gates of a round. Raises Damage for a file that holds none."""
    rows = [line.split("\t") for line in table.lines(folder, FILE)]
    named = {row[0]: row[1:] for row in rows}
    sizes = {name: 1 if name == "reruns" else 2 for name in named}
    if len(named) != len(rows) or "reruns" not in named or not named.keys() <= {*columns.GATES, "reruns"}:
        raise Damage(FILE, f"must have a line for each of some gates ({', '.join(columns.GATES)}), and one for reruns")
    for name, numbers in named.items():
        if len(numbers) != sizes[name] or not all(_NUMBER.fullmatch(number) for number in numbers):
            raise Damage(FILE, f"{name}: must have {sizes[name]} numbers of 0 or more, has {', '.join(numbers)[:80]!r}")
    values = {name: tuple(map(float, numbers)) for name, numbers in named.items()}
    (share,) = values.pop("reruns")
    return Gates({name: (limit, least) for name, (limit, least) in values.items()}, share)
