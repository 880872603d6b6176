"""Holds what lies below a run's raw directory against what it was when it was measured, and against what is planned now."""

from pathlib import Path

from jcarerun.plan import budget, meaning, stages
from jcarerun.plan.plan import Round
from jcarerun.rounds import forks, manifest, validate
from jcarerun.rounds.tree import RESTORE, name_errors
from jcarerun.run.run import Run


def verify(current: Run) -> None:
    """Check every round that is there against its manifest and its stamp, and stage files against the rounds measured by them.

    Removes the stamps of rounds that are gone, and of stages that are to be planned anew.
    """
    if current.stages:
        stages.verify(current.stages, current.settings.minutes, bool(current.uncounted))
    planned = {one.path: one for one in current.rounds}
    for path in (*planned, *current.imported()) if current.settings.raw is None else current.round_paths():
        folder = current.raw / path
        if folder.is_dir():
            validate.verify_round(folder, own=current.settings.raw is None)
            _check_meaning(current, folder)
            if path in current.imported() and not manifest.stamp_of(folder).is_file():
                validate.stamp_round(folder)
        elif current.settings.raw is None and not stays_out(current, planned[path]):
            manifest.stamp_of(folder).unlink(missing_ok=True)
    for path in current.pilot_paths:
        validate.verify_round(current.pilot_folder / path, own=not current.settings.raw)
    if current.settings.raw:
        manifest.require_stamped_rounds(current.raw)
        stages.verify_rounds(current.raw / path for path in current.round_paths())


def stays_out(current: Run, one: Round) -> bool:
    """Whether a round was left out for want of time, of which there is still none; or its stage was looked at without it."""
    if not budget.is_left_out(current.folders.raw / one.path):
        return False
    chosen, raw = current.settings, current.folders.raw
    return len(current.stages) > 1 or not budget.fits(raw, current.rounds, one, chosen.minutes, chosen.until)


def _check_meaning(current: Run, folder: Path) -> None:
    """Hold the cells of a round against the experiment that they are of."""
    with name_errors(folder, RESTORE):
        meaning.check(forks.read(folder).values(), current.tier_cells.get(folder.parts[-3], {}))
