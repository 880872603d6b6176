"""Reads a tree that others wrote, and may still be writing: what a container, a kit, or somebody's raw directory holds.

Only plain files and directories are touched, by file descriptors of their directories, so that no link is ever followed, not even
one that is put there meanwhile. Only names of a given set are taken, and only so many bytes. A name that is refused can neither
lead out of a round (`..`, `/etc`) nor forge a line of a message or of a manifest. A copy belongs to whoever makes it.
"""

import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from jcarerun.errors import UserError
from jcarerun.support.engine import MOST_FILE_BYTES
from jcarerun.support.files import where

MANIFEST = "manifest.sha256"

_FORK = r"(?:[0-9]{3}|[1-9][0-9]{3,4})"
_ID = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
ID = re.compile(_ID)

# What a round is given before its forks run. Its forks must leave it as it is.
_GIVEN = (r"cells\.csv", r"forks\.tsv", r"gates\.tsv", rf"jvm/java-{_ID}")
_LEFT = (
    r"commands\.txt", r"offered\.csv", r"iterations\.csv", r"interference\.csv", r"observations\.csv", r"limits\.txt",
    rf"jmh/{_FORK}\.(?:json|txt)", rf"jmh/{_FORK}-frozen\.txt", rf"gc/{_FORK}(?:-server)?\.log",
    rf"jit/{_FORK}\.(?:log\.gz|stacks)", r"jvm/version\.txt", rf"jvm/flags-{_ID}\.txt", r"tls/[a-z]+-[0-9]+\.p12",
)  # fmt: skip
# What is written about a round by whoever ran it, outside of what its forks can write to.
_ABOUT = (
    r"round\.json",
    r"plan\.json",
    r"environment\.json",
    r"audit\.json",
    r"console\.log",
    r"chain\.csv",
    r"compilations\.csv",
    r"manifest\.sha256",
)
# What a kit's machine said of itself, as it said it: copies of files below /etc, /proc and /sys, and lists of key=value lines.
_PART = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,60}"
_CAPTURED = (
    r"machine/(?:round|host|before|after)\.txt",
    rf"machine/(?:host|before|after)/(?:etc|proc|sys)(?:/{_PART}){{1,8}}",
)
_OF_CRASH = (r"(?:hs_err|replay)_pid[0-9]{1,9}\.log",)
_FOLDERS = rf"jmh|gc|jvm|jit|tls|machine(?:/(?:host|before|after)(?:/(?:etc|proc|sys)(?:/{_PART}){{0,7}})?)?"


@dataclass(frozen=True)
class Names:
    """A set of names. what: a file of it, in words, for the refusal of another."""

    files: re.Pattern
    folders: re.Pattern
    what: str

    def file(self, name: str) -> bool:
        """Whether a file may have that name."""
        return self.files.fullmatch(name) is not None

    def folder(self, name: str) -> bool:
        """Whether a directory may have that name."""
        return self.folders.fullmatch(name) is not None


def _names(what: str, *patterns: str) -> Names:
    return Names(re.compile("|".join(patterns)), re.compile(_FOLDERS), what)


ROUND = _names("file of a round", *_GIVEN, *_LEFT, *_ABOUT, *_CAPTURED)
# A round as a kit leaves it: its records are made when it is imported.
CAPTURED = _names("file of a kit's round", *_GIVEN, *_LEFT, *_CAPTURED, r"console\.log", r"manifest\.sha256")
# What forks may leave in the directory that is theirs to write in; and what there may be besides where a JVM crashed.
FORKS = _names("file that a round's forks leave", *_GIVEN, *_LEFT)
FAILED = _names("file that a round's forks leave", *_GIVEN, *_LEFT, *_OF_CRASH)
# The rounds that a kit sends back, each in its place.
KIT = Names(
    re.compile(f"{_ID}/{_ID}/{_ID}/(?:{CAPTURED.files.pattern})"),
    re.compile(f"{_ID}(?:/{_ID}){{0,2}}|{_ID}/{_ID}/{_ID}/(?:{_FOLDERS})"),
    "file of <experiment>/kit-<machine>/<round>/",
)


RESTORE = "restore the round from where it was measured, or remove it and measure it again"


class InvalidRound(UserError):
    """A file of a round that is not as it must be: its name within the round, and what is wrong, in words."""

    def __init__(self, name: str, what: str):
        super().__init__(f"{name}: {what}")


