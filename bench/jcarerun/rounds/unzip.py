"""Unpacks a zip that others wrote: plain files alone, in their own places, under names of a given set, and only so much of them.

In: a zip (what a kit sent back, a bundle). Out: a directory with its files, or a UserError in one line and no use of any of it.
"""

import shutil
import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from jcarerun.errors import UserError
from jcarerun.rounds import tree
from jcarerun.rounds.tree import Names
from jcarerun.support.files import confined

BOUNDS = tree.Bounds(entries=1_000_000)
# By how many times a zip may grow, beyond some MiB: raw timings and logs are packed to a tenth.
MOST_GROWTH, FREE_BYTES = 100, 64 << 20
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, struct.error)


@dataclass(frozen=True)
class Kind:
    """A kind of zip: which names it may hold, and what to say of one that is refused."""

    names: Names
    nothing: str
    remedy: str


def refuse(place: object, what: str, remedy: str) -> UserError:
    """What is said of something that can't be taken."""
    return UserError(f"{place}: {what}; {remedy}")


def _check_member(given: Path, member: zipfile.ZipInfo, kind: Kind) -> None:
    """Refuse a member that would end anywhere but in its own place, or as anything but a plain file or directory."""
    place, mode = f"{given}: {member.filename}", member.external_attr >> 16
    name = PurePosixPath(member.filename)
    if name.is_absolute() or ".." in name.parts or "\\" in member.filename or ":" in member.filename:
        raise refuse(place, f"leads out of the zip; {kind.nothing}", kind.remedy)
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise refuse(place, f"is no plain file (a link?); {kind.nothing}", kind.remedy)
    allowed = kind.names.folder(member.filename[:-1]) if member.is_dir() else kind.names.file(member.filename)
    if not allowed:
        raise refuse(place, f"is no {kind.names.what}; {kind.nothing}", kind.remedy)
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise refuse(place, "is packed in a way that nothing of ours uses", kind.remedy)


def _check_members(given: Path, members: list[zipfile.ZipInfo], kind: Kind) -> None:
    for member in members:
        _check_member(given, member, kind)
    if len({member.filename for member in members}) != len(members):
        raise refuse(given, "has a name twice", kind.remedy)
    if len(members) > BOUNDS.entries:
        raise refuse(given, f"has {len(members)} files, more than {BOUNDS.entries}", kind.remedy)
    most = min(BOUNDS.all, FREE_BYTES + MOST_GROWTH * given.stat().st_size)
    if (size := sum(member.file_size for member in members)) > most:
        raise refuse(given, f"would be {size >> 20} MiB unpacked, more than {most >> 20}", kind.remedy)


def unpack(given: Path, target: Path, kind: Kind) -> None:
    """Unpack a zip into a directory that is ours. Raises UserError in one line for whatever can't be taken."""
    confined(lambda: _unpack(given, target, kind), given, given.stat().st_size)


def _unpack(given: Path, target: Path, kind: Kind) -> None:
    try:
        with zipfile.ZipFile(given) as archive:
            members = archive.infolist()
            _check_members(given, members, kind)
            for member in members:
                if not member.is_dir():
                    place = target / member.filename
                    place.parent.mkdir(parents=True, exist_ok=True)
                    # No more than the member's stated size is ever unpacked.
                    with archive.open(member) as packed, place.open("xb") as file:
                        shutil.copyfileobj(packed, file)
    except _DAMAGED as error:
        raise refuse(given, f"is not a whole zip ({error})", "have it sent again") from None
    except FileExistsError as error:
        raise refuse(given, f"has {Path(error.filename).name} as a file and as a directory", kind.remedy) from None
