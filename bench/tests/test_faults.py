"""The layer that has faults happen: what it counts, and that each kind does what its name says."""

import os
import subprocess
import sys

import pytest

WORK = """
import os, subprocess, sys
from pathlib import Path
from jcarerun.trials.faults import Layer
os.chdir(sys.argv[1])
layer = Layer(Path.cwd(), int(sys.argv[2]), sys.argv[3], {"said": lambda: print("here")})
layer.install()
Path("a").write_text("12345678")
os.rename("a", "b")
subprocess.run(["true"])
Path("c").mkdir()
Path("/dev/null").write_text("elsewhere")
print(*(point.what for point in layer.points))
"""


def work(folder, at=0, kind=""):
    return subprocess.run(
        [sys.executable, "-c", WORK, str(folder), str(at), kind],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": "bench:."},
    )


def test_every_change_is_a_point_and_no_other(tmp_path):
    assert work(tmp_path).stdout.split() == ["open", "write", "rename", "start", "mkdir"]


@pytest.mark.parametrize(("at", "left"), [(1, {}), (2, {"a": ""}), (3, {"a": "12345678"}), (4, {"b": "12345678"})])
def test_a_kill_comes_before_its_point(tmp_path, at, left):
    assert work(tmp_path, at, "kill").returncode == -9
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == left


def test_a_torn_write_leaves_its_first_half(tmp_path):
    assert work(tmp_path, 2, "half").returncode == -9
    assert (tmp_path / "a").read_text() == "1234"


@pytest.mark.parametrize(
    ("kind", "words"), [("ENOSPC", "No space left"), ("EIO", "Input/output"), ("EROFS", "Read-only")]
)
def test_what_the_system_would_say(tmp_path, kind, words):
    run = work(tmp_path, 2, kind)
    assert run.returncode == 1
    assert words in run.stderr


def test_an_action_of_another_kind_is_done_and_the_work_goes_on(tmp_path):
    assert work(tmp_path, 5, "said").stdout.split()[0] == "here"
    assert (tmp_path / "c").is_dir()


@pytest.mark.parametrize("kind", ["kill", "half", "ENOSPC", "EIO"])
def test_a_file_that_is_replaced_whole_is_the_old_or_the_new_one(tmp_path, kind):
    """As the stamp of a round is, which once was torn by a kill: the next run then refused a whole round."""
    code = (
        "import os, sys; from pathlib import Path; from jcarerun.trials.faults import Layer; "
        "from jcarerun.support.files import write_file; os.chdir(sys.argv[1]); "
        "Layer(Path.cwd(), int(sys.argv[2]), sys.argv[3]).install(); write_file(Path('stamp'), 'new')"
    )
    found = []
    for at in range(1, 6):
        (tmp_path / "stamp").write_text("old")
        words = [sys.executable, "-c", code, str(tmp_path), str(at), kind]
        subprocess.run(words, capture_output=True, env={**os.environ, "PYTHONPATH": "bench:."})
        found.append((tmp_path / "stamp").read_text())
    assert found == ["old", "old", "old", "old", "new"]


@pytest.mark.parametrize("kind", ["ENOSPC", "EIO", "EROFS"])
def test_a_disk_that_fails_a_write_is_told_in_one_line(tmp_path, kind):
    """The system does not say which file it was, and so it was a stack trace."""
    code = (
        "import os, sys; from pathlib import Path; from jcarerun.trials.faults import Layer; "
        "from jcarerun.errors import entry_point; import argparse; os.chdir(sys.argv.pop()); "
        f"Layer(Path.cwd(), 2, {kind!r}).install(); "
        "entry_point(lambda _: Path('a').write_text('1'), argparse.ArgumentParser())"
    )
    words = [sys.executable, "-c", code, str(tmp_path)]
    run = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": "bench:."})
    assert run.returncode == 2
    assert run.stderr.startswith("error: the disk: ")
    assert run.stderr.count("\n") == 1
