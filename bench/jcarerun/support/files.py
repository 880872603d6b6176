"""Files: hash one, lock a directory, write one so that it appears complete or not at all."""

import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from jcarerun.errors import UserError

# Files newer than this get this date; a constant, so that the day of the build leaves no trace.
EPOCH = 1704067200


def sha256(path: Path) -> str:
    """SHA-256 of a file, as hex digits."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Lock a directory against other builds during the block; the kernel releases the lock of a killed process."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Yield the name of a temporary file beside `path`, which replaces `path` when the block ends without an error.

    The content reaches the disk before the name does, so a power cut leaves the old file or the new one. The temporary file is
    removed after an error.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".part-{path.name}-{os.getpid()}")  # another process may be writing the same file
    try:
        yield part
        _sync(part)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    _sync(path.parent)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a text (UTF-8) or bytes by `atomic_file`."""
    with atomic_file(path) as part:
        part.write_bytes(content.encode() if isinstance(content, str) else content)


def write_json(path: Path, content: object) -> None:
    """Write JSON by `atomic_file`, indented."""
    write_file(path, json.dumps(content, indent=1) + "\n")


def below(base: Path, path: str, what: str) -> Path:
    """The file at `path`, which an experiment file in `base` names. Raises UserError unless it lies in `base` or below it.

    Whoever sends a study must not make us read files of this machine, by an absolute path, by `..` or through a link.
    """
    source = base / path
    if Path(path).is_absolute() or ".." in Path(path).parts:
        raise UserError(
            f"{what}: {path} leads out of {base}; put the file beside the experiment file and give its name"
        )
    try:
        resolved = source.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise UserError(f"{what}: {path}: is no path ({error}); correct it") from None
    if not resolved.is_relative_to(base.resolve()):
        raise UserError(f"{what}: {path} leads out of {base} by a link; put the file itself there")
    if not source.is_file():
        raise UserError(
            f"{what}: there is no file {source}; correct the path, which begins at the experiment file's directory"
        )
    return source
