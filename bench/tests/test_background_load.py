"""Who disturbs a round, and waiting for quiet."""

import os
import subprocess
import sys

import pytest

from jcarerun.run import background_load
from jcarerun.run.background_load import Moment


def test_a_program_that_keeps_a_cpu_busy_is_named():
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        before = background_load.moment()
        while background_load.moment().at - before.at < 1:
            pass
        found = {pid: (name, share) for name, pid, share in background_load.busy(before, background_load.moment())}
    finally:
        other.kill()
        other.wait()
    name, share = found[other.pid]
    assert name.startswith("python")
    assert share > background_load.NAMED
    assert os.getpid() not in found


def test_a_name_with_brackets_and_control_characters_is_told_in_one_line(tmp_path):
    for pid, ticks in ((7, 100), (8, 0)):
        folder = tmp_path / str(pid)
        folder.mkdir()
        fields = " ".join(["S", *["0"] * 10, str(ticks), "0", *["0"] * 6, "55"])
        (folder / "stat").write_text(f"{pid} (a) b\x1b(\n) {fields}")
    (tmp_path / "stat").write_text("cpu 500 0 0 900 0 0 0 0 0 0\n")
    now = background_load.moment(tmp_path)
    assert now.processes[7, 55][0] == "a) b\x1b(\n"
    before = Moment(now.at - 2, 0, {key: (name, 0.0) for key, (name, _) in now.processes.items()})
    ((name, pid, share),) = background_load.busy(before, now)
    assert (pid, share) == (7, pytest.approx(100 / os.sysconf("SC_CLK_TCK") / 2))
    assert background_load.in_words([(name, pid, share)]).isprintable()


def test_a_system_that_tells_nothing_is_not_waited_for(tmp_path, capsys):
    assert background_load.moment(tmp_path) is None
    assert background_load.busy(None, None) == []
    background_load.wait(5, 0.1, look=lambda: None, sleep=lambda seconds: None)
    assert capsys.readouterr().err == ""


class Machine:
    """One whose CPUs are busy for a while. Time passes as it is slept away."""

    def __init__(self, busy_for):
        self.now, self.busy_for = 0.0, busy_for

    def sleep(self, seconds):
        """Let time pass."""
        self.now += seconds

    def look(self):
        """Every CPU busy until then, by one program."""
        spent = min(self.now, self.busy_for) * (os.cpu_count() or 1)
        return Moment(self.now, spent, {(4, 1): ("stress", spent)})


def test_waiting_ends_when_it_is_quiet(capsys):
    machine = Machine(busy_for=30)
    background_load.wait(5, 0.1, machine.look, machine.sleep)
    first, last = capsys.readouterr().err.splitlines()
    assert "waiting for quiet, 5:00 min at most: stress (4)" in first
    assert "quiet after 0:36 min" in last
    assert machine.now < 60


def test_waiting_ends_in_the_end(capsys):
    machine = Machine(busy_for=1e9)
    background_load.wait(1, 0.1, machine.look, machine.sleep)
    assert "not quiet after 1:00 min, measuring all the same" in capsys.readouterr().err
    assert machine.now <= 72


def test_a_quiet_machine_is_not_spoken_of(capsys):
    machine = Machine(busy_for=0)
    background_load.wait(1, 0.1, machine.look, machine.sleep)
    assert capsys.readouterr().err == ""
