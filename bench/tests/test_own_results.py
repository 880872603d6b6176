"""`make summarise`, `compare`, `gc-pauses` and `check-rounds` as their users call them: paths, statuses, what is said."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from envs.tests import checkout as checkouts
from jcarerun.errors import UserError
from jcarerun.own_results import readable, writable

FIXTURES = Path("analysis/tests/testthat/fixtures")
ODD = """it's "odd": ä, b$HOME #1;&"""


def result(*forks, **more):
    """A JMH result with these forks of iterations."""
    values = [value for fork in forks for value in fork]
    metric = {"score": sum(values) / len(values), "scoreUnit": "us/op", "rawData": [list(fork) for fork in forks]}
    fields = {"benchmark": "b.B.run", "mode": "avgt", "threads": 1, "forks": len(forks), "primaryMetric": metric}
    return {**fields, "measurementIterations": len(forks[0]), "secondaryMetrics": {}, **more}


def forks(level, count=6):
    """Forks that differ by a thousandth, with iterations that differ by a thousandth."""
    return [[level * (1 + 0.001 * f) * (1 + 0.001 * (i % 3)) for i in range(10)] for f in range(count)]


def write(folder, *results, name="a.json"):
    """A directory with one file of results."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(results))
    return folder


def make(target, **given):
    """`make TARGET NAME=VALUE...`, where a path stands in make's way only by its dollars."""
    words = [f"{name}={value}" for name, value in given.items()]
    return subprocess.run(["make", "--no-print-directory", target, *words], capture_output=True, text=True)


def own(*words):
    """The same without make, for its status."""
    command = [sys.executable, "-m", "jcarerun", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True)


CSV = (
    '"Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit"\n"b.B.run","avgt",1,5,1,0.1,"us/op"\n'
)
TABLE = "Benchmark  Mode  Cnt  Score   Error  Units\nb.B.run    avgt    5  1.000 ± 0.100  us/op\n"


@pytest.mark.containers
@pytest.mark.parametrize(
    ("name", "text", "format_"), [("r.csv", CSV, "JMH's CSV"), ("r.txt", TABLE, "JMH's text table")]
)
def test_a_directory_of_jmhs_other_formats_is_refused_within_the_limits(tmp_path, name, text, format_):
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / name).write_text(text)
    done = own("summarise", "--raw", tmp_path / "raw", "--out", tmp_path / "out")
    assert (done.returncode, format_ in done.stderr) == (2, True), done.stderr


@pytest.mark.containers
def test_paths_of_any_letters_work_through_make(tmp_path):
    raw, out = tmp_path / f"raw {ODD}", tmp_path / f"out {ODD}"
    write(raw, result(*forks(100)), name=f"{ODD}.json")
    done = make("summarise", RAW=raw, OUT=out)
    assert done.returncode == 0, done.stderr
    assert "summary.csv: 1 row, of 1 file" in done.stderr
    assert "plan" not in done.stderr
    assert (out / "summary.csv").read_text().count("b.B.run") == 1
    log = raw / f"{ODD}.log"
    shutil.copy(FIXTURES / "jdk25-Shenandoah.log", log)
    done = make("gc-pauses", LOG=log, OUT=out / f"{ODD}.csv")
    assert done.returncode == 0, done.stderr
    assert (out / f"{ODD}.csv").read_text().startswith("uptime_ms,kind,cause,pause_ms")


@pytest.mark.containers
def test_one_file_a_link_and_results_beside_their_input(tmp_path):
    raw = write(tmp_path / "raw", result(*forks(100)))
    (tmp_path / "link").symlink_to(raw)
    assert own("summarise", "--raw", raw / "a.json", "--out", tmp_path / "one").returncode == 0
    assert own("summarise", "--raw", tmp_path / "link", "--out", tmp_path / "two").returncode == 0
    assert (tmp_path / "one/summary.csv").read_bytes() == (tmp_path / "two/summary.csv").read_bytes()
    for _ in range(2):
        assert own("summarise", "--raw", raw, "--out", raw).returncode == 0
    assert (raw / "summary.csv").read_bytes() == (tmp_path / "one/summary.csv").read_bytes()


