"""Programs that aren't ours, and of no JVM: kept by their SHA-256, for a container to run.

In: an experiment file's `program`. Out: the file in bench/target/subjects, which everybody may run and nobody write to. Refused
in one line: a file that is missing, that can't be run, or that is another than the file says.
"""

import os
import shutil
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.subject.jars import FOLDER
from jcarerun.support.files import below, sha256


def file_of(digest: str) -> Path:
    """Where a program of that SHA-256 is kept."""
    return FOLDER / f"{digest}.program"


def keep(entry: dict, base: Path, what: str) -> str:
    """Keep the program of an experiment file's `program`, whose path begins at `base`; return its SHA-256.

    `what` names the key in messages.
    """
    source, digest = below(base, entry["path"], f"{what}.path"), entry["sha256"]
    if not source.stat().st_mode & 0o100:
        raise UserError(f"{what}.path: {source} is no program that can be run; chmod +x it, or name another")
    if (own := sha256(source)) != digest:
        raise UserError(f"{what}.sha256: {digest} expected, {source} has {own}; it was changed: correct one of the two")
    target = file_of(digest)
    if not target.is_file() or sha256(target) != digest:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_suffix(f".{os.getpid()}.part")
        shutil.copyfile(source, part)
        part.chmod(0o555)
        part.rename(target)
    return digest


def kept(digest: str) -> Path:
    """The program that a round needs. Raises UserError where it is gone or is another."""
    file = file_of(digest)
    if not file.is_file() or sha256(file) != digest:
        raise UserError(f"{file}: is gone or was changed; run again, which copies it anew")
    return file
