"""The published pages of claims, with what is not decided, and of what is done otherwise than in the studies."""

import json
from pathlib import Path

import pytest

from jcarerun.results import main_page, other_pages
from jcarerun.support.yamlfile import load


def verdict(protocol, estimate, **others):
    row = {"claim": "K1", "variant": "", "environment": "e", "machine_id": "m", "cpu_profile": "native"}
    return row | {"verdict": "holds", "warm_up_state": "proven", "protocol": protocol, "estimate": estimate} | others


@pytest.mark.parametrize(
    ("warm", "reason"),
    [
        (verdict("steady-state", "2.1"), ""),
        (verdict("steady-state", "4"), "Cold and compiled code differ."),
        (
            verdict("steady-state", "4", warm_up_state="unproven", verdict="undecided"),
            "Warmed up: not proven to be compiled.",
        ),
        (
            verdict("steady-state", "4", warm_up_state="unproven"),
            "Cold and compiled code differ. Warmed up: unproven but bounded.",
        ),
        (verdict("steady-state", "4", cpu_profile="core2"), ""),
        (verdict("steady-state", "4", verdict="not-comparable"), ""),
    ],
    ids=["alike", "apart", "unproven and undecided", "unproven", "in another class of CPU", "not comparable"],
)
def test_results_that_differ_by_protocol_have_a_reason(warm, reason):
    said = main_page.why([verdict("as-published", "2"), warm])
    assert said.startswith(reason) and bool(said) == bool(reason)


def test_a_part_that_is_unproven_is_said_to_be_a_part():
    rows = [
        verdict(protocol, estimate, variant=variant, warm_up_state=state)
        for variant, state in (("a", "proven"), ("b", "unproven"))
        for protocol, estimate in (("as-published", "2"), ("steady-state", "4"))
    ]
    assert "Warmed up: partly unproven but bounded." in main_page.why(rows)
    about = main_page.about([["| remarks |", f"| {main_page.why(rows)} |"]])
    assert about == [main_page.ABOUT_COMPILATION, main_page.ABOUT_BOUNDED]
    assert main_page.about([["| remarks |"]]) == []


def test_remarks_name_cases_and_decided_parts_and_open_parts_once(page):
    made = page(("undecided", "Significant alone", [row("S8b", "12 JVM runs")]))
    (made.tables / "verdicts.csv").write_text("claim\n", encoding="utf-8")
    claim = {
        "claim": "S8", "text": "Half the time", "published": "2", "now": [], "judged": True,
        "cases": "holds for one; not for two",
        "others": [{"verdict": "undecided", "parts": "S8b"}, {"verdict": "holds", "parts": "S8c"}],
    }  # fmt: skip
    made.answer.update(protocols=[], studies=[{"id": "ibm", "rows": [claim]}])
    assert made.table("ibm", "claims")[-1].endswith(
        "| Holds for one; not for two. S8c: holds. S8b: Significant alone. Deciding it takes 12 JVM runs. |"
    )


def row(claims, takes="", reason="", study="ibm", name="IBM"):
    return {"claims": claims, "study": study, "name": name, "takes": takes, "reason": reason}


@pytest.fixture
def page(tmp_path):
    def made(*groups):
        tables = tmp_path / "jdk-claims/tables"
        tables.mkdir(parents=True)
        (tables / "rounds.csv").write_text("experiment,environment\n", encoding="utf-8")
        (tables / "answer.json").write_text("{}", encoding="utf-8")
        groups = [{"kind": kind, "cause": cause, "rows": rows} for kind, cause, rows in groups]
        (tables / "open.json").write_text(json.dumps({"groups": groups}), encoding="utf-8")
        return main_page.Page(tables)

    return made


@pytest.mark.parametrize(
    ("kind", "left_open", "remarks"),
    [
        ("too wide", row("I5", takes="15 JVM runs"), {"I5": "Deciding it takes 15 JVM runs."}),
        ("too wide", row("I5"), {"I5": "The cause."}),
        ("lost to Holm", row("I5", takes="9 JVM runs"), {"I5": "The cause. Deciding it takes 9 JVM runs."}),
        ("not comparable", row("I5", reason="no number"), {"I5": "No number."}),
        ("too wide", row("I7a, I7c, I8", takes="9"), {"I7": "I7a, I7c: Deciding it takes 9.", "I8": "Deciding it takes 9."}),
        ("too wide", row("I5", takes="9", study="another"), {}),
        ("unmeasured", row("I5", reason="no cell"), {}),
        ("impossible", row("I5", reason="no scheme"), {}),
    ],
)  # fmt: skip
def test_an_undecided_claim_says_why_and_what_a_verdict_would_take(page, kind, left_open, remarks):
    assert page((kind, "The cause.", [left_open])).undecided("ibm") == remarks


def test_claims_that_were_not_measured_are_listed_by_study_and_untestable_ones_with_the_reason(page):
    assert page(
        ("too wide", "Too wide.", [row("I5", takes="15 JVM runs")]),
        ("unmeasured", "Not measured.", [row("I1, I2", reason="a"), row("I7", reason="b"), row("K1", name="Kofahi")]),
        ("impossible", "Nobody can.", [row("I6", reason="no scheme")]),
    ).not_judged() == [
        "**Not measured in this run.** IBM: I1, I2, I7; Kofahi: K1. **Not testable.** IBM: I6 (no scheme).",
    ]


def test_a_second_measurement_is_counted_by_means_ratios_and_verdicts(page, tmp_path):
    assert page().repeated() == []
    rows = ("mean,yes", "mean,no", "ratio,yes", "verdict,yes", "verdict,yes", "verdict,no")
    lines = "".join(f"ibm-jsse,{row}\n" for row in rows)
    (tmp_path / "jdk-claims/repeat.csv").write_text(f"experiment,kind,same\n{lines}", encoding="utf-8")
    (said,) = main_page.Page(tmp_path / "jdk-claims/tables").repeated("jdk-claims/")
    assert said == (
        "**ibm-jsse was measured twice:** 1 of 2 means, 1 of 1 ratio and 2 of 3 verdicts agree "
        "([repeat.csv](jdk-claims/repeat.csv))."
    )


EXPERIMENTS = sorted(Path("bench/experiments").glob("*.yaml"))


def test_every_choice_of_every_experiment_is_on_the_page_of_departures_below_its_study():
    text = "\n".join(other_pages.departures(EXPERIMENTS))
    sections = {part.partition("\n")[0]: part for part in text.split("\n## ")}
    for content in map(load, EXPERIMENTS):
        for choice in content["choices"]:
            said = choice["here"] if isinstance(choice, dict) else choice
            assert " ".join(said.split()).replace("|", "\\|") in sections[content["study"]["id"]]


def test_a_study_of_several_files_has_one_table_of_departures():
    text = "\n".join(other_pages.departures(EXPERIMENTS))
    part = next(part for part in text.split("\n## ") if part.startswith("stegerer2008\n"))
    assert part.count("| the study |") == 1
