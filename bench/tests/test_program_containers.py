"""A program that isn't ours, measured in containers down to its verdict: the page's own, in C, compiled as the page says."""

import csv
import json
import re
import subprocess
from pathlib import Path

import pytest

from bench.tests.selftest import NEEDED
from envs.tests import checkout as checkouts
from jcarerun.images import catalogue, image
from jcarerun.rounds import check
from jcarerun.support import engine as engines
from jcarerun.support.files import sha256

pytestmark = pytest.mark.containers

PAGE = Path("docs/own-program.md").read_text()


def fenced(language: str) -> str:
    return re.search(rf"```{language}\n(.+?)```", PAGE, re.DOTALL)[1]


def compiled(folder: Path) -> Path:
    """The page's program, compiled by the page's command in the image that native programs are compiled in."""
    (folder / "checksum.c").write_text(fenced("c"))
    toolchain = catalogue.read().find(f"{catalogue.TOOLCHAIN}debian-13-native")
    found = image.ensure("docker", toolchain, Path("envs/cache/jdks"))
    command = re.search(r"`(gcc .+?)`", PAGE)[1]
    argv = engines.analysis_command("docker", found, ["sh", "-c", f"cd '{folder}' && {command}"], writable=[folder])
    subprocess.run(argv, check=True, stdin=subprocess.DEVNULL)
    return folder / "checksum"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """What a run of the page's experiment left, beside it."""
    own = checkouts.make(tmp_path_factory.mktemp("program") / "checkout")
    for name in NEEDED:
        (own.path / name).touch()  # newer than the sources that were copied
    study = own.path.parent / "their study"
    study.mkdir()
    text = re.sub(r"sha256: 0{64}", f"sha256: {sha256(compiled(study))}", fenced("yaml"))
    (study / "sums.yaml").write_text(
        text.replace("iterations: 20, iteration_ms: 100", "iterations: 5, iteration_ms: 20")
    )
    config = (f"experiment_dir={study}", "tier=smoke", "calibration=false")
    run = own.snakemake(*config, targets=(f"{study}/results/tidy/verdicts.csv",))
    assert run.returncode == 0, run.stderr[-3000:]
    return study / "results"


def rows(file):
    with file.open(newline="") as text:
        return list(csv.DictReader(text))


def test_its_rounds_are_whole_and_name_it(results):
    folders = [file.parent for file in results.glob("raw/*/*/*/manifest.sha256")]
    assert len(folders) == 2 and all(check.whole(folder) for folder in folders)
    records = [json.loads((folder / "round.json").read_text()) for folder in folders]
    assert {record["providers"]["default"] for record in records} == {sha256(results.parent / "checksum")}


def test_its_result_is_that_of_its_rows(results):
    (first, _) = sorted(file.parent for file in results.glob("raw/*/*/*/manifest.sha256"))
    own = [row for row in rows(first / "iterations.csv") if row["fork"] == "1"]
    (result,) = json.loads((first / "jmh/001.json").read_text())
    assert result["primaryMetric"]["rawData"] == [[int(row["duration_ns"]) / int(row["operations"]) for row in own]]
    assert all(int(row["duration_ns"]) >= 20_000_000 for row in own)
    assert not (first / "gc").exists() or not list((first / "gc").iterdir())


def test_its_times_are_settled_by_definition_and_its_claim_gets_a_verdict(results):
    assert {row["settled"] for row in rows(results / "tidy/forks.csv")} == {"by definition"}
    means = {row["cell"]: float(row["mean_ns"]) for row in rows(results / "tidy/cells.csv") if row["measure"] == "wall"}
    assert means["sum:long:default:modern:native"] > means["sum:short:default:modern:native"]
    cpu = {row["cell"]: float(row["mean_ns"]) for row in rows(results / "tidy/cells.csv") if row["measure"] == "cpu"}
    assert cpu.keys() == means.keys() and all(0 < cpu[cell] <= 1.1 * means[cell] for cell in means)
    (verdict,) = rows(results / "tidy/verdicts.csv")
    assert (verdict["claim"], verdict["cause"], verdict["settled"]) == ("C1", "too few forks", "by definition")
