"""What a kit would send back, made without measuring, and a run that may import it: for the tests that alter it."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path

from bench.tests import made_up_round
from bench.tests.csv_files import read_rows, write_rows
from bench.tests.mutations import refusal
from jcarerun.kit import import_kit, kit, kit_round
from jcarerun.plan import definitions, settings
from jcarerun.rounds import manifest
from jcarerun.run import container, run
from jcarerun.support.files import sha256

MACHINE = "0123456789ab"
ENVIRONMENT = f"kit-{MACHINE}"


HOST = f"""machine_id={MACHINE}
platform=windows
wine=false
cpu_model=A Processor
cpus=8
os.name=Windows 11
os.version=10.0
os.arch=amd64
java.vendor=Temurin
java.runtime.version=17.0.9+9
java.specification.version=17
bean TotalPhysicalMemorySize=8589934592
"""
MOMENT = "bean SystemCpuLoad=0.25\nbean FreePhysicalMemorySize=4294967296\n"


def seal(folder: Path) -> None:
    """Write the manifest anew, as somebody would who changed the rest."""
    (folder / manifest.NAME).unlink(missing_ok=True)
    manifest.write(folder)


def make(root: Path, planned, registry, again: tuple[int, ...] = ()) -> Path:
    """A round below `root` as a kit leaves it, in which the forks of `again` were run again; returns its directory."""
    folder = root / replace(planned, environment=ENVIRONMENT).path
    (folder / "machine").mkdir(parents=True)
    kit.write_inputs(folder, planned, registry)
    made_up_round.write_outputs(folder, again)
    readings = {
        kit_round.HOST: HOST,
        kit_round.BEFORE: MOMENT,
        kit_round.AFTER: MOMENT,
        kit_round.ROUND: f"seed={planned.seed}\njar_sha256={sha256(container.JAR)}\n"
        f"started_at=2026-01-01T00:{planned.number:02d}:00.000Z\nelapsed_s=5.0\n"
        f"finished_at=2026-01-01T00:{planned.number:02d}:05.000Z\n",
    }
    for name, text in readings.items():
        (folder / name).write_text(text)
    manifest.write(folder)
    return folder


def change_reading(file: Path, key: str, value: str) -> None:
    """Set one key of a captured list."""
    lines = [line for line in file.read_text().splitlines() if not line.startswith(f"{key}=")]
    file.write_text("\n".join([*lines, f"{key}={value}"]) + "\n")


def change_json(file: Path, **values) -> None:
    """Set keys of a record; REMOVE removes one."""
    content = {**json.loads(file.read_text()), **values}
    file.write_text(json.dumps({key: value for key, value in content.items() if value != "REMOVE"}))


def change_cell(file: Path, row: int, column: str, value: str) -> None:
    """Set one field of a table."""
    rows = read_rows(file)
    rows[row][column] = value
    write_rows(file, rows)


def planned_run(registry, **config):
    """A run of the self-test."""
    chosen = settings.read({"experiment_dir": "bench/tests/experiments", "tier": "smoke", "seed": 1, **config})
    experiments = definitions.read_all(chosen.experiment_dir, (), registry)
    return run.Run(chosen, registry, experiments, [])


def import_refusal(current, given):
    """The one line with which an import is refused, and nothing is imported."""
    said = refusal(import_kit.import_rounds, current, given)
    assert not list(current.folders.raw.glob("*/*/*")), "nothing is imported"
    assert not list(current.folders.raw.glob(".import-*"))
    return said


def pack(folder: Path, target: Path) -> Path:
    """A zip of a directory."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder))
    return target
