"""What a verdict or a ratio leads to in the tidy tables: the pair of cells, their forks, and which iterations count."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.explorer import tidy
from jcarerun.support.files import load_json

Row = dict[str, str]
SIDES = ("numerator", "denominator")


@dataclass
class Side:
    """A cell of a pair: what names it, and its forks, those too that do not count."""

    name: str
    experiment: str
    environment: str
    image_id: str
    machine_id: str
    cell: str
    forks: list[Row] = field(default_factory=list)

    @property
    def counted(self) -> list[Row]:
        """The forks that enter the cell's mean."""
        return [fork for fork in self.forks if fork["valid"] == "TRUE"]


class Tables:
    """The tidy tables of a run. Every method raises UserError for what they lack."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.verdicts = {row["verdict_id"]: row for row in tidy.read(folder, "verdicts.csv")}
        self.contrasts = {row["contrast"]: row for row in tidy.read(folder, "contrasts.csv")}
        self.ratios = {row["ratio_id"]: row for row in tidy.read(folder, "ratios.csv")}
        self.forks = tidy.read(folder, "forks.csv")
        self.rounds = {tuple(row[key] for key in tidy.FORK[:3]): row["path"] for row in tidy.read(folder, "rounds.csv")}
        self._measured: dict[tuple[str, ...], set[int]] | None = None

    def find(self, wanted: str) -> tuple[Row | None, Row | None]:
        """The verdict that an id names, if it is one, and the row with its ratio, if it rests on one."""
        if wanted in self.verdicts:
            verdict = self.verdicts[wanted]
            return verdict, self.contrasts.get(verdict["contrast"])
        row = self.contrasts.get(wanted) or self.ratios.get(wanted)
        if row is None:
            kinds = (("verdicts", self.verdicts), ("contrasts", self.contrasts), ("ratios", self.ratios))
            there = (
                "; ".join(f"{what} {_range(list(ids))}" for what, ids in kinds if ids)
                or "none: this run judged nothing"
            )
            raise UserError(f"ID={wanted}: there is no such row in {self.folder}; there are {there}")
        return None, row

    def sides(self, row: Row) -> list[Side]:
        """The cells of a ratio, the numerator's first; one alone where its own value is judged."""
        found = []
        for name in SIDES:
            if row[f"{name}_cell"]:
                key = (
                    row["experiment"],
                    row[f"{name}_environment"],
                    row[f"{name}_image_id"],
                    row["machine_id"],
                    row[f"{name}_cell"],
                )
                names = ("experiment", "environment", "image_id", "machine_id", "cell")
                forks = [fork for fork in self.forks if tuple(fork[each] for each in names) == key]
                found.append(Side(name, *key, forks))
        return found

    def measured(self, fork: Row) -> set[int]:
        """The iterations of a fork that enter its mean."""
        if self._measured is None:
            self._measured = {}
            for row in tidy.read(self.folder, "iterations.csv.gz"):
                if row["measured"] == "TRUE":
                    self._measured.setdefault(tuple(row[key] for key in tidy.FORK), set()).add(int(row["iteration"]))
        return self._measured.get(tuple(fork[key] for key in tidy.FORK), set())

    def path(self, fork: Row) -> str:
        """Where a fork's round lies below the directory of rounds."""
        return self.rounds[tuple(fork[key] for key in tidy.FORK[:3])]

    def claim(self, verdict: Row) -> str:
        """What the claim of a verdict says."""
        definitions = load_json(self.folder / "definitions.json", "make the report again")
        experiment = next(each for each in definitions["experiments"] if each["id"] == verdict["experiment"])
        return experiment["claims"][verdict["claim"]]["text"]


def _range(ids: list[str]) -> str:
    ids = sorted(ids, key=lambda text: int(re.sub(r"\D", "", text)))
    return ids[0] if len(ids) == 1 else f"{ids[0]} to {ids[-1]}"
