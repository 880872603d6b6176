"""The stages of a run: which cells each has, and in how many of its rounds.

A stage has one file for each experiment and environment, `data/raw/<experiment>/<environment>/<tier>-<hash>.stage-<n>.csv`. The
files are raw data: a run that goes on reads them again. Stage one without a file has every cell.
In: rounds with every cell, stage files. Out: the rounds of each stage, and the stamps by which Snakemake knows how far a run is.
"""

import csv
import io
import os
import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from jcarerun.errors import UserError
from jcarerun.plan.demand import Key
from jcarerun.plan.plan import Round, in_order, seed_of
from jcarerun.rounds import manifest, tables, tree
from jcarerun.support.files import load_json, where, write_file, write_json

# `forks` is how many a cell gets in the stage. The others are empty but for cells whose interval was planned.
COLUMNS = tuple(tables.schema()["raw"]["stage.csv"])
# What the stamp of a stage says.
PLANNED, NOTHING_OPEN, OUT_OF_TIME = "planned", "nothing open", "out of time after"

Row = dict[str, str]


def families(rounds: Iterable[Round]) -> dict[str, tuple[Round, ...]]:
    """Rounds by the path that those of an experiment in an environment share, in the order of their numbers."""
    found: dict[str, list[Round]] = {}
    for round_ in rounds:
        found.setdefault(round_.family_path, []).append(round_)
    return {path: tuple(sorted(some, key=lambda round_: round_.number)) for path, some in found.items()}


def half_widths(rounds: Iterable[Round], experiments: Mapping[str, dict]) -> dict[Key, tuple[float, int]]:
    """Cells whose intervals are to reach a half-width: the width relative to the mean, and the most forks of the cell."""
    found = {}
    for round_ in rounds:
        most = experiments[round_.experiment]["tiers"][round_.tier].get("max_rounds")
        if most and round_.looks == 1:
            found |= {
                (round_.family_path, cell.id): (cell.half_width, most) for cell in round_.cells if cell.half_width
            }
    return found


