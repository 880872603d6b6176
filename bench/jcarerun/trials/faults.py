"""Faults at each point where a process does what outlives it: opens, writes, renames, removes, syncs, starts a process.

`Layer.install` counts these points in the main thread of this process, and does what a fault says at the one it names. Between
Python and the system, so that it needs neither rights nor tools: a file is written in the pieces that the system would be given.
"""

import errno
import io
import os
import signal
import stat
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

SIGNALS = {"SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM, "SIGHUP": signal.SIGHUP}
ERRORS = {"ENOSPC": errno.ENOSPC, "EIO": errno.EIO, "EROFS": errno.EROFS}
# A disk that is full or read-only stays so; an error of the disk is one block's.
LASTING = {"ENOSPC", "EROFS"}
# Half of it is done, then comes the kill: a write of which the first half is there, a process that has just been started.
KILL, HALF = "kill", "half"

_OF_PATHS = (
    "mkdir", "rename", "replace", "unlink", "remove", "rmdir", "chmod", "chown", "link", "symlink", "truncate", "utime",
)  # fmt: skip
_OF_FILES = ("fsync", "fdatasync", "ftruncate", "sendfile", "copy_file_range")
_FREES = {"unlink", "remove", "rmdir"}


class Point(NamedTuple):
    """What is about to be done, and to which file, as a path below the run's directory."""

    what: str
    name: str


class Layer:
    """Counts the points below `root`; at number `at` (from 1 on) does what `kind` says: one of the above or of `actions`."""

    def __init__(self, root: Path, at: int = 0, kind: str = "", actions: dict[str, Callable[[], None]] | None = None):
        self.root, self.at, self.kind, self.actions = str(root), at, kind, actions or {}
        self.points: list[Point] = []
        self.lasting = False

    def install(self) -> None:
        """Take the place of what Python does to files and processes, for the rest of this process's life."""
        for name in _OF_PATHS:
            self._around(name, lambda path, *_, **__: os.fspath(path) if not isinstance(path, int) else _of(path))
        for name in _OF_FILES:
            self._around(name, lambda fd, *_, **__: _of(fd))
        self._around("sync", lambda: self.root)
        self._open, self._os_open, self._os_write = io.open, os.open, os.write
        io.open = self._opened
        __builtins__["open"] = self._opened
        os.open, os.write = self._os_opened, self._os_written
        self._start = subprocess.Popen.__init__
        layer = self
        subprocess.Popen.__init__ = lambda popen, *args, **named: layer._started(popen, *args, **named)

    def _around(self, name: str, path_of: Callable[..., str]) -> None:
        real = getattr(os, name)

        def around(*args: Any, **named: Any) -> Any:
            return self._do(Point(name, path_of(*args, **named)), lambda: real(*args, **named))

        setattr(os, name, around)

    def _do(self, point: Point, whole: Callable[[], Any], half: Callable[[], Any] = lambda: None) -> Any:
        """Do a thing, or what the fault says in its place."""
        path = os.path.normpath(Path.cwd() / point.name)
        inside = point.what == "start" or path == self.root or path.startswith(f"{self.root}/")
        if not inside or threading.current_thread() is not threading.main_thread():
            return whole()
        self.points.append(Point(point.what, os.path.relpath(path, self.root) if point.what != "start" else point.name))
        if self.lasting and not (self.kind == "ENOSPC" and point.what in _FREES) and point.what != "start":
            raise _refused(self.kind, point)
        if len(self.points) == self.at:
            self._fault(point, half)
        return whole()

    def _fault(self, point: Point, half: Callable[[], Any]) -> None:
        if self.kind in (KILL, HALF):
            if self.kind == HALF:
                half()
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.kind in SIGNALS:
            os.kill(os.getpid(), SIGNALS[self.kind])
        elif self.kind in ERRORS:
            self.lasting = self.kind in LASTING
            if point.what == "write" and self.kind != "EROFS":
                half()
            raise _refused(self.kind, point)
        else:
            self.actions[self.kind]()

    def _opened(self, file: Any, mode: str = "r", *args: Any, **named: Any) -> Any:
        if not set(mode) & set("wxa+") or named.get("opener"):
            return self._open(file, mode, *args, **named)
        if isinstance(file, int):
            return self._wrapped(file, mode, *args, **named) if _plain(file) else self._open(file, mode, *args, **named)
        return self._do(Point("open", os.fspath(file)), lambda: self._wrapped(file, mode, *args, **named))

    def _wrapped(self, file: Any, mode: str, buffering: int = -1, encoding: str | None = None,
                 errors: str | None = None, newline: str | None = None, closefd: bool = True,
                 opener: None = None) -> Any:  # fmt: skip
        raw = _Raw(self, file, mode.replace("b", "").replace("t", ""), closefd)
        binary = (io.BufferedRandom if "+" in mode else io.BufferedWriter)(raw)
        return binary if "b" in mode else io.TextIOWrapper(binary, encoding, errors, newline)

    def _os_opened(self, path: Any, flags: int, *args: Any, **named: Any) -> int:
        if not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            return self._os_open(path, flags, *args, **named)
        folder = named.get("dir_fd")
        name = Path(_of(folder) if folder is not None else "") / os.fspath(path)
        return self._do(Point("open", str(name)), lambda: self._os_open(path, flags, *args, **named))

    def _os_written(self, fd: int, data: bytes) -> int:
        if not _plain(fd):
            return self._os_write(fd, data)
        return self.written(_of(fd), data, lambda part: self._os_write(fd, part))

    def written(self, name: str, data: Any, write: Callable[[Any], int]) -> int:
        """Write a piece of a file."""
        return self._do(Point("write", name), lambda: write(data), lambda: write(data[: len(data) // 2]))

    def _started(self, popen: subprocess.Popen, args: Any, *more: Any, **named: Any) -> None:
        words = [args] if isinstance(args, str) else list(map(str, args))
        point = Point("start", " ".join([Path(words[0]).name, *words[1:2]]))

        def start() -> None:
            self._start(popen, args, *more, **named)

        self._do(point, start, start)


class _Raw(io.FileIO):
    """A file whose writes are points."""

    def __init__(self, layer: Layer, file: Any, mode: str, closefd: bool):
        super().__init__(file, mode, closefd)
        self.layer = layer
        self.path = _of(self.fileno())

    def write(self, data: Any) -> int:
        return self.layer.written(self.path, bytes(data), super().write)


def _of(fd: int) -> str:
    """The path of an open file."""
    return str(Path(f"/proc/self/fd/{fd}").readlink())


def _plain(fd: int) -> bool:
    return stat.S_ISREG(os.fstat(fd).st_mode)


def _refused(kind: str, point: Point) -> OSError:
    number = ERRORS[kind]
    # The system names no file when a write fails.
    return OSError(number, os.strerror(number), *([] if point.what in ("write", "sync", *_OF_FILES) else [point.name]))
