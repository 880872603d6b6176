"""Small things every part of the builder does with files: hash them, hold a lock on a directory, replace one whole."""

import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

# Files newer than this get this date; a constant, so that the day of the build leaves no trace.
EPOCH = 1704067200


def sha256(path: Path) -> str:
    """SHA-256 of a file, as hex digits."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a directory against other builds for as long as the block lasts; the kernel lets go of a killed one."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def write_text_whole(path: Path, text: str) -> None:
    """Write a text so that the file is there whole or not at all, even if the machine loses its power."""
    part = path.with_name(f".part-{path.name}-{os.getpid()}")  # somebody else may be writing the same
    with part.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)


def write_whole(path: Path, content: dict) -> None:
    """Write JSON in the same way, and the directories above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text_whole(path, json.dumps(content, indent=1) + "\n")
