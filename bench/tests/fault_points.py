"""Faults in a process at a chosen point: a kill, a torn write, a disk that is full, fails or is read-only, a signal.

A point is an event of Python's audit hooks that changes a file below a directory: an opening for writing, a rename, a removal
(https://docs.python.org/3/library/audit_events.html). The hook runs before the event, and what it raises takes the event's place.
"""

import errno
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

KILL, TORN_WRITE, FILE_LIMIT = "killed", "killed in a write", "a file may not grow"
# A disk that is full or read-only stays so; an error of the disk is one block's.
ERRORS = {"disk full": errno.ENOSPC, "disk error": errno.EIO, "disk read-only": errno.EROFS}
SIGNALS = {"SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM, "SIGHUP": signal.SIGHUP}
KINDS = (KILL, TORN_WRITE, FILE_LIMIT, *ERRORS, *SIGNALS)
_TORN_AFTER_BYTES = 7

_CHANGES = {
    "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.chown", "os.truncate", "os.utime",
}  # fmt: skip
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Faults:
    """Counts the points below `root` in this process; at number `at` (from 1 on), the fault of that kind happens."""

    def __init__(self, root: Path, at: int = 0, kind: str = ""):
        self.root, self.at, self.kind = f"{root.resolve()}/", at, kind
        self.count, self.lasting, self.paused = 0, 0, False
        sys.addaudithook(self._event)

    def _event(self, event: str, words: tuple) -> None:
        writes = event == "open" and isinstance(words[2], int) and words[2] & _WRITES
        if (not writes and event not in _CHANGES) or not isinstance(words[0], str | bytes | os.PathLike):
            return
        path = str(Path.cwd() / os.fsdecode(words[0]))
        if self.paused or not path.startswith(self.root):
            return
        self.count += 1
        if self.lasting and event not in ("os.remove", "os.rmdir"):
            raise OSError(self.lasting, os.strerror(self.lasting), path)
        if self.count == self.at:
            self._fault(path)

    def _fault(self, path: str) -> None:
        if self.kind == KILL:
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.kind in (TORN_WRITE, FILE_LIMIT):
            # A write beyond the limit first writes what fits. Then the signal ends the process, or the next write fails.
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL if self.kind == TORN_WRITE else signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (_TORN_AFTER_BYTES, resource.RLIM_INFINITY))
        elif self.kind in SIGNALS:
            os.kill(os.getpid(), SIGNALS[self.kind])
        else:
            number = ERRORS[self.kind]
            self.lasting = 0 if number == errno.EIO else number
            raise OSError(number, os.strerror(number), path)


def start(work: Callable[[], None]) -> tuple[int, int]:
    """Run `work` in a new process; return its id and a pipe with its output. A limit on file sizes is none for a pipe."""
    output, end = os.pipe()
    if pid := os.fork():
        os.close(end)
        return pid, output
    status = 1
    try:
        sys.stdout = sys.stderr = os.fdopen(end, "w")
        work()
        status = 0
    except SystemExit as left:
        status = left.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status)


def finish(process: tuple[int, int]) -> tuple[int, str]:
    """The exit status of such a process once it has ended (the signal's number below zero, if one ended it), and its output."""
    with os.fdopen(process[1]) as output:
        said = output.read()
    return os.waitstatus_to_exitcode(os.waitpid(process[0], 0)[1]), said
