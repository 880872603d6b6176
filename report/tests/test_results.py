"""The published results: made from raw rounds that are in the repository, by one command; no number is typed by hand."""

import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from envs.tests import checkout as checkouts
from jcarerun.explorer import tidy
from jcarerun.plan import selection
from jcarerun.results import archive, main_page, make, markdown, other_pages

RESULTS, RUNS = make.RESULTS, make.RUNS
PAGES = sorted(RESULTS.rglob("README.md"))
MARKDOWN = [
    Path(name) for name in subprocess.run(["git", "ls-files", "*.md"], capture_output=True, text=True).stdout.split()
]
HISTORY = Path("CHANGELOG.md")

# What a page begins with that a command makes.
GENERATED = ("<!-- Generated", "# Data dictionary")
# What a measurement looks like: an interval; a time, ratio or share with a decimal; a range; a count of others.
MEASURED = re.compile(
    r"\[-?[0-9][0-9.,]*, -?[0-9][0-9.,]*\]|[0-9]\.[0-9]+ (?:ns|µs|us|ms|s|min|minutes|times|%)(?![A-Za-z])"
    r"|[0-9]+ to [0-9]+ (?:s|ms|times)\b|\b[0-9,]+ of (?!(?:19|20)[0-9]{2})[0-9,]{2,}"
)


def prose(file):
    """A page without code; of the changelog only what is not released yet."""
    text = file.read_text(encoding="utf-8")
    if file == HISTORY:
        text = text.split("\n## [")[1]
    return re.sub(r"`[^`\n]*`", "", re.sub(r"(?ms)^```.*?^```", "", text))


@pytest.mark.parametrize("file", MARKDOWN, ids=str)
def test_a_measured_number_stands_only_in_a_generated_page(file):
    if not file.exists() or file.read_text(encoding="utf-8").startswith(GENERATED):
        return
    assert MEASURED.findall(prose(file)) == []


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_page_of_the_results_is_generated(page):
    assert page.read_text(encoding="utf-8").startswith(markdown.NOTICE)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_file_that_a_page_links_to_is_there(page):
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("name", other_pages.PAGES)
def test_a_page_is_what_its_tables_give(name):
    lines = other_pages.PAGES[name](RESULTS / name)
    assert (RESULTS / name / "README.md").read_text(encoding="utf-8") == "\n".join(lines) + "\n"


@pytest.mark.parametrize("page", sorted(RESULTS.rglob("report.html")), ids=str)
def test_a_published_explorer_has_at_most_8_mb(page):
    assert page.stat().st_size <= 8_000_000


def test_the_main_page_is_short():
    assert len((RESULTS / "README.md").read_text(encoding="utf-8").splitlines()) <= main_page.MOST_LINES


def test_the_main_page_is_what_its_tables_give():
    """But for the titles of studies, which are the experiment files'."""
    page = (RESULTS / "README.md").read_text(encoding="utf-8")
    made = main_page.Page(RESULTS / "tables")
    for study in made.answer["studies"]:
        assert all(line in page for line in made.table(study["id"], "")[2:])
        assert not made.rows(study["id"]) or study["sentence"]["text"] in page
    assert all(line in page for line in made.not_judged())


@pytest.mark.parametrize(
    ("value", "words"),
    [("18.0945", "18.1"), ("0.999951", "1.00"), ("2440.4", "2440"), ("24404", "24,400"), ("0.00333", "0.00333"),
     ("1.234e-05", "1.23e-05"), ("0", "0"), ("999.96", "1000"), ("-3.14159", "-3.14")],
)  # fmt: skip
def test_numbers_have_three_significant_figures(value, words):
    assert markdown.number(value) == words


def smallest():
    """The published experiment whose raw rounds are the fewest bytes; empty where the sample stands for a run."""
    found = [
        (files[0].stat().st_size, name)
        for name, files in archive.by_name(RUNS).items()
        if name != selection.CALIBRATION
    ]
    return min(found, default=(0, ""))[1]


