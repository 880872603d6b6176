"""Runs one round: in an isolated container, alone on the machine, and keeps it whole or not at all.

In: the file of a planned round (round_file.py). Out: the round's directory below the raw directory, and its stamp. A
round that is there already is checked and left as it is.
"""

import argparse
import fcntl
import hashlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.plan import budget
from jcarerun.rounds import audit, interference, manifest, record, validate
from jcarerun.run import background_load, container, limits, round_dir, round_file
from jcarerun.run.round_dir import RoundDir
from jcarerun.run.round_file import RoundFile, Schedule, require_jars
from jcarerun.support import engine as engines
from jcarerun.support.files import where

WHEELS = Path("envs/cache/jdks")
FREE_BYTES, FULL_BYTES = 200 << 20, 4 << 20


class Progress:
    """One line at the bottom of a terminal while a round runs; silent where there is no terminal."""

    def __init__(self, raw: Path, schedule: Schedule, current: RoundFile, stream=sys.stderr):
        self.stream = stream if stream.isatty() else None
        rounds = schedule.rounds
        time_budget = budget.Budget(raw, rounds)
        self.verdicts = f", {schedule.verdicts}" if schedule.verdicts else ""
        left = time_budget.missing()
        self.total, self.done = len(rounds) or 1, len(rounds) - len(left)
        self.remaining_s = time_budget.remaining_s()
        expected = sum(round_.expected_s for round_ in left) or 1.0
        self.own_s = self.remaining_s * current.expected_s / expected
        self.title = current.title
        self.start = time.monotonic()

    def show(self, done: int, forks: int) -> None:
        """Draw the line: `done` of this round's `forks` are there."""
        if self.stream is None:
            return
        share = done / max(forks, 1)
        elapsed = time.monotonic() - self.start
        own_left = elapsed / share * (1 - share) if share > 0.2 else max(self.own_s - elapsed, 0)
        left = self.remaining_s - self.own_s + own_left
        overall = (self.done + share) / max(self.total, 1)
        bar = "#" * round(16 * overall)
        line = (
            f"[{bar:<16}] {overall:4.0%}, {budget.format_duration(left)} left{self.verdicts}  "
            f"round {self.done + 1}/{self.total}, fork {done}/{forks}  {self.title}"
        )
        # A line that wraps could not be drawn over.
        self.stream.write(f"\r\033[K{line[: shutil.get_terminal_size().columns - 1]}")
        self.stream.flush()

    def finished(self, remark: str = "") -> None:
        """Say in a line of its own that the round is done, on a terminal or not; a remark has the next line."""
        self.close()
        taken = time.monotonic() - self.start
        print(
            f"round {self.done + 1} of {self.total}: {self.title}, {budget.format_duration(taken)}; "
            f"{budget.format_duration(max(self.remaining_s - self.own_s, 0))} left{self.verdicts}",
            file=sys.stderr,
        )
        if remark:
            print(f"  {remark}", file=sys.stderr)

    def close(self) -> None:
        """Clear the line."""
        if self.stream is not None:
            self.stream.write("\r\033[K")
            self.stream.flush()


