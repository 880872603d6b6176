"""The file of a planned round: all that is needed to measure it, as JSON. Planning writes it; the round's job reads no other.

The file is kept in the round's directory, as plan.json. So any round can be repeated: `jca-rerun round FILE OUT`.
"""

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import jsonschema

from jcarerun.errors import UserError
from jcarerun.rounds import record
from jcarerun.rounds.tree import RESTORE, name_errors
from jcarerun.support.files import load_json, sha256, where

SCHEMA = Path("bench/schemas/round_file.schema.json")
# What a round's directory and a stage's directory call them.
NAME, SCHEDULE = "plan.json", "schedule.json"


@dataclass(frozen=True)
class MountedFile:
    """A file of this checkout that the forks load: its path here, its path in the container, its SHA-256."""

    path: str
    inside: str
    sha256: str


@dataclass(frozen=True)
class RoundFile:
    """A planned round. bench/schemas/round_file.schema.json describes each key."""

    record: dict[str, Any]
    inputs: dict[str, str]
    fork_timeout_s: int
    engine: str
    cpuset: str
    memory_mib: int
    environment: dict[str, Any] | None
    platform: str | None
    class_path: tuple[MountedFile, ...]
    jars: dict[str, str]
    provider_jars: tuple[MountedFile, ...]
    providers: dict[str, str]
    native_programs: str | None
    forbidden_flags: dict[str, dict[str, bool | int]]
    quiet_share: float

    @property
    def path(self) -> str:
        """Where the round belongs below a raw directory."""
        return "/".join(self.record[key] for key in ("experiment", "environment", "round"))

    @property
    def title(self) -> str:
        """The round in words."""
        return f"{self.record['experiment']} in {self.record['environment']}"

    @property
    def expected_s(self) -> float:
        """How long the round is expected to take, in seconds."""
        return self.record["expected_s"]

    def text(self) -> str:
        """The content of the file."""
        return json.dumps(asdict(self), indent=1) + "\n"

    def require_files(self) -> None:
        """Raise UserError where a jar is not the one that the round was planned with."""
        for each in (*self.class_path, *self.provider_jars):
            if not Path(each.path).is_file() or sha256(Path(each.path)) != each.sha256:
                raise UserError(f"{each.path}: is gone, or is another file than the round was planned with; run again")


def write_inputs(folder: Path, inputs: dict[str, str]) -> None:
    """Write the files that a round's forks are given, by name. Scripts among them can be executed."""
    for name, text in inputs.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
        if name.startswith("jvm/"):
            (folder / name).chmod(0o755)


@dataclass(frozen=True)
class ScheduledRound:
    """What a job must know of the other rounds of its run, to tell how much time is left."""

    experiment: str
    environment: str
    path: str
    number: int
    stage: int
    expected_s: float
    comparison: str


def require_jars(folder: Path, jars: dict[str, str]) -> None:
    """Raise UserError for a round that was measured with other jars than these, whose SHA-256 its record must have."""
    with name_errors(folder, RESTORE):
        measured = record.read_object(folder, "round.json")
    for key, digest in jars.items():
        # Earlier records have no harness_sha256.
        found = measured.get(key, digest if key == "harness_sha256" else None)
        if found != digest:
            raise UserError(
                f"{where(folder)}: measured with another jar ({key} {str(found)[:12]}, {digest[:12]} is built now); move "
                f"{where(folder.parents[2])} elsewhere to measure anew, or check out the code that it is of"
            )


def read(file: Path) -> RoundFile:
    """The planned round in a file. Raises UserError for anything else."""
    content = load_json(file, "give the file of a planned round")
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    if error := next(validator.iter_errors(content), None):
        place = "/".join(map(str, error.absolute_path)) or "(top level)"
        raise UserError(f"{file}: {place}: {error.message[:200]}; give the file of a planned round")
    for key in ("class_path", "provider_jars"):
        content[key] = tuple(MountedFile(**each) for each in content[key])
    return RoundFile(**content)


@dataclass(frozen=True)
class Schedule:
    """The rounds of a run that are planned so far. Planning has whole rounds here, whose other fields are not written.

    uncounted: paths of those whose time does not count. verdicts: how many were decided when the last were planned, in words.
    """

    rounds: list[ScheduledRound] = field(default_factory=list)
    uncounted: list[str] = field(default_factory=list)
    verdicts: str = ""

    def text(self) -> str:
        """The content of its file."""
        names = [own.name for own in fields(ScheduledRound)]
        rounds = [{name: getattr(round_, name) for name in names} for round_ in self.rounds]
        return json.dumps({"rounds": rounds, "uncounted": self.uncounted, "verdicts": self.verdicts}, indent=1) + "\n"


def read_schedule(file: Path | None) -> Schedule:
    """The schedule in a file; an empty one without a file."""
    if file is None:
        return Schedule()
    content = load_json(file, "run again")
    return Schedule(**{**content, "rounds": [ScheduledRound(**each) for each in content["rounds"]]})
