"""What only a run knew of itself: settings, where it kept things, what had no room, the order of rounds, its reference forks.

In: `run.json` at the top of a raw directory, where a bundle put it. Out: RunRecord, with which a report from that directory is
the same bytes as the run's own. Without such a file the settings of the run that reports are shown. Somebody else wrote the file,
so each part is checked.
"""

import os
from dataclasses import dataclass, replace
from pathlib import Path

import jsonschema

from jcarerun.errors import UserError
from jcarerun.plan import settings
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
    """settings: as chosen. kept: as described.kept. left_out: as described.left_out_cells. rounds, reference_forks: in order."""

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


def with_tier_of(chosen: settings.Settings) -> settings.Settings:
    """The settings with the tier that somebody else's rounds were measured in."""
    tiers = set()
    for path in tree.folders(chosen.raw, 3):
        file = chosen.raw / path / "round.json"
        if not os.path.lexists(file):
            continue  # said when the round itself is checked
        try:
            tiers.add(str(record.read_object(chosen.raw / path, file.name)["tier"]))
        except (InvalidRound, KeyError) as error:
            raise UserError(
                f"{where(file)}: not a round's record ({error}); the file must be as the round wrote it"
            ) from None
    if len(tiers) != 1 or not tiers <= set(record.TIERS):
        raise UserError(
            f"--config raw={chosen.raw}: must hold rounds of one tier, has {sorted(tiers) or 'none'}; give a directory for each"
        )
    return replace(chosen, tier=tiers.pop())
