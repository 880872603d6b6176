"""What only a run knew of itself: settings, where it kept things, what had no room, the order of rounds, its reference forks.

In: `run.json` at the top of a raw directory, where a bundle put it. Out: RunRecord, with which a report from that directory is
the same bytes as the run's own. Without such a file the settings of the run that reports are shown. Somebody else wrote the file,
so each part is checked.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import jsonschema

from jcarerun.errors import UserError
from jcarerun.plan import selection, settings
from jcarerun.rounds import record, tree
from jcarerun.rounds.tree import InvalidRound
from jcarerun.support.files import load_json, where

NAME = "run.json"
# Where reference forks of such a run lie: beside its rounds, under a name that no reader of rounds takes for one.
REFERENCE_FORKS = ".reference_forks"
REMEDY = "put the file back as the bundle had it, or remove it: the report then says only what the rounds say"

# Of the settings, those that the report tells.
KEYS = ("tier", "seed", "minutes", "goal", "engine", "cpuset", "memory", "strict", "cpu_profiles")

_ID = {"type": "string", "pattern": f"^{tree.ID.pattern}$"}
_PLACE = {"type": "string", "pattern": r"^[^\x00-\x1f\x7f]{1,300}$"}
_COUNT = {"type": "integer", "minimum": 0}
_PATHS = {"type": "array", "items": {"type": "string", "pattern": f"^{tree.ID.pattern}(?:/{tree.ID.pattern}){{2}}$"}}


def _record(**properties: dict) -> dict:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


SCHEMA = _record(
    settings=_record(**{key: {} for key in KEYS}),
    kept=_record(raw=_PLACE, tidy=_PLACE, report=_PLACE),
    left_out={
        "type": "array",
        "items": _record(experiment=_ID, environment=_ID, cells=_COUNT, none=_COUNT, fewer=_COUNT),
    },
    rounds=_PATHS,
    reference_forks=_PATHS,
)


@dataclass(frozen=True)
class RunRecord:
    """settings: as chosen. kept: as described.display_paths. left_out: as described.left_out_cells. The paths are in order."""

    settings: settings.Settings
    kept: dict[str, str]
    left_out: list[dict]
    rounds: list[str]
    reference_forks: list[str]


def read(raw: Path) -> RunRecord | None:
    """The record that a run left in its raw directory; None where it left none. Raises UserError for what can't be."""
    file = raw / NAME
    if not os.path.lexists(file):
        return None
    found = load_json(file, REMEDY)
    error = next(jsonschema.Draft202012Validator(SCHEMA).iter_errors(found), None)
    if error:
        place = "/".join(map(str, error.absolute_path)) or "(top level)"
        raise UserError(f"{where(file)}: {place}: {error.message[:200]}; {REMEDY}")
    try:
        chosen = settings.read(found["settings"])
    except UserError as error:
        raise UserError(f"{where(file)}: settings: {error}; {REMEDY}") from None
    return RunRecord(chosen, found["kept"], found["left_out"], found["rounds"], found["reference_forks"])


def in_order(recorded: RunRecord, raw: Path, found: list[str]) -> list[str]:
    """The rounds in the run's order. Raises UserError where those that were found are others."""
    if wrong := sorted(set(recorded.rounds) ^ set(found)):
        what = "is there, but not among its rounds" if wrong[0] in found else "is among its rounds, but not there"
        raise UserError(f"{where(raw / NAME)}: {wrong[0]} {what}; {REMEDY}")
    return recorded.rounds


def tiers_of(raw: Path) -> dict[str, str]:
    """The tier that the rounds of each experiment in somebody else's raw directory were measured in.

    The calibration may have several, of which the longest stands for all. Raises UserError for another experiment that has.
    """
    found: dict[str, set[str]] = {}
    for path in tree.folders(raw, 3):
        file = raw / path / "round.json"
        if not os.path.lexists(file):
            continue  # said when the round itself is checked
        try:
            tier = str(record.read_object(raw / path, file.name)["tier"])
        except (InvalidRound, KeyError) as error:
            raise UserError(
                f"{where(file)}: not a round's record ({error}); the file must be as the round wrote it"
            ) from None
        found.setdefault(path.split("/")[0], set()).add(tier)
    if not found:
        raise UserError(
            f"--config raw={raw}: must hold rounds, has none; name the directory that is above an experiment's"
        )
    for experiment, tiers in found.items():
        if not tiers <= set(record.TIERS) or (len(tiers) > 1 and experiment != selection.CALIBRATION):
            raise UserError(
                f"--config raw={raw}: {experiment}: must have rounds of one tier, has {sorted(tiers)}; "
                "give a directory for each"
            )
    return {experiment: longest(tiers) for experiment, tiers in found.items()}


def longest(tiers: Iterable[str]) -> str:
    """The tier of some that measures most."""
    return max(tiers, key=record.TIERS.index)
