"""One fault, from a run's beginning to its end: a job that it hits, the same command again, and what must be true of both.

In: a run whose rounds were recorded, and for its containers an engine that replays them (replay.py). Out: complaints, none where
nothing was lost and nothing let in.
"""

import argparse
import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from jcarerun.errors import UserError, entry_point
from jcarerun.images import image
from jcarerun.rounds import check, names, record, stamp, tree
from jcarerun.run import run_round, session, verified
from jcarerun.run.__main__ import parser, perform
from jcarerun.run.run import RAW, Run
from jcarerun.trials import replay
from jcarerun.trials.faults import Layer, Point

# Far beyond what a job takes that replays a round.
LONGEST_S = 60
# What is said of when and under which process id a round ran: all that may differ between two replays of it.
_TIMES = {record.FILE: ("started_at", "finished_at", "elapsed_s"), record.AUDIT: ("before", "after", "steal_share")}
_OF_A_PROCESS = re.compile(rb"jca-rerun-[0-9]+|jca-rerun=[0-9a-f]+|given|inside")
# A clock that runs a thousand times as fast: what is replayed takes next to no time, and its record says how long it took.
HASTE = 1000


def record_engine(home: Path, current: Run, raw: Path) -> None:
    """Make a replaying engine's directory, with what the forks of the run's rounds left and with their images."""
    for name in ("images", "containers"):
        (home / name).mkdir(parents=True)
    (home / "log").touch()
    for one in current.first:
        target = home / "recorded" / one.path
        target.mkdir(parents=True)
        tree.receive(raw / one.path, target, names.FORKS, refuse=lambda name, why: None)
        (home / "images" / image.read_record(one.environment)["image_id"]).touch()
    (home / "bin").mkdir()
    (home / "bin/docker").write_text(f'#!/bin/sh\nexec {sys.executable} -S -E -s {Path(replay.__file__)} "$@"\n')
    (home / "bin/docker").chmod(0o755)


def content(raw: Path) -> dict[str, str]:
    """SHA-256 of what each file of the rounds says, but for times. Raises UserError for a round that is not whole."""
    found = {}
    for path in tree.folders(raw, 3):
        digest = check.whole(raw / path)
        if (mark := stamp.of(raw / path)).exists() and mark.read_text().split("\n")[0] != digest:
            raise UserError(f"{mark}: is not the stamp of its round")
        for name in tree.names(raw / path, names.ROUND) - {names.MANIFEST}:
            text = (raw / path / name).read_bytes()
            if name in _TIMES:
                said = {key: value for key, value in json.loads(text).items() if key not in _TIMES[name]}
                text = json.dumps(said, sort_keys=True).encode()
            elif name == "console.log":
                text = _OF_A_PROCESS.sub(b"", text)
            found[f"{path}/{name}"] = hashlib.sha256(text).hexdigest()
    return found