@pytest.mark.sample
def test_one_experiment_comes_out_again_from_its_raw_rounds(tmp_path):
    """The cells of an experiment, whose numbers depend on no other: all experiments would take minutes."""
    name, again = smallest(), tmp_path / "again"
    words = ["results", *(("--experiments", name) if name else ()), "--out", str(again)]
    run = checkouts.make(tmp_path / "checkout").run("python", "-m", "jcarerun", *words)
    assert run.returncode == 0, run.stderr
    part = next((part.name for part in make.PARTS if name in [file.stem for file in part.files()]), "")
    published, made = ({row_key(row): row["mean_ns"] for row in cells(folder / part)} for folder in (RESULTS, again))
    assert made and {key: published.get(key) for key in made} == made
    assert (again / part / "report.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.sample
def test_the_tables_of_a_trial_come_out_again_from_its_raw_rounds(tmp_path):
    trials = archive.by_name(RUNS / make.TRIALS)
    run = checkouts.make(tmp_path / "checkout").run(
        "python", "-m", "jcarerun", "results", "--experiments", ",".join(trials), "--out", str(tmp_path)
    )
    assert run.returncode == 0, run.stderr
    made = sorted((tmp_path / make.TRIALS).iterdir())
    assert made and [file.read_bytes() for file in made] == [
        (RESULTS / make.TRIALS / file.name).read_bytes() for file in made
    ]


def test_an_experiment_without_an_archive_is_refused(tmp_path):
    (tmp_path / f"kofahi2013-2026-12-01{archive.SUFFIX}").write_bytes(b"")
    with pytest.raises(make.UserError, match="has no archive of kofahi; name one of kofahi2013"):
        make.run("docker", tmp_path, tmp_path / "out", ["kofahi"])


def cells(folder):
    return tidy.read(folder / "tables", "cells.csv")


def row_key(row):
    return tuple(row[key] for key in ("experiment", "environment", "image_id", "machine_id", "cell", "measure"))


def test_the_page_of_the_archives_has_a_row_for_each():
    rows = (RUNS / "README.md").read_text(encoding="utf-8").splitlines()[len(other_pages.RUNS_INTRODUCTION) + 2 :]
    named = [file.name for files in archive.by_name(RUNS).values() for file in files]
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows] == sorted(named)


def test_archives_are_named_by_experiment_and_day(tmp_path):
    for name in ("phenry2014-2026-12-01", "phenry2014-2026-11-27", "phenry2014-tls-2026-11-27"):
        (tmp_path / f"{name}{archive.SUFFIX}").write_bytes(b"")
    found = archive.by_name(tmp_path)
    assert [file.name[:21] for file in found["phenry2014"]] == ["phenry2014-2026-11-27", "phenry2014-2026-12-01"]
    assert set(found) == {"phenry2014", "phenry2014-tls"}
    (tmp_path / f"phenry2014{archive.SUFFIX}").write_bytes(b"")
    with pytest.raises(make.UserError, match="rename it"):
        archive.by_name(tmp_path)


def write_tables(folder, **tables):
    """CSV files in a directory's `tables`."""
    (folder / "tables").mkdir(parents=True)
    for name, rows in tables.items():
        (folder / f"tables/{name}.csv").write_text(tidy.text(rows[0], rows))


def verdict_of(protocol, estimate, **more):
    row = {
        "experiment": "jdk-claims", "claim": "J1a", "variant": "", "protocol": protocol, "verdict": "holds", "reason": "",
        "estimate": estimate, "lower": estimate, "upper": estimate, "warm_up_state": "proven", "environment": "e",
        "machine_id": "m", "cpu_profile": "native",
    }  # fmt: skip
    return {**row, **more}


ROUND = {
    "experiment": "jdk-claims", "started_at": "2026-12-01T10:00:00Z", "forks": 1, "elapsed_s": 60, "environment": "e",
    "machine_id": "m", "tier": "full",
}  # fmt: skip


