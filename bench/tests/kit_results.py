"""What a kit would send back, made without measuring: for the tests that alter it."""

import csv
import json
from dataclasses import replace
from pathlib import Path

from bench.kit import kit
from bench.rounds import audit, manifest, record
from bench.run import container
from bench.tests import made_up_round
from envs.support.files import sha256

MACHINE = "0123456789ab"
ENVIRONMENT = f"kit-{MACHINE}"


def seal(folder: Path) -> None:
    """Write the manifest anew, as somebody would who changed the rest."""
    (folder / manifest.NAME).unlink(missing_ok=True)
    manifest.write(folder)


def make(root: Path, planned, world, again: tuple[int, ...] = ()) -> Path:
    """A whole round below `root`, in which the forks of `again` were run again; returns its directory."""
    one = replace(planned, environment=ENVIRONMENT)
    folder = root / one.path
    folder.mkdir(parents=True)
    kit.write_inputs(folder, planned, world)
    made_up_round.write_outputs(folder, again)
    image_id = record.kit_image(folder)
    records = {
        "environment.json": {
            "environment": ENVIRONMENT, "label": "Windows 11, Temurin 17 (kit)", "image_id": image_id, "system": "Windows 11",
            "suite": None, "platform": "windows", "caveat": None, "jdk": {"id": "17.0.9+9", "label": "Temurin 17", "java": 17},
            "packages": [], "drift": [],
        },
        "audit.json": {"host": {**dict.fromkeys(audit.host()), "machine_id": MACHINE}, "engine": "kit"},
    }  # fmt: skip
    for name, content in records.items():
        (folder / name).write_text(json.dumps(content))
    record.write(folder, one.record(), {
        "engine": "kit", "machine_id": MACHINE, "image_id": image_id, "jar_sha256": sha256(container.JAR),
        "providers": kit.provider_sums(one, world), "started_at": "2026-01-01T00:00:00.000Z",
        "finished_at": "2026-01-01T00:00:05.000Z", "elapsed_s": 5.0,
    })  # fmt: skip
    manifest.write(folder)
    return folder


def change_json(file: Path, **values) -> None:
    """Set keys of a record; REMOVE removes one."""
    content = {**json.loads(file.read_text()), **values}
    file.write_text(json.dumps({key: value for key, value in content.items() if value != "REMOVE"}))


def change_cell(file: Path, row: int, column: str, value: str) -> None:
    """Set one field of a table."""
    with file.open(newline="") as source:
        rows = list(csv.DictReader(source))
    rows[row][column] = value
    made_up_round.write_csv(file, rows)
