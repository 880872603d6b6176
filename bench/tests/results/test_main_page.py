"""The published page of claims: why two protocols give different results, and what is not decided."""

import json

import pytest

from jcarerun.results import main_page


def verdict(protocol, estimate, **others):
    row = {"claim": "K1", "variant": "", "environment": "e", "machine_id": "m", "cpu_profile": "native"}
    return row | {"verdict": "holds", "warm_up_state": "proven", "protocol": protocol, "estimate": estimate} | others


@pytest.mark.parametrize(
    ("warm", "reason"),
    [
        (verdict("steady-state", "2.1"), ""),
        (verdict("steady-state", "4"), "The published protocol counts calls whatever HotSpot has compiled by then"),
        (verdict("steady-state", "4", warm_up_state="unproven"), "The warmed-up code is not proven to be compiled"),
        (verdict("steady-state", "4", cpu_profile="core2"), ""),
        (verdict("steady-state", "4", verdict="not-comparable"), ""),
    ],
    ids=["alike", "apart", "unproven", "in another class of CPU", "not comparable"],
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
    assert main_page.why(rows) == "A part of the warmed-up code is not proven to be compiled."


def test_undecided_claims_say_what_they_take_and_unmeasured_ones_are_listed_by_study(tmp_path):
    def row(claims, takes="", reason=""):
        return {"claims": claims, "name": "IBM", "takes": takes, "reason": reason}

    groups = [
        {"kind": "too wide", "cause": "Too wide.", "rows": [row("I5", takes="15 JVM runs")]},
        {"kind": "impossible", "cause": "Nobody can.", "rows": [row("I6", reason="no scheme")]},
        {"kind": "unmeasured", "cause": "Not measured.", "rows": [row("I1, I2", reason="a"), row("I7", reason="b")]},
    ]
    (tmp_path / "rounds.csv").write_text("experiment,environment\n", encoding="utf-8")
    (tmp_path / "answer.json").write_text("{}", encoding="utf-8")
    (tmp_path / "open.json").write_text(json.dumps({"groups": groups}), encoding="utf-8")
    assert main_page.Page(tmp_path).left_open()[2:] == [
        "| Too wide. | IBM | I5 | 15 JVM runs |",
        "| Nobody can. | IBM | I6 | no scheme |",
        "| Not measured. | IBM | I1, I2, I7 |  |",
    ]
