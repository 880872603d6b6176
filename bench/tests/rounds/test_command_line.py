"""`jca-rerun check-rounds`: rounds are checked wherever they lie, and what is no round is nobody's business here."""

import shutil
import subprocess
import sys
from pathlib import Path

ROUND = next(path.parent for path in sorted(Path("data/sample").glob("*/*/*/round.json")))


def called(*folders):
    return subprocess.run(
        [sys.executable, "-m", "jcarerun", "check-rounds", *map(str, folders)], capture_output=True, text=True
    )


def test_a_round_itself_and_one_deep_below(tmp_path):
    run = called(ROUND)
    assert run.returncode == 0, run.stderr
    assert "1 round," in run.stderr
    assert called("data/sample/calibration").returncode == 0


def test_damage_is_one_line(tmp_path):
    copy = tmp_path.joinpath(*ROUND.parts[-3:])
    shutil.copytree(ROUND, copy)
    (copy / "gc/001.log").write_text("")
    run = called(tmp_path)
    assert run.returncode == 2
    assert run.stderr.startswith("error: ")
    assert "gc/001.log: differs from the manifest" in run.stderr
    assert run.stderr.count("\n") == 1


def test_a_directory_without_rounds_says_nothing(tmp_path):
    (tmp_path / "mine.json").write_text("[]")
    run = called(tmp_path)
    assert (run.returncode, run.stderr) == (0, "")


def test_no_such_directory(tmp_path):
    assert "there is no such directory" in called(tmp_path / "none").stderr
