"""Faults of a run's single processes: of the one that begins it, and of a round's job, at each point that they come to.

In: a run whose two rounds were recorded. Out: for each point and each kind of fault that makes sense there, complaints,
none where nothing was lost and nothing let in.
"""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from jcarerun.rounds import record
from jcarerun.run.run import RAW, Run
from jcarerun.trials import faults, replay
from jcarerun.trials.faults import Layer, Point
from jcarerun.trials.torture_case import Case, record_engine

BEGIN, ROUND = "begin", "round"
KINDS = {
    faults.KILL: "`kill -9` before it is done",
    faults.HALF: "`kill -9` when half of it is done: a write's first half is there, a process has been started",
    "ENOSPC": "the disk is full from here on",
    "EIO": "the disk fails here",
    "EROFS": "the directory is read-only from here on",
    "SIGINT": "SIGINT",
    "SIGTERM": "SIGTERM",
    "SIGHUP": "SIGHUP",
    "gone": "the engine ends, with its containers, and does not answer until the next run",
    "restarted": "the engine ends, with its containers, and answers again at once",
    "no-image": "the image is removed from the engine",
    "back": "the clock is set back by a day",
    "forward": "the clock is set forward by a day",
    "second": "the same job is started a second time",
}
_ALWAYS = (faults.KILL, faults.HALF)


def _shift(days: int) -> None:
    """Set the clock that rounds are dated by."""

    class Shifted(datetime):
        @classmethod
        def now(cls, tz=None) -> datetime:
            return datetime.now(tz) + timedelta(days=days)

    record.datetime = Shifted


def _actions(engine: Path, parent: int) -> dict:
    """What befalls a run from outside of its own process."""

    def gone() -> None:
        (engine / "gone").touch()
        replay.end_all()

    def no_image() -> None:
        for each in (engine / "images").iterdir():
            each.unlink()

    return {
        "gone": gone, "restarted": replay.end_all, "no-image": no_image, "back": partial(_shift, -1),
        "forward": partial(_shift, 1), "second": lambda: faults.os.kill(parent, faults.signal.SIGUSR1),
    }  # fmt: skip


def applies(kind: str, process: str, point: Point) -> bool:
    """Whether a kind of fault makes sense at a point."""
    if kind == faults.HALF:
        return point.what in ("write", "start")
    if kind == "no-image":  # to load it anew takes seconds
        return point.what in ("start", "rename")
    if point.what in ("start", "sync"):
        return kind not in faults.ERRORS or (kind == "EIO" and point.what == "start")
    return True


class Torture:
    """A case and the points of its processes."""

    def __init__(self, folder: Path, current: Run, raw: Path = RAW):
        record_engine(folder / "engine", current, raw)
        self.case = Case(folder / "case", current, folder / "engine")
        self.case.settle()
        self.works = {BEGIN: self.case.begin, ROUND: partial(self.case.job, current.first[-1].path)}
        self.points = {process: self._points(process) for process in self.works}

    def _points(self, process: str) -> list[Point]:
        self._prepare(process)
        return self.case.process(self.works[process], Layer(self.case.folder / "data")).points

    def _prepare(self, process: str) -> None:
        self.case.prepare()
        if process == ROUND:  # which a beginning, and the jobs before it, have come before
            self.case.process(self.case.begin)
            for one in self.case.current.first[1:-1]:
                self.case.process(partial(self.case.job, one.path))

    def names(self) -> Iterator[tuple[str, int, str]]:
        """Every fault: process, number of the point, kind."""
        for process, points in self.points.items():
            for number, point in enumerate(points, start=1):
                for kind in KINDS:
                    if applies(kind, process, point):
                        yield process, number, kind

    def complaints(self, process: str, number: int, kind: str) -> list[str]:
        """Let one fault happen and go on; what there is to complain of."""
        case = self.case
        self._prepare(process)
        layer = Layer(case.folder / "data", number, kind, _actions(case.engine, faults.os.getpid()))
        ended = case.process(self.works[process], layer, beside=self.works[process])
        found = case.left()
        if "Traceback" in ended.said or ended.status in (1, 124):
            found.append(f"ends with status {ended.status} and says {ended.said.strip()[-400:]}")
        if kind in (faults.KILL, faults.HALF) and ended.status != -9:
            found.append(f"was not hit: it ends with status {ended.status}")
        found += case.whole(every=False)
        (case.engine / "gone").unlink(missing_ok=True)
        there, before = (case.raw / case.current.first[-1].path).is_dir(), case.measured()
        found = found or case.go_on() or case.left() + case.whole(every=True)
        if not found and case.measured() != before + (not there):
            found.append(f"{case.measured()} containers for one round")
        return found


def chosen(every: list, most: int, seed: int) -> list:
    """So many faults of all: first the kills, at each point, then others drawn by the seed."""
    drawn = random.Random(seed)
    first = [one for one in every if one[2] in _ALWAYS]
    others = [one for one in every if one[2] not in _ALWAYS]
    if len(first) > most:
        return sorted(drawn.sample(first, most))
    return first + drawn.sample(others, min(most - len(first), len(others)))
