"""Holds what lies below a run's raw directory against what it was when it was measured, and against what is planned now."""

import os
import re
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.plan import budget, stages
from jcarerun.plan.cells import Cell, slug
from jcarerun.plan.plan import Round
from jcarerun.plan.stages import Stage
from jcarerun.rounds import forks, manifest, record, tree, validate
from jcarerun.rounds.tree import RESTORE, InvalidRound, name_errors
from jcarerun.rounds.validate import RoundFacts
from jcarerun.run.run import Run
from jcarerun.support.files import confined_each, where

# By how much rounds of a machine may overlap: a clock may be set between them.
MOST_OVERLAP_S = 5


def verify(current: Run, repair: bool = True) -> None:
    """Check every round that is there against its manifest and its stamp, and stage files against the rounds measured by them.

    repair: remove the stamps of rounds that are gone, and of stages that are to be planned anew; stamp imported rounds.
    """
    if current.stages:
        verify_stages(current.stages, current.settings.minutes, bool(current.uncounted), repair)
    if current.settings.raw is None:
        _verify_own_rounds(current, repair)
    else:
        _verify_rounds_of_others(current)


def _verify_own_rounds(current: Run, repair: bool) -> None:
    planned = {round_.path: round_ for round_ in current.rounds}
    others = {}
    for path in (*planned, *current.imported()):
        folder = current.raw / path
        if folder.is_dir():
            if facts := validate.verify_round(folder):
                others[folder] = facts
            _check_cells(current, folder, facts)
            if repair and path in current.imported() and not manifest.stamp_of(folder).is_file():
                validate.stamp_round(folder)
        elif repair and not stays_out(current, planned[path]):
            manifest.stamp_of(folder).unlink(missing_ok=True)
    for path in current.reference_paths:
        validate.verify_round(current.reference_folder / path)
    check_distinct(others)


def _verify_rounds_of_others(current: Run) -> None:
    folders = [folder for path in current.round_paths() if (folder := current.raw / path).is_dir()]
    reference_forks = [current.reference_folder / path for path in current.reference_paths]
    every = confined_each(partial(validate.verify_round, own=False), (*folders, *reference_forks), tree.size)
    others = dict(zip((*folders, *reference_forks), every, strict=True))
    for folder in folders:
        _check_cells(current, folder, others[folder])
    check_distinct({folder: others[folder] for folder in folders})
    manifest.require_stamped_rounds(current.raw)
    verify_stage_files(current.raw / path for path in current.round_paths())


def verify_stages(every: list[Stage], minutes: float, repeat: bool = False, repair: bool = True) -> None:
    """Check stage files against the rounds measured by them, and remove the stamps of stages that are to be planned anew.

    repeat: whether disturbed rounds are to be measured again, for which a stage that had no time is planned anew too.
    repair: whether to remove anything.
    """
    verify_stage_files(
        folder for round_ in stages.planned_rounds(every) if (folder := every[0].raw / round_.path).is_dir()
    )
    for family, rounds in every[0].full_plan.items():
        _check_numbers(every, family, rounds)
    for stage in every[1:] if repair else ():
        if stage.stamp.is_file() and (not stage.stands(minutes) or (repeat and stage.words != stages.PLANNED)):
            for later in every[stage.number - 1 :]:
                later.stamp.unlink(missing_ok=True)
            return


def _check_numbers(every: list[Stage], family: str, rounds: tuple[Round, ...]) -> None:
    """Raise UserError for a round on the disk that belongs to a later stage than it says, or to no stage file."""
    place = every[0].raw / f"{rounds[0].experiment}/{rounds[0].environment}"
    known = {round_.id: round_.stage for stage in every for round_ in stage.family_rounds(family)}
    for folder in sorted(path for path in place.glob(f"{rounds[0].family}-*") if path.is_dir()):
        found = _round_record(folder)
        stage = found.get("stage", 1)
        if stage > 1 and folder.name not in known and stage <= len(every):
            raise stages.refusal(every[stage - 1].file(family), f"plans no {folder.name}, which is there")
        if stage == 1 and known.get(folder.name, 1) > 1:
            raise UserError(
                f"{where(folder)}: is of stage one, which has {len(rounds)} rounds now, and stage {known[folder.name]} needs "
                f"its number: remove it and its stamp, or give the tier its former `rounds`"
            )


def _round_record(folder: Path) -> dict:
    try:
        return record.read_object(folder, "round.json")
    except UserError:
        return {}  # reported when the round itself is checked


def verify_stage_files(folders: Iterable[Path]) -> None:
    """Check stage files against the rounds measured by them. Raises UserError for a file that is gone or was changed."""
    for folder in folders:
        found = _round_record(folder)
        if found.get("stage", 1) == 1:
            continue
        file = folder.with_name(f"{folder.name.rpartition('-')[0]}.stage-{found['stage']}.csv")
        if not os.path.lexists(file):
            raise stages.refusal(file, f"missing, though {folder.name} was measured by it")
        if sha256(tree.read(file.parent, file.name)).hexdigest() != found.get("plan_sha256"):
            raise stages.refusal(file, f"was changed after {folder.name} was measured by it")


