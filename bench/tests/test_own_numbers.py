"""Every study's own numbers, put through the encoding of its claims: `jca-rerun claims`."""

import argparse
import csv
import subprocess
import sys

import pytest

from jcarerun.plan.listing import write_experiments

LEDGER = {
    f"{study}{number}"
    for study, last in {"P": 11, "K": 5, "C": 13, "I": 10, "S": 10, "J": 15}.items()
    for number in range(1, last + 1)
}
# Questions, and what a study does not describe.
WITHOUT_A_NUMBER = {"P9", "C10", "C11", "C13", "S4", "S5", "S6", "S7", "S9", "J15"}


@pytest.mark.containers
def test_a_studys_own_number_supports_its_claim_unless_the_study_contradicts_itself(tmp_path):
    definitions = tmp_path / "definitions.json"
    write_experiments(argparse.Namespace(file=definitions))
    analyse = [sys.executable, "-m", "jcarerun", "images", "analyse", "--write", str(tmp_path)]
    command = [
        *analyse, "--", "Rscript", "analysis/run.R", "claims", "--definitions", str(definitions), "--published", "data/published",
        "--out", str(tmp_path),
    ]  # fmt: skip
    subprocess.run(command, check=True)
    rows = list(csv.DictReader((tmp_path / "own_numbers.csv").open()))
    assert {row["claim"] for row in rows} == LEDGER
    judged = [row for row in rows if row["own_verdict"]]
    assert [row for row in judged if (row["own_verdict"] == "holds") != (row["expected"] == "holds")] == []
    assert {
        row["part"]: row["own"] for row in judged if row["expected"] == "does-not-hold" and row["part"] == "P1"
    } == {"P1": "278"}
    assert [row["own"] for row in judged if row["expected"] == "does-not-hold" and row["part"] == "P3"] == [
        "278",
        "9310",
    ]
    assert LEDGER - {row["claim"] for row in judged} == WITHOUT_A_NUMBER
