"""Which cells each stage of a run has, and in how many of its rounds: one small file for each place and stage.

In: a place's rounds as planned before anything was measured, with every cell in each; what was chosen of them. Out: the rounds
of its stages. The files, `data/raw/<experiment>/<environment>/<tier>-<hash>.stage-<n>.csv`, are raw data: a run that goes on
reads them again. Where there is none for stage one, it has every cell.
"""

import csv
import io
import os
import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.plan.plan import Round, seed_of
from jcarerun.plan.wants import Key, place_of
from jcarerun.rounds import tree
from jcarerun.support.files import where, write_file

COLUMNS = ("cell", "forks")
# What a run's stamp of a stage says.
PLANNED, NOTHING_OPEN, OUT_OF_TIME = "planned", "nothing open", "out of time after"


def out_of_time(minutes: float) -> str:
    """That a stage was not planned since nothing of it fitted into a run's minutes."""
    return f"{OUT_OF_TIME} {minutes:g}"


def stands(words: str, minutes: float, planned: bool) -> bool:
    """Whether a stamp still says what is so: of a planned stage the files are there, and there are no more minutes than then."""
    if words.startswith(OUT_OF_TIME):
        return bool(minutes) and minutes <= float(words.removeprefix(OUT_OF_TIME) or 0)
    return words == NOTHING_OPEN or (words == PLANNED and planned)


@dataclass(frozen=True)
class Staged:
    """An (experiment, environment) whose stages have parts of its cells. `whole`: its rounds with every cell."""

    whole: tuple[Round, ...]

    @property
    def path(self) -> str:
        """What its files' names begin with, below the raw directory."""
        return place_of(self.whole[0])

    def file(self, raw: Path, stage: int) -> Path:
        """What says which cells a stage has."""
        return raw / f"{self.path}.stage-{stage}.csv"

    def begun(self, raw: Path) -> bool:
        """Whether some round of it is there."""
        return any((raw / one.path).is_dir() for one in self.whole)

    def forks(self, raw: Path, stage: int) -> dict[str, int] | None:
        """Cell to its forks in a stage, as its file has them; None without a file. Raises UserError for a bad one."""
        file = self.file(raw, stage)
        if not os.path.lexists(file):
            return None
        rows = list(csv.DictReader(io.StringIO(tree.read(file.parent, file.name).decode(errors="replace"))))
        known = {cell.id for cell in self.whole[0].cells}
        try:
            forks = {row["cell"]: int(row["forks"]) for row in rows}
            good = len(forks) == len(rows) and forks.keys() <= known and min(forks.values(), default=1) > 0
        except (KeyError, TypeError, ValueError):
            good = False
        if not good:
            raise UserError(
                f"{where(file)}: must have the columns {', '.join(COLUMNS)}, cells of the experiment once each, and whole "
                f"numbers from 1 on; put it back as it was, or remove {where(raw)}/{self.path}* to measure anew"
            )
        return forks

    def write(self, raw: Path, stage: int, forks: dict[str, int]) -> None:
        """Write a stage's file, whole or not at all."""
        write_file(self.file(raw, stage), "".join(f"{a},{b}\n" for a, b in [COLUMNS, *sorted(forks.items())]))

    def last_number(self, raw: Path, stage: int) -> int:
        """The number of the last round that the stages up to this one have."""
        sizes = [max((self.forks(raw, before) or {}).values(), default=0) for before in range(2, stage + 1)]
        own = self.forks(raw, 1)
        return sum(sizes) + (len(self.whole) if own is None else max(own.values(), default=0))

    def later(self, raw: Path, stage: int) -> list[Round]:
        """The rounds of a stage after the first; none without a file. Both sides of what is compared are in the same ones."""
        forks = self.forks(raw, stage)
        if not forks:
            return []
        model, after, made = self.whole[0], self.last_number(raw, stage - 1), []
        digest = sha256(tree.read(self.file(raw, stage).parent, self.file(raw, stage).name)).hexdigest()
        every = sorted(model.cells, key=lambda cell: cell.id)
        for turn in range(1, max(forks.values()) + 1):
            number = after + turn
            own = [cell for cell in every if forks.get(cell.id, 0) >= turn]
            order_seed = seed_of(model.seed, model.experiment, model.environment, number)
            random.Random(order_seed).shuffle(own)
            made.append(replace(
                model, id=f"{model.family}-{number:02d}", number=number, order_seed=order_seed, cells=tuple(own), stage=stage,
                plan_sha256=digest,
            ))  # fmt: skip
        return made

    def first(self, forks: dict[str, int]) -> list[Round]:
        """The rounds of stage one with those cells alone; none without a cell."""
        kept = [
            replace(one, cells=tuple(cell for cell in one.cells if forks.get(cell.id, 0) >= one.number))
            for one in self.whole
        ]
        return [one for one in kept if one.cells]


def staged(whole: Iterable[Round]) -> list[Staged]:
    """The places of planned rounds."""
    found: dict[str, list[Round]] = {}
    for one in whole:
        found.setdefault(place_of(one), []).append(one)
    return [Staged(tuple(sorted(own, key=lambda one: one.number))) for own in found.values()]


def of_place(chosen: dict[Key, int], place: Staged) -> dict[str, int]:
    """The part of what was chosen that is of a place: cell to forks."""
    return {cell: n for (path, cell), n in chosen.items() if path == place.path}
