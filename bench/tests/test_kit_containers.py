"""The kit for real: made, run on the host's JDK and by Windows' JVM on Wine, imported, in the report as another machine."""

import json
import shutil
import subprocess
import zipfile

import pytest

from bench.tests import kit_results
from bench.tests.csv_files import read_rows
from bench.tests.selftest import CONFIG
from jcarerun.rounds import manifest

pytestmark = pytest.mark.containers

WINE = "wine-temurin-21"
# What shows that a kit's rounds are in a report: the tidy tables, and those of the PDF's text.
TABLES = ("data/tidy/verdicts.csv", "report/build/tables")
RUN = ("java", "-Xmx128m", "-cp", "benchmarks.jar", "jcarerun.kit.KitMain")


@pytest.fixture(scope="module")
def checkout(selftest_checkout):
    """A scratch checkout that has the self-test's own rounds, and has made its kit."""
    run = selftest_checkout.snakemake(*CONFIG, targets=("kit",))
    assert run.returncode == 0, run.stderr[-3000:]
    assert "jca-rerun-kit-smoke.zip: 2 rounds" in run.stderr
    return selftest_checkout


def unpack(checkout, target):
    with zipfile.ZipFile(checkout.path / "data/kit/jca-rerun-kit-smoke.zip") as archive:
        archive.extractall(target)
    return target / "jca-rerun-kit-smoke"


def measured(run, folder):
    """The zip that a run of the kit left to be sent back."""
    assert run.returncode == 0, run.stdout + run.stderr
    found = list(folder.glob("jca-rerun-results-kit-*.zip"))
    assert len(found) == 1
    assert not list(folder.glob(".work-*"))
    return found[0]


@pytest.fixture(scope="module")
def on_host(checkout, tmp_path_factory):
    folder = unpack(checkout, tmp_path_factory.mktemp("host"))
    run = subprocess.run(["sh", "run.sh"], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return measured(run, folder)


@pytest.fixture(scope="module")
def on_wine(checkout, tmp_path_factory):
    build = checkout.snakemake(*CONFIG, targets=(f"envs/build/{WINE}/environment.json",))
    assert build.returncode == 0, build.stderr[-3000:]
    image = json.loads((checkout.path / f"envs/build/{WINE}/environment.json").read_text())["image_id"]
    folder = unpack(checkout, tmp_path_factory.mktemp("wine"))
    mount = f"--volume={folder}:/kit"
    run = checkout.run("docker", "run", "--rm", "--network=none", mount, "--workdir=/kit", image, *RUN)
    return measured(run, folder)


@pytest.fixture(scope="module")
def report(checkout, on_host, on_wine):
    """The tables of a report on the pipeline's own rounds and those of both kits."""
    for file in (on_host, on_wine):
        run = checkout.snakemake(*CONFIG, f"from={file}", targets=("import_kit",))
        assert run.returncode == 0, run.stderr[-3000:]
        assert "imported: 2 rounds" in run.stderr
    run = checkout.snakemake(*CONFIG, targets=TABLES)
    assert run.returncode == 0, run.stderr[-3000:]
    assert "imported from kits: 4 rounds of kit-" in run.stderr
    return checkout


def rows(checkout, name):
    return read_rows(checkout.path / "data/tidy" / name)


def records(checkout, name):
    folders = [path for path in checkout.rounds() if path.parent.name.startswith("kit-")]
    return [json.loads((folder / name).read_text()) for folder in folders]


def test_they_are_whole_rounds_below_raw(report):
    folders = [folder for folder in report.rounds() if folder.parent.name.startswith("kit-")]
    assert len(folders) == 4
    for folder in folders:
        assert manifest.stamp_of(folder).read_text().startswith(manifest.verify(folder))


def test_they_are_other_machines_in_every_table(report):
    machines = {row["machine_id"] for row in rows(report, "rounds.csv")}
    assert len(machines) == 3
    for name in ("forks.csv", "cells.csv"):
        assert {row["machine_id"] for row in rows(report, name)} == machines
    places = {row["environment"] for row in rows(report, "verdicts.csv")}
    assert len([place for place in places if place.startswith("kit-")]) == 2


def test_the_report_names_them(report):
    environments = {entry["environment"]: entry["label"] for entry in records(report, "environment.json")}
    assert len(environments) == 2
    tables = "".join(file.read_text() for file in (report.path / "report/build/tables").glob("*.json"))
    for label in environments.values():
        assert label in tables


def test_windows_jvm_under_wine_is_called_that(report):
    wine = [entry for entry in records(report, "environment.json") if entry["platform"] == "windows"]
    assert len(wine) == 2
    assert all("Wine" in entry["caveat"] and "on Wine" in entry["system"] for entry in wine)
    assert {entry["jdk"]["java"] for entry in wine} == {21}


def test_a_kits_audit_has_every_fact_of_the_pipelines(report):
    ours = [path for path in report.rounds() if not path.parent.name.startswith("kit-")]
    wanted = json.loads((ours[0] / "audit.json").read_text())
    for found in records(report, "audit.json"):
        assert wanted.keys() <= found.keys()
        for part in ("host", "before", "after"):
            assert wanted[part].keys() <= found[part].keys(), part


def test_a_second_run_has_nothing_to_do(report):
    run = report.run("snakemake", "-n", "--cores", "2", "--config", *CONFIG, "--", *TABLES)
    assert "Nothing to be done" in run.stdout + run.stderr


def test_the_same_raw_directory_can_be_reported_on_elsewhere(report):
    run = report.run("snakemake", "-n", "--cores", "2", "--config", *CONFIG, "raw=data/raw")
    assert run.returncode == 0, run.stderr
    assert "report on 6 rounds" in run.stderr


def test_an_altered_result_is_refused_in_one_line(checkout, on_host, tmp_path):
    with zipfile.ZipFile(on_host) as archive:
        archive.extractall(tmp_path / "back")
    folder = sorted((tmp_path / "back").glob("*/*/*"))[0]
    kit_results.change_cell(folder / "iterations.csv", 0, "duration_ns", "17")
    kit_results.seal(folder)
    file = shutil.make_archive(str(tmp_path / "altered"), "zip", tmp_path / "back")
    before = checkout.rounds()
    run = checkout.snakemake(*CONFIG, f"from={file}", targets=("import_kit",))
    assert run.returncode != 0
    complaint = [line for line in run.stderr.splitlines() if line.startswith("error: ")]
    assert len(complaint) == 1
    assert "iteration 1 took" in complaint[0]
    assert folder.name in complaint[0]
    assert "Traceback" not in run.stderr
    assert checkout.rounds() == before


def test_neither_needs_an_engine(checkout, on_host, tmp_path):
    no_engine = {"DOCKER_HOST": f"unix://{tmp_path}/none.sock"}
    other = (*CONFIG, "tier=quick")
    assert checkout.snakemake(*other, targets=("kit",), **no_engine).returncode == 0
    assert checkout.snakemake(*CONFIG, f"from={on_host}", targets=("import_kit",), **no_engine).returncode == 0
    assert "engine docker: does not answer" in checkout.snakemake(*other, **no_engine).stderr


def test_what_is_to_be_taken_in_must_be_said(checkout):
    run = checkout.snakemake(*CONFIG, targets=("import_kit",))
    assert run.returncode != 0
    assert "say what: snakemake import_kit --config from=FILE" in run.stderr
