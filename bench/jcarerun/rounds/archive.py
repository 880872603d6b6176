"""Zips of others: plain files alone, under names of a given set, within bounds. The rounds in a kit's zip.

A kit sends back rounds, `<experiment>/kit-<machine>/<round>/`, each with the manifest that the kit wrote.
"""

import re
import shutil
import stat
import zipfile
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.rounds import manifest, tree
from jcarerun.rounds.tree import Names
from jcarerun.support.files import confined, sha256, where

BOUNDS = tree.Bounds(entries=1_000_000)
# By how many times a zip may grow, beyond some MiB: raw timings and logs are packed to a tenth.
MOST_GROWTH, FREE_BYTES = 100, 64 << 20

MACHINE = re.compile(r"kit-([0-9a-f]{12})")
REMEDY = "give the zip that the kit made, or the results directory in it"
_MANIFEST = re.compile(rf"{tree.ID.pattern}/{MACHINE.pattern}/{tree.ID.pattern}/{re.escape(manifest.NAME)}")


def refuse(place: object, what: str, remedy: str = REMEDY) -> UserError:
    """What is said of something that can't be taken."""
    return UserError(f"{place}: {what}; {remedy}")


def unpack(given: Path, target: Path, names: Names, remedy: str) -> None:
    """Unpack a zip into a directory that is ours. Raises UserError in one line for whatever can't be taken."""
    confined(lambda: _unpack(given, target, names, remedy), given, given.stat().st_size)


def _unpack(given: Path, target: Path, names: Names, remedy: str) -> None:
    with zipfile.ZipFile(given) as archive:
        members = archive.infolist()
        for member in members:
            if what := _complaint(member, names):
                raise refuse(f"{given}: {member.filename}", f"{what}; nothing of it is used", remedy)
        if len({member.filename for member in members}) != len(members):
            raise refuse(given, "has a name twice", remedy)
        if len(members) > BOUNDS.entries:
            raise refuse(given, f"has {len(members)} files, more than {BOUNDS.entries}", remedy)
        most = min(BOUNDS.all, FREE_BYTES + MOST_GROWTH * given.stat().st_size)
        if (size := sum(member.file_size for member in members)) > most:
            raise refuse(given, f"would be {size >> 20} MiB unpacked, more than {most >> 20}", remedy)
        for member in members:
            if not member.is_dir():
                place = target / member.filename
                place.parent.mkdir(parents=True, exist_ok=True)
                # No more than the member's stated size is ever unpacked.
                with archive.open(member) as packed, place.open("xb") as file:
                    shutil.copyfileobj(packed, file)


def _complaint(member: zipfile.ZipInfo, names: Names) -> str:
    """Why a member is not taken: no set of names has one that leads out of its place."""
    if stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is no plain file (a link?)"
    if not (names.folder(member.filename[:-1]) if member.is_dir() else names.file(member.filename)):
        return f"is no {names.what}"
    known = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    return "" if known else "is packed in a way that nothing of ours uses"


def is_manifest(name: str) -> bool:
    """Whether a member of a zip is the manifest of a round that a kit sent back."""
    return _MANIFEST.fullmatch(name) is not None


def kit_rounds(root: Path) -> list[Path]:
    """The directories of the rounds that a kit sent back."""
    found = [root / path for path in tree.folders(root, 3)]
    if not found:
        raise refuse(where(root), "holds no round (<experiment>/kit-<machine>/<round>/)")
    return found


def write_seal(root: Path, file: Path) -> Path:
    """Write the SHA-256 of every round's manifest, which stands for all of it when it is signed, as `sha256sum` has them."""
    found = {folder.relative_to(root).as_posix(): folder / manifest.NAME for folder in kit_rounds(root)}
    for each in found.values():
        if not each.is_file():
            raise refuse(where(each), "missing")
    file.write_text("".join(f"{sha256(found[name])}  {name}/{manifest.NAME}\n" for name in sorted(found)))
    return file
