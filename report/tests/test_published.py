"""What the studies printed (data/published): complete, of the dictionary's form, and what the experiments name is there."""

import csv
import re
from pathlib import Path

import pytest
import yaml

PUBLISHED = Path("data/published")
# The five studies' claims: the letter of their ids, and how many there are. A study of one's own may have any.
CLAIMS = {
    "phenry2014": ("P", 9),
    "kofahi2013": ("K", 5),
    "chromiak": ("C", 13),
    "ibm-jsse": ("I", 10),
    "stegerer2008": ("S", 10),
}
SAID = {"exact", "about", "at least", "over", "up to", "range", "counted", "words"}
KINDS = {"result", "setting", "machine", "background"}
FILES = sorted(path.stem for path in PUBLISHED.glob("*.csv"))


def rows(name):
    return list(csv.DictReader((PUBLISHED / name).read_text(encoding="utf-8").splitlines()))


def ids(study):
    letter, count = CLAIMS[study]
    return {f"{letter}{number}" for number in range(1, count + 1)}


def claimed(row):
    return set(filter(None, row["claims"].split(";")))


@pytest.mark.parametrize("study", CLAIMS)
def test_every_claim_stands_on_something_that_its_study_printed(study):
    assert set().union(*map(claimed, rows(f"{study}.csv"))) == ids(study)


@pytest.mark.parametrize("study", FILES)
def test_a_row_has_a_number_a_range_or_the_words_that_stand_for_one(study):
    numbers = rows(f"{study}.csv")
    assert len({row["quantity"] for row in numbers}) == len(numbers)
    for row in numbers:
        assert row["study"] == study, row
        assert row["said"] in SAID and row["kind"] in KINDS and row["place"], row
        if row["value"]:
            float(row["value"])
            assert row["unit"], row
        elif row["said"] == "range":
            assert float(row["lower"]) < float(row["upper"]), row
        else:
            assert row["said"] == "words", row
        assert row["words"] or row["said"] not in ("words", "about", "at least", "over", "up to"), row


@pytest.mark.parametrize("study", FILES)
def test_no_more_than_a_few_words_are_quoted(study):
    assert max(len(row["words"].split()) for row in rows(f"{study}.csv")) <= 12


def test_what_the_experiments_name_of_a_study_is_printed_there():
    named = 0
    for path in Path("bench/experiments").glob("*.yaml"):
        for claim in yaml.safe_load(path.read_text(encoding="utf-8")).get("claims", {}).values():
            for quantity in claim.get("published", {}).get("table", {}).values():
                assert quantity in {row["quantity"] for row in rows(f"{path.stem}.csv")}, (path, quantity)
                named += 1
    assert named > 0


def test_the_stops_are_those_of_the_log_parsers_fixture():
    line = re.compile(r"(\d+\.\d+): Total time for which application threads were stopped: (\d+\.\d+) seconds")
    log = Path("analysis/tests/testthat/fixtures/weblog-2014.log").read_text(encoding="utf-8")
    printed = {row["quantity"]: row["value"] for row in rows("phenry2014.csv")}
    stops = [(printed[f"stop {i}, uptime"], printed[f"stop {i}, length"]) for i in range(1, 5)]
    assert line.findall(log) == stops


def test_figures_and_systems_belong_to_the_studies():
    figures, systems = rows("layout/figures.csv"), rows("layout/systems.csv")
    assert len({(row["study"], row["figure"]) for row in figures}) == len(figures)
    for row in figures:
        assert row["study"] in FILES and row["redrawn"] in ("yes", "no"), row
        assert row["study"] not in CLAIMS or claimed(row) <= ids(row["study"]), row
        # A picture needs axes; what is known of them says from where.
        assert row["redrawn"] == "no" or ((row["x"] or row["series"]) and row["y"] and row["known_from"]), row
    for row in systems:
        assert row["study"] in FILES and row["available"] in ("yes", "other version", "stand-in", "no"), row
        assert bool(row["why"]) == (row["available"] != "yes"), row
        assert row["ours"] or row["available"] == "no", row
    assert set(CLAIMS) <= {row["study"] for row in figures} & {row["study"] for row in systems}
