"""All of a bundle that follows from its raw rounds, its experiments and this checkout: for writing it and for checking it."""

import json
import shutil
from pathlib import Path

from jcarerun.bundle import claims, crate, layout
from jcarerun.errors import UserError
from jcarerun.explorer import tidy
from jcarerun.images import catalogue, lock, sbom
from jcarerun.rounds import record
from jcarerun.rounds.tree import InvalidRound
from jcarerun.run import told
from jcarerun.support.files import load_json, where


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _tables(results: Path, target: Path) -> None:
    for file in sorted((results / layout.TIDY).iterdir()):
        if layout.NAMES.file(f"{layout.TIDY}/{file.name}"):
            _copy(file, target / layout.TIDY / file.name)
    for name in layout.REPORTS:
        _copy(results / name, target / name)


def _definitions(experiments: list[Path], target: Path) -> None:
    for file in experiments:
        _copy(file, target / layout.EXPERIMENTS / file.name)
    for name, file in {**layout.DEFINED, **layout.ABOUT}.items():
        _copy(file, target / name)
    for file in sorted(path for path in layout.PUBLISHED.rglob("*") if path.is_file()):
        _copy(file, target / layout.DEFINITIONS / "published" / file.relative_to(layout.PUBLISHED))


def _environments(raw: Path, rounds: list[tidy.Row], target: Path) -> None:
    """The locks of the run's environments and of the analysis, and the bill of materials of each image that was measured in."""
    for name in sorted({row["environment"] for row in rounds} | {catalogue.read().analysis.id}):
        if lock.path(name).is_file():
            _copy(lock.path(name), target / layout.LOCKS / f"{name}.json")
    images: dict[str, dict[str, Path]] = {}
    for row in sorted(rounds, key=lambda row: row["path"]):
        if row["image_id"].startswith("sha256:"):
            images.setdefault(row["environment"], {}).setdefault(row["image_id"], raw / row["path"])
    for environment, folders in images.items():
        for number, (image, folder) in enumerate(folders.items()):
            name = f"{environment}-{image.partition(':')[2][:12]}" if number else environment
            _bill(folder, target / layout.BILLS / f"{name}.cdx.json")


def _bill(folder: Path, file: Path) -> None:
    try:
        found = sbom.document(record.read_object(folder, record.ENVIRONMENT))
    except (InvalidRound, KeyError, TypeError, AttributeError, ValueError) as error:
        raise UserError(
            f"{where(folder / record.ENVIRONMENT)}: is no environment's record ({error!r}); put it back"
        ) from None
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(found, indent=1) + "\n")


def complete(raw: Path, experiments: list[Path], results: Path, made_by: dict, target: Path) -> None:
    """Write all of a bundle but raw/ and the manifest.

    `experiments`: their files; `results`: the report made again from `raw`; `made_by`: the content of bundle.json.
    """
    _tables(results, target)
    _definitions(experiments, target)
    rounds = tidy.read(results / layout.TIDY, "rounds.csv")
    _environments(raw, rounds, target)
    chosen = load_json(raw / told.NAME, told.REMEDY)["settings"]
    (target / layout.CLAIMS).write_text(claims.text(claims.rows(results / layout.TIDY, raw, chosen)))
    (target / layout.RECORD).write_text(json.dumps(made_by, indent=1) + "\n")
    (target / layout.CRATE).write_text(crate.text(target, rounds, made_by, chosen))
