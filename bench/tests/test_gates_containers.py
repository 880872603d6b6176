"""A round in a real container whose forks all break a gate: run again, logged, capped, and named in the notes."""

import pytest

from bench.tests.csv_files import read_rows
from bench.tests.selftest import CONFIG
from envs.tests import checkout as checkouts
from jcarerun.rounds import manifest

pytestmark = pytest.mark.containers

# A loop that is never faster than itself: every fork breaks this.
GATES = "gates: {spin_ratio: {limit: 0, reason: a test}}\nreruns: {share: 0.2, reason: a test}\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A scratch checkout in which the smoke tier of the self-test has run, and what the run said."""
    made = checkouts.make(tmp_path_factory.mktemp("checkout"), GATES)
    run = made.snakemake(*CONFIG, targets=("data/tidy/notes.csv",))
    assert run.returncode == 0, run.stderr[-3000:]
    return made, run


def test_the_run_says_which_forks_were_run_again(made):
    words = "8 of 8 forks disturbed (8 by a slower CPU); run again: 1 as 9, 2 as 10; disturbed again: 9, 10"
    assert made[1].stderr.count(words) == 2


def test_reruns_are_kept_like_all_forks(made):
    for folder in made[0].rounds():
        assert len(manifest.verify(folder)) == 64
        rows = read_rows(folder / "interference.csv")
        assert [row["rerun_of"] for row in rows] == [""] * 8 + ["1", "2"]
        assert all(row["elapsed_ms"] and row["cpu_ms"] and row["steal_ms"] and row["others_ms"] for row in rows)
        assert len((folder / "iterations.csv").read_text().splitlines()) == 1 + 10 * 5
        assert len((folder / "commands.txt").read_text().splitlines()) == 10
        assert (folder / "gc/010.log").stat().st_size > 0
        assert "fork 2 broke spin_ratio: is run again as fork 10" in (folder / "console.log").read_text()


def test_the_tables_keep_their_numbers_but_prove_and_decide_nothing_by_them(made):
    tidy = made[0].path / "data/tidy"
    cells, verdicts = read_rows(tidy / "cells.csv"), read_rows(tidy / "verdicts.csv")
    assert {(row["warm_up_state"], row["forks_proven"], row["warm_up_why"]) for row in cells} == {
        ("unproven", "0", "every run was disturbed")
    }
    assert {(row["verdict"], row["cause"], row["p_holm"]) for row in verdicts} == {("undecided", "disturbed", "")}
    words = "16 of 16 forks were disturbed (16 by a slower CPU) and decide nothing; 4 were run again, and 16 have no undisturbed"
    assert words in (tidy / "notes.csv").read_text()
