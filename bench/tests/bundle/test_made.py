"""What a bundle holds, and that the same report gives the same bytes."""

import json
import subprocess

import pytest

from bench.tests.bundle.sealing import unpacked
from bench.tests.csv_files import read_rows
from jcarerun.bundle import make

pytestmark = pytest.mark.sample


@pytest.fixture(scope="module")
def folder(bundle, tmp_path_factory):
    return unpacked(bundle, tmp_path_factory.mktemp("unpacked"))


def test_anybody_can_check_its_hashes(folder):
    run = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder)
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
    """Experiments, settings, and the commit, which has all else that decided the run."""
    assert {file.stem for file in (folder / "experiments").iterdir()} == {"phenry2014", "stegerer2008"}
    told = json.loads((folder / "raw/run.json").read_text())
    assert told["settings"]["tier"] == "standard" and len(told["rounds"]) == 20
    commit = clone.run("git", "rev-parse", "HEAD").stdout.strip()
    assert json.loads((folder / "bundle.json").read_text())["commit"] == commit


def test_its_metadata_name_every_file_but_those_of_rounds(folder):
    graph = json.loads((folder / "ro-crate-metadata.json").read_text())["@graph"]
    files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    others = {name for name in files if not name.startswith("raw/")} - {"SHA256SUMS", "ro-crate-metadata.json"}
    assert {entity["@id"] for entity in graph if entity["@type"] == "File"} == others
    (root,) = (entity for entity in graph if entity["@id"] == "./")
    assert {part["@id"] for part in root["hasPart"]} == others | {"raw/"}


def test_each_verdict_has_its_command_and_minutes(folder):
    claims, verdicts = read_rows(folder / "verdict_commands.csv"), read_rows(folder / "tidy/verdicts.csv")
    assert [row["verdict_id"] for row in claims] == [row["verdict_id"] for row in verdicts]
    elapsed_s = sum(
        float(r["elapsed_s"]) for r in read_rows(folder / "tidy/rounds.csv") if r["experiment"] == "phenry2014"
    )
    for row in (row for row in claims if row["experiment"] == "phenry2014"):
        assert row["command"].startswith("snakemake ")
        assert "'experiments=[phenry2014]' tier=standard seed=20140816" in row["command"]
        assert float(row["minutes"]) == pytest.approx(elapsed_s / 60, rel=0.01)


def test_the_check_of_a_verdict_works_in_the_unpacked_bundle(clone, folder):
    run = clone.run("python", "-m", "jcarerun", "trace", "v1", "--results", str(folder))
    assert run.returncode == 0, run.stderr
    assert "the same" in run.stdout


def test_the_same_files_give_the_same_bytes(bundle, folder, tmp_path):
    make.write_zip(folder, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == bundle.read_bytes()
