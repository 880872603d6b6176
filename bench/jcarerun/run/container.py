"""Runs a round's forks in an isolated container (on engine host: as a plain process) and watches over it.

In: a planned round, a directory with its inputs. Out: what the forks write there, and, elsewhere, what they print.
"""

import json
import os
import platform
import re
import shlex
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from jcarerun.errors import UserError
from jcarerun.rounds import tree
from jcarerun.run.round_file import RoundFile
from jcarerun.support import engine as engines

JAR = Path("bench/target/benchmarks.jar")
JARS = Path("bench/target/providers")
# Where the forks see the providers' jars and the native programs.
PROVIDERS, NATIVE_PROGRAMS = "/bench/providers", "/bench/native"

# Of what a round prints, which may be anything: characters of a line, and of all lines, that are kept.
_MOST_CHARS, _MOST_IN_ALL = 10_000, 4 << 20
# Of a round's files, as whoever reads it has it.
MOST_ROUND_BYTES = tree.Bounds().all
_PROGRESS = re.compile(r"progress ([0-9]{1,6}) ([0-9]{1,6})\b")

# The part of the engine's account of a container that bears on the measurement.
ACCOUNT = (
    "NetworkMode", "ReadonlyRootfs", "CapDrop", "CapAdd", "SecurityOpt", "CpusetCpus", "Memory", "MemorySwap",
    "PidsLimit", "Privileged", "Tmpfs",
)  # fmt: skip


def host_platform() -> str:
    """The system of this machine, as the catalogue of environments calls it."""
    return platform.system().lower()


class _Watch(threading.Thread):
    """Ends the container when the process that asked for the round is gone (`kill -9`), or when it fills the disk."""

    def __init__(self, engine: str, name: str, process: subprocess.Popen, folder: Path):
        super().__init__(daemon=True)
        self.engine, self.name, self.process, self.parent, self.folder = engine, name, process, os.getppid(), folder
        self.too_large = False

    def run(self) -> None:
        free = _free_bytes(self.folder)
        while self.process.poll() is None:
            # To add up a round's files takes the time of a CPU, so free space is looked at first.
            if free - _free_bytes(self.folder) > MOST_ROUND_BYTES // 2:
                self.too_large = tree.size(self.folder) > MOST_ROUND_BYTES
            if self.too_large or os.getppid() != self.parent:
                engines.kill(self.engine, self.name)
                self.process.kill()
                return
            time.sleep(0.3)


def _free_bytes(folder: Path) -> int:
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def _argv(planned: RoundFile) -> list[str]:
    on_host = planned.engine == engines.HOST
    jars = [str(Path(each.path).resolve()) if on_host else each.inside for each in planned.class_path]
    jar = (";" if (planned.platform or host_platform()) == "windows" else ":").join(jars)
    main = ["jcarerun.round.RoundMain", "--with-stdin", "--fork-timeout", str(planned.fork_timeout_s)]
    # A fork is of the same user: it must not load code into the runner, which keeps what other forks have left.
    return ["java", "-Xmx128m", "-XX:+UseSerialGC", "-XX:+DisableAttachMechanism", "-cp", jar, *main]


def _command(planned: RoundFile, folder: Path, name: str) -> list[str]:
    argv = _argv(planned)
    if planned.environment is None:
        return argv
    mounts = {each.path: each.inside for each in planned.class_path} | {str(JARS): PROVIDERS}
    if planned.native_programs:
        mounts[planned.native_programs] = NATIVE_PROGRAMS
    options = engines.isolation(planned.engine, folder, mounts, planned.cpuset, f"{planned.memory_mib}m")
    return engines.measuring_command(planned.engine, planned.environment["image_id"], name, options, argv)


def _account(engine: str, name: str) -> dict | None:
    """What the engine says of the running container; None on the host, or when it has ended already."""
    inspected = engines.inspect(engine, name)
    if inspected is None:
        return None
    found = json.loads(inspected)[0]
    return {
        "image": found["Image"],
        "user": found["Config"]["User"],
        **{key: found["HostConfig"].get(key) for key in ACCOUNT},
    }


def _lines(stream: TextIO) -> Iterator[str]:
    """The lines of a stream, an endless one in pieces."""
    return iter(lambda: stream.readline(_MOST_CHARS), "")


def _keep_last(stream: TextIO, kept: deque[str]) -> None:
    """Keep the last lines of a stream."""
    size = 0
    for line in _lines(stream):
        kept.append(line)
        size += len(line)
        while size > _MOST_IN_ALL:
            size -= len(kept.popleft())


def _engine_gone(engine: str) -> str:
    """Words to add where the engine itself is gone; empty where it answers."""
    try:
        engines.require(engine)
    except UserError as error:
        return f"; {error}"
    return ""


def run(
    planned: RoundFile, folder: Path, log: Path, show: Callable[[int, int], None], begun: Callable[[], None]
) -> dict | None:
    """Run a round's forks in `folder` and return the engine's account of the container. `log` gets what is printed.

    `begun()` is called once, when the runner has written what it found inside and no fork has run; what it raises ends the round.
    `show(done, forks)` is called then and after every fork. Raises UserError with the round's last words if it fails.
    """
    name = engines.container_name()
    command = _command(planned, folder, name)
    account, first, said, left = None, True, deque(), _MOST_IN_ALL
    with log.open("w") as console:
        console.write(shlex.join(command).replace(str(Path.cwd()), ".") + "\n")
        console.flush()
        process = subprocess.Popen(
            command,
            cwd=folder if planned.engine == engines.HOST else None,
            stdin=subprocess.PIPE,  # never written to: it ends when we do, and the round with it
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        watch = _Watch(planned.engine, name, process, folder)
        watch.start()
        reader = threading.Thread(target=_keep_last, args=(process.stderr, said), daemon=True)
        reader.start()
        try:
            for line in _lines(process.stdout):
                if left > 0:
                    console.write(line)
                left -= len(line)
                if progress := _PROGRESS.match(line):
                    account = account or _account(planned.engine, name)
                    if first:
                        begun()
                        first = False
                    show(int(progress[1]), int(progress[2]))
            status = process.wait()
        finally:
            if process.poll() != 0:  # we are being ended, or the client was: the container must not outlive us
                engines.kill(planned.engine, name)
                process.kill()
        reader.join(timeout=5)
        console.writelines(said)
    if watch.too_large:
        raise UserError(
            f"{planned.path}: the round's files take more than {MOST_ROUND_BYTES >> 30} GiB, so it was ended"
        )
    if status != 0:
        last = (
            said[-1].strip() if said else "it was ended from outside" if status in (137, 143, -9, -15) else "no message"
        )
        raise UserError(f"{planned.path}: the round failed (status {status}): {last}{_engine_gone(planned.engine)}")
    return account
