"""Changes of raw data, one at a time: each is found by the name of what was changed, or a rule says why it does not matter.

`python -m jcarerun.trials.raw_changes [--changes 2000] [--sealed 1000] [--seed 1]` takes two rounds of the committed sample, with
their stamps, makes one change after the other (raw_kinds.py), and has them read as a run reads somebody else's raw directory. In
a second table the manifest was made anew after each change, as by somebody who wants it unseen.
"""

import argparse
import random
import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from jcarerun.errors import UserError, entry_point
from jcarerun.rounds import manifest, stamp
from jcarerun.run import verified
from jcarerun.run.run import Run, from_config
from jcarerun.trials import tables
from jcarerun.trials.raw_kinds import CONTENT, OTHERS, Change

SAMPLE = Path("data/sample/phenry2014")
ENDS = ("found", "no matter")

_runs: dict[Path, Run] = {}


def copy(target: Path) -> Path:
    """Two rounds of the sample below a directory, stamped."""
    raw = target / "raw"
    for folder in sorted(path for path in SAMPLE.glob("*/*") if path.is_dir())[:2]:
        new = raw / SAMPLE.name / folder.parent.name / folder.name
        shutil.copytree(folder, new)
        stamp.write(new)
    return raw


def told(current: Run) -> str:
    """What a run says of its raw directory before it makes a report; empty where nothing is amiss."""
    try:
        verified.verify(current)
    except UserError as error:
        return str(error)
    return ""


def outcome(pristine: Path, scratch: Path, kind: str, drawn: random.Random, sealed: bool) -> tuple[str, str]:
    """Make a change of that kind; the file, and `found`, `no matter`, or what is wrong."""
    raw = scratch / "raw"
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(pristine, raw)
    one = Change(raw, drawn)
    change, reason = (CONTENT[kind], "") if kind in CONTENT else OTHERS[kind]
    change(one)
    if sealed and one.file.name != manifest.NAME:
        stamp.of(one.round).unlink()
        (one.round / manifest.NAME).unlink()
        try:
            manifest.write(one.round)
        except UserError:  # of a name that no manifest can have
            return one.name, "found"
    words = told(_run(raw))
    shown = one.name.encode("unicode_escape").decode()
    if not words:
        return one.name, "no matter" if reason else "not found"
    return one.name, "found" if shown in words or one.round.name in words else f"found without its name: {words}"


def _run(raw: Path) -> Run:
    """The run that reports on a raw directory; its experiments are read once."""
    if raw not in _runs:
        _runs[raw] = from_config({"raw": str(raw), "calibration": False})
    return _runs[raw]


def tried(changes: int, seed: int, sealed: bool = False) -> list[tuple[str, str, str]]:
    """Kind, file and outcome of so many changes, each kind as often as any other."""
    drawn, kinds = random.Random(seed), [*CONTENT] if sealed else [*CONTENT, *OTHERS]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        pristine, scratch = copy(Path(folder) / "as-it-was"), Path(folder) / "changed"
        for number in range(changes):
            kind = kinds[number % len(kinds)]
            found.append((kind, *outcome(pristine, scratch, kind, drawn, sealed)))
    return found


def _page(found: list[tuple[str, str, str]], arguments: argparse.Namespace) -> str:
    rows = []
    for kind in [*CONTENT, *OTHERS]:
        ends = Counter(end for each, _, end in found if each == kind)
        reason = OTHERS[kind][1] if kind in OTHERS else ""
        rows.append([kind, ends.total(), ends["found"], ends["no matter"], reason])
    ends = Counter(end for _, _, end in found)
    rows.append(["all", len(found), ends["found"], ends["no matter"], ""])
    return (
        f"`python -m jcarerun.trials.raw_changes --changes {arguments.changes} --sealed {arguments.sealed} "
        f"--seed {arguments.seed}`: changes of two rounds of the sample, one at a time, read as a run with "
        "`--config raw=DIR` reads them.\n\n"
        + tables.table(["change", "tried", "found by name", "does not matter", "because"], rows)
    )


def _sealed_page(found: list[tuple[str, str, str]], arguments: argparse.Namespace) -> str:
    files = sorted({re.sub("[0-9]{3}", "NNN", name) for _, name, _ in found if name != manifest.NAME})
    rows = []
    for file in files:
        ends = [end for _, name, end in found if re.sub("[0-9]{3}", "NNN", name) == file]
        rows.append([f"`{file}`", len(ends), ends.count("found"), len(ends) - ends.count("found")])
    return (
        "The same command. The manifest was made anew and the stamp removed after each change of what a file says: "
        "what then is not found is told by one file alone, or is text that no table is made from. Raw data are to be trusted "
        "as far as whoever keeps their manifests is.\n\n"
        + tables.table(["file", "changed", "found", "not found"], rows)
    )


def main(arguments: argparse.Namespace) -> None:
    """Make the changes, print what is neither found nor without matter, and write the tables."""
    plain, sealed = tried(arguments.changes, arguments.seed), tried(arguments.sealed, arguments.seed, sealed=True)
    tables.write(tables.FAULTS, "Changes of raw data", _page(plain, arguments))
    tables.write(tables.FAULTS, "Changes of raw data that are hidden", _sealed_page(sealed, arguments))
    wrong = [one for one in plain if one[2] not in ENDS]
    for kind, name, end in wrong:
        print(f"{kind}, {name}: {end}")
    if wrong:
        raise UserError(f"{len(wrong)} of {len(plain)} changes were not found; --seed {arguments.seed} repeats them")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jcarerun.trials.raw_changes", description=__doc__.splitlines()[0])
    parser.add_argument("--changes", type=int, default=2000, help="how many, with the manifest as it was")
    parser.add_argument("--sealed", type=int, default=1000, help="how many, with the manifest made anew")
    parser.add_argument("--seed", type=int, default=1)
    return parser


if __name__ == "__main__":
    entry_point(main, _parser())
