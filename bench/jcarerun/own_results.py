"""Tools for anybody's results: `jca-rerun summarise|compare|gc-pauses|check-rounds ...`.

Checks the paths, and the rounds among them, and runs the tool in the R image. Its status is the tool's: of `compare` 0 where
nothing got slower, 1 where something did, 3 where a benchmark is missing or can't be judged; 2 for bad input. Make has one status
for all that fails, so `compare` leaves `outcome.txt` too.
"""

import argparse
import os
import stat
import subprocess
import sys
from pathlib import Path

from jcarerun.errors import UserError, count
from jcarerun.images.commands import analysis, ready
from jcarerun.rounds import record, tree, validate
from jcarerun.support.files import confined

# The analysis writes it, but for comparisons that end without an outcome.
OUTCOME_FILE = "outcome.txt"
# What reading may take: for small files, most of it for R itself, and more for each MiB; a packed file is so many times as large.
LEAST_MIB, MIB_PER_MIB, LEAST_S, S_PER_MIB, PACKED = 512, 100, 60, 20, 20
# Status of a process that the system ended: beyond its time (SIGXCPU), or its memory.
_KILLED = {128 + 24, 128 + 9, -24, -9}


def readable(text: str) -> Path:
    """The file or directory that a path leads to, links followed. Raises UserError where there is none."""
    path = _spelt(text)
    if not path.exists():
        raise UserError(f"{text}: there is no such file or directory; correct the path")
    found = path.resolve()
    if not (found.is_dir() or stat.S_ISREG(found.stat().st_mode)):
        raise UserError(f"{text}: is no ordinary file and no directory; write what it gives into a file, and name that")
    return found


def _spelt(text: str) -> Path:
    """A path that an engine can mount."""
    if not text or "\0" in text or "\n" in text:
        raise UserError(f"path {text!r}: is empty or breaks a line; give it another name")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UserError(
            f"{os.fsencode(text)!r}: the name is no UTF-8, which engines need; give it another name"
        ) from None
    return Path(text)


def writable(text: str) -> Path:
    """The directory that results go to, made where it is missing."""
    path = _spelt(text).resolve()
    if path.exists() and not path.is_dir():
        raise UserError(f"{text}: is a file, where a directory for the results is expected; name another one")
    path.mkdir(parents=True, exist_ok=True)
    return path


def _written_file(text: str) -> Path:
    path = _spelt(text)
    path = writable(str(path.parent)) / path.name
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise UserError(f"{text}: is there already and no ordinary file; name another one, or remove it")
    return path


def _size(path: Path) -> int:
    """Bytes of a file, unpacked by a guess, or of a directory's files."""
    if path.is_dir():
        return tree.size(path)
    return path.stat().st_size * (PACKED if path.suffix in (".gz", ".bz2", ".xz") else 1)


def _in_r(engine: str, command: str, read: list[Path], write: Path, arguments: dict[str, object]) -> int:
    """Run a command of the analysis, within limits of memory and time; its status."""
    ready(engine, "analysis")
    given = {name: value for name, value in arguments.items() if value not in ("", [])}
    lists = {name: value if isinstance(value, list) else [value] for name, value in given.items()}
    words = [word for name, values in lists.items() for word in (f"--{name}", *map(str, values))]
    size_mib = sum(map(_size, read)) >> 20
    memory_mib, cpu_s = LEAST_MIB + MIB_PER_MIB * size_mib, LEAST_S + S_PER_MIB * size_mib
    limited = f'ulimit -d {memory_mib << 10} && ulimit -t {cpu_s} && exec "$@"'
    argv = ["sh", "-c", limited, "sh", "Rscript", "analysis/run.R", command, *words]
    status = subprocess.run(analysis(engine, read, [write], argv)).returncode
    if status in _KILLED:
        raise UserError(
            f"{', '.join(map(str, read))[:300]}: takes more than {memory_mib} MiB or {cpu_s} s to read, which nothing of its "
            "size does; give what JMH or HotSpot wrote"
        )
    return status


def _rounds(folder: Path) -> list[Path]:
    """The directories below one, itself too, that have a round's record. No link is followed."""
    found = []
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if record.FILE in files:
            found.append(Path(path))
    return found


def check_below(folder: Path) -> None:
    """Check every round below a directory, and say how many there are; a single file is none."""
    found = confined(lambda: _rounds(folder.resolve()), folder)
    for each in found:
        validate.validate_round(each)
    if found:
        print(f"{folder}: {count(len(found), 'round')}, each of them as it was measured", file=sys.stderr)


def check_rounds(arguments: argparse.Namespace) -> None:
    """Check every round below some directories. Whatever is no round is passed over."""
    for folder in arguments.folders:
        if not folder.is_dir():
            raise UserError(f"{folder}: there is no such directory")
        check_below(folder)


def summarise(arguments: argparse.Namespace) -> int:
    """Make a table of JMH results; its status."""
    raw, out = readable(arguments.raw), writable(arguments.out)
    check_below(raw)
    strict = "yes" if arguments.strict else ""
    return _in_r(arguments.engine, "summarise", [raw], out, {"raw": raw, "out": out, "strict": strict})


def compare(arguments: argparse.Namespace) -> int:
    """Find what got slower between two runs; its status."""
    out = writable(arguments.out)
    # An older outcome must not stand where this one ends early.
    for name in (OUTCOME_FILE, "compare.md"):
        (out / name).unlink(missing_ok=True)
    status = 2
    try:
        if not arguments.candidate and not arguments.pair:
            raise UserError("CANDIDATE= (--candidate) is missing: name the results after, or a PAIR= of the baseline")
        baseline = readable(arguments.baseline)
        candidate = readable(arguments.candidate) if arguments.candidate else baseline
        for side in (baseline, candidate):
            check_below(side)
        options = {"margin": arguments.margin, "forks": arguments.forks, "strict": "yes" if arguments.strict else ""}
        options |= {"fail_on": arguments.fail_on, "pair": arguments.pair}
        paths = {"baseline": baseline, "candidate": candidate, "out": out}
        status = _in_r(arguments.engine, "compare", [baseline, candidate], out, {**paths, **options})
    finally:
        if not (out / OUTCOME_FILE).exists():
            (out / OUTCOME_FILE).write_text("bad input\n" if status == 2 else "failed\n")
    return status


def gc_pauses(arguments: argparse.Namespace) -> int:
    """List the stops in a GC log; its status."""
    logs, out = [readable(name) for name in arguments.gc_log], _written_file(arguments.out)
    for log in logs:
        if log.is_dir():
            raise UserError(f"{log}: is a directory; name a GC log, or the files of a rotated one")
    return _in_r(arguments.engine, "gc_pauses", logs, out.parent, {"log": logs, "out": out})
