"""Makes the files of planned rounds (round_file.py), once all is built that they name: jars, images, native programs.

In: planned rounds, settings, providers, environments. Out: a RoundFile for each round, with the files that its forks are given.
"""

import csv
import io
from pathlib import Path

from jcarerun.images import image
from jcarerun.native import build as native
from jcarerun.plan import subjects
from jcarerun.plan.cells import common_options
from jcarerun.plan.definitions import Registry
from jcarerun.plan.plan import Round
from jcarerun.plan.settings import Settings
from jcarerun.rounds.interference import GATES
from jcarerun.rounds.tables import CELLS
from jcarerun.run import container
from jcarerun.run.jars import jar_record, sha256, write_harness
from jcarerun.run.round_file import MountedFile, RoundFile
from jcarerun.support import engine as engines

# Share of the CPUs' time that others may take while a round waits for quiet, where no gate says so.
QUIET = 0.1

FORK_TIMEOUT_FACTOR, FORK_TIMEOUT_LEAST_S = 20, 120


def fork_timeout_s(planned: Round) -> int:
    """After how many seconds a fork of the round is ended."""
    longest = max(cell.expected_s for cell in planned.cells)
    return int(max(FORK_TIMEOUT_LEAST_S, FORK_TIMEOUT_FACTOR * longest))


def class_path(planned: Round) -> tuple[MountedFile, ...]:
    """The jars that a round's JVMs load, in their order."""
    if not planned.subject:
        files = {container.JAR: "benchmarks.jar"}
    else:
        files = {write_harness(container.JAR): "harness.jar"}
        for number, file in enumerate(subjects.files(planned.subject), start=1):
            files[file] = f"subject-{number}.jar"
    return tuple(MountedFile(str(file), f"/bench/{name}", sha256(file)) for file, name in files.items())


def _programs(planned: Round, settings: Settings, registry: Registry) -> Path | None:
    """The directory of native programs for the round's system, where a cell needs them and there are compilers for it."""
    if settings.engine == engines.HOST or not any(registry.providers[cell.provider].native for cell in planned.cells):
        return None
    return native.place(registry.catalogue, planned.environment)


def round_file(planned: Round, settings: Settings, registry: Registry) -> RoundFile:
    """The file of a planned round."""
    on_host = settings.engine == engines.HOST
    environment = None if on_host else registry.catalogue.find(planned.environment)
    used = [registry.providers[name] for name in sorted({cell.provider for cell in planned.cells})]
    native_programs = _programs(planned, settings, registry)
    sums = native.sums(native_programs) if native_programs else {}
    profiles = sorted({cell.cpu_profile for cell in planned.cells})
    return RoundFile(
        record=planned.record(),
        inputs=inputs(
            planned,
            registry,
            str(container.JARS.resolve()) if on_host else container.PROVIDERS,
            environment.platform if environment else container.host_platform(),
            environment.jvm_options if environment else (),
        ),
        fork_timeout_s=fork_timeout_s(planned),
        engine=settings.engine,
        cpuset=settings.cpuset,
        memory_mib=settings.memory,
        environment=None if on_host else image.read_record(planned.environment),
        platform=environment.platform if environment else None,
        class_path=class_path(planned),
        jars=jar_record(planned),
        provider_jars=tuple(
            MountedFile(str(container.JARS / jar.name), f"{container.PROVIDERS}/{jar.name}", jar.sha256)
            for provider in used
            for jar in provider.jars
        ),
        providers={each.id: each.sha256 or sums.get(each.native, "") for each in used},
        native_programs=str(native_programs) if native_programs else None,
        forbidden_flags={name: registry.cpu_profiles[name].forbidden_flags for name in profiles},
        quiet_share=registry.gates.limits.get("others_share", (QUIET, 0))[0],
    )


def inputs(
    planned: Round, registry: Registry, jars: str, platform: str, options: tuple[str, ...] = ()
) -> dict[str, str]:
    """The files that a round's forks are given, by name: cells.csv, forks.tsv, gates.tsv and the scripts that start JVMs.

    forks.tsv says which fork is which cell, with its JMH arguments. jars: the directory of provider jars as the forks see it.
    platform: the system that the forks run on: a CPU profile's environment variables are for native code on `linux`, and set by a
    script there. options: of the JVM, for every fork.
    """
    factors = sorted({name for cell in planned.cells for name in cell.factors})
    table, lines, scripts = io.StringIO(), [], {}
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow([*CELLS, *(f"factor.{name}" for name in factors)])
    for fork, cell in enumerate(planned.cells, start=1):
        own = [cell.id, *(getattr(cell, name) for name in list(CELLS)[2:])]
        writer.writerow([fork, *own, *(cell.factors.get(name, "") for name in factors)])
        profile = registry.cpu_profiles[cell.cpu_profile]
        provider = registry.providers[cell.provider].jvm_argument(jars)
        jvm_options = [*options, *common_options(cell.jvm_options), *profile.jvm_options, profile.marker]
        jvm_options += [provider] if provider else []
        script = profile.script if profile.variables and platform == "linux" else None
        if script:
            scripts[script] = profile.script_text()
        lines.append("\t".join([str(fork), *cell.jmh_arguments(jvm_options, script)]) + "\n")
    tables = {"cells.csv": table.getvalue(), "forks.tsv": "".join(lines), GATES: registry.gates.text()}
    return tables | {name: scripts[name] for name in sorted(scripts)}