@contextmanager
def timing_lock(raw: Path):
    """Hold the machine for one timing job, each node of a cluster by a lock of its own.

    The kernel drops the lock when its holder dies, however it dies.
    """
    raw.mkdir(parents=True, exist_ok=True)
    with (raw / f".timing{engines.node_suffix()}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # waits for a round of a killed run, which is just being ended
        yield


def sweep(raw: Path, engine: str) -> None:
    """Remove what earlier runs left behind on this machine: containers of this checkout, and rounds that never became whole."""
    engines.reap(engine)
    for folder in raw.glob("*/*/.part-*"):
        if round_dir.is_of_here(folder):
            round_dir.remove(folder)


def _environment(planned: RoundFile) -> dict:
    """The record of what the round runs in; the image is loaded again if it went missing."""
    if planned.environment is None:
        run = subprocess.run(["java", "-version"], capture_output=True, text=True)
        words = run.stderr.strip()
        digest = hashlib.sha256(words.encode()).hexdigest()
        return {
            "environment": planned.record["environment"], "label": "host, no container", "image_id": f"host:{digest}",
            "system": platform.platform(), "platform": container.host_platform(), "caveat": None, "suite": None,
            "jdk": {"id": "host", "label": words.splitlines()[0]}, "packages": [], "drift": [],
        }  # fmt: skip
    if not engines.has_image(planned.engine, planned.environment["image_id"]):
        # Somebody removed it, or this is another node of a cluster. Only then are the modules that make images imported.
        from jcarerun.images import catalogue, image

        image.ensure(planned.engine, catalogue.read().find(planned.environment["environment"]), WHEELS)
    return planned.environment


def _require(planned: RoundFile, raw: Path) -> None:
    engines.require(planned.engine)
    if planned.engine == engines.HOST and shutil.which("java") is None:
        raise UserError("engine host: java is not installed; install a JDK of release 8 or later")
    planned.require_files()
    free = shutil.disk_usage(raw).free
    if free < FREE_BYTES:
        raise UserError(f"{where(raw)}: {free >> 20} MiB free, {FREE_BYTES >> 20} MiB needed; make room and run again")


def _observe(folder: Path, planned: RoundFile) -> dict:
    """What the engine enforces and which intrinsics the JVMs use, for the audit. Raises UserError for what must not be so."""
    return {
        "limits": limits.enforced(folder, planned.engine, planned.cpuset, planned.memory_mib),
        "intrinsics": limits.check_flags(folder, planned.forbidden_flags),
    }


def measure(planned: RoundFile, raw: Path, progress: Progress) -> None:
    """Measure a round and put it in its place, whole.

    Raises UserError if anything is amiss; what there was of it is kept in `.failed` below the raw directory, to be looked at.
    """
    _require(planned, raw)
    final = raw / planned.path
    environment = _environment(planned)
    place = RoundDir(round_dir.part(final))
    try:
        round_file.write_inputs(place.given, planned.inputs)
        place.prepare(*engines.user(planned.engine))
        # Asked for before anything is measured: an engine that ends just after a round takes nothing from it.
        engine_version = engines.version(planned.engine)
        seen: dict = {}
        busy_before = background_load.moment()
        before, started_at, start = audit.moment(), record.now(), time.monotonic()
        inside = container.run(
            planned, place.inside, place.console, progress.show, lambda: seen.update(_observe(place.inside, planned))
        )
        elapsed, after = time.monotonic() - start, audit.moment()
        others = background_load.in_words(background_load.busy(busy_before, background_load.moment()))
        folder = place.collect()
        account = {
            "host": audit.host(),
            "before": before,
            "after": after,
            "steal_share": audit.steal_share(before, after),
            "busy_programs": others,
            "engine": planned.engine,
            "engine_version": engine_version,
            "container": inside,
            **({"node": own} if (own := engines.node_name()) else {}),
            **seen,
        }
        (folder / "environment.json").write_text(json.dumps(environment, indent=1) + "\n")
        (folder / "audit.json").write_text(json.dumps(account, indent=1) + "\n")
        (folder / round_file.NAME).write_text(planned.text())
        record.write(folder, planned.record, {
            "engine": planned.engine, "machine_id": account["host"]["machine_id"], "image_id": environment["image_id"],
            **planned.jars, "providers": planned.providers, "repeat": f"jca-rerun round {planned.path}/{round_file.NAME} OUT",
            "started_at": started_at, "finished_at": record.now(), "elapsed_s": round(elapsed, 3),
        })  # fmt: skip
        validate.validate_content(folder, path=planned.path)
        from jcarerun.rounds import hot_path  # not before: nothing that measures needs it

        hot_path.write(folder)
        manifest.write(folder)
    except (UserError, OSError) as error:
        if final.is_dir():
            # Another node of a cluster was given the round too, has ended it, and removed what there was of this one.
            round_dir.remove(place.folder)
            return
        kept = raw / ".failed" / planned.path.replace("/", "-")
        refused = place.save_failure(kept)
        words = "what there was is kept" if refused is not None else "not all that there was could be kept"
        besides = (
            f" without {refused} entries that are no plain files of a round ({round_dir.REFUSED})" if refused else ""
        )
        raise UserError(f"{_of_the_disk(raw)}{error}; {words} in {where(kept)}{besides}") from None
    os.sync()
    round_dir.put(folder, final)


def _of_the_disk(raw: Path) -> str:
    """What is the matter with the raw directory's disk, to stand before what came of it; empty where nothing is."""
    if os.statvfs(raw).f_flag & os.ST_RDONLY:
        return f"{where(raw)} is read-only, make it writable and run again: "
    return f"the disk is full ({where(raw)}): " if shutil.disk_usage(raw).free < FULL_BYTES else ""


@dataclass(frozen=True)
class Allowance:
    """How much time a round may have.

    schedule: of its run. minutes: of measuring in the run, 0 for no end. until: end of measuring, in seconds since 1970, 0 for
    never. wait: minutes to wait for a quiet machine.
    """

    schedule: Schedule = field(default_factory=Schedule)
    minutes: float = 0
    until: int = 0
    wait: float = 0


def run(planned: RoundFile, raw: Path, allowed: Allowance) -> None:
    """Make sure that a round is there and whole, and stamp it. Measures only what is missing, while the run's minutes last."""
    final, rounds = raw / planned.path, allowed.schedule.rounds
    if not final.is_dir():
        (scheduled,) = [round_ for round_ in rounds if round_.path == planned.path] or [None]
        time_budget = budget.Budget(raw, rounds, allowed.minutes, allowed.until, allowed.schedule.uncounted)
        if scheduled and not time_budget.fits(scheduled):
            if not any(budget.is_left_out(raw / round_.path) for round_ in rounds):
                print(budget.exhausted_message(scheduled, time_budget.left_s()), file=sys.stderr)
            budget.leave_out(final)
            return
        with timing_lock(raw):
            if not final.is_dir():  # else who held the machine before has measured it
                _measure_alone(planned, raw, allowed)
    require_jars(final, planned.jars)
    validate.stamp_round(final)


def _disturbed(folder: Path, wait: float) -> str:
    """What disturbed a round's forks, and which programs were busy, where it can be seen; empty where nothing did."""
    if not (said := interference.summary(folder)):
        return ""
    others = record.read_object(folder, record.AUDIT)["busy_programs"]
    who = f"; busy beside them: {others}" if others else ""
    return f"{said}{who}{'' if wait else '; WAIT=5 (--config wait=5) waits for quiet, 5 minutes at most'}"


def _measure_alone(planned: RoundFile, raw: Path, allowed: Allowance) -> None:
    progress = Progress(raw, allowed.schedule, planned)
    sweep(raw, planned.engine)
    if allowed.wait:
        background_load.wait(allowed.wait, planned.quiet_share)
    try:
        measure(planned, raw, progress)
        progress.finished(_disturbed(raw / planned.path, allowed.wait))
    finally:
        progress.close()


def main(arguments: argparse.Namespace) -> None:
    """The job of a round (`jca-rerun round`). It reads the round's file, and the schedule of its run if there is one."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    schedule = round_file.read_schedule(arguments.schedule)
    allowed = Allowance(schedule, arguments.minutes, arguments.until, arguments.wait)
    run(round_file.read(arguments.file), arguments.out, allowed)
