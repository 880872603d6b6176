"""The kit: a zip by which a machine that has nothing but Java measures the same rounds as the pipeline.

In: the run's experiments and tier, the benchmark jar, the providers' jars, and those of others whose benchmarks it measures.
Out: data/kit/jca-rerun-kit-<tier>.zip, the same bytes from the same inputs, with jcarerun.kit.KitMain as its runner.
"""

import hashlib
import tempfile
import zipfile
from pathlib import Path
from string import Template

from jcarerun.errors import UserError
from jcarerun.plan import budget, selection, subjects
from jcarerun.plan.definitions import Registry
from jcarerun.plan.plan import Round
from jcarerun.rounds import audit
from jcarerun.run import container, jars, plan_rounds, round_file
from jcarerun.support.files import atomic_file

FOLDER = Path("data/kit")
README = Path("bench/kit/readme.txt")

# A round works in a directory one level below the kit's. The first option is for a JVM that is older than the others.
JARS = "../providers"
JVM_OPTIONS = ("-XX:+IgnoreUnrecognizedVMOptions",)

JAR, HARNESS = "benchmarks.jar", "harness.jar"
COLUMNS = ("experiment", "round", "seed", "expected_s", "fork_timeout_s", "class_path")
# What it copies of its machine, once (`host`), and before and after each round (`moment`).
CAPTURES = "".join(
    f"{when}\t{path}\t{','.join(keys)}\n"
    for when, files in (("host", audit.HOST_FILES), ("moment", audit.MOMENT_FILES))
    for path, keys in files.items()
)
RUN = "java -Xmx128m -cp benchmarks.jar jcarerun.kit.KitMain"
RUN_SH = f'#!/bin/sh\ncd "$(dirname "$0")" && exec {RUN} "$@"\n'
RUN_BAT = f'@cd /d "%~dp0" && {RUN} %* & pause\r\n'


def path(tier: str) -> Path:
    """Where the kit of a tier is written."""
    return FOLDER / f"jca-rerun-kit-{tier}.zip"


def write_inputs(folder: Path, planned: Round, registry: Registry) -> None:
    """Write the inputs as the kit's rounds have them. No script starts a JVM there: that would need a shell."""
    round_file.write_inputs(folder, plan_rounds.inputs(planned, registry, JARS, selection.KIT, JVM_OPTIONS))


def provider_sums(planned: Round, registry: Registry) -> dict[str, str]:
    """Provider id to the SHA-256 of its jar, as round.json has it: empty for the JDK's own."""
    return {name: registry.providers[name].sha256 or "" for name in sorted({cell.provider for cell in planned.cells})}


def _class_path(planned: Round) -> dict[str, Path]:
    """The jars that a round's JVMs load, by their names in the kit, in their order."""
    if not planned.subject:
        return {JAR: container.JAR}
    files = subjects.files(planned.subject)
    return {HARNESS: jars.write_harness(container.JAR), **{f"subjects/{file.name}": file for file in files}}


def _plan(planned: list[Round]) -> str:
    rows = [COLUMNS]
    for round_ in planned:
        expected_s, timeout_s = f"{round_.expected_s:.3f}", plan_rounds.fork_timeout_s(round_)
        rows.append((round_.experiment, round_.id, round_.seed, expected_s, timeout_s, ",".join(_class_path(round_))))
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


def _inputs(planned: list[Round], registry: Registry) -> dict[str, bytes]:
    found = {}
    for round_ in planned:
        with tempfile.TemporaryDirectory() as scratch:
            write_inputs(Path(scratch), round_, registry)
            for file in sorted(Path(scratch).iterdir()):
                found[f"rounds/{round_.experiment}/{round_.id}/{file.name}"] = file.read_bytes()
    return found


STAGES = """

In this tier the pipeline measures in two stages: it plans from the first what
it still needs in the second. This kit has the first stage alone; intervals
may be wider than the pipeline's."""


def _readme(planned: list[Round], tier: str) -> bytes:
    """For any reader of plain text: ASCII, with Windows' line ends, which the others take too."""
    seconds = sum(round_.expected_s for round_ in planned)
    text = Template(README.read_text(encoding="ascii")).substitute(
        tier=tier,
        rounds=len(planned),
        forks=sum(len(round_.cells) for round_ in planned),
        time=budget.format_duration(seconds),
        experiments=", ".join(sorted({round_.experiment for round_ in planned})),
        run=RUN,
        stages=STAGES if any(cell.half_width for round_ in planned for cell in round_.cells) else "",
    )
    return text.replace("\n", "\r\n").encode("ascii")


def content(planned: list[Round], registry: Registry) -> dict[str, bytes]:
    """Every file of the kit by name."""
    files = {
        "README.txt": _readme(planned, planned[0].tier),
        "run.sh": RUN_SH.encode(),
        "run.bat": RUN_BAT.encode(),
        JAR: container.JAR.read_bytes(),
        "plan.tsv": _plan(planned).encode(),
        "captures.txt": CAPTURES.encode(),
        **_inputs(planned, registry),
    }
    for name in sorted({cell.provider for round_ in planned for cell in round_.cells}):
        for jar in registry.providers[name].jars:
            files[f"providers/{jar.name}"] = (container.JARS / jar.name).read_bytes()
    for round_ in planned:
        files |= {name: jar.read_bytes() for name, jar in _class_path(round_).items() if name not in files}
    sums = "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    return {**files, "kit.sha256": sums.encode()}


def fingerprint(planned: list[Round]) -> str:
    """Changes whenever the kit would hold other rounds."""
    return hashlib.sha256(repr(planned).encode()).hexdigest()


def write(planned: list[Round], registry: Registry) -> Path:
    """Write the kit and return its path. Nothing is compressed: the jars are, and compressors differ from machine to machine."""
    if not planned:
        raise UserError(
            "kit: no experiment of this run has rounds for it; see --config experiments, tier, cpu_profiles"
        )
    target = path(planned[0].tier)
    top = target.stem
    files = content(planned, registry)
    with atomic_file(target) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            member = zipfile.ZipInfo(f"{top}/{name}", (2026, 1, 1, 0, 0, 0))
            member.create_system = 3
            member.external_attr = (0o100755 if name == "run.sh" else 0o100644) << 16
            archive.writestr(member, files[name])
    return target


def summary(target: Path, planned: list[Round]) -> str:
    """What the kit is, for the person who made it."""
    seconds = budget.format_duration(sum(round_.expected_s for round_ in planned))
    return (
        f"{target}: {len(planned)} rounds, about {seconds} on a machine like this one; its README.txt says what to do there. "
        "What comes back: snakemake --cores 1 import_kit --config from=FILE"
    )
