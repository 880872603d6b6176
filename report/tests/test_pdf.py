"""The last step of the report: from tables and figures to a PDF, and what it says when they are not there."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BUILD = ("-m", "jcarerun.pdf")

ROW = {
    "id": "Q1", "claim": "Q1", "study": "mine", "text": "The text of Q1", "published": "about 2", "verdict": "holds",
    "now": [{"protocol": "warmed up", "text": "1.3 [1.2, 1.4]", "verdict": "holds", "letter": "H", "ids": "v1"}],
    "outcome": "holds for one; not for two", "letter": "H", "decided": True, "judged": True,
}  # fmt: skip
TABLES = {
    "meta": {
        "project": "jca-rerun", "tier": "quick", "engine": "docker", "alpha": "0.05", "timestamp": 1767323105,
        "measured": "measured 2026-01-02", "warnings": [],
        "kept": {"raw": "data/raw", "tidy": "data/tidy", "report": "report/report.html"},
    },
    "answer": {
        "title": "A study of one's own", "own": True, "counts": "1 of 1 claim is decided.", "where": "Here.",
        "protocols": ["warmed up"], "published": False, "borrowed": "",
        "studies": [
            {"id": "mine", "name": "Mine", "sentence": {"text": "It gains.", "tally": "1 holds."}, "rows": [ROW]},
        ],
    },
    "choose": {
        "place": "A", "protocol": "warmed up", "providers": ["one", "two"], "others": [], "left": 0,
        "rows": [
            {
                "operation": "encrypt AES",
                "cells": [{"text": "9 MB/s", "id": "r1", "best": True}, {"text": "1.2 times", "id": "r2", "best": False}],
            }
        ],
    },
    "studies": [
        {
            "id": "mine", "name": "Mine", "cite": "N. N.", "then": "", "conclusion": "1 holds.", "measured": "Here.",
            "own_tables": [], "substitutes": ["a card: a stand-in"],
            "departures": {"rows": [{"then": "theirs", "here": "ours", "effect": "little"}], "more": 2},
            "caveats": [],
            "details": [
                {
                    "part": "Q1", "id": "v1", "contrast": "c1", "verdict": "holds", "letter": "H", "said": "It gains",
                    "estimate": "1.3", "wanted": "above 1", "p": "0.01", "why": "", "covers": "",
                },
            ],
        },
    ],
    "changes": [],
    "trust": {
        "precision": ["Good."], "self_test": ["Passed."], "pairs": [], "warm_up": [], "waits": [],
        "disturbed": ["No JVM run was disturbed."], "sensitivity": [], "notes": [],
    },
    "open": {"groups": [], "left_out": ""},
    "methods": {"extent": "2 rounds", "settings": "tier quick", "protocols": [], "environments": [], "machines": []},
}  # fmt: skip
FIGURE = {
    "id": "one", "section": "study-mine", "title": "A figure", "caption": "It shows a line.", "alt": "A line.",
    "width_mm": 50, "height_mm": 20, "file": "one.svg",
}  # fmt: skip
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="20"><path d="M0 0L50 20" stroke="#000"/></svg>'


@pytest.fixture
def made(tmp_path):
    """Tables and figures as R writes them, for an experiment that the report has never heard of."""
    tables, figures = tmp_path / "tables", tmp_path / "figures"
    tables.mkdir()
    figures.mkdir()
    for name, value in TABLES.items():
        (tables / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    (figures / "figures.json").write_text(json.dumps([FIGURE]), encoding="utf-8")
    (figures / "one.svg").write_text(SVG, encoding="utf-8")
    return tmp_path


def run(folder, out="report.pdf"):
    arguments = ["--tables", folder / "tables", "--figures", folder / "figures", "--out", folder / out]
    return subprocess.run([sys.executable, *BUILD, *map(str, arguments)], capture_output=True, text=True, check=False)


def printed(file):
    return subprocess.run(["pdftotext", file, "-"], capture_output=True, text=True, check=True).stdout


def assert_refused(result, *words):
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1
    for word in words:
        assert word in result.stderr


def test_the_first_page_has_the_title_of_the_study_its_claims_and_their_verdicts(made):
    assert run(made).returncode == 0
    text = " ".join(printed(made / "report.pdf").split())
    for words in ("A study of one's own", "The text of Q1", "1.3 [1.2, 1.4]", "holds for one; not for two"):
        assert words in text.replace("\u2019", "'"), words
    assert "published" not in text.partition("The text of Q1")[0].partition("verdict claim")[2]


def test_a_number_of_another_run_has_a_dagger_that_is_explained_and_no_other_has(made):
    assert run(made).returncode == 0
    assert "†" not in printed(made / "report.pdf")
    answer = json.loads((made / "tables/answer.json").read_text())
    answer["borrowed"] = "From the project's own run of 2026-11-27 on another machine"
    answer["studies"][0]["rows"][0]["now"][0]["borrowed"] = True
    (made / "tables/answer.json").write_text(json.dumps(answer))
    assert run(made).returncode == 0
    text = " ".join(printed(made / "report.pdf").split()).replace("\u2019", "'").replace("\xa0", " ")
    assert "1.3 [1.2, 1.4] †" in text
    assert f"† {answer['borrowed']}. The counts above leave it out." in text


def test_a_section_without_rows_is_not_there(made):
    assert run(made).returncode == 0
    text = printed(made / "report.pdf")
    assert "What to choose" in text and "Methods" in text
    for heading in ("What changed with", "Undecided and unmeasured"):
        assert heading not in text
    (made / "tables/choose.json").write_text('{"rows": []}')
    assert run(made).returncode == 0
    assert "What to choose" not in printed(made / "report.pdf")


ROW = {"to": "17", "from": "21", "cells": "2", "differ": "1", "median": "1.1", "least": "0.9", "most": "1.2", "ids": ""}


@pytest.mark.parametrize(
    "rows", [[[]], [[ROW]], [[], [ROW]], [[ROW], []]], ids=["none", "some", "none first", "none last"]
)
def test_what_changed_no_benchmark_has_its_sentence_all_the_same(made, rows):
    entries = [{"dimension": f"part {n}", "verdicts": f"Sentence {n}.", "rows": own} for n, own in enumerate(rows)]
    (made / "tables/changes.json").write_text(json.dumps(entries))
    result = run(made)
    assert result.returncode == 0, result.stderr
    text = " ".join(printed(made / "report.pdf").split())
    assert all(entry["verdicts"] in text for entry in entries)


def test_same_input_gives_the_same_bytes_tagged_for_accessibility(made):
    for out in ("a.pdf", "b.pdf"):
        result = run(made, out)
        assert result.returncode == 0, result.stderr
    first, second = ((made / out).read_bytes() for out in ("a.pdf", "b.pdf"))
    assert first == second
    assert first.startswith(b"%PDF")
    assert b"pdfuaid" in first


@pytest.mark.parametrize(
    ("file", "damage", "words"),
    [
        ("tables/meta.json", Path.unlink, ("meta.json", "analysis/run.R tables")),
        ("figures/one.svg", Path.unlink, ("one.svg", "analysis/run.R figures")),
        ("figures/figures.json", lambda file: file.write_text("[{"), ("figures.json", "is not JSON")),
    ],
)
def test_what_is_missing_or_broken_is_named(made, file, damage, words):
    damage(made / file)
    assert_refused(run(made), *words)


def test_failed_build_leaves_the_old_report(made):
    run(made)
    before = (made / "report.pdf").read_bytes()
    (made / "tables" / "studies.json").write_text("[1]", encoding="utf-8")
    assert_refused(run(made), "report.typ")
    assert (made / "report.pdf").read_bytes() == before