@dataclass(frozen=True, eq=False)
class Stage:
    """A stage of a run, from 1 on.

    full_plan: rounds of stage one with every cell, by family. raw: the run's raw directory. widths: of `half_widths`. chosen: of
    stage one, the forks of each cell in families whose choice is not written to a file yet. is_fixed: whether `chosen` is the
    fixed plan of a tier (fixed_plan.py).
    """

    number: int
    full_plan: Mapping[str, tuple[Round, ...]]
    raw: Path
    widths: Mapping[Key, tuple[float, int]]
    chosen: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    is_fixed: bool = False

    @cached_property
    def run(self) -> str:
        """What the files of the run's stages are called by: another selection of experiments has others."""
        return sha256("\n".join(sorted(self.full_plan)).encode()).hexdigest()[:8]

    @property
    def stamp(self) -> Path:
        """What says that the stage is planned, or why it is not."""
        return self.raw / ".stages" / f"{self.run}-{self.number}.planned"

    @property
    def request(self) -> Path:
        """What the last command that could plan the stage was asked for."""
        return self.raw / ".stages" / f"{self.run}-{self.number}.request.json"

    def requests(self, dry_run: bool) -> list[str]:
        """The request, as an input of the stage's rule. A dry run writes none, and needs none."""
        return [] if dry_run and not self.request.is_file() else [str(self.request)]

    @property
    def words(self) -> str:
        """What its stamp says; empty where it has none."""
        return self._stamp_lines()[0]

    @property
    def verdicts(self) -> str:
        """How many verdicts were decided when it was planned, in words; empty where that is unknown."""
        return self._stamp_lines()[1]

    def _stamp_lines(self) -> list[str]:
        lines = self.stamp.read_text().splitlines() if self.stamp.is_file() else []
        return [*lines, "", ""][:2]

    def mark(self, words: str, verdicts: str = "") -> None:
        """Write its stamp: why it is planned or not, and how many verdicts were decided then."""
        self.stamp.parent.mkdir(parents=True, exist_ok=True)
        self.stamp.write_text(f"{words}\n{verdicts}\n")

    def file(self, family: str) -> Path:
        """What says which cells of a family the stage has."""
        return self.raw / f"{family}.stage-{self.number}.csv"

    def is_begun(self, family: str) -> bool:
        """Whether some round of a family is measured."""
        name = family.rpartition("/")[2]
        return any(path.is_dir() for path in (self.raw / family).parent.glob(f"{name}-*"))

    @property
    def is_planned(self) -> bool:
        """Whether some family has a file of the stage."""
        return any(self.file(family).is_file() for family in self.full_plan)

    def rows(self, family: str) -> dict[str, Row] | None:
        """Cell to its row of the stage's file; None without a file. Raises UserError for a bad one."""
        if self.number == 1 and family in self.chosen:
            return {cell: {**dict.fromkeys(COLUMNS, ""), "forks": str(n)} for cell, n in self.chosen[family].items()}
        file = self.file(family)
        if not os.path.lexists(file):
            return None
        try:
            text = tree.read(file.parent, file.name).decode("utf-8")
        except UnicodeDecodeError:
            raise self._refusal(family, "is no text in UTF-8") from None
        return self.parse(family, text)

    def parse(self, family: str, text: str) -> dict[str, Row]:
        """Cell to its row of a file's text. Raises UserError for what is no file of this stage."""
        try:
            found = self._parse(text, {cell.id: cell.iterations for cell in self.full_plan[family][0].cells})
        except (csv.Error, KeyError, TypeError, ValueError):
            columns = ", ".join(COLUMNS)
            raise self._refusal(
                family, f"must have the columns {columns}, cells of the experiment once each, and whole numbers"
            ) from None
        for row in found.values():
            self._check_width(family, row)
        return found

    @staticmethod
    def _parse(text: str, most_iterations: Mapping[str, int]) -> dict[str, Row]:
        """Cell to its row. Raises ValueError, or what csv and dicts raise, for what is no file of a stage."""
        table = csv.DictReader(io.StringIO(text), strict=True)
        rows = list(table)
        found = {row["cell"]: row for row in rows}
        if {*COLUMNS} != {*(table.fieldnames or ())} or len(found) != len(rows) or found.keys() - most_iterations:
            raise ValueError("other columns or cells")
        for row in rows:
            if None in (*row, *row.values()) or int(row["forks"]) < 0:
                raise ValueError("another number of fields, or of forks")
            if row["iterations"]:
                warmup, iterations = int(row["warmup_iterations"]), int(row["iterations"])
                if not 0 <= warmup < iterations <= most_iterations[row["cell"]]:
                    raise ValueError("a number of iterations that there can't be")
        return found

    def _check_width(self, family: str, row: Row) -> None:
        """Raise UserError where a cell's interval was planned for another half-width or cap than the experiment has now."""
        if not row["wanted_half_width_pct"]:
            return
        width, most = self.widths.get((family, row["cell"]), (0.0, 0))
        now = (f"{100 * width:.6g}", str(most))
        if (then := (f"{_number(row['wanted_half_width_pct']):.6g}", row["most_forks"])) != now:
            raise self._refusal(
                family,
                f"{row['cell']}: planned for a half_width of {then[0]} % and max_rounds {then[1]}, the experiment has {now[0]} "
                f"and {now[1]}",
            )

    def _refusal(self, family: str, what: str) -> UserError:
        return refusal(self.file(family), what)

    def write(self, rows: Mapping[Key, Mapping[str, Any]], everywhere: Collection[str] = ()) -> None:
        """Write the file of each family that has a row or is among `everywhere`; each as a whole or not at all."""
        for family in self.full_plan:
            mine = {cell: row for (path, cell), row in sorted(rows.items()) if path == family}
            if not mine and family not in everywhere:
                continue
            text = io.StringIO()
            table = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
            table.writeheader()
            table.writerows({"cell": cell, **row} for cell, row in mine.items())
            write_file(self.file(family), text.getvalue())

    def planned_widths(self) -> set[Key]:
        """The cells whose intervals this stage's files plan."""
        return {
            (family, cell)
            for family in self.full_plan
            for cell, row in (self.rows(family) or {}).items()
            if row["wanted_half_width_pct"]
        }

    def forks(self, family: str) -> dict[str, int] | None:
        """Cell to its forks in the stage; None without a file."""
        rows = self.rows(family)
        return None if rows is None else {cell: int(row["forks"]) for cell, row in rows.items()}

    def rounds(self) -> list[Round]:
        """The rounds of the stage as its files have it now; both sides of a comparison are in the same ones."""
        return [round_ for family in self.full_plan for round_ in self.family_rounds(family)]

    def family_rounds(self, family: str) -> list[Round]:
        """The rounds of a family in the stage."""
        rows, model = self.rows(family), self.full_plan[family][0]
        if self.number == 1:
            forks = self.forks(family)
            if forks is None:
                return list(self.full_plan[family])
            kept = [
                replace(round_, cells=tuple(cell for cell in round_.cells if forks.get(cell.id, 0) >= round_.number))
                for round_ in self.full_plan[family]
            ]
            return [round_ for round_ in kept if round_.cells]
        if not rows:
            return []
        digest = sha256(tree.read(self.file(family).parent, self.file(family).name)).hexdigest()
        cells = [
            (cell.shortened(int(row["iterations"])) if row["iterations"] else cell, int(row["forks"]))
            for cell in sorted(model.cells, key=lambda cell: cell.id)
            if (row := rows.get(cell.id))
        ]
        after, made = self._last_number(family), []
        for turn in range(1, max(count for _, count in cells) + 1):
            order_seed = seed_of(model.seed, model.experiment, model.environment, after + turn)
            shuffled = [cell for cell, count in cells if count >= turn]
            random.Random(order_seed).shuffle(shuffled)
            made.append(replace(
                model, id=f"{model.family}-{after + turn:02d}", number=after + turn, order_seed=order_seed,
                cells=tuple(shuffled), stage=self.number, plan_sha256=digest,
            ))  # fmt: skip
        return made

    def _last_number(self, family: str) -> int:
        """The number of the last round of the stages before."""
        earlier = [replace(self, number=number).forks(family) for number in range(1, self.number)]
        first = len(self.full_plan[family]) if earlier[0] is None else max(earlier[0].values(), default=0)
        return first + sum(max((forks or {}).values(), default=0) for forks in earlier[1:])

    def stands(self, minutes: float) -> bool:
        """Whether its stamp still holds: a planned stage has its files, and there are no more minutes than one without had."""
        words = self.words
        if words.startswith(OUT_OF_TIME):
            return bool(minutes) and minutes <= float(words.removeprefix(OUT_OF_TIME) or 0)
        return words == NOTHING_OPEN or (words == PLANNED and self.is_planned)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def refusal(file: Path, what: str) -> UserError:
    """What is said of a stage file that can't be used; to be raised."""
    family, _, stage = file.name.removesuffix(".csv").rpartition(".stage-")
    later = f"and the rounds of stage {stage} and later ones ({where(file.parent)}/{family}-*)"
    return UserError(f"{where(file)}: {what}; put it back as it was, or remove it {later} to plan anew")


