"""What a round's forks are given: which fork is which cell, its arguments, the gates, and the scripts that start JVMs.

In: a planned round, providers, CPU profiles. Out: cells.csv, forks.tsv, gates.tsv and jvm/java-<profile> in a directory.
"""

import csv
from pathlib import Path

from jcarerun.plan import gates
from jcarerun.plan.cells import common_options
from jcarerun.plan.cpu_profiles import CpuProfile
from jcarerun.plan.plan import Round
from jcarerun.plan.providers import Provider
from jcarerun.rounds import interference
from jcarerun.rounds.tables import CELLS


def write_inputs(
    folder: Path,
    planned: Round,
    providers: dict[str, Provider],
    profiles: dict[str, CpuProfile],
    jars: str,
    platform: str,
    more: tuple[str, ...] = (),
) -> None:
    """Write cells.csv, forks.tsv (which fork is which cell, and its JMH arguments), gates.tsv and the scripts that start JVMs.

    `jars` is the directory of provider jars as the forks see it. `platform` is the system that the forks run on: a CPU profile's
    environment variables are for native code on `linux`, and set by a script there. `more` are JVM options for every fork.
    """
    factors = sorted({name for cell in planned.cells for name in cell.factors})
    with (folder / "cells.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*CELLS, *(f"factor.{name}" for name in factors)])
        for fork, cell in enumerate(planned.cells, start=1):
            own = [cell.id, *(getattr(cell, name) for name in list(CELLS)[2:])]
            writer.writerow([fork, *own, *(cell.factors.get(name, "") for name in factors)])
    lines = []
    for fork, cell in enumerate(planned.cells, start=1):
        profile = profiles[cell.cpu_profile]
        provider = providers[cell.provider].jvm_argument(jars)
        options = [*more, *common_options(cell.jvm_options), *profile.jvm_options, profile.marker]
        options += [provider] if provider else []
        jvm = _script(folder, profile) if profile.variables and platform == "linux" else None
        lines.append("\t".join([str(fork), *cell.jmh_arguments(options, jvm)]))
    (folder / "forks.tsv").write_text("\n".join(lines) + "\n")
    (folder / interference.GATES).write_text(gates.read().text())


def _script(folder: Path, profile: CpuProfile) -> str:
    """Write the script that starts a profile's forks, and return its path as the forks see it."""
    path = folder / profile.script
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(profile.script_text())
        path.chmod(0o755)
    return profile.script
