"""Files: read what somebody wrote within limits, hash, lock a directory, write so that a file appears complete or not at all."""

import contextlib
import fcntl
import hashlib
import json
import math
import os
import pickle
import resource
import signal
import stat
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from jcarerun.errors import UserError

# Files newer than this get this date; a constant, so that the day of the build leaves no trace.
EPOCH = 1704067200
# The largest JSON file that is read, and its deepest nesting.
MOST_JSON_BYTES, DEEPEST_JSON = 64 << 20, 50


def where(path: Path) -> str:
    """The file as a person would name it: relative to the working directory if it lies below it."""
    try:
        return str(Path(path).resolve().relative_to(Path.cwd()))
    except (ValueError, OSError, RuntimeError):  # not below it; a name no system takes; links in a circle
        return str(path)


def read_text(path: Path, most: int, remedy: str = "correct the path") -> str:
    """The text of a file of at most so many bytes. Raises UserError for a missing, unreadable or larger one, or no plain file.

    `remedy` is that of a missing file.
    """
    try:
        # Not blocking: a FIFO without a writer would hold us for ever.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UserError(f"{where(path)}: is no plain file; put a text file there")
            content = file.read(most + 1)
    except FileNotFoundError:
        raise UserError(f"{where(path)}: there is no such file; {remedy}") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{where(path)}: can't be read ({getattr(error, 'strerror', None) or error})") from None
    if len(content) > most:
        raise UserError(f"{where(path)}: is larger than {most >> 10} KiB; no file of its kind is")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{where(path)}: is no text in UTF-8 (byte {error.start + 1}); write it in UTF-8") from None


def parse_json(text: str | bytes) -> Any:
    """What a JSON text says. Raises ValueError for one that is damaged or that two readers would read differently."""
    try:
        found = json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if _depth(found) > DEEPEST_JSON:
        raise ValueError("nested too deeply")
    return found


def load_json(path: Path, remedy: str) -> dict[str, Any]:
    """The record that a JSON file holds. Raises UserError, with the remedy, for a missing or damaged one."""
    try:
        found = parse_json(read_text(path, MOST_JSON_BYTES, remedy))
        if isinstance(found, dict):
            return found
        words = "not a record"
    except ValueError as error:
        words = str(error)
    raise UserError(f"{where(path)}: not whole JSON ({words}); {remedy}")


def _pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in found]
    if len(set(keys)) != len(keys):
        raise ValueError(f"{next(key for key in keys if keys.count(key) > 1)} stands twice")
    return dict(found)


def _constant(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def _depth(value: Any) -> int:
    deepest, left = 0, [(value, 1)]
    while left:
        part, depth = left.pop()
        deepest = max(deepest, depth)
        inside = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        left += [(each, depth + 1) for each in inside]
    return deepest


def sha256(path: Path) -> str:
    """SHA-256 of a file, as hex digits."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def exclusive(folder: Path) -> Iterator[None]:
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
    except BaseException as error:
        if isinstance(error, OSError) and error.filename == str(part):
            error.filename = str(path)  # the file that the reader of the message knows
        with contextlib.suppress(OSError):
            part.unlink()
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


# What reading others' data may take of the host: memory in all, and seconds of CPU time for small data and for each MiB more.
MOST_MEMORY, LEAST_CPU_S, CPU_S_PER_MIB = 512 << 20, 4, 5
# What a process has beside its data: the interpreter and its libraries.
_CODE_BYTES = 64 << 20
_confined = False


def confined(work: Callable[[], Any], place: object, size: int = 0) -> Any:
    """Do `work` on data that others wrote in a child process with limits of memory and time; its result must be picklable.

    place: what is read, for messages. size: of the data, in bytes. Raises UserError for what `work` refuses, for any other error
    in it, and where it takes more than the limits.
    """
    return work() if _confined else _answer(_start(work, size), place)


def confined_each(work: Callable[[Path], Any], paths: Iterable[Path], size: Callable[[Path], int]) -> Iterator[Any]:
    """What `confined` gives for `work` on each path, in their order; as many children at once as there are CPUs."""
    most = len(os.sched_getaffinity(0))
    started: deque[tuple[Path, _Child]] = deque()
    try:
        for path in paths:
            started.append((path, _start(partial(work, path), size(path))))
            if len(started) >= most:
                path, child = started.popleft()
                yield _answer(child, where(path))
        while started:
            path, child = started.popleft()
            yield _answer(child, where(path))
    finally:
        for _, child in started:
            os.kill(child.pid, signal.SIGKILL)
            os.close(child.pipe)
            os.waitpid(child.pid, 0)


class _Child(NamedTuple):
    """A process at work: what its answer is read from, and the seconds of CPU time that it has."""

    pid: int
    pipe: int
    cpu_s: int


def _start(work: Callable[[], Any], size: int) -> _Child:
    reading, writing = os.pipe()
    cpu_s = LEAST_CPU_S + CPU_S_PER_MIB * (size >> 20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: the child needs none of their locks
        pid = os.fork()
    if pid == 0:
        _work_as_child(work, writing, cpu_s)
    os.close(writing)
    return _Child(pid, reading, cpu_s)


def _answer(child: _Child, place: object) -> Any:
    with os.fdopen(child.pipe, "rb") as pipe:
        content = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child.pid, 0)[1])
    kind, answer = pickle.loads(content) if status == 0 else ("limit", f"status {status}")
    if kind == "result":
        return answer
    if kind == "refused":
        raise UserError(*answer)
    if kind == "error":
        raise UserError(f"{place}: can't be read ({answer}); it is damaged, or made to mislead: don't use it")
    if kind == "interrupted":
        raise KeyboardInterrupt
    raise UserError(
        f"{place}: takes more than {MOST_MEMORY >> 20} MiB or {child.cpu_s} s to read ({answer}), which nothing of its kind does;"
        " don't use it"
    )


def _work_as_child(work: Callable[[], Any], pipe: int, cpu_s: int) -> NoReturn:
    global _confined
    _confined, status = True, 1
    try:
        used = math.ceil(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
        _limit(resource.RLIMIT_CPU, used + cpu_s)
        _limit(resource.RLIMIT_DATA, max(MOST_MEMORY - _CODE_BYTES, _data_bytes() + MOST_MEMORY // 2))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(10 * cpu_s + 60)  # of what waits for something, which takes no CPU time
        try:
            answer = "result", work()
        except UserError as error:
            answer = "refused", error.texts
        except MemoryError:
            answer = "limit", "no memory left"
        except KeyboardInterrupt:
            answer = "interrupted", ""
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            answer = "error", f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}: {error}"
        with os.fdopen(pipe, "wb") as out:
            pickle.dump(answer, out)
        status = 0
    finally:
        os._exit(status)


def _limit(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def _data_bytes() -> int:
    """What this process has of writable memory of its own, which RLIMIT_DATA limits."""
    pages = Path("/proc/self/statm").read_text().split()[5] if Path("/proc/self/statm").exists() else 0
    return int(pages) * resource.getpagesize()
