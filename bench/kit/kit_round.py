"""Whether a round that a kit measured is what this checkout's plan wants, besides passing the one check of all rounds.

In: the round's directory, and the planned round. Out: nothing, or a UserError in one line that names the file.
"""

import re
import tempfile
from dataclasses import replace
from pathlib import Path

from bench.kit import kit
from bench.plan import cpu_profiles
from bench.plan.definitions import World
from bench.plan.plan import Round
from bench.plan.workloads import compares_providers
from bench.rounds import check as rounds_check
from bench.rounds import documents, forks, gates, offers, record
from bench.rounds.damage import Damage, told
from bench.run import container
from envs.support.files import sha256

MACHINE = re.compile(r"kit-([0-9a-f]{12})")
REMEDY = "have the kit's own zip sent again: a result is imported as it was measured, or not at all"


def read_record(folder: Path) -> dict:
    """A round's record, not checked yet. Raises UserError for what is none."""
    with told(folder, REMEDY):
        return documents.record(folder, record.FILE)


def check(folder: Path, planned: Round, world: World) -> None:
    """Hold a round's directory against the planned round. Raises UserError for the first thing that is amiss."""
    rounds_check.whole(folder, REMEDY)
    with told(folder, REMEDY):
        _check_inputs(folder, planned, world)
        _check_record(folder, replace(planned, environment=folder.parent.name), world)
        if any(compares_providers(cell.benchmark) for cell in planned.cells) != (folder / offers.NAME).is_file():
            raise Damage(offers.NAME, "missing, or of a round that asks nothing")
    cpu_profiles.check_flags(folder, [cell.cpu_profile for cell in planned.cells], world.cpu_profiles)


def _check_inputs(folder: Path, planned: Round, world: World) -> None:
    """cells.csv, forks.tsv and gates.tsv are byte for byte what the kit was given."""
    with tempfile.TemporaryDirectory() as scratch:
        kit.write_inputs(Path(scratch), planned, world)
        for name in (forks.CELLS, forks.FORKS, gates.FILE):
            if (folder / name).read_bytes() != (Path(scratch) / name).read_bytes():
                raise Damage(name, "differs from this checkout's plan (changed, or of another kit)")


def _check_record(folder: Path, planned: Round, world: World) -> None:
    found = documents.record(folder, record.FILE)
    wanted = {
        **planned.record(), "engine": record.KIT, "jar_sha256": sha256(container.JAR),
        "providers": kit.provider_sums(planned, world), "machine_id": MACHINE.fullmatch(planned.environment).group(1),
    }  # fmt: skip
    for key, value in wanted.items():
        if found[key] != value:
            raise Damage(record.FILE, f"{key}: {found[key]!r}, but this checkout's plan has {value!r}")
