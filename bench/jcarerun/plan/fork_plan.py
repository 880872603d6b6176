"""The second stage: how long and how many forks each cell still needs, read off a plan file that stage one's data was made into.

In: `data/raw/<experiment>/<environment>/<tier>-<hash>.plan.csv` of analysis/run.R plan, and stage one's rounds. Out: stage two's.
The file is raw data: a run that is resumed, on this machine or another, reads the same one.
"""

import csv
import io
import os
import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.plan.plan import ROUND_S, Round, in_order, seed_of
from jcarerun.rounds import record, tree
from jcarerun.rounds.tree import InvalidRound
from jcarerun.support.files import where

COLUMNS = (
    "cell", "protocol", "first_rounds", "warmup_iterations", "iterations", "forks_wanted", "forks", "most_forks",
    "wanted_half_width_pct", "s0_log", "forks_no_steady", "reason",
)  # fmt: skip
MORE, CAP = "more forks", "cap"


@dataclass(frozen=True, eq=False)
class Place:
    """An (experiment, environment) that has a second stage: its rounds of stage one, and the most rounds of both stages."""

    first: tuple[Round, ...]
    most: int

    @property
    def path(self) -> str:
        """What its files' names begin with, below the raw directory."""
        one = self.first[0]
        return f"{one.experiment}/{one.environment}/{one.family}"

    @property
    def half_widths(self) -> dict[str, float]:
        """Protocol to wanted half-width, relative to the mean, where one is wanted."""
        return {cell.protocol: cell.half_width for cell in self.first[0].cells if cell.half_width}

    def file(self, raw: Path) -> Path:
        """The plan."""
        return raw / f"{self.path}.plan.csv"

    def stamp(self, raw: Path) -> Path:
        """What says that the plan is made: its SHA-256."""
        return raw / f"{self.path}.planned"

    def most_s(self) -> float:
        """Seconds that stage two takes at most, as far as can be expected."""
        each = sum(cell.expected_s for cell in self.first[0].cells if cell.half_width)
        return (self.most - len(self.first)) * (ROUND_S + each)


def places(first: Iterable[Round], experiments: dict[str, dict]) -> list[Place]:
    """Where there is a second stage: the tier has `max_rounds`, and some cell's protocol a `half_width`."""
    found: dict[tuple[str, str], list[Round]] = {}
    for one in first:
        found.setdefault((one.experiment, one.environment), []).append(one)
    made = []
    for own in found.values():
        tier = experiments[own[0].experiment]["tiers"][own[0].tier]
        if own[0].looks == 1 and "max_rounds" in tier and any(cell.half_width for cell in own[0].cells):
            made.append(Place(tuple(sorted(own, key=lambda one: one.number)), tier["max_rounds"]))
    return made


def _refuse(file: Path, what: str, place: Place | None = None) -> UserError:
    own = f"{where(file.parent)}/{file.name.removesuffix('.plan.csv')}"
    second = f" and the rounds above {len(place.first)}" if place else ", if there is one, and the rounds of stage two"
    return UserError(
        f"{where(file)}: {what}; put it back as it was, or remove it, {own}.planned{second} ({own}-*) to plan anew"
    )


def read(file: Path, text: str, place: Place) -> dict[str, dict[str, str]]:
    """Cell to its row. Raises UserError if the file is no plan of this place, or of other wishes than the experiment's now."""
    try:
        rows = list(csv.DictReader(io.StringIO(text), strict=True))
    except csv.Error as error:
        raise _refuse(file, f"is no table ({error})", place) from None
    planned = {row.get("cell"): row for row in rows}
    # A row that is too short has no value for some columns, one that is too long has a column without a name.
    whole = all(set(row) == set(COLUMNS) and None not in row.values() for row in rows)
    if not rows or not whole or len(planned) != len(rows):
        raise _refuse(file, "is no plan (the columns of data/README.md, each cell once, were expected)", place)
    cells = {cell.id: cell for cell in place.first[0].cells}
    if planned.keys() != cells.keys():
        raise _refuse(file, f"has other cells than the experiment ({sorted(planned.keys() ^ cells.keys())[0]})", place)
    for name, row in planned.items():
        wanted = round(100 * cells[name].half_width, 6)
        told = (row["first_rounds"], row["most_forks"], _number_or(row["wanted_half_width_pct"] or "0"))
        if told != (str(len(place.first)), str(place.most), wanted):
            raise _refuse(
                file,
                f"{name}: planned with rounds, max_rounds and half_width (in %) of {', '.join(map(str, told))}, the "
                f"experiment has {len(place.first)}, {place.most}, {wanted}",
                place,
            )
        _check_numbers(file, row, place, cells[name].iterations)
    return planned