def stays_out(current: Run, round_: Round) -> bool:
    """Whether a round was left out for want of time, of which there is still none; or its stage was looked at without it."""
    if not budget.is_left_out(current.folders.raw / round_.path):
        return False
    return len(current.stages) > 1 or not current.budget.fits(round_)


def _check_cells(current: Run, folder: Path, facts: RoundFacts | None) -> None:
    """Hold the cells and the JVMs of a round against the experiment and the environment that they are of."""
    experiment, environment = folder.parts[-3:-1]
    with name_errors(folder, RESTORE):
        planned = facts.planned if facts else forks.read(folder)
        _check_parameters(planned.values(), current.tier_cells.get(experiment, {}))
        entry = current.registry.catalogue.environments.get(environment)
        for version in facts.versions if facts and entry and entry.jdk else ():
            if not is_of_jdk(version, entry.jdk.id, entry.jdk.java):
                raise InvalidRound(
                    record.FILE, f"is of {environment}, which has {entry.jdk.id}; a fork ran in JVM {version[:80]!r}"
                )


def _check_parameters(measured: Iterable[forks.Fork], cells: dict[str, Cell]) -> None:
    """Raise InvalidRound where a fork's labels or parameters are those of another cell than its id says.

    Parameters that only one of both has are passed over: rounds of an earlier version of a workload stay readable.
    """
    for fork in measured:
        _check_id(fork)
        if cell := cells.get(fork.cell):
            expected = {name: getattr(cell, name) for name in forks.LABELS}
            expected |= {f"factor.{name}": level for name, level in cell.factors.items()}
            _compare(
                fork,
                {**fork.labels, "benchmark": _method(fork.benchmark)},
                {**expected, "benchmark": _method(cell.benchmark)},
            )
            _compare(fork, {**cell.params, **fork.params}, {**fork.params, **cell.params})


def _compare(fork: forks.Fork, found: dict[str, str], expected: dict[str, str]) -> None:
    for key in sorted(found.keys() | expected.keys()):
        if found.get(key, "") != expected.get(key, ""):
            said = f"{key} is {expected.get(key, 'empty')!r}; it was measured with {found.get(key, 'empty')!r}"
            raise InvalidRound(forks.CELLS, f"fork {fork.number} is said to be {fork.cell}, whose {said}")


def _check_id(fork: forks.Fork) -> None:
    """A cell's id is made of its labels, which also holds for a cell that the experiment no longer has."""
    labels = [value for name, value in fork.labels.items() if name not in ("benchmark", "mode")]
    if sorted(map(slug, labels)) != sorted(fork.cell.split(":")):
        raise InvalidRound(
            forks.CELLS, f"fork {fork.number} is said to be {fork.cell}, but its labels are {', '.join(labels)[:200]}"
        )


def _method(benchmark: str) -> str:
    """A benchmark's class and method: its package may be another one in another version."""
    return ".".join(benchmark.split(".")[-2:])


def is_of_jdk(version: str, jdk: str, java: int) -> bool:
    """Whether a JVM's version is that of a JDK of the catalogue: `17.0.9+9` of temurin-17.0.9; `25.392-b08` of any Java 8."""
    if java == 8:
        return version.startswith(("25.", "8."))
    release = jdk.rpartition("-")[2]
    exact = release if re.fullmatch(r"[0-9]+(?:\.[0-9]+)+", release) else str(java)
    return re.match(rf"{re.escape(exact)}(?![0-9])", version) is not None


def check_distinct(found: dict[Path, RoundFacts]) -> None:
    """Raise UserError for a round that repeats another: the times of one of its forks, or the machine's own time."""
    contents: dict[str, tuple[Path, int]] = {}
    for folder, facts in found.items():
        for digest, fork in facts.contents.items():
            other, number = contents.setdefault(digest, (folder, fork))
            if other != folder:
                raise _copied(folder, f"fork {fork} has the same times as fork {number} of {where(other)}")
    for machine in {facts.record["machine_id"] for facts in found.values()}:
        own = sorted(
            (*(datetime.fromisoformat(facts.record[key]) for key in ("started_at", "finished_at")), str(folder))
            for folder, facts in found.items()
            if facts.record["machine_id"] == machine
        )
        for (_, ends, earlier), (begins, _, later) in pairwise(own):
            if (ends - begins).total_seconds() > MOST_OVERLAP_S:
                raise _copied(Path(later), f"began on machine {machine} before {where(Path(earlier))} had ended")


def _copied(folder: Path, what: str) -> UserError:
    return UserError(f"{where(folder)}: {what}; a machine measures one round at a time, and each once: remove the copy")
