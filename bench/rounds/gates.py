"""The gates of a round, gates.tsv: how much of a disturbance makes a fork invalid, and how many forks are run again."""

import math
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from envs.support.errors import UserError
from envs.support.yamlfile import where

FILE = "gates.tsv"


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
    """The gates of a round. Raises UserError for a file that holds none."""
    file = folder / FILE
    limits: dict[str, tuple[float, float]] = {}
    share = None
    try:
        for line in file.read_text(encoding="ascii").splitlines():
            name, *numbers = line.split("\t")
            values = [float(Decimal(number)) for number in numbers]
            if not all(math.isfinite(value) and value >= 0 for value in values) or name in limits or share is not None:
                raise ValueError(line)
            if name == "reruns":
                (share,) = values
            else:
                limits[name] = (values[0], values[1])
    except (OSError, ValueError, LookupError, InvalidOperation) as error:
        raise UserError(f"{where(file)}: not the gates of a round ({error})") from None
    if share is None:
        raise UserError(f"{where(file)}: has no line for reruns")
    return Gates(limits, share)
