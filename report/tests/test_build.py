"""The last step of the report: from tables and figures to a PDF, and what it says when they are not there."""

import json
import subprocess
import sys

import pytest

BUILD = ("-m", "jcarerun.report.pdf")

META = {
    "project": "jca-rerun",
    "tier": "quick",
    "kept": {"raw": "data/raw", "tidy": "data/tidy", "report": "report/report.html"},
    "engine": "docker",
    "seed": "1",
    "alpha": "0.05",
    "timestamp": 1767323105,
    "measured": "measured on 2026-01-02",
    "extent": "2 rounds",
    "settings": [{"key": "tier", "value": "quick"}],
    "sees": ["No cell has an interval: that takes two forks."],
    "warnings": [],
    "opening": ["This run judges no claim."],
    "pooled": "No cell has enough forks to compare the two.",
}
STUDY = {
    "id": "mine",
    "title": "A study of one's own",
    "then": "Something.",
    "cite": "N. N. (2026), here.",
    "now": [{"key": "rounds", "value": "2"}],
    "protocols": [],
    "common": "",
    "choices": [],
    "own_tables": [{"claim": "Q1", "text": "The study says about 3; its own table gives 2."}],
    "verdicts": [],
    "measure": "wall time",
    "widths": None,
    "cells": [],
    "levels": [
        {
            "level": "1",
            "years": "2",
            "symmetric": "80",
            "asymmetric": "1536",
            "elliptic": "192",
            "hash": "160",
            "source": "a table",
        },
    ],
    "few": "",
}
FRONT = {
    "question": "How much?",
    "quantity": "gain",
    "then": "about 30 %",
    "now": [[{"number": "1.3 [1.2, 1.4]", "protocol": "steady-state", "verdict": "supported", "letter": "S"}], []],
    "strip": [
        {
            "protocol": "steady-state",
            "sure": "1 of 1 decided",
            "marks": [{"id": "Q1", "verdict": "supported", "letter": "S"}],
        }
    ],
    "lesson": "Holds (Q1): “it gains”",
}
OTHER = {"id": "mine", "short": "A study of one's own", "front": {**FRONT, "now": [], "then": "-"}}
THEN_NOW = {
    "id": "theirs",
    "experiments": ["mine"],
    "authors": "N. N.",
    "cite": "N. N., here.",
    "short": "N. N.",
    "front": FRONT,
    "protocol": {"turned": [{"claim": "Q1", "variant": "", "text": "It does."}], "summary": "A call takes longer."},
    "open": [
        {
            "claim": "Q2",
            "protocol": "steady-state",
            "cause": "too wide",
            "ids": "v2",
            "statements": "1 statement",
            "takes": "30 forks",
        },
    ],
    "protocols": ["steady-state"],
    "rows": [
        {
            "quantity": "gain",
            "claims": "Q1",
            "note": "a note",
            "place": "the end",
            "then": "about 30 %",
            "now": [
                [
                    {
                        "text": "Q1: 1.3 [1.2, 1.4]",
                        "protocol": "steady-state",
                        "verdict": "supported",
                        "letter": "S",
                        "id": "v1",
                    }
                ]
            ],
        },
        {"quantity": "loss", "claims": "", "note": "", "place": "the end", "then": "“little”", "now": [[]]},
    ],
    "settings": "runs: 100 runs",
    "now": "This run: A.",
    "systems": [
        {
            "system": "a card",
            "kind": "hardware",
            "version": "6",
            "now": "not available",
            "why": "gone",
            "available": "no",
        },
    ],
    "tables": [
        {
            "title": "Results",
            "note": "",
            "head": ["suite", "a second"],
            "groups": [{"panel": "cached", "rows": [["AES", "5 [4, 6]"]]}],
        },
    ],
    "left_out": "Of the study's figures this run measured nothing for figure 3.",
}
MATRIX = {
    "machines": [],
    "single": "One environment.",
    "profiles": [],
    "across": [],
    "intrinsics": {"columns": [], "rows": []},
}
CALIBRATION = {"rows": [], "sentence": "This run has no calibration.", "halves": "", "few": "", "drifts": []}
SENSITIVITY = {"analyses": [], "gates": "No gate broke a fork.", "hit": []}
VALIDITY = {"simulations": "10 000", "failed": "0", "bars": "0", "groups": []}
CHOOSE = {
    "protocol": "steady-state",
    "groups": [
        {
            "place": "A",
            "rows": [
                {
                    "operation": "encrypt AES",
                    "fastest": "one",
                    "speed": "9 MB/s",
                    "others": "~ two 8 MB/s",
                    "seen": "5 %",
                },
            ],
            "left": 1,
            "left_out": "hash MD5 (one)",
        },
    ],
}
FIGURE = {
    "id": "one",
    "section": "details",
    "title": "A figure",
    "caption": "It shows a line.",
    "alt": "A line.",
    "width_mm": 50,
    "height_mm": 20,
    "file": "one.svg",
}
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="20"><path d="M0 0L50 20" stroke="#000"/></svg>'


