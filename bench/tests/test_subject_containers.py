"""A jar that isn't ours, measured in a container: what its rounds record. Our own stands for one, which every checkout has.

Its study lies outside the checkout, as somebody's would, in a folder whose name an engine's or a shell's own marks are in.
"""

import json
import subprocess
import zipfile
from pathlib import Path

import pytest
import yaml

from bench.tests.csv_files import read_rows
from bench.tests.selftest import NEEDED
from envs.tests import checkout as checkouts
from jcarerun.rounds import validate
from jcarerun.support.files import sha256

pytestmark = pytest.mark.containers

BENCHMARK = "jcarerun.workload.Digest.digest"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The checkout, and the one round of an experiment on the jar, which lies beside the experiment."""
    own = checkouts.make(tmp_path_factory.mktemp("outside") / "checkout")
    for name in NEEDED:
        (own.path / name).touch()  # newer than the sources that were copied
    tier = {"rounds": 1, "environments": {"tag": "smoke"}}
    study = own.path.parent / "their study:it's here"
    study.mkdir()
    jar = study / "theirs.jar"
    jar.write_bytes((own.path / "bench/target/benchmarks.jar").read_bytes())
    experiment = {
        "title": "Theirs", "measure": "wall", "study": {"authors": "they", "where": "there", "then": "Nothing."},
        "jar": {"path": jar.name, "sha256": sha256(jar)},
        "workloads": {
            "digest": {"benchmark": BENCHMARK, "params": {"bytes": 100_000}, "jvm_args": ["-Xmx300m"], "threads": 2},
            "shot": {"benchmark": BENCHMARK, "protocols": ["as-published"]},
        },
        "protocols": {
            "as-published": {"mode": "single-shot", "warmup": 0, "iterations": 3},
            "steady-state": {"mode": "average-time", "warmup": "steady-state", "iterations": 5, "iteration_ms": 1500},
        },
        "tiers": dict.fromkeys(("smoke", "quick", "standard", "full"), tier),
    }  # fmt: skip
    experiment["workloads"]["digest"]["protocols"] = ["steady-state"]
    (study / "outside.yaml").write_text(yaml.safe_dump(experiment))
    config = (f"experiment_dir={study}", "tier=smoke", "calibration=false")
    settings = {"experiment_dir": str(study), "tier": "smoke", "calibration": False}
    code = f"from jcarerun.run import run; print(*run.from_config({settings!r}).round_stamps(None, before=2))"
    stamp = own.run("python", "-c", code).stdout.strip()
    assert stamp.startswith(f"{study}/results/raw/outside/")
    run = own.snakemake(*config, targets=(stamp,))
    assert run.returncode == 0, run.stderr[-3000:]
    assert not list((own.path / "data/raw").glob("*/*")), "nothing of it is in the checkout"
    return own, Path(stamp.removesuffix(".done"))


@pytest.fixture(scope="module")
def folder(made):
    return made[1]


def forks(folder) -> dict[str, str]:
    """Workload to the number of its fork."""
    return {row["workload"]: row["fork"] for row in read_rows(folder / "cells.csv")}


def test_a_round_of_somebody_elses_jar_is_whole(folder):
    assert validate.validate_round(folder)
    assert json.loads((folder / "round.json").read_text())["providers"] == {"default": ""}


def test_its_iterations_are_jmhs_without_the_one_in_which_it_is_sampled(folder):
    fork = forks(folder)["digest"]
    own = [row for row in read_rows(folder / "iterations.csv") if row["fork"] == fork]
    (result,) = json.loads((folder / f"jmh/{int(fork):03d}.json").read_text())
    assert len(own) == 5 and len(result["primaryMetric"]["rawData"][0]) == 6
    assert result["threads"] == 2 and "-Xmx300m" in result["jvmArgs"] and "-Xmx512m" not in result["jvmArgs"]
    assert {row["worker_cpu_ns"] for row in own} == {""}


def test_what_lives_long_is_old_from_its_second_iteration_on_and_a_cold_shot_is_left_alone(folder):
    for workload, times in (("digest", 1), ("shot", 0)):
        lines = (folder / f"gc/{int(forks(folder)[workload]):03d}.log").read_text().splitlines()
        ends = [line for line in lines if "Pause Full (System.gc())" in line and line.endswith("ms")]
        assert len(ends) == times, workload


def test_what_the_jvm_compiled_of_it_is_known(folder):
    chain = [row for row in read_rows(folder / "chain.csv") if row["fork"] == forks(folder)["digest"]]
    assert chain[0]["method"] == BENCHMARK.replace(".digest", "::digest")  # the loop around it is of no weight here
    assert {row["fork"] for row in read_rows(folder / "chain.csv")} == {forks(folder)["digest"]}  # a cold shot has none


def test_its_command_repeats_a_fork_by_hand(folder):
    commands = (folder / "commands.txt").read_text().splitlines()
    assert all("-cp harness.jar:subject-1.jar org.openjdk.jmh.Main" in line for line in commands)


def test_a_kit_carries_the_jar_and_what_it_measured_comes_back_beside_the_study(made, tmp_path):
    own, folder = made
    study = folder.parents[4]
    config = (f"experiment_dir={study}", "tier=smoke", "calibration=false")
    run = own.snakemake(*config, targets=("kit",))
    assert run.returncode == 0, run.stderr[-3000:]
    with zipfile.ZipFile(own.path / "data/kit/jca-rerun-kit-smoke.zip") as archive:
        archive.extractall(tmp_path)
    kit = tmp_path / "jca-rerun-kit-smoke"
    run = subprocess.run(["sh", "run.sh"], cwd=kit, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert run.returncode == 0, run.stdout + run.stderr
    (back,) = kit.glob("jca-rerun-results-kit-*.zip")
    run = own.snakemake(*config, f"from={back}", targets=("import_kit",))
    assert run.returncode == 0, run.stderr[-3000:]
    (record,) = study.glob("results/raw/outside/kit-*/*/round.json")
    assert validate.validate_round(record.parent)
    assert json.loads(record.read_text())["jar_sha256"] == sha256(study / "theirs.jar")


def test_the_harness_is_the_same_bytes_from_the_same_jar_and_has_neither_jmh_nor_benchmarks(made):
    jar = made[0].path / "bench/target/harness.jar"
    listed = subprocess.run(["unzip", "-Z1", str(jar)], capture_output=True, text=True, check=True).stdout.split()
    assert "jcarerun/round/RoundMain.class" in listed and "jcarerun/probe/IterationLog.class" in listed
    assert not [name for name in listed if not name.startswith("jcarerun/") or "/workload/" in name]
