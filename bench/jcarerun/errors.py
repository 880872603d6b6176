"""Errors for people: one line that says where, what was found, what was expected and the remedy."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# Of a message: none that people read is longer, and few are half as long.
MOST_CHARS = 600
# Of a value in one.
MOST_SHOWN_CHARS = 80


def one_line(text: str) -> str:
    """The text with its control characters escaped: a name that holds a line break or a terminal's codes stays a name."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def say(*lines: str) -> None:
    """Print lines with their control characters escaped: names from outside forge no line, and reach no terminal as codes."""
    for line in lines:
        print(one_line(line), flush=True)


def thousands(value: float) -> str:
    """The format of thousands: commas from five digits on."""
    return "," if abs(value) >= 10_000 else ""


def count(n: int, noun: str) -> str:
    """`1 round`, `2 rounds`, `10,000 rounds`."""
    return f"{n:{thousands(n)}} {noun}{'' if n == 1 else 's'}"


def shown(value: object) -> str:
    """A value as Python writes it, no more than MOST_SHOWN_CHARS of it: whatever somebody's file holds fits into a line."""
    text = repr(value[:MOST_SHOWN_CHARS] if isinstance(value, str) else value)
    return text if len(text) <= MOST_SHOWN_CHARS else f"{text[:MOST_SHOWN_CHARS]}..."


class UserError(Exception):
    """Mistakes that the user can correct, each one line that says where, what was expected and the remedy. No stack trace.

    An over-long line loses its middle: what it is about stands first, and the remedy last.
    """

    def __init__(self, *texts: str):
        half = MOST_CHARS // 2
        lines = map(one_line, texts)
        self.texts = [
            line if len(line) <= MOST_CHARS else f"{line[: half - 3]} ... {line[2 - half :]}" for line in lines
        ]
        super().__init__("\n".join(self.texts))


# Errors of a file that are shown at once.
MOST_SHOWN = 9


class Complaints:
    """Collects the errors of several parts of a file, so that the user sees all of them at once."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    @contextmanager
    def part(self) -> Iterator[None]:
        """Check one part: its UserError is kept for later."""
        try:
            yield
        except UserError as error:
            self.texts += error.texts

    def report(self) -> None:
        """Raise a UserError with what was collected, if there is any: the first errors, and how many more there are."""
        texts = list(dict.fromkeys(self.texts))
        if more := texts[MOST_SHOWN:]:
            texts[MOST_SHOWN:] = [f"{texts[0].partition(':')[0]}: {len(more)} more errors; correct these first"]
        if texts:
            raise UserError(*texts)


# What a system says of a file that it is not the program's to put right.
_OF_THE_SYSTEM = {
    errno.EROFS: "make it writable",
    errno.EACCES: "give this user the right to it",
    errno.EPERM: "give this user the right to it",
    errno.ENOSPC: "make room",
    errno.EDQUOT: "make room",
    errno.EFBIG: "raise the limit on the size of files (ulimit -f)",
    errno.EIO: "look after the disk",
    errno.EEXIST: "remove it, or put what belongs there in its place",
    errno.ENOTDIR: "put a directory in its place",
    errno.EISDIR: "put a file in its place",
    errno.ENAMETOOLONG: "give it a shorter name",
    errno.ELOOP: "put what it stands for in its place",
}
# What comes of a write or a sync, of which the system does not say which file it was.
_OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS}


@contextmanager
def system_errors() -> Iterator[None]:
    """Turn what the system refuses (a read-only directory, a full disk) into a UserError that names the file."""
    try:
        yield
    except OSError as error:
        if error.errno not in _OF_THE_SYSTEM or (error.filename is None and error.errno not in _OF_THE_DISK):
            raise
        remedy = _OF_THE_SYSTEM[error.errno]
        raise UserError(f"{error.filename or 'the disk'}: {error.strerror}; {remedy} and run again") from None


def handled(action: Callable[[], None], log: Path | None = None) -> None:
    """Perform an action; print a UserError as one line on standard error, and in the file `log`, and exit with status 2."""
    try:
        with system_errors():
            if log:
                log.parent.mkdir(parents=True, exist_ok=True)
                log.write_text("")
            action()
    except UserError as error:
        lines = "".join(f"error: {text}\n" for text in error.texts)
        print(lines, file=sys.stderr, end="")
        with suppress(OSError):  # which may be what the error is about
            if log:
                log.write_text(lines)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read the output has seen enough, such as `head`; nothing is left to be flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def entry_point(main: Callable[[argparse.Namespace], None], parser: argparse.ArgumentParser) -> None:
    """Parse the command line of a module that rules start, and run `main` on it by `handled`."""
    parser.add_argument("--log", type=Path, help="a file that gets what went wrong")
    arguments = parser.parse_args()
    handled(lambda: main(arguments), arguments.log)