def all_stages(rounds: Iterable[Round], raw: Path, most: int, widths: Mapping[Key, tuple[float, int]]) -> list[Stage]:
    """The stages that a run may have."""
    first = Stage(1, families(rounds), raw, widths)
    return [replace(first, number=number) for number in range(1, most + 1)]


def planned_rounds(stages: Iterable[Stage]) -> list[Round]:
    """The rounds of all stages as far as they are planned, in the order they are to be run."""
    return in_order(round_ for stage in stages for round_ in stage.rounds())


def round_stamps(stages: list[Stage], checkpoints: Any) -> list[str]:
    """The stamps of the rounds of these stages; asks the checkpoint for one stage after another until one has no rounds."""
    found: list[str] = []
    for stage in stages:
        if stage.number > 1:
            checkpoints.stage.get(run=stage.run, stage=stage.number)
        rounds = in_order(stage.rounds())
        if stage.number > 1 and not rounds:
            break
        found += [str(manifest.stamp_of(stage.raw / round_.path)) for round_ in rounds]
    return found


def pending(stages: list[Stage]) -> list[Stage]:
    """The stages that may still be planned: from the first on of which nothing says that it is planned, or why it is not."""
    for stage in stages[1:]:
        if stage.words != PLANNED:
            return [] if stage.words else stages[stage.number - 1 :]
        if not stage.rounds():
            return []
    return []


def read_uncounted(stages: list[Stage]) -> list[str]:
    """Paths of disturbed rounds of earlier commands, whose time does not count against the minutes of this one."""
    file = stages[-1].request
    return load_json(file, "remove it")["uncounted"] if file.is_file() else []


def write_requests(stages: list[Stage], minutes: float, uncounted: list[str]) -> None:
    """Ask for the stages that may still be planned, so that Snakemake plans them, and makes anew what reads all rounds.

    A request has a number that no earlier one has: Snakemake compares the contents of small files.
    """
    asked = pending(stages)
    numbers = [load_json(stage.request, "remove it")["number"] for stage in asked if stage.request.is_file()]
    for stage in asked:
        content = {"number": max(numbers, default=0) + 1, "minutes": minutes, "uncounted": uncounted}
        write_json(stage.request, content)