@contextmanager
def name_errors(folder: Path, remedy: str) -> Iterator[None]:
    """Turn what is raised within into a UserError that names the round's directory and the remedy."""
    try:
        yield
    except InvalidRound as error:
        raise UserError(f"{where(folder)}/{error}{_and(remedy)}") from None
    except UserError as error:  # of a file that can't be read
        raise UserError(f"{error}{_and(remedy)}") from None


def _and(remedy: str) -> str:
    return f"; {remedy}" if remedy else ""


_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Not blocking: a FIFO without a writer would hold us for ever.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 1 << 20

MOST_BYTES = 16 << 20

NOT_PLAIN = "is no plain file or directory (a link?)"


@dataclass(frozen=True)
class Bounds:
    """How much a tree may hold: bytes of a file, bytes of all, and entries. A round has some MB and some thousand files."""

    file: int = MOST_FILE_BYTES
    all: int = 4 << 30
    entries: int = 100_000


class _Refused(Exception):
    """Why an entry is not taken."""


# Where what is refused goes: the name, and why.
Refuse = Callable[[str, str], None]


def _place(root: Path, name: str) -> str:
    # Not where(root / name), which would follow a link to say where it leads.
    return f"{where(root)}/{name}"


def _raise(root: Path) -> Refuse:
    def refuse(name: str, why: str) -> None:
        raise UserError(f"{_place(root, name)}: {why}")

    return refuse


@contextmanager
def _opened(root: Path) -> Iterator[int]:
    try:
        fd = os.open(root, _DIRECTORY)
    except OSError as error:
        raise UserError(f"{where(root.parent)}/{root.name}: is no directory, or a link ({error.strerror})") from None
    try:
        yield fd
    finally:
        os.close(fd)


@contextmanager
def _folder(name: str, folder: int) -> Iterator[int]:
    """An open subdirectory of a directory. Raises _Refused for anything else."""
    try:
        fd = os.open(name, _DIRECTORY, dir_fd=folder)
    except OSError as error:
        raise _Refused(f"can't be read ({error.strerror})") from None
    try:
        yield fd
    finally:
        os.close(fd)


@contextmanager
def _plain(name: str, folder: int, most: int) -> Iterator[tuple[int, int]]:
    """An open plain file of a directory, and its size. Raises _Refused for anything else."""
    try:
        # Looked at first: to open a device may already do something.
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise _Refused(NOT_PLAIN)
        fd = os.open(name, _FILE, dir_fd=folder)
    except FileNotFoundError:
        raise _Refused("is missing") from None
    except OSError as error:
        raise _Refused(f"can't be read ({error.strerror})") from None
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise _Refused(NOT_PLAIN)
        if found.st_nlink != 1:
            raise _Refused("is no plain file: it has another name besides (a hard link)")
        if found.st_size > most:
            raise _Refused(f"is too large ({found.st_size} bytes, {most} at most)")
        yield fd, found.st_size
    finally:
        os.close(fd)


def _chunks(fd: int, most: int) -> Iterator[bytes]:
    """The content of an open file, which may still be growing."""
    while chunk := os.read(fd, _CHUNK):
        most -= len(chunk)
        if most < 0:
            raise _Refused("grows while it is read")
        yield chunk


def _walk(
    root: Path, names: Names, bounds: Bounds, visit: Callable[[str, int, int], None], refuse: Refuse | None = None
) -> None:
    """Call `visit` with name, open file and size of each file of a tree. What can't be taken goes to `refuse`, or is raised."""
    refuse = refuse or _raise(root)
    left = {"bytes": bounds.all, "entries": bounds.entries}

    def entry(found: os.DirEntry, folder: int, name: str) -> None:
        is_folder = found.is_dir(follow_symlinks=False)
        if not is_folder and not found.is_file(follow_symlinks=False):
            raise _Refused(NOT_PLAIN)
        if not (names.folder(name) if is_folder else names.file(name)):
            raise _Refused(f"is no {names.what}")
        if is_folder:
            with _folder(found.name, folder) as fd:
                walk(fd, f"{name}/")
        else:
            with _plain(found.name, folder, min(bounds.file, left["bytes"])) as (fd, size):
                left["bytes"] -= size
                visit(name, fd, size)

    def walk(fd: int, prefix: str = "") -> None:  # how deep is bounded by the names that a directory may have
        with os.scandir(fd) as entries:
            for found in entries:
                left["entries"] -= 1
                if left["entries"] < 0:
                    return refuse(prefix + found.name, f"is one of more than {bounds.entries} files")
                try:
                    entry(found, fd, prefix + found.name)
                except _Refused as error:
                    refuse(prefix + found.name, str(error))

    with _opened(root) as fd:
        walk(fd)


