"""A round's job meets a fault at each of its steps, and the same job is given again: nothing complete is lost or measured twice.

After every fault: no stack trace, no round that is there and incomplete, no lock held. After the second job: the same round as
without a fault, its stamp, and nothing unfinished beside it.
"""

import argparse
import fcntl
import json
import os
import shutil
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from bench.tests import fault_points, made_up_round
from bench.tests.fault_points import FILE_LIMIT, KILL, KINDS, TORN_WRITE, Faults
from jcarerun import cli
from jcarerun.errors import entry_point, handled
from jcarerun.plan import definitions, plan, settings
from jcarerun.rounds import manifest, record, validate
from jcarerun.run import container, plan_rounds, run_round
from jcarerun.run.round_file import RoundFile
from jcarerun.support.files import write_file

IMAGE = {
    "environment": "host", "label": "made up", "image_id": f"host:{'0' * 64}", "platform": "linux",
    "caveat": None, "jdk": {"id": "host", "label": "made up"}, "packages": [], "drift": [],
}  # fmt: skip
# Of a round's record: what differs between two runs of it.
TIMES = {
    record.FILE: ("started_at", "finished_at", "elapsed_s"),
    record.AUDIT: ("before", "after", "steal_share", "busy_programs"),
}


class Job:
    """The job of a round, below a directory. Its forks are made up; `measured` counts how often they ran."""

    def __init__(self, folder, planned):
        self.folder, self.file = folder, folder / "planned.json"
        self.file.write_text(planned.text())
        self.raw, self.outputs, self.measured_file = folder / "raw", folder / "outputs", folder / "measured"
        self.final = self.raw / planned.path

    def prepare(self):
        """As a run finds it that goes on after one that was killed: a stamp without a round, and an unfinished round."""
        shutil.rmtree(self.raw, ignore_errors=True)
        (self.final.parent / f".part-{self.final.name}/inside").mkdir(parents=True)
        manifest.stamp_of(self.final).write_text("0\n")
        self.measured_file.write_text("")

    def forks(self, planned, inside, log, show, begun):
        """In the place of a container: leave what forks leave. Their writes are no points of the job."""
        self.faults.paused = True
        with self.measured_file.open("a") as file:
            file.write("1")
        log.write_text("progress\n")
        if not self.outputs.exists():
            shutil.copytree(inside, self.outputs)
            made_up_round.write_outputs(self.outputs)
            (self.outputs / "console.log").unlink()
        shutil.copytree(self.outputs, inside, dirs_exist_ok=True)
        self.faults.paused = False
        begun()

    def work(self, at=0, kind=""):
        """What the process of the job does; the number of points it came to is kept where there is no fault."""

        def work():
            self.faults = Faults(self.raw, at, kind)
            arguments = cli.command_line().parser.parse_args(["round", str(self.file), str(self.raw)])
            handled(lambda: run_round.main(arguments), None)
            (self.folder / "points").write_text(str(self.faults.count))

        return work

    def run(self, at=0, kind=""):
        """Start a run, which removes what dead runs left, then its job; the status and what was printed."""
        job = self.work(at, kind)
        return fault_points.finish(fault_points.start(lambda: (run_round.sweep(self.raw, "host"), job())))

    def content(self):
        """What each file of the round says, but for times."""
        found = {}
        for file in sorted(path for path in self.final.rglob("*") if path.is_file() and path.name != "manifest.sha256"):
            found[str(file.relative_to(self.final))] = file.read_bytes()
            if file.name in TIMES:
                said = {key: each for key, each in json.loads(file.read_text()).items() if key not in TIMES[file.name]}
                found[file.name] = json.dumps(said, sort_keys=True)
        return found

    def complaints(self, undisturbed):
        """What is wrong after a fault."""
        if self.final.is_dir():
            validate.validate_round(self.final)
            assert self.content() == undisturbed
        for lock in self.raw.glob(".*.lock"):
            with lock.open("a") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.fixture(scope="module")
def job(tmp_path_factory, registry):
    """A job whose round was made once without a fault; its points, and its content then."""
    folder = tmp_path_factory.mktemp("job")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(container, "JAR", folder / "benchmarks.jar")
        container.JAR.write_bytes(b"jar")
        patch.setattr(run_round, "_environment", lambda *_: IMAGE)
        patch.setattr(RoundFile, "require_files", lambda *_: None)
        # A process that ends loses nothing that the system has; only a power cut would, and to wait for the disk takes long.
        patch.setattr(os, "sync", lambda: None)
        patch.setattr(os, "fsync", lambda handle: None)
        # The record says how long a round took, and made-up forks take no time.
        patch.setattr(run_round, "time", SimpleNamespace(monotonic=lambda: 1000 * time.monotonic()))
        made = Job(folder, first_round(registry))
        patch.setattr(container, "run", made.forks)
        made.prepare()
        status, said = made.run()
        assert status == 0, said
        made.undisturbed, made.points = made.content(), int((folder / "points").read_text())
        yield made


