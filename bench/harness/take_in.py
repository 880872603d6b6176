"""Takes in what a kit measured elsewhere: checks every round, then copies all of them below data/raw, or none.

In: the zip that came back, or a directory of its rounds. Out: data/raw/<experiment>/kit-<machine>/<round>/ and their stamps.
"""

import os
import shutil
import stat
import tempfile
import zipfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath

from bench.harness import kit, kit_round, manifest
from bench.harness.plan import Round, digest_sources
from bench.harness.run import RAW, Run
from bench.harness.settings import TIERS
from envs.builder.errors import UserError
from envs.builder.yamlfile import where

MOST_BYTES = 4 << 30
MEND = "give the zip that the kit made, or the results directory in it"


def _refuse(place: object, what: str, mend: str = MEND) -> UserError:
    return UserError(f"{place}: {what}; {mend}")


def _check_member(given: Path, member: zipfile.ZipInfo) -> None:
    """Refuse a member that would end anywhere but in its own place, or as anything but a plain file or directory."""
    name, mode = PurePosixPath(member.filename), member.external_attr >> 16
    if name.is_absolute() or ".." in name.parts or "\\" in member.filename or ":" in member.filename:
        raise _refuse(f"{given}: {member.filename}", "leads out of the zip; nothing of it is taken in")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise _refuse(f"{given}: {member.filename}", "is no plain file (a link?); nothing of it is taken in")


def _unpack(given: Path, target: Path) -> None:
    try:
        with zipfile.ZipFile(given) as archive:
            members = archive.infolist()
            for member in members:
                _check_member(given, member)
            if len({member.filename for member in members}) != len(members):
                raise _refuse(given, "has a name twice")
            if (size := sum(member.file_size for member in members)) > MOST_BYTES:
                raise _refuse(given, f"would be {size >> 20} MiB unpacked, more than {MOST_BYTES >> 20}")
            archive.extractall(target)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise _refuse(given, f"is not a whole zip ({error})", "have it sent again") from None


@contextmanager
def _opened(given: Path):
    """The directory that holds the rounds."""
    if given.is_dir():
        yield given / "results" if (given / "kit.sha256").is_file() else given
        return
    RAW.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=RAW, prefix=".take-in-") as scratch:
        _unpack(given, Path(scratch))
        yield Path(scratch)


def _rounds(root: Path) -> list[Path]:
    """The directories of the rounds, below which every file must lie. Raises UserError for links and strays."""
    found = set()
    for folder, directories, files in os.walk(root):
        for name in (*directories, *files):
            path = Path(folder) / name
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                raise _refuse(where(path), "is no plain file or directory (a link?)")
        depth = len(Path(folder).relative_to(root).parts)
        if files and depth < 3:
            raise _refuse(where(Path(folder) / sorted(files)[0]), "is no file of <experiment>/kit-<machine>/<round>/")
        if depth == 3:
            found.add(Path(folder))
    if not found:
        raise _refuse(where(root), "holds no round (<experiment>/kit-<machine>/<round>/)")
    return sorted(found)


def _planned(current: Run, folder: Path) -> Round:
    """The round of this checkout's plan that a directory claims to be."""
    experiment, environment, name = folder.parts[-3:]
    if not kit_round.MACHINE.fullmatch(environment):
        raise _refuse(where(folder), f"{environment} is no kit's environment", "only what a kit measured is taken in")
    if experiment not in current.experiments:
        raise _refuse(where(folder), f"{experiment} is no experiment of this run", "see --config experiments")
    record = kit_round.read_json(folder / "round.json")
    tier, seed = record.get("tier"), record.get("seed")
    if tier not in TIERS or not isinstance(seed, int):
        raise _refuse(where(folder / "round.json"), "has no tier and seed", kit_round.MEND)
    chosen = replace(current.settings, tier=tier, seed=seed)
    cells = folder / "cells.csv"
    text = cells.read_text(errors="replace") if cells.is_file() else ""
    profiles = tuple(profile for profile in current.world.cpu_profiles if f",{profile}," in text)
    only = {experiment: current.experiments[experiment]}
    for one in kit.rounds(only, chosen, current.world, digest_sources(), profiles or kit.DEFAULT_PROFILES):
        if one.id == name:
            return one
    raise _refuse(
        where(folder), f"this checkout plans no such round for a kit in tier {tier}",
        "take it in where its kit was made: from the same sources, experiments and providers",
    )  # fmt: skip


def _there(folder: Path, target: Path) -> bool:
    """Whether a round is taken in already. Raises UserError if another result has its place."""
    if not target.is_dir():
        return False
    if manifest.verify(target) != manifest.verify(folder):
        raise _refuse(
            where(target), "is there already, and is another result of the same round",
            "nothing is overwritten: keep it, or remove that directory and take in the new one",
        )  # fmt: skip
    return True


def _copy(folder: Path, target: Path) -> None:
    """Put a checked round in its place, whole, with its stamp."""
    if not target.is_dir():
        part = target.parent / f".part-{target.name}"
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(folder, part)
        os.sync()
        part.rename(target)
        manifest.stamp(target)


def take_in(current: Run, given: Path) -> str:
    """Take in every round that was given, and say so. Raises UserError, with nothing taken in, if any is not in order."""
    with _opened(given) as root:
        try:
            folders = _rounds(root)
            for folder in folders:
                kit_round.check(folder, _planned(current, folder), current.world)
        except UserError as error:
            # A person knows the file they gave, not where it was unpacked.
            raise UserError(str(error).replace(f"{where(root)}/", "" if given.is_dir() else f"{given}: ")) from None
        places = {folder: RAW / folder.relative_to(root) for folder in folders}
        there = [_there(folder, target) for folder, target in places.items()]
        for folder, target in places.items():
            _copy(folder, target)
    machines = sorted({folder.parts[-2] for folder in folders})
    return f"taken in: {len(there) - sum(there)} rounds of {', '.join(machines)}; {sum(there)} were there already"
