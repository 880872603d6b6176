"""The committed sample of real rounds, down to the PDF, without a JVM; and what is said when its files are damaged."""

import csv
import gzip
import json
import subprocess
import zipfile
from pathlib import Path

import pytest

from jcarerun import dictionary
from jcarerun.explorer import tidy
from jcarerun.rounds import manifest

pytestmark = pytest.mark.sample

SAMPLE = Path("data/sample")
CONFIG = "raw=data/sample"


def rows(sample_report, name):
    return tidy.read(sample_report.path / "data/tidy", name)


def test_the_sample_is_whole_and_small():
    rounds = [path.parent for path in SAMPLE.glob("*/*/*/manifest.sha256")]
    assert len(rounds) == 20
    for folder in rounds:
        manifest.verify(folder)
    assert sum(file.stat().st_size for file in SAMPLE.rglob("*") if file.is_file()) < 8 << 20


def test_snakemake_archives_the_report_with_its_figures(sample_report):
    run = sample_report.run("snakemake", "--report", "report/report.zip", "--config", CONFIG)
    assert run.returncode == 0, run.stderr
    with zipfile.ZipFile(sample_report.path / "report/report.zip") as archive:
        names = {Path(name).name for name in archive.namelist()}
    assert {"report.pdf", "report.html", "forest-phenry2014.svg"} <= names