@pytest.fixture
def made(tmp_path):
    """Tables and figures as R writes them, for an experiment that the report has never heard of."""
    tables, figures = tmp_path / "tables", tmp_path / "figures"
    tables.mkdir()
    figures.mkdir()
    untestable = {
        "id": "Q3",
        "study": "mine",
        "text": "it",
        "published": "no figure",
        "reason": "none",
        "elsewhere": False,
    }
    content = {
        "meta": META,
        "studies": [STUDY],
        "then_now": {"studies": [], "others": [OTHER]},
        "choose": CHOOSE,
        "untestable": [untestable],
        "matrix": MATRIX,
        "environments": [],
        "machine": [],
        "notes": [],
        "calibration": CALIBRATION,
        "sensitivity": SENSITIVITY,
        "validity": VALIDITY,
        "waits": {"sentence": "No cell of this run has a pilot.", "rows": [], "others": ""},
    }
    for name, value in content.items():
        (tables / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    (figures / "figures.json").write_text(json.dumps([FIGURE]), encoding="utf-8")
    (figures / "one.svg").write_text(SVG, encoding="utf-8")
    return tmp_path


def test_a_study_with_numbers_has_its_section_before_its_experiments(made):
    alone = run(made)
    assert alone.returncode == 0, alone.stderr
    content = {"studies": [THEN_NOW], "others": []}
    (made / "tables" / "then_now.json").write_text(json.dumps(content), encoding="utf-8")
    both = run(made, "both.pdf")
    assert both.returncode == 0, both.stderr
    assert (made / "both.pdf").stat().st_size > (made / "report.pdf").stat().st_size


def test_what_a_claim_says_and_covers_is_told_with_the_first_of_its_variants(made):
    def group(claim, variant, covers):
        return {"claim": claim, "variant": variant, "text": f"The text of {claim}.", "covers": covers, "rows": []}

    groups = [group("Q1", "AES", "at 1 MB"), group("Q1", "DES", "at 1 MB"), group("Q1", "RC4", "at 2 MB")]
    content = [{**STUDY, "verdicts": [*groups, group("Q2", "AES", "at 2 MB")]}]
    (made / "tables" / "studies.json").write_text(json.dumps(content), encoding="utf-8")
    assert run(made).returncode == 0
    printed = subprocess.run(["pdftotext", made / "report.pdf", "-"], capture_output=True, text=True, check=True).stdout
    assert [printed.count(f"The text of {claim}.") for claim in ("Q1", "Q2")] == [1, 1]
    assert [printed.count(f"Judged {covers}.") for covers in ("at 1 MB", "at 2 MB")] == [1, 2]


def run(folder, out="report.pdf"):
    arguments = ["--tables", folder / "tables", "--figures", folder / "figures", "--out", folder / out]
    return subprocess.run([sys.executable, *BUILD, *map(str, arguments)], capture_output=True, text=True, check=False)


def assert_refused(result, *words):
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1
    for word in words:
        assert word in result.stderr


def test_same_input_gives_the_same_bytes(made):
    for out in ("a.pdf", "b.pdf"):
        result = run(made, out)
        assert result.returncode == 0, result.stderr
    assert (made / "a.pdf").read_bytes() == (made / "b.pdf").read_bytes()
    assert (made / "a.pdf").read_bytes().startswith(b"%PDF")


def test_pdf_is_tagged_for_accessibility(made):
    run(made)
    assert b"pdfuaid" in (made / "report.pdf").read_bytes()


def test_missing_tables_are_named(made):
    (made / "tables" / "meta.json").unlink()
    assert_refused(run(made), "meta.json", "analysis/run.R tables")


def test_missing_figure_is_named(made):
    (made / "figures" / "one.svg").unlink()
    assert_refused(run(made), "one.svg", "analysis/run.R figures")


def test_broken_json_is_named(made):
    (made / "figures" / "figures.json").write_text("[{", encoding="utf-8")
    assert_refused(run(made), "figures.json", "is not JSON")


def test_failed_build_leaves_the_old_report(made):
    run(made)
    before = (made / "report.pdf").read_bytes()
    (made / "tables" / "studies.json").write_text("[1]", encoding="utf-8")
    assert_refused(run(made), "report.typ")
    assert (made / "report.pdf").read_bytes() == before