def _gone(group: int, end: float) -> None:
    """Wait for what a process that was killed had started: it ends by itself."""
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < end:
            os.killpg(group, 0)
            time.sleep(0.002)


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit status (negative: the signal), all that it printed, and the points that it came to."""

    status: int
    said: str
    points: list[Point]


class Case:
    """A run's directory, made for one fault after the other: its first round is whole, the others are not measured yet."""

    def __init__(self, folder: Path, current: Run, recorded: Path):
        self.current, self.recorded = current, recorded
        self.before = folder.with_name(f"{folder.name}-before")
        self.at(folder)
        self.undisturbed: dict[str, str] = {}
        self.first = current.first[0].path

    def at(self, folder: Path) -> None:
        """Have the run's directory there from now on."""
        self.folder, self.engine, self.raw = folder, folder / "engine", folder / RAW

    def settle(self) -> None:
        """Measure all that there is, undisturbed, and keep the state with its first round alone."""
        self._clear()
        complaints = self.go_on()
        if complaints:
            raise UserError(f"without a fault: {complaints[0]}")
        self.undisturbed = content(self.raw)
        whole = self.before / self.first
        shutil.copytree(self.raw / self.first, whole)
        shutil.copy2(stamp.of(self.raw / self.first), stamp.of(whole))

    def _clear(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.raw.mkdir(parents=True)
        for name in ("bench", "envs"):
            (self.folder / name).symlink_to(Path(name).resolve())
        shutil.copytree(self.recorded, self.engine, symlinks=True)

    def prepare(self) -> None:
        """As a run finds it that goes on after one that was killed: a stamp without a round and a round that was being made."""
        self._clear()
        shutil.copytree(self.before, self.raw, dirs_exist_ok=True)
        for one in self.current.first[1:]:
            final = self.raw / one.path
            stamp.of(final).write_text("0\n")
            (final.parent / f".part-{one.id}/inside").mkdir(parents=True)

    def begin(self) -> None:
        """What Snakemake's process does before the first job."""
        sys.argv = ["snakemake"]
        words = argparse.ArgumentParser(prog="snakemake")
        entry_point(lambda _: (verified.verify(self.current), session.begin(self.current)), words)

    def job(self, path: str) -> None:
        """What the job of a round does."""
        sys.argv = ["jcarerun.run", "--log", f"data/logs/round/{path}.log", "round", path]
        entry_point(partial(perform, current=self.current), parser())

    def process(
        self, work: Callable[[], None], layer: Layer | None = None, beside: Callable[[], None] | None = None
    ) -> Ended:
        """Run `work` in a process of its own to its end; `beside` in another at once, when that asks for it (SIGUSR1)."""
        asked = []
        before = signal.signal(signal.SIGUSR1, lambda *_: asked.append(True))
        running, second, beside_said = self._start(work, layer), None, ""
        end = time.monotonic() + LONGEST_S
        try:
            while (ended := os.waitpid(running, os.WNOHANG))[0] == 0:
                if asked and second is None and beside:
                    second = self._start(beside)
                if time.monotonic() > end:
                    os.kill(running, signal.SIGKILL)
                    ended = os.waitpid(running, 0)
                    return Ended(124, f"did not end within {LONGEST_S} s", [])
                time.sleep(0.002)
            _gone(running, end)
            if second is not None:
                os.waitpid(second, 0)
                beside_said = (self.folder / f"said-{second}").read_text()
        finally:
            signal.signal(signal.SIGUSR1, before)
        points = self.folder / "points.json"
        found = [Point(*each) for each in json.loads(points.read_text())] if points.exists() else []
        return Ended(
            os.waitstatus_to_exitcode(ended[1]), (self.folder / f"said-{running}").read_text() + beside_said, found
        )

    def _start(self, work: Callable[[], None], layer: Layer | None = None) -> int:
        if pid := os.fork():
            return pid
        status = 1
        try:
            os.setsid()
            os.chdir(self.folder)
            said = os.open(f"said-{os.getpid()}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(said, 1)
            os.dup2(said, 2)
            os.environ |= {"JCA_REPLAY": str(self.engine), "PATH": f"{self.engine}/bin:{os.environ['PATH']}"}
            run_round.time = SimpleNamespace(monotonic=lambda: time.monotonic() * HASTE)
            if layer:
                layer.install()
            work()
            status = 0
        except SystemExit as left:
            status = left.code or 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            if layer and not layer.at:
                Path("points.json").write_text(json.dumps(layer.points))
            os._exit(status)

    def go_on(self) -> list[str]:
        """The same command again: what begins a run, then each of its jobs. What there is to complain of."""
        works = [self.begin, *(partial(self.job, one.path) for one in self.current.first)]
        for work in works:
            ended = self.process(work)
            if ended.status != 0:
                return [f"the same command does not go on (status {ended.status}): {ended.said.strip()[-400:]}"]
        return []

    def measured(self) -> int:
        """How many containers were started for rounds."""
        return (self.engine / "log").read_text().splitlines().count("run --rm")

    def left(self) -> list[str]:
        """What is left behind a run that ended, and must not be."""
        end = time.monotonic() + 5
        while (running := list((self.engine / "containers").iterdir())) and time.monotonic() < end:
            time.sleep(0.01)
        found = [f"container {path.name} is left" for path in running]
        for lock in self.raw.glob(".*.lock"):
            with lock.open("a") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    found.append(f"{lock.name} is held")
        return found

    def whole(self, every: bool) -> list[str]:
        """What is wrong with the rounds that are there: each must be as undisturbed, and with `every` none be missing."""
        try:
            found = content(self.raw)
        except UserError as error:
            return [str(error)]
        wrong = [name for name, digest in found.items() if self.undisturbed.get(name) != digest]
        if not {name for name in self.undisturbed if name.startswith(self.first)} <= found.keys():
            wrong.append(f"{self.first} is lost")
        if every:
            wrong += [name for name in self.undisturbed if name not in found]
            stamps = {one.path for one in self.current.first if stamp.of(self.raw / one.path).exists()}
            wrong += [f"{one.path}.whole" for one in self.current.first if one.path not in stamps]
            wrong += [str(path) for path in self.raw.glob("*/*/.part-*")]
        return [f"not as undisturbed: {', '.join(sorted(wrong)[:3])}"] if wrong else []