def gaps(file):
    """For each page the largest part of its text's height without any ink."""
    raw = subprocess.run(["pdftoppm", "-r", "20", "-gray", file], capture_output=True, check=True).stdout
    found = []
    while raw:
        size, _, rest = raw.split(b"\n", 3)[1:]
        width, height = map(int, size.split())
        rows, raw = rest[: width * height], rest[width * height :]
        blank = [min(rows[y * width : (y + 1) * width]) > 200 for y in range(height)]
        body = blank[height // 14 : -height // 14]
        runs = "".join(".#"[not each] for each in body).split("#")
        found.append(max(map(len, runs)) / len(body))
    return found


def test_the_report_is_short_and_its_pages_are_full(sample_report):
    found = gaps(sample_report.path / "report/report.pdf")
    assert len(found) <= 12
    assert all(gap < 1 / 3 for gap in found[:-1]), found


def test_nothing_was_measured(sample_report):
    assert not list((sample_report.path / "data/raw").glob("*/*/*/round.json"))


DECIDED_OR_NOT = ("holds", "other-size", "opposite", "does-not-hold", "undecided")


def test_every_claim_that_was_measured_has_a_verdict_with_an_interval(sample_report):
    # S10 needs clocks, and a claim of two key lengths a second one: the sample was measured without.
    verdicts = rows(sample_report, "verdicts.csv")
    judged = [row for row in verdicts if row["environment"] and row["verdict"] != "not-testable"]
    assert len(judged) == 19
    assert {row["claim"] for row in judged} == {"P1", "P2", "P3", "P4", "P8", "S5a"}
    assert {row["protocol"] for row in judged} == {"as-published", "steady-state"}
    for row in judged:
        # S5a compares Wine, which is not Windows.
        verdicts = ("not-comparable",) if row["claim"] == "S5a" else DECIDED_OR_NOT
        assert row["verdict"] in verdicts
        assert float(row["lower"]) < float(row["estimate"]) < float(row["upper"])
        assert int(row["forks_min"]) >= 5 or row["cause"] == "too few forks"


def test_a_verdict_can_be_traced_to_the_raw_values_of_jmh(sample_report):
    """From a verdict to its contrast, its cells, their forks, and the JSON that JMH wrote."""
    verdict = next(
        r for r in rows(sample_report, "verdicts.csv") if r["claim"] == "P4" and r["protocol"] == "as-published"
    )
    contrast = next(r for r in rows(sample_report, "contrasts.csv") if r["contrast"] == verdict["contrast"])
    fork = next(
        r
        for r in rows(sample_report, "forks.csv")
        if r["cell"] == contrast["numerator_cell"] and r["environment"] == contrast["environment"]
    )
    folder = SAMPLE / fork["experiment"] / fork["environment"] / fork["round"]
    raw = json.loads((folder / f"jmh/{int(fork['fork']):03d}.json").read_text())[0]
    measured = raw["primaryMetric"]["rawData"][0][4:]
    # Iterations have about the same length, not the same, so JMH's plain mean is near the fork's, not equal to it.
    assert float(fork["wall_ns_per_op"]) == pytest.approx(sum(measured) / len(measured), rel=0.05)


def test_no_iteration_and_no_fork_is_lost(sample_report):
    raw = sum(len(file.read_text().splitlines()) - 1 for file in SAMPLE.glob("*/*/*/iterations.csv"))
    assert len(rows(sample_report, "iterations.csv.gz")) == raw
    # A row for every fork, those that were run again too.
    forks = sum(len(file.read_text().splitlines()) - 1 for file in SAMPLE.glob("*/*/*/interference.csv"))
    assert len(rows(sample_report, "forks.csv")) == forks


TIDY = dictionary.tables(dictionary.read())["tidy"]


def test_every_tidy_table_has_the_columns_of_the_schema(sample_report):
    found = {}
    for file in (sample_report.path / "data/tidy").glob("*.csv*"):
        with gzip.open(file, "rt") if file.suffix == ".gz" else file.open() as lines:
            found[file.name.removesuffix(".gz")] = [c for c in next(csv.reader(lines)) if not c.startswith("factor.")]
    assert found == {name: [c for c in TIDY[name] if c != "factor.<name>"] for name in TIDY}


ROUND = "data/sample/phenry2014/debian-12-temurin-17"


@pytest.mark.parametrize(
    ("file", "damage"),
    [
        ("jmh/001.json", lambda b: b[:200]),
        ("gc/003.log", lambda b: b""),
        ("iterations.csv", None),
        ("round.json", None),
    ],
)
def test_damage_is_named_and_no_report_is_made_from_the_rest(sample_report, file, damage):
    folder = sorted((sample_report.path / ROUND).glob("*"))[0]
    whole = (folder / file).read_bytes()
    try:
        if damage is None:
            (folder / file).unlink()
        else:
            (folder / file).write_bytes(damage(whole))
        run = sample_report.snakemake(CONFIG)
    finally:
        (folder / file).write_bytes(whole)
    assert run.returncode != 0
    complaint = [line for line in run.stderr.splitlines() if line.startswith("error: ")]
    assert len(complaint) == 1
    assert f"{folder.name}/{file}" in complaint[0] or f"{folder.name}: " in complaint[0]
    assert "Traceback" not in run.stderr


def test_damage_is_named_by_the_check_alone(sample_report):
    """Also where nothing but the check is run, by hand, without a report to be made."""
    folder = sorted((sample_report.path / ROUND).glob("*"))[0]
    whole = (folder / "jmh/001.json").read_bytes()
    try:
        (folder / "jmh/001.json").write_bytes(whole[:200])
        run = sample_report.run("python", "-m", "jcarerun", "check-rounds", "data/sample")
    finally:
        (folder / "jmh/001.json").write_bytes(whole)
    assert run.returncode == 2
    assert "001.json" in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1


def test_a_new_figure_is_one_file(sample_report):
    """Adds a figure by a file, and finds it in the figures' list."""
    file = sample_report.path / "analysis/R/figure_mine.R"
    file.write_text(
        "figure_mine <- function(data) {\n"
        "  list(list(\n"
        '    id = "mine", section = "appendix", title = "Mine", caption = "Mine.", alt = "One point.",\n'
        "    plot = ggplot2::ggplot(data.frame(x = 1), ggplot2::aes(x, x)) + ggplot2::geom_point(),\n"
        "    width_mm = 80, height_mm = 40\n"
        "  ))\n"
        "}\n"
    )
    # The tables would be made again too, since the package is another; they have no part in this.
    words = ("--allowed-rules", "figures", "--config", CONFIG, "--", "report/build/figures")
    run = sample_report.run("snakemake", "--cores", "2", *words)
    file.unlink()
    assert run.returncode == 0, run.stderr[-2000:]
    assert '"mine"' in (sample_report.path / "report/build/figures/figures.json").read_text()
