"""What a bundle holds, and that the same report gives the same bytes."""

import csv
import json
import subprocess

import pytest

from bench.tests.bundle.sealing import unpacked
from jcarerun.bundle import archive

pytestmark = pytest.mark.sample


@pytest.fixture(scope="module")
def folder(bundle, tmp_path_factory):
    return unpacked(bundle, tmp_path_factory.mktemp("unpacked"))


def rows(file):
    with file.open(newline="") as text:
        return list(csv.DictReader(text))


def test_anybody_can_check_its_hashes(folder):
    run = subprocess.run(["sha256sum", "--check", "--quiet", "manifest.sha256"], cwd=folder)
    assert run.returncode == 0


def test_it_has_the_report_that_stands(clone, folder):
    for name in ("report.pdf", "report.html"):
        assert (folder / name).read_bytes() == (clone.path / "report" / name).read_bytes()
    for file in (clone.path / "data/tidy").iterdir():
        assert (folder / "tidy" / file.name).read_bytes() == file.read_bytes()


def test_it_has_every_raw_file(clone, folder):
    for file in (clone.path / "data/sample").rglob("*"):
        if file.is_file():
            assert (folder / "raw" / file.relative_to(clone.path / "data/sample")).read_bytes() == file.read_bytes()


def test_it_has_what_the_run_was_of(clone, folder):
    """Experiments, numbers of studies, settings, locks, bills of materials, and the commit."""
    assert {file.stem for file in (folder / "definitions/experiments").iterdir()} == {"phenry2014", "stegerer2008"}
    for file in (clone.path / "data/published").rglob("*.*"):
        own = folder / "definitions/published" / file.relative_to(clone.path / "data/published")
        assert own.read_bytes() == file.read_bytes()
    environments = {row["environment"] for row in rows(folder / "tidy/rounds.csv")}
    assert {file.stem for file in (folder / "locks").iterdir()} == environments | {"analysis"}
    bills = {file.name.removesuffix(".cdx.json"): json.loads(file.read_text()) for file in (folder / "sboms").iterdir()}
    assert bills.keys() == environments
    measured = {row["environment"]: row["image_id"] for row in rows(folder / "tidy/rounds.csv")}
    assert {name: bill["metadata"]["component"]["version"] for name, bill in bills.items()} == measured
    told = json.loads((folder / "raw/run.json").read_text())
    assert told["settings"]["tier"] == "standard" and len(told["rounds"]) == 20
    commit = clone.run("git", "rev-parse", "HEAD").stdout.strip()
    assert json.loads((folder / "bundle.json").read_text())["commit"] == commit


def test_each_verdict_has_its_command_minutes_and_megabytes(folder):
    claims, verdicts = rows(folder / "claims.csv"), rows(folder / "tidy/verdicts.csv")
    assert [row["verdict_id"] for row in claims] == [row["verdict_id"] for row in verdicts]
    elapsed_s = sum(float(r["elapsed_s"]) for r in rows(folder / "tidy/rounds.csv") if r["experiment"] == "phenry2014")
    size = sum(file.stat().st_size for file in (folder / "raw/phenry2014").rglob("*") if file.is_file())
    own = [row for row in claims if row["experiment"] == "phenry2014"]
    for row in own:
        assert row["command"].startswith("snakemake ")
        assert "experiments=[phenry2014] tier=standard seed=20140816" in row["command"]
        assert float(row["minutes"]) == pytest.approx(elapsed_s / 60, rel=0.01)
        assert float(row["megabytes"]) == pytest.approx(size / 1e6, rel=0.01)
    judged = [row for row in own if row["verdict"] != "not testable here"]
    assert judged and all(0 < float(row["cells_minutes"]) < float(row["minutes"]) for row in judged)


def test_a_claims_minutes_are_those_of_its_cells_forks(folder):
    """Added up here from the raw rounds, by the cells of a claim that has two of them."""
    claim = next(row for row in rows(folder / "claims.csv") if row["claim"] == "P4")
    contrast = next(
        row
        for row in rows(folder / "tidy/contrasts.csv")
        if all(row[key] == claim[key] for key in ("claim", "variant", "environment", "protocol", "cpu_profile"))
    )
    cells, total_ms = {contrast["numerator_cell"], contrast["denominator_cell"]}, 0.0
    for one in (folder / "raw/phenry2014" / claim["environment"]).iterdir():
        forks = {row["fork"] for row in rows(one / "cells.csv") if row["cell"] in cells}
        every = rows(one / "interference.csv")
        forks |= {row["fork"] for row in every if row["rerun_of"] in forks}
        total_ms += sum(float(row["elapsed_ms"]) for row in every if row["fork"] in forks)
    assert float(claim["cells_minutes"]) == pytest.approx(total_ms / 60_000, rel=0.01)


def test_the_check_of_a_verdict_works_in_the_unpacked_bundle(clone, folder):
    run = clone.run("python", "-m", "jcarerun", "trace", "v1", "--results", str(folder))
    assert run.returncode == 0, run.stderr
    assert "the same" in run.stdout


def test_the_same_files_give_the_same_bytes(bundle, folder, tmp_path):
    archive.write(folder, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == bundle.read_bytes()
