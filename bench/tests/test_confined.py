"""Whatever data of others makes of the code that reads it, the host loses little memory and time, and its user reads one line."""

import itertools
import os
import signal
from collections import deque
from pathlib import Path
from types import SimpleNamespace

import pytest

from jcarerun.errors import UserError
from jcarerun.rounds.tree import InvalidRound
from jcarerun.run import container
from jcarerun.support import engine, files
from jcarerun.support.files import confined


def raising(error):
    def work():
        raise error

    return work


def test_a_result_comes_back():
    assert confined(lambda: {"a": [1, (2, 3)]}, "x") == {"a": [1, (2, 3)]}
    assert confined(lambda: confined(os.getpid, "x"), "x") != os.getpid()


@pytest.mark.parametrize(
    "error", [ValueError("a\nb"), RecursionError(), KeyError("x"), AssertionError(), OSError(5, "I/O")]
)
def test_any_error_is_one_line_that_names_the_data(error):
    with pytest.raises(UserError, match="the data: can't be read") as caught:
        confined(raising(error), "the data")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("error", [UserError("one", "two"), InvalidRound("jmh/001.json", "is empty")])
def test_a_refusal_stays_as_it_is(error):
    with pytest.raises(UserError) as caught:
        confined(raising(error), "x")
    assert caught.value.texts == error.texts


def test_memory_is_limited():
    with pytest.raises(UserError, match="takes more than 512 MiB"):
        confined(lambda: bytearray(files.MOST_MEMORY + (300 << 20)), "x")


def endless():
    while True:
        pass


def test_time_is_limited(monkeypatch):
    monkeypatch.setattr(files, "LEAST_CPU_S", 1)
    with pytest.raises(UserError, match="or 1 s to read"):
        confined(endless, "x")


def test_a_crash_of_the_child_is_one_line():
    with pytest.raises(UserError, match="x: takes more than"):
        confined(lambda: os.kill(os.getpid(), signal.SIGKILL), "x")


def test_no_child_is_left():
    confined(lambda: None, "x")
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_several_are_read_at_once_and_their_results_keep_their_order(tmp_path, monkeypatch):
    """The first one waits for what the second one writes."""
    monkeypatch.setattr(files.os, "sched_getaffinity", lambda _: {0, 1})
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))

    def work(path):
        path.write_bytes(b"x")
        while path == first and not second.exists():
            pass
        return path.name

    assert list(files.confined_each(work, (first, second, third), lambda _: 0)) == ["first", "second", "third"]


def test_a_refusal_of_one_ends_the_others(monkeypatch, tmp_path):
    monkeypatch.setattr(files.os, "sched_getaffinity", lambda _: {0, 1, 2})

    def work(path):
        if path.name == "bad":
            raise UserError("bad: is damaged")
        endless()

    with pytest.raises(UserError, match=r"^bad: is damaged$"):
        list(files.confined_each(work, (tmp_path / "bad", tmp_path / "b", tmp_path / "c"), lambda _: 0))
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_checkouts_on_one_path_have_labels_of_their_own(tmp_path, monkeypatch):
    """Two CI containers have the same path and the same process ids, and share the machine's engine."""
    monkeypatch.chdir(tmp_path)
    first = engine.project_label()
    assert engine.project_label() == first
    Path(engine.CHECKOUT_ID).unlink()
    assert engine.project_label() != first
    assert len({engine.container_name() for _ in range(100)}) == 100


def test_what_a_round_prints_is_bounded_in_bytes(monkeypatch, tmp_path):
    monkeypatch.setattr(container, "_MOST_IN_ALL", 1000)
    (tmp_path / "said").write_text("".join(f"{number:09d}\n" for number in range(10_000)))
    kept = deque()
    with (tmp_path / "said").open() as stream:
        container._keep_last(stream, kept)
    assert sum(map(len, kept)) == 1000 and kept[-1] == "000009999\n"


def test_a_round_that_fills_the_disk_is_ended(monkeypatch, tmp_path):
    ended = []
    process = SimpleNamespace(poll=lambda: 1 if ended else None, kill=lambda: ended.append(1))
    free = itertools.chain([10_000], itertools.repeat(9_000))
    monkeypatch.setattr(container, "MOST_ROUND_BYTES", 1000)
    monkeypatch.setattr(container, "_free_bytes", lambda folder: next(free))
    (tmp_path / "large").write_bytes(b"x" * 1001)
    watch = container._Watch(engine.HOST, "x", process, tmp_path)
    watch.start()
    watch.join(20)
    assert watch.too_large and ended
