"""Snakemake's own command line: mistakes end it with one line and a status, the plan comes before anything starts."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from envs.tests import checkout as checkouts

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A scratch checkout with nothing built."""
    return checkouts.make(tmp_path_factory.mktemp("checkout"), built=())


def test_the_plan_says_cells_rounds_and_expected_time_and_can_leave_the_calibration_out(checkout):
    run = checkout.run("snakemake", "-n", "--cores", "2", "--config", "minutes=0")
    assert run.returncode == 0, run.stderr
    assert re.search(r"kofahi2013: \d+ cells.* in \d+ environments?", run.stderr)
    assert re.search(r"calibration: \d+ cells", run.stderr)
    assert "measuring ends" not in run.stderr
    run = checkout.run("snakemake", "-n", "--cores", "2", "--config", "calibration=false")
    assert run.returncode == 0, run.stderr
    assert re.search(r"11:00 min of 11 minutes of measuring left .*: \d+ of \d+ cells fit", run.stderr)
    assert "expected time" in run.stderr
    assert "kofahi2013: " in run.stderr and "calibration: " not in run.stderr


def test_a_study_of_another_folder_is_planned_from_there_and_keeps_its_results_there(checkout, tmp_path):
    study = tmp_path / "my study"
    study.mkdir()
    shutil.copy(checkout.path / "bench/experiments/kofahi2013.yaml", study)
    command = ("-n", "--cores", "2", "--config", "experiment_dir=my study", "tier=smoke", "calibration=false")
    argv = ("snakemake", "--snakefile", str(checkout.path / "Snakefile"), *command)
    run = subprocess.run(argv, cwd=tmp_path, env=checkout.environment(), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert f"plan, tier smoke, engine docker, results in {study / 'results'}:" in run.stderr
    assert not (study / "results").exists(), "a plan writes nothing"


def test_more_memory_than_the_machine_has(checkout):
    config = ("memory=99999999", "cpu_profiles=[native]", "engine=docker")
    run = checkout.run("snakemake", "-n", "--cores", "2", "--config", *config)
    assert run.returncode != 0
    assert "error: --config memory=99999999: this machine has" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("tier=quikc", "did you mean 'quick'"),
        ("memory=4096", "measure without it: cpu_profiles=[native]"),
        ("calibration=no", "must be true or false"),
    ],
)
def test_a_wrong_configuration(checkout, config, words):
    run = checkout.run("snakemake", "-n", "--cores", "2", "--config", config)
    assert run.returncode != 0
    assert words in run.stderr
    assert "Traceback" not in run.stderr
    assert len([line for line in run.stderr.splitlines() if line.startswith("error")]) == 1


def test_broken_yaml(checkout):
    file = checkout.path / "bench/experiments/broken.yaml"
    file.write_text("title: [\n")
    run = checkout.run("snakemake", "-n", "--cores", "2")
    file.unlink()
    assert run.returncode != 0
    assert "bench/experiments/broken.yaml, line 2" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    "line",
    [
        line
        for line in re.findall(r"^(snakemake [^#\n]*)", Path("README.md").read_text(), re.MULTILINE)
        # An archive of the report needs one: report/tests/test_sample.py.
        if "-n" not in line and "--report" not in line
    ],
)
def test_commands_of_the_readme_have_a_plan(checkout, line):
    run = checkout.run(*shlex.split(line), "-n")
    assert run.returncode == 0, run.stderr
    assert "plan" in run.stderr


def test_a_new_experiment_is_one_file(checkout):
    text = (checkout.path / "bench/experiments/phenry2014.yaml").read_text()
    file = checkout.path / "bench/experiments/mine.yaml"
    file.write_text(text)
    run = checkout.run("snakemake", "-n", "--cores", "2", "--config", "experiments=[mine]")
    file.unlink()
    assert run.returncode == 0, run.stderr
    assert "  mine: " in run.stderr


def test_an_outdated_jar_is_not_all_that_is_made(checkout):
    """Once, a run with an input that was older than its sources made that input anew, and ended as if all were done."""
    made = ("bench/target/benchmarks.jar", "bench/target/providers.sha256")
    for name in made:
        (checkout.path / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout.path / name).write_text("")
        os.utime(checkout.path / name, (1, 1))
    run = checkout.run("snakemake", "-n", "--cores", "2", "--config", "tier=smoke")
    assert run.returncode == 0, run.stderr
    needed = run.stdout + run.stderr
    for rule in ("jar", "provider_jars", "round", "tidy", "pdf"):
        assert rule in needed.partition("Reasons:")[2], rule


def may_mount():
    """Whether a process here may have mounts of its own."""
    return (
        subprocess.run(["unshare", "--mount", "--propagation=private", "--", "true"], capture_output=True).returncode
        == 0
    )


@pytest.mark.skipif(not may_mount(), reason="mounts of one's own, which need root here, are not allowed")
@pytest.mark.parametrize("folder", ["data", "data/raw"])
def test_a_read_only_data_directory_is_refused_in_one_line_and_goes_on_when_it_is_writable(checkout, folder):
    """Really mounted so, for the command alone, since root ignores rights; once it was a stack trace."""
    (checkout.path / "data/raw").mkdir(parents=True, exist_ok=True)
    before = sorted((checkout.path / "data").rglob("*"))
    read_only = f"mount --bind {folder} {folder} && mount -o remount,ro,bind {folder} && exec snakemake --cores 2"
    run = checkout.run("unshare", "--mount", "--propagation=private", "--", "sh", "-c", read_only)
    assert run.returncode != 0
    (message,) = [line for line in run.stderr.splitlines() if line.startswith("error: ")]
    assert re.fullmatch(
        r"error: data/raw/\.[^-]*[\w.-]*: Read-only file system; make it writable and run again", message
    )
    assert ".part-" not in message
    assert "Traceback" not in run.stderr
    assert sorted((checkout.path / "data").rglob("*")) == before
    assert checkout.run("snakemake", "-n", "--cores", "2").returncode == 0


def test_a_checkout_below_a_path_that_a_shell_would_change(tmp_path):
    """Once a space in the path ended every job, and `$(...)` in it would have run."""
    odd = checkouts.make(tmp_path / "a b $(touch ran) 'c'", built=())
    results = ("--config", "raw=data/sample", "results=out", "engine=host")
    made = odd.path / "out/tidy/definitions.json"
    run = odd.run("snakemake", "--cores", "1", *results, "--", str(made))
    assert run.returncode == 0, run.stderr
    assert made.is_file()
    assert not list(odd.path.rglob("ran"))
