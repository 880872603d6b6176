"""The job of a round reads one file, imports little, and can be repeated by the command that the round's record shows."""

import io
import json
import shlex
import subprocess
import sys
from dataclasses import replace

import pytest

from bench.tests import made_up_round
from jcarerun import cli
from jcarerun.errors import UserError
from jcarerun.plan import settings
from jcarerun.rounds import manifest, validate
from jcarerun.run import container, plan_rounds, round_file, run_round

# Bare packages hold no code, and do not count.
PACKAGES = {"jcarerun", "jcarerun.plan", "jcarerun.rounds", "jcarerun.run", "jcarerun.support"}
MODULES_AT_MOST = 20


def test_the_job_imports_few_modules():
    code = "import sys, jcarerun.run.run_round; print(*(name for name in sys.modules if name.startswith('jcarerun')))"
    imported = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert len(set(imported) - PACKAGES) <= MODULES_AT_MOST, imported


@pytest.fixture
def jar(tmp_path, monkeypatch):
    """A benchmark jar in the place of the real one."""
    monkeypatch.setattr(container, "JAR", tmp_path / "benchmarks.jar")
    container.JAR.write_bytes(b"code")
    return container.JAR


@pytest.fixture
def planned(rounds, registry, jar, monkeypatch):
    """The file of a round that runs on the host. Its jar lies outside of the checkout, which a real one never does."""
    monkeypatch.setattr(round_file.RoundFile, "require_files", lambda self: None)
    made = plan_rounds.round_file(
        rounds(tier="smoke", engine="host")[0], settings.read({"tier": "smoke", "engine": "host"}), registry
    )
    return replace(made, class_path=(replace(made.class_path[0], path="bench/target/benchmarks.jar"),))


@pytest.fixture
def measured(planned, tmp_path, monkeypatch):
    """Measures the round into a raw directory, from its file alone; made-up forks stand for a JVM's."""

    def forks(file, inside, log, show, begun):
        log.write_text("")
        made_up_round.write_outputs(inside)
        (inside / "console.log").unlink()
        begun()
        show(len(file.inputs["cells.csv"].splitlines()) - 1, 1)

    monkeypatch.setattr(container, "run", forks)
    monkeypatch.setattr(run_round, "_require", lambda *_: None)
    monkeypatch.setattr(run_round.time, "monotonic", iter(range(0, 10**6, 1000)).__next__)

    def measure(file, raw):
        arguments = cli.command_line().parser.parse_args(["round", str(file), str(raw)])
        run_round.main(arguments)
        return raw / planned.path

    file = tmp_path / "planned.json"
    file.write_text(planned.text())
    return measure, file


def test_a_round_file_says_the_same_when_it_is_read_back(planned, tmp_path):
    (tmp_path / "plan.json").write_text(planned.text())
    assert round_file.read(tmp_path / "plan.json") == planned


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("engine", "a shell"),
        ("inputs", {"../../victim": ""}),
        ("class_path", [{"path": "../outside.jar", "inside": "/bench/benchmarks.jar", "sha256": "0" * 64}]),
        ("class_path", [{"path": "/etc/passwd", "inside": "/bench/benchmarks.jar", "sha256": "0" * 64}]),
        ("native_programs", "a:/etc"),
        ("more", 1),
    ],
)
def test_a_file_that_is_no_planned_round_is_refused_by_its_key(planned, tmp_path, key, value):
    content = json.loads(planned.text())
    (tmp_path / "plan.json").write_text(json.dumps({**content, key: value}))
    with pytest.raises(UserError, match=r"plan\.json"):
        round_file.read(tmp_path / "plan.json")


def test_a_jar_that_is_not_the_planned_one_is_refused(planned, tmp_path, jar, monkeypatch):
    monkeypatch.undo()
    mounted = round_file.MountedFile(str(jar), "/bench/benchmarks.jar", "0" * 64)
    with pytest.raises(UserError, match="another file than the round was planned with"):
        replace(planned, class_path=(mounted,)).require_files()


def test_the_job_measures_from_the_file_alone(measured, tmp_path):
    measure, file = measured
    folder = measure(file, tmp_path / "raw")
    validate.validate_round(folder)
    assert manifest.stamp_of(folder).is_file()


def test_the_command_in_the_record_measures_the_round_again(measured, tmp_path):
    measure, file = measured
    folder = measure(file, tmp_path / "raw")
    words = shlex.split(json.loads((folder / "round.json").read_text())["repeat"])
    assert words[:2] == ["jca-rerun", "round"]
    assert words[3] == "OUT"
    again = measure(tmp_path / "raw" / words[2], tmp_path / "again")
    for name in ("cells.csv", "forks.tsv", "gates.tsv", "plan.json"):
        assert (again / name).read_bytes() == (folder / name).read_bytes()


class Terminal(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, is_one):
        super().__init__()
        self.isatty = lambda: is_one


@pytest.fixture
def scheduled(planned, tmp_path):
    """The schedule of a run of two rounds, read back from its file; the first one is measured."""
    experiment, environment, _ = planned.path.split("/")
    own = round_file.ScheduledRound(experiment, environment, planned.path, 2, 2, planned.expected_s, "")
    first = replace(own, path=f"{planned.path}-before")
    (tmp_path / "raw" / first.path).mkdir(parents=True)
    schedule = round_file.Schedule([first, own], [], "12 of 40 verdicts decided")
    (tmp_path / "schedule.json").write_text(schedule.text())
    return round_file.read_schedule(tmp_path / "schedule.json")


@pytest.mark.parametrize(("columns", "whole"), [("200", True), ("70", False)])
def test_a_terminal_shows_the_share_done_the_time_left_and_the_verdicts_so_far(
    planned, scheduled, tmp_path, monkeypatch, columns, whole
):
    monkeypatch.setenv("COLUMNS", columns)
    screen = Terminal(True)
    run_round.Progress(tmp_path / "raw", scheduled, planned, screen).show(1, 2)
    line = screen.getvalue().rpartition("\033[K")[2]
    assert line.startswith("[############    ]  75%, ")
    assert "left, 12 of 40 verdicts decided" in line
    assert len(line) < int(columns)
    assert ("round 2/2, fork 1/2" in line) is whole


def test_without_a_terminal_each_round_has_a_line_with_the_verdicts_so_far(planned, scheduled, tmp_path, capsys):
    screen = Terminal(False)
    progress = run_round.Progress(tmp_path / "raw", scheduled, planned, screen)
    progress.show(1, 2)
    progress.finished()
    assert screen.getvalue() == ""
    assert "round 2 of 2: " in (line := capsys.readouterr().err)
    assert line.endswith("left, 12 of 40 verdicts decided\n")


def test_a_round_that_is_there_is_not_measured_again(measured, tmp_path, monkeypatch):
    measure, file = measured
    folder = measure(file, tmp_path / "raw")
    monkeypatch.setattr(container, "run", lambda *_: pytest.fail("was measured again"))
    assert measure(file, tmp_path / "raw") == folder
