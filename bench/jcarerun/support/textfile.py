"""Reads a text file that somebody wrote: a plain one, in UTF-8, no larger than it may be."""

import os
import stat
from pathlib import Path

from jcarerun.errors import UserError


def where(path: Path) -> str:
    """The file as a person would name it: relative to the working directory if it lies below it."""
    try:
        return str(Path(path).resolve().relative_to(Path.cwd()))
    except (ValueError, OSError, RuntimeError):  # not below it; a name no system takes; links in a circle
        return str(path)


def read_text(path: Path, most: int) -> str:
    """The text of a file of at most so many bytes. Raises UserError for a missing, unreadable or larger one, or no plain file."""
    try:
        # Not blocking: a FIFO without a writer would hold us for ever.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UserError(f"{where(path)}: is no plain file; put a text file there")
            content = file.read(most + 1)
    except FileNotFoundError:
        raise UserError(f"{where(path)}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{where(path)}: can't be read ({getattr(error, 'strerror', None) or error})") from None
    if len(content) > most:
        raise UserError(f"{where(path)}: is larger than {most >> 10} KiB; no file of its kind is")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{where(path)}: is no text in UTF-8 (byte {error.start + 1}); write it in UTF-8") from None
