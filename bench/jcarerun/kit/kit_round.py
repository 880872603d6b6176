"""Makes a round of what a kit sent back: what this checkout's plan wants, with its records, whole.

In: the round's directory as the kit left it, copied; the planned round. Out: a round as every other, or a UserError in one line
that names the file.
"""

import re
import tempfile
from dataclasses import replace
from pathlib import Path

from jcarerun.bundle import sealed
from jcarerun.kit import interpret, kit
from jcarerun.plan.definitions import Registry
from jcarerun.plan.plan import Round
from jcarerun.plan.workloads import compares_providers
from jcarerun.rounds import forks, hot_path, interference, manifest, record, tree, validate
from jcarerun.rounds.tree import InvalidRound, name_errors
from jcarerun.rounds.validate import RoundFacts
from jcarerun.run import container
from jcarerun.support.files import confined, sha256, where

REMEDY = "have the kit's own zip sent again: a result is imported as it was measured, or not at all"


def seed(folder: Path) -> int:
    """The seed of the run that a kit's round is of. Raises UserError where it tells none."""
    with name_errors(folder, REMEDY):
        text = interpret.readings(folder, interpret.ROUND).get("seed", "")
        if not re.fullmatch("[0-9]{1,18}", text):
            raise InvalidRound(interpret.ROUND, f"seed is {text[:80]!r}")
        return int(text)


def complete(folder: Path, planned: Round, registry: Registry) -> RoundFacts:
    """Hold a kit's round against its manifest and the planned round, write what the kit leaves to us, and return what it says.

    Raises UserError for the first thing that is amiss.
    """
    return confined(lambda: _complete(folder, planned, registry), where(folder), tree.size(folder))


def _complete(folder: Path, planned: Round, registry: Registry) -> RoundFacts:
    planned = replace(planned, environment=folder.parent.name)
    manifest.verify(folder, REMEDY, tree.CAPTURED)
    with name_errors(folder, REMEDY):
        _check_inputs(folder, planned, registry)
        asks = not planned.subject and any(compares_providers(cell.benchmark) for cell in planned.cells)
        if asks != (folder / forks.OFFERED).is_file():
            raise InvalidRound(forks.OFFERED, "missing, or of a round that asks nothing")
        interpret.write(folder, planned, kit.provider_sums(planned, registry), registry)
        _check_record(folder, planned)
    facts = validate.validate_content(folder, REMEDY)
    hot_path.write(folder)
    (folder / manifest.NAME).unlink()
    manifest.write(folder)
    return facts


def _check_inputs(folder: Path, planned: Round, registry: Registry) -> None:
    """cells.csv, forks.tsv and gates.tsv are byte for byte what the kit was given."""
    with tempfile.TemporaryDirectory() as scratch:
        kit.write_inputs(Path(scratch), planned, registry)
        for name in (forks.CELLS, forks.FORKS, interference.GATES):
            if not (folder / name).is_file() or (folder / name).read_bytes() != (Path(scratch) / name).read_bytes():
                raise InvalidRound(name, "differs from this checkout's plan (changed, or of another kit)")


def _check_record(folder: Path, planned: Round) -> None:
    """The machine is the one that the place names, and the jar this checkout's or the experiment's."""
    found = record.read_object(folder, record.FILE)
    jar = planned.subject[0] if planned.subject else sha256(container.JAR)
    wanted = {"jar_sha256": jar, "machine_id": sealed.MACHINE.fullmatch(planned.environment).group(1)}
    for key, value in wanted.items():
        if found[key] != value:
            raise InvalidRound(f"{interpret.FOLDER}/", f"{key}: {found[key]!r}, but this checkout's plan has {value!r}")