def digests(root: Path, names: Names, bounds: Bounds = Bounds()) -> dict[str, str]:
    """Name to SHA-256 of every file of a tree. Raises UserError for the first entry that is not plain or not of `names`."""
    found = {}

    def visit(name: str, fd: int, size: int) -> None:
        digest = hashlib.sha256()
        for chunk in _chunks(fd, size):
            digest.update(chunk)
        found[name] = digest.hexdigest()

    _walk(root, names, bounds, visit)
    return found


def file_names(root: Path, allowed: Names, bounds: Bounds = Bounds()) -> set[str]:
    """The files of a tree. Raises UserError for the first entry that is not plain or not of those allowed."""
    found = set()
    _walk(root, allowed, bounds, lambda name, *_: found.add(name))
    return found


def size(root: Path, entries: int = Bounds.entries) -> int:
    """The bytes of the plain files of a tree, whatever their names, of so many entries at most; none of what can't be read."""
    found, left = 0, [os.fspath(root)]
    while left and entries > 0:
        with suppress(OSError), os.scandir(left.pop()) as folder:
            for entry in folder:
                entries -= 1
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    found += entry.stat(follow_symlinks=False).st_size
                if entries <= 0:
                    break
    return found


def copy_untrusted(
    source: Path, target: Path, names: Names, bounds: Bounds = Bounds(), refuse: Refuse | None = None
) -> None:
    """Copy a tree into `target`, which must be ours and is made if it is not there.

    Raises UserError for the first entry that can't be taken. With `refuse` that gets each (name, why), and the rest is copied.
    """
    target.mkdir(exist_ok=True)

    def visit(name: str, fd: int, size: int) -> None:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        runs = 0o755 if os.fstat(fd).st_mode & stat.S_IXUSR else 0o644
        with os.fdopen(os.open(target / name, _NEW, runs), "wb") as copy:
            for chunk in _chunks(fd, size):
                copy.write(chunk)

    _walk(source, names, bounds, visit, refuse)


@contextmanager
def open_file(root: Path, name: str, most: int = MOST_BYTES) -> Iterator[BinaryIO]:
    """A file of a tree, open for reading. Raises UserError where it is missing, not plain, or larger than `most` bytes."""
    *folders, last = name.split("/")
    with ExitStack() as stack:
        fd = stack.enter_context(_opened(root))
        try:
            for folder in folders:
                fd = stack.enter_context(_folder(folder, fd))
            fd, size = stack.enter_context(_plain(last, fd, most))
            file = stack.enter_context(os.fdopen(fd, "rb", closefd=False))
        except _Refused as error:
            raise UserError(f"{_place(root, name)}: {error}") from None
        yield file
        if file.tell() > size:
            raise UserError(f"{_place(root, name)}: grows while it is read")


def read(root: Path, name: str, most: int = MOST_BYTES) -> bytes:
    """The content of one file of a tree, as `open_file` opens it."""
    with open_file(root, name, most) as file:
        return file.read(most + 1)


def folders(root: Path, depth: int) -> list[str]:
    """The directories `depth` levels below `root`, by name; plain files and names with a dot in front are passed over.

    Raises UserError for an entry that is neither, such as a link.
    """
    found = [""]
    for _ in range(depth):
        found = [f"{folder}{name}/" for folder in found for name in _subfolders(root / folder)]
    return [folder.rstrip("/") for folder in found]


def _subfolders(folder: Path) -> list[str]:
    with _opened(folder) as fd, os.scandir(fd) as entries:
        kept = [entry for entry in islice(entries, Bounds.entries + 1) if not entry.name.startswith(".")]
        if len(kept) > Bounds.entries:
            raise UserError(f"{where(folder)}: has more than {Bounds.entries} entries; name a directory of rounds")
        for entry in kept:
            if not (entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False)):
                raise UserError(f"{_place(folder, entry.name)}: {NOT_PLAIN}; put what it stands for in its place")
        return sorted(entry.name for entry in kept if entry.is_dir(follow_symlinks=False))
