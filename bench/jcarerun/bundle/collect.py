"""Takes what a report was made from: its rounds with their stamps and plans, its pilots, and what the run told of itself.

In: a report's tidy tables, the raw directory that they are of. Out: raw/ of a bundle.
"""

import json
from pathlib import Path

from jcarerun.bundle import layout
from jcarerun.errors import UserError
from jcarerun.rounds import manifest, tree
from jcarerun.run import run, told
from jcarerun.run.folders import Folders
from jcarerun.support.files import load_json, read_text, where

REMEDY = "make the report first, with the same RAW, RESULTS and EXPERIMENT_DIR"
_MOST_BYTES = 64 << 20


def _lines(file: Path) -> list[str]:
    return read_text(file, _MOST_BYTES).split()


def telling(tidy: Path) -> dict:
    """What the run told of itself, as run.json has it, from the tables of its report. Raises UserError where there are none."""
    if not (tidy / "definitions.json").is_file():
        raise UserError(f"{where(tidy)}: has no report's tables; {REMEDY}")
    found = load_json(tidy / "definitions.json", REMEDY)
    chosen = {**found["settings"], "memory": found["settings"]["memory_mib"]}
    return {
        "settings": {key: chosen[key] for key in told.KEYS},
        "kept": found["kept"],
        "left_out": found["left_out"],
        "rounds": _lines(tidy / "rounds.txt"),
        "pilots": _lines(tidy / "pilots.txt"),
    }


def experiments(tidy: Path) -> list[str]:
    """The ids of the experiments that a report is of."""
    return [each["id"] for each in load_json(tidy / "definitions.json", REMEDY)["experiments"]]


def _rounds(source: Path, paths: list[str], target: Path) -> None:
    """Copy rounds, and what lies beside them: their stamps, and the plans that they are of."""
    for path in paths:
        if not (source / path).is_dir():
            raise UserError(f"{where(source / path)}: is gone, though the report is made from it; {REMEDY}")
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        tree.copy_untrusted(source / path, target / path, tree.ROUND)
    for folder in sorted({str(Path(path).parent) for path in paths}):
        rounds = {Path(path).name for path in paths if str(Path(path).parent) == folder}
        for file in sorted((source / folder).iterdir()):
            own = file.name.partition(".")[0]
            of = own in rounds or any(name.rpartition("-")[0] == own for name in rounds)
            if of and layout.BESIDE.fullmatch(file.name) and not manifest.is_left_out(file.with_suffix("")):
                (target / folder / file.name).write_bytes(tree.read(file.parent, file.name))


def collect(folders: Folders, raw: Path, target: Path) -> dict:
    """Copy what the report in `folders` was made from into a bundle that is being made, and return what its run told."""
    found = telling(folders.tidy)
    if not found["rounds"]:
        raise UserError(f"{where(folders.tidy)}: its report is made from no round; measure something first")
    _rounds(raw, found["rounds"], target / layout.RAW)
    pilots = raw / told.PILOTS if (raw / told.NAME).is_file() else run.PILOTS
    _rounds(pilots, found["pilots"], target / layout.RAW / told.PILOTS)
    (target / layout.RAW / told.NAME).write_text(json.dumps(found, indent=1) + "\n")
    return found