def _number_or(text: str) -> float | str:
    """A number, or the text that is none."""
    try:
        return float(text)
    except ValueError:
        return text


def _check_numbers(file: Path, row: dict[str, str], place: Place, max_iterations: int) -> None:
    try:
        forks, least = int(row["forks"]), len(place.first)
        good = least <= forks <= max(place.most, least)
        if forks > least:
            good = good and 0 <= int(row["warmup_iterations"]) < int(row["iterations"]) <= max_iterations
    except ValueError:
        good = False
    if not good:
        raise _refuse(file, f"{row['cell']}: forks, warmup_iterations or iterations are out of bounds", place)


@lru_cache(maxsize=256)
def _second(place: Place, file: Path, text: str) -> tuple[Round, ...]:
    rows, digest = read(file, text, place), sha256(text.encode()).hexdigest()
    every = sorted(place.first[0].cells, key=lambda cell: cell.id)
    model, made = place.first[0], []
    for number in range(len(place.first) + 1, max(int(row["forks"]) for row in rows.values()) + 1):
        own = [cell for cell in every if int(rows[cell.id]["forks"]) >= number]
        own = [cell.shortened(int(rows[cell.id]["iterations"])) for cell in own]
        order_seed = seed_of(model.seed, model.experiment, model.environment, number)
        random.Random(order_seed).shuffle(own)
        made.append(Round(
            model.experiment, model.environment, f"{model.family}-{number:02d}", number, model.tier, model.seed,
            order_seed, tuple(own), 2, digest, model.subject,
        ))  # fmt: skip
    return tuple(made)


def second_rounds(place: Place, raw: Path) -> tuple[Round, ...]:
    """Stage two's rounds as the plan file has them now; none while there is no plan. Raises UserError for a bad one."""
    file = place.file(raw)
    if not os.path.lexists(file):
        return ()
    try:
        text = tree.read(file.parent, file.name).decode("utf-8")
    except UnicodeDecodeError:
        raise _refuse(file, "is no text in UTF-8", place) from None
    return _second(place, file, text)


def every_round(first: list[Round], planned: Iterable[Place], raw: Path) -> list[Round]:
    """The rounds of both stages, as far as they are known, in the order they are to be run."""
    return in_order([*first, *(one for place in planned for one in second_rounds(place, raw))])


def _record(folder: Path) -> dict:
    try:
        return record.read_object(folder, "round.json")
    except (UserError, InvalidRound):
        return {}  # said by those who check the round itself


def _number(folder: Path) -> int:
    last = folder.name.rpartition("-")[2]
    return int(last) if last.isdigit() else 0


def verify_rounds(folders: Iterable[Path]) -> None:
    """Hold the plan files against the rounds that were measured by them. Raises UserError for one that is gone or was changed."""
    for folder in folders:
        record = _record(folder)
        if record.get("stage", 1) == 1:
            continue
        kind = f"stage-{record['stage']}" if record.get("looks", 1) > 1 else "plan"
        file = folder.with_name(f"{folder.name.rpartition('-')[0]}.{kind}.csv")
        if not os.path.lexists(file):
            raise _refuse(file, f"missing, though {folder.name} was measured by it")
        if sha256(tree.read(file.parent, file.name)).hexdigest() != record.get("plan_sha256"):
            raise _refuse(file, f"was changed after {folder.name} was measured by it")


def verify(place: Place, raw: Path) -> None:
    """Hold a plan against its stamp and its rounds. Forgets the stamp of a plan that is gone."""
    file, stamp = place.file(raw), place.stamp(raw)
    there = sorted(path for path in file.parent.glob(f"{place.first[0].family}-*") if path.is_dir())
    verify_rounds(there)
    for folder in there:
        if _number(folder) > len(place.first) and _record(folder).get("stage", 1) == 1:
            raise UserError(
                f"{where(folder)}: is of stage one, which has {len(place.first)} rounds now; that number is wanted by stage two: "
                f"remove it and its stamp, or give the tier its former `rounds`"
            )
    if not file.is_file():
        stamp.unlink(missing_ok=True)
        return
    told = tree.read(stamp.parent, stamp.name).decode(errors="replace").strip() if os.path.lexists(stamp) else None
    if told not in (None, sha256(tree.read(file.parent, file.name)).hexdigest()):
        raise _refuse(file, "was changed after it was made", place)
    known = {one.id for one in (*place.first, *second_rounds(place, raw))}
    for folder in there:
        if _record(folder).get("stage", 1) != 1 and folder.name not in known:
            raise _refuse(file, f"plans no {folder.name}, which is there", place)