@pytest.mark.containers
def test_what_is_left_out_is_said_and_strict_refuses(tmp_path):
    raw = write(tmp_path / "raw", result([1, 2, 3], [2, 3, 4], measurementIterations=4))
    (raw / "half.json").write_text("[{")
    (raw / os.fsdecode(b"m\xe4rz.json")).write_text(json.dumps([result([5, 6])]))
    done = make("summarise", RAW=raw, OUT=tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "half.json: isn't whole JSON" in done.stderr
    assert done.stderr.count("expected 4, its measurementIterations; what is there is taken") == 2
    assert "m<e4>rz.json" in (tmp_path / "out/summary.csv").read_text()
    assert (tmp_path / "out/left_out.csv").read_text().count("\n") == 4
    strict = make("summarise", RAW=raw, OUT=tmp_path / "strict", STRICT="yes")
    assert strict.returncode == 2
    assert "half.json" in strict.stderr
    assert "STRICT=yes" in strict.stderr
    assert not (tmp_path / "strict/summary.csv").exists()


@pytest.mark.containers
@pytest.mark.parametrize(
    ("level", "count", "status", "outcome"),
    [(100, 6, 0, "nothing slower"), (130, 6, 1, "slower"), (130, 1, 3, "undecided")],
)
def test_the_status_tells_slower_from_undecided(tmp_path, level, count, status, outcome):
    before = write(tmp_path / "before", result(*forks(100, count)))
    after = write(tmp_path / "after", result(*forks(level, count)))
    out = tmp_path / "out"
    done = own("compare", "--baseline", before, "--candidate", after, "--out", out)
    assert done.returncode == status, done.stderr
    assert f"compare: {outcome} (status {status})" in done.stdout.splitlines()[-1]
    assert (out / "outcome.txt").read_text() == f"{outcome}\n"
    if status == 1:
        # Make's own status is the same for all that fails; the file tells them apart.
        assert make("compare", BASELINE=before, CANDIDATE=after, OUT=out).returncode == 2
        assert (out / "outcome.txt").read_text() == "slower\n"
        done = make("compare", BASELINE=before, CANDIDATE=tmp_path / "nowhere", OUT=out)
        assert done.returncode == 2
        assert (out / "outcome.txt").read_text() == "bad input\n"


@pytest.mark.containers
def test_a_pair_of_one_run_and_failing_on_undecided_rows(tmp_path):
    sizes = {"10": 100, "20": 130}
    raw = write(tmp_path / "raw", *(result(*forks(level), params={"size": size}) for size, level in sizes.items()))
    out = tmp_path / "out"
    assert make("compare", BASELINE=raw, OUT=out, PAIR="size:10=size:20", FAIL_ON="undecided").returncode == 2
    assert (out / "outcome.txt").read_text() == "slower\n"
    assert "size 10 -> 20" in (out / "compare.md").read_text()
    assert own("compare", "--baseline", raw, "--pair", "size:20=size:10", "--out", out).returncode == 0


def test_a_comparison_without_a_candidate_names_what_is_missing(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/compare.md").write_text("of another comparison")
    done = own("compare", "--baseline", tmp_path, "--out", tmp_path / "out")
    assert done.returncode == 2
    assert "CANDIDATE= (--candidate) is missing" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["outcome.txt"]


@pytest.mark.containers
def test_a_log_with_a_lost_pause_is_read_and_ends_with_a_status_of_its_own(tmp_path):
    lines = (FIXTURES / "gc/jdk17-G1-gc.log").read_text().splitlines()
    paused = [number for number, line in enumerate(lines) if ") Pause" in line]
    whole, cut = tmp_path / "whole.log", tmp_path / "cut.log"
    whole.write_text("\n".join(lines))
    cut.write_text("\n".join(line[:60] if number == paused[3] else line for number, line in enumerate(lines)))
    out = tmp_path / "pauses.csv"
    done = own("gc-pauses", "--log", whole, "--out", out)
    assert done.returncode == 0, done.stderr
    assert "pauses.csv: 10 stops" in done.stderr
    done = own("gc-pauses", "--log", cut, "--out", out)
    assert done.returncode == 3
    assert f"1 pauses can't be read (cut off, or of a format not known): line {paused[3] + 1}" in done.stderr
    assert out.read_text().count("\n") == 10


def test_paths_that_are_none_end_in_one_line(tmp_path):
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    file.write_text("")
    for text, words in (
        (pipe, "is no ordinary file"),
        (tmp_path / "none", "there is no such file"),
        ("", "is empty"),
        (os.fsdecode(b"/m\xe4rz"), "is no UTF-8"),
    ):
        with pytest.raises(UserError, match=words):
            readable(str(text))
    with pytest.raises(UserError, match="is a file, where a directory"):
        writable(str(file))
    for arguments in (
        ("summarise", "--raw", pipe, "--out", tmp_path / "out"),
        ("summarise", "--raw", tmp_path, "--out", file),
        ("gc-pauses", "--log", file, "--out", pipe),
        ("gc-pauses", "--log", tmp_path, "--out", tmp_path / "out.csv"),
    ):
        done = own(*arguments)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.containers
def test_the_image_is_made_ready_without_the_plan_of_a_run(tmp_path):
    checkout = checkouts.make(tmp_path, built=())
    for name in ("envs/build/rootfs", "envs/cache"):
        (checkout.path / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout.path / name).symlink_to(Path(name).resolve())
    done = checkout.run("python", "-m", "jcarerun", "images", "ready")
    assert done.returncode == 0, done.stderr
    assert (checkout.path / "envs/build/analysis/environment.json").exists()
    assert "expected time" not in done.stderr
    assert done.stderr.splitlines()[0].startswith("building the image of Debian 13, R")


ROUND = next(path.parent for path in sorted(Path("data/sample").glob("*/*/*/round.json")))


def test_a_round_itself_and_one_deep_below_are_checked():
    run = own("check-rounds", ROUND)
    assert run.returncode == 0, run.stderr
    assert "1 round," in run.stderr
    assert own("check-rounds", "data/sample/calibration").returncode == 0


def test_damage_of_a_round_is_one_line(tmp_path):
    copy = tmp_path.joinpath(*ROUND.parts[-3:])
    shutil.copytree(ROUND, copy)
    (copy / "gc/001.log").write_text("")
    run = own("check-rounds", tmp_path)
    assert run.returncode == 2
    assert run.stderr.startswith("error: ") and run.stderr.count("\n") == 1
    assert "gc/001.log: differs from the manifest" in run.stderr


def test_what_is_no_round_is_passed_over_and_no_directory_is_named(tmp_path):
    (tmp_path / "mine.json").write_text("[]")
    run = own("check-rounds", tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    assert "there is no such directory" in own("check-rounds", tmp_path / "none").stderr