def first_round(registry):
    """The file of the first round of kofahi2013's smoke tier, with two of its cells."""
    chosen = settings.read({"tier": "smoke", "engine": "host"})
    experiment = definitions.read(Path("bench/experiments/kofahi2013.yaml"), registry)
    planned = plan.rounds({"kofahi2013": experiment}, chosen, registry)[0]
    file = plan_rounds.round_file(replace(planned, cells=planned.cells[:2]), chosen, registry)
    # A real jar lies below the checkout.
    return replace(file, class_path=(replace(file.class_path[0], path="bench/target/benchmarks.jar"),))


# After these the job may well end as if nothing were amiss: the step was its last, or wrote less than the limit.
MAY_END_WELL = {TORN_WRITE, FILE_LIMIT}
# Kills are tried at each point; others at one in so many, since each try takes two processes.
EVERY = {KILL: 1, TORN_WRITE: 2}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_at_any_step_loses_nothing_and_the_job_goes_on(job, kind):
    assert job.points > 30
    for at in range(1, job.points + 1, EVERY.get(kind, 9)):
        job.prepare()
        status, said = job.run(at, kind)
        where = f"{kind} at point {at} of {job.points}, status {status}: {said[-2000:]}"
        assert "Traceback" not in said, where
        assert (status == -9) == (kind == KILL), where
        assert status != 0 or kind in MAY_END_WELL or job.final.is_dir(), where
        assert sum(line.startswith("error: ") for line in said.splitlines()) <= 1, where
        job.complaints(job.undisturbed)
        there, before = job.final.is_dir(), job.measured_file.read_text()
        status, said = job.run()
        assert status == 0, f"{where}\nthen: {said}"
        assert job.content() == job.undisturbed, where
        assert manifest.stamp_of(job.final).read_text().startswith(validate.validate_round(job.final)), where
        assert not list(job.raw.glob("*/*/.part-*")), where
        assert len(job.measured_file.read_text()) == len(before) + (not there), where


def test_a_second_job_of_the_same_round_waits_and_does_not_measure_again(job):
    job.prepare()
    processes = [fault_points.start(job.work()) for _ in range(2)]
    assert [fault_points.finish(process)[0] for process in processes] == [0, 0]
    assert job.measured_file.read_text() == "1"
    job.complaints(job.undisturbed)


@pytest.mark.parametrize("days", [-1, 1])
def test_a_clock_that_is_set_back_or_forward_changes_nothing_but_times(job, monkeypatch, days):
    now = time.time() + days * 86_400
    monkeypatch.setattr(time, "time", lambda: now)
    monkeypatch.setattr(record, "now", lambda: time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(now)))
    job.prepare()
    assert job.run()[0] == 0
    assert job.content() == job.undisturbed


@pytest.mark.parametrize("kind", [KILL, TORN_WRITE, *fault_points.ERRORS])
def test_a_file_that_is_replaced_is_the_old_or_the_new_one(tmp_path, kind):
    """A stamp that a kill once left torn made the next run refuse a complete round."""
    found = []
    for at in (1, 2, 3):
        (tmp_path / "stamp").write_text("old old old")

        def work(at=at):
            Faults(tmp_path, at, kind)
            write_file(tmp_path / "stamp", "new new new")

        fault_points.finish(fault_points.start(work))
        found.append((tmp_path / "stamp").read_text())
    assert found[0] == "old old old" and found[-1] == "new new new"
    assert set(found) == {"old old old", "new new new"}


@pytest.mark.parametrize("kind", [FILE_LIMIT, *fault_points.ERRORS])
def test_a_disk_that_fails_is_reported_in_one_line(tmp_path, kind):
    def work():
        Faults(tmp_path, 1, kind)
        parser = argparse.ArgumentParser()
        parser.parse_args = lambda: argparse.Namespace(log=None)
        entry_point(lambda _: (tmp_path / "a").write_text("0123456789"), parser)

    status, said = fault_points.finish(fault_points.start(work))
    assert status == 2 and said.startswith("error: ") and said.count("\n") == 1
