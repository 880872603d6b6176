"""Runs a round's forks in an isolated container (on engine host: as a plain process) and watches over it.

In: a directory with cells.csv and forks.tsv. Out: what the forks write there, and, elsewhere, what they print.
"""

import json
import os
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
from jcarerun.plan import subjects
from jcarerun.plan.plan import Round
from jcarerun.plan.providers import PROGRAMS
from jcarerun.plan.settings import Settings
from jcarerun.run import harness
from jcarerun.support import engine as engines

JAR = Path("bench/target/benchmarks.jar")
JARS = Path("bench/target/providers")

# Of what a round prints, which may be anything: characters of a line, and lines, that are kept.
_MOST_CHARS, _MOST_LINES = 10_000, 100_000
_PROGRESS = re.compile(r"progress ([0-9]{1,6}) ([0-9]{1,6})\b")

FORK_TIMEOUT_FACTOR, FORK_TIMEOUT_LEAST_S = 20, 120

# The part of the engine's account of a container that bears on the measurement.
ACCOUNT = (
    "NetworkMode", "ReadonlyRootfs", "CapDrop", "CapAdd", "SecurityOpt", "CpusetCpus", "Memory", "MemorySwap",
    "PidsLimit", "Privileged", "Tmpfs",
)  # fmt: skip


def jars_inside(engine: str) -> str:
    """The directory of provider jars as the forks see it."""
    return str(JARS.resolve()) if engine == engines.HOST else "/bench/providers"


class _Watch(threading.Thread):
    """Ends the container when the process that asked for the round is gone (`kill -9` of Snakemake)."""

    def __init__(self, engine: str, name: str, process: subprocess.Popen):
        super().__init__(daemon=True)
        self.engine, self.name, self.process, self.parent = engine, name, process, os.getppid()

    def run(self) -> None:
        while self.process.poll() is None:
            if os.getppid() != self.parent:
                engines.kill(self.engine, self.name)
                self.process.kill()
                return
            time.sleep(0.3)


def fork_timeout_s(planned: Round) -> int:
    """After how many seconds a fork of the round is ended."""
    longest = max(cell.expected_s for cell in planned.cells)
    return int(max(FORK_TIMEOUT_LEAST_S, FORK_TIMEOUT_FACTOR * longest))


def _class_path(planned: Round) -> dict[Path, str]:
    """The jars that a round's JVMs load, each with its place in a container, in their order."""
    if not planned.subject:
        return {JAR: "/bench/benchmarks.jar"}
    places = {harness.write(JAR): "/bench/harness.jar"}
    for number, file in enumerate(subjects.files(planned.subject), start=1):
        places[file] = f"/bench/subject-{number}.jar"
    return places


def _argv(planned: Round, engine: str, platform: str) -> list[str]:
    places = _class_path(planned)
    jars = [str(file.resolve()) for file in places] if engine == engines.HOST else places.values()
    jar = (";" if platform == "windows" else ":").join(jars)
    main = ["jcarerun.round.RoundMain", "--with-stdin", "--fork-timeout", str(fork_timeout_s(planned))]
    # A fork is of the same user: it must not load code into the runner, which keeps what other forks have left.
    return ["java", "-Xmx128m", "-XX:+UseSerialGC", "-XX:+DisableAttachMechanism", "-cp", jar, *main]


def _command(
    planned: Round, folder: Path, name: str, image_id: str, settings: Settings, platform: str, native: Path | None
) -> list[str]:
    argv = _argv(planned, settings.engine, platform)
    if settings.engine == engines.HOST:
        return argv
    mounts = {**{str(file): place for file, place in _class_path(planned).items()}, str(JARS): "/bench/providers"}
    if native:
        mounts[str(native)] = PROGRAMS
    options = engines.isolation(settings.engine, folder, mounts, settings.cpuset, f"{settings.memory}m")
    return engines.measuring_command(settings.engine, image_id, name, options, argv)


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


def _engine_gone(settings: Settings) -> str:
    """Words to add where the engine itself is gone; empty where it answers."""
    try:
        engines.require(settings.engine)
    except UserError as error:
        return f"; {error}"
    return ""


def run(
    planned: Round,
    folder: Path,
    log: Path,
    image_id: str,
    settings: Settings,
    show: Callable[[int, int], None],
    begun: Callable[[], None],
    platform: str,
    native: Path | None = None,
) -> dict | None:
    """Run a round's forks in `folder` and return the engine's account of the container. `log` gets what is printed.

    `platform` is what the round's JVMs are built for, `native` the directory of its system's native programs, where it has any.
    `begun()` is called once, when the runner has written what it found inside and no fork has run; what it raises ends the round.
    `show(done, forks)` is called then and after every fork. Raises UserError with the round's last words if it fails.
    """
    name = f"jca-rerun-{os.getpid()}-{planned.id}"
    command = _command(planned, folder, name, image_id, settings, platform, native)
    account, first, said = None, True, deque(maxlen=_MOST_LINES)
    with log.open("w") as console:
        console.write(shlex.join(command).replace(str(Path.cwd()), ".") + "\n")
        console.flush()
        process = subprocess.Popen(
            command,
            cwd=folder if settings.engine == engines.HOST else None,
            stdin=subprocess.PIPE,  # never written to: it ends when we do, and the round with it
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        _Watch(settings.engine, name, process).start()
        reader = threading.Thread(target=lambda: said.extend(_lines(process.stderr)), daemon=True)
        reader.start()
        try:
            for number, line in enumerate(_lines(process.stdout)):
                if number < _MOST_LINES:
                    console.write(line)
                if told := _PROGRESS.match(line):
                    account = account or _account(settings.engine, name)
                    if first:
                        begun()
                        first = False
                    show(int(told[1]), int(told[2]))
            status = process.wait()
        finally:
            if process.poll() != 0:  # we are being ended, or the client was: the container must not outlive us
                engines.kill(settings.engine, name)
                process.kill()
        reader.join(timeout=5)
        console.writelines(said)
    if status != 0:
        last = (
            said[-1].strip() if said else "it was ended from outside" if status in (137, 143, -9, -15) else "no message"
        )
        raise UserError(
            f"{planned.experiment}, {planned.environment}, {planned.id}: the round failed (status {status}): {last}"
            f"{_engine_gone(settings)}"
        )
    return account
