"""What a kit would send back, made without measuring: for the tests that alter it."""

import csv
import json
from dataclasses import replace
from pathlib import Path

from bench.kit import kit, kit_round
from bench.rounds import audit, interference, manifest, record
from bench.run import container
from bench.tests import made_up_interference
from envs.support.files import sha256

MACHINE = "0123456789ab"
ENVIRONMENT = f"kit-{MACHINE}"
VERSION = 'openjdk version "17.0.9" 2023-10-17\r\nOpenJDK 64-Bit Server VM (build 17.0.9+9, mixed mode)\r\n'
HEADER = (
    "fork,iteration,start_epoch_ms,start_uptime_ms,end_uptime_ms,duration_ns,operations,all_operations,worker_cpu_ns,"
    "process_user_ns,process_system_ns,involuntary_switches,gc_ms,jit_ms"
)


def seal(folder: Path) -> None:
    """Write the manifest anew, as somebody would who changed the rest."""
    (folder / manifest.NAME).unlink(missing_ok=True)
    manifest.write(folder)


def _outputs(folder: Path, planned, again: tuple[int, ...]) -> None:
    for name in ("jmh", "gc", "jvm"):
        (folder / name).mkdir()
    rows = [HEADER]
    made_up_interference.write(folder, len(planned.cells), again)
    for fork, cell in interference.forks(folder, planned.cells).items():
        values = [1000.0 + i for i in range(cell.iterations)]
        result = {
            "benchmark": cell.benchmark, "params": {**cell.params, "provider": cell.provider},
            "primaryMetric": {"rawData": [values], "scoreUnit": "ns/op"},
        }  # fmt: skip
        (folder / f"jmh/{fork:03d}.json").write_text(json.dumps([result]))
        (folder / f"jmh/{fork:03d}.txt").write_text("log\n")
        (folder / f"gc/{fork:03d}.log").write_text("log\n")
        rows += [f"{fork},{i},1,1.000,2.000,{int(10 * v)},10,10,5,,,,0" for i, v in enumerate(values, start=1)]
        (folder / f"jvm/flags-{cell.cpu_profile}.txt").write_text("  bool UseAES = true {product}\n")
    (folder / "iterations.csv").write_text("\n".join(rows) + "\n")
    (folder / "jvm/version.txt").write_bytes(VERSION.encode())
    for name in ("commands.txt", "console.log", "limits.txt"):
        (folder / name).write_text("cpus_allowed: not exposed\n")


def make(root: Path, planned, world, again: tuple[int, ...] = ()) -> Path:
    """A whole round below `root`, in which the forks of `again` were run again; returns its directory."""
    one = replace(planned, environment=ENVIRONMENT)
    folder = root / one.path
    folder.mkdir(parents=True)
    kit.write_inputs(folder, planned, world)
    _outputs(folder, planned, again)
    image_id = "kit:" + kit_round.digest_version(folder / "jvm/version.txt")
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
    """Set keys of a record; None removes one."""
    content = {**json.loads(file.read_text()), **values}
    file.write_text(json.dumps({key: value for key, value in content.items() if value != "REMOVE"}))


def change_cell(file: Path, row: int, column: str, value: str) -> None:
    """Set one field of a table."""
    with file.open(newline="") as source:
        rows = list(csv.DictReader(source))
    rows[row][column] = value
    with file.open("w", newline="") as target:
        writer = csv.DictWriter(target, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