def write_answer(folder, *rows):
    """The tables of the pages' words, of a study with some claims."""
    study = {
        "id": "jdk-claims", "name": "Developers", "sentence": {"text": "Seven times as fast.", "tally": "Of 1 claim 1 holds."},
        "rows": list(rows),
    }  # fmt: skip
    answer = {"title": "Rerun", "counts": "All.", "protocols": ["as published", "warmed up"], "studies": [study]}
    (folder / "tables" / main_page.ANSWER).write_text(json.dumps(answer))
    (folder / "tables" / main_page.OPEN).write_text(json.dumps({"groups": []}))


def answer_row(now: list[dict], others: Iterable[dict] = ()) -> dict:
    """A claim's row in answer.json. now: its verdict under each protocol. others: those of its other parts."""
    words = {"claim": "J1", "text": "It became faster", "published": "8.48", "cases": ""}
    return {**words, "now": now, "judged": True, "others": list(others)}


def test_an_undecided_part_of_a_decided_claim_is_named(tmp_path):
    """By the reason that open.json has, or by its name where that has none."""
    now = [{"protocol": name, "text": "", "verdict": "holds"} for name in ("as published", "warmed up")]
    others = [{"verdict": "undecided", "parts": "J1b"}, {"verdict": "undecided", "parts": "J1c"}]
    write_tables(tmp_path, verdicts=[verdict_of("as-published", 8.5)], rounds=[ROUND])
    write_answer(tmp_path, answer_row(now, others))
    reason = {"study": "jdk-claims", "claims": "J1b", "reason": "", "takes": "20 JVM runs", "name": "Developers"}
    groups = [{"kind": "too wide", "cause": "Too wide.", "rows": [reason]}]
    (tmp_path / "tables" / main_page.OPEN).write_text(json.dumps({"groups": groups}))
    line = main_page.Page(tmp_path / "tables").table("jdk-claims", "claim")[-1]
    assert "J1c: undecided. J1b: Deciding it takes 20 JVM runs." in line
    assert "J1b: undecided" not in line


def test_the_page_of_developers_claims_says_why_a_claims_protocols_differ(tmp_path):
    verdicts = [
        verdict_of("as-published", 8.5, warm_up_state="by definition"),
        verdict_of("steady-state", 1.01, verdict="opposite"),
    ]
    now = [
        {"protocol": "as published", "text": "8.50 [8.50, 8.50]", "verdict": "holds"},
        {"protocol": "warmed up", "text": "1.01 [1.01, 1.01]", "verdict": "opposite direction"},
    ]
    write_tables(tmp_path / "jdk-claims", verdicts=verdicts, rounds=[ROUND])
    write_answer(tmp_path / "jdk-claims", answer_row(now))
    page = "\n".join(other_pages.PAGES["jdk-claims"](tmp_path / "jdk-claims"))
    assert "| 8.48 | holds; 8.50 [8.50, 8.50] | opposite direction; 1.01 [1.01, 1.01] |" in page
    assert "| Cold and compiled code differ. |" in page
    assert "As published, calls count before HotSpot has compiled them." in page
    # The main page has its conclusion, and leads to it.
    write_tables(tmp_path, rounds=[ROUND])
    write_answer(tmp_path)
    main_page.write(tmp_path, [])
    main = (tmp_path / "README.md").read_text()
    assert "Seven times as fast. Of 1 claim 1 holds. [Claim by claim](jdk-claims/README.md)." in main
    assert "| J1" not in main


def test_a_claim_that_was_measured_under_one_protocol_says_so():
    now = [{"text": "19.3 to 63.8 (2 cases)", "verdict": "right direction, other size"}, {"text": "", "verdict": ""}]
    row = {"claim": "P1", "text": "RSA costs about 1000 times DES", "published": "", "now": now}
    assert main_page.claim_row(row) == [
        "P1: RSA costs about 1000 times DES", "in words", "right direction, other size; 19.3 to 63.8 (2 cases)", "not measured",
    ]  # fmt: skip


def test_every_experiment_is_in_one_report():
    files = [file for part in make.PARTS for file in part.files() if part.folder == Path("bench/experiments")]
    assert sorted(files) == sorted(Path("bench/experiments").glob("*.yaml"))
