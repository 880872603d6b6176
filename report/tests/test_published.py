"""What the studies printed (data/published): complete, of the dictionary's form, and what the experiments name is there."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from jcarerun.explorer import tidy

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
    return tidy.read(PUBLISHED, name)


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
    for study in FILES:
        printed = {row["quantity"] for row in rows(f"{study}.csv")}
        for claim in (claim for one in experiments(study) for claim in one.get("claims", {}).values()):
            own = claim.get("published", {})
            for number in (own, *own.get("contradicts", [])):
                quantities = {number.get("quantity"), *number.get("table", {}).values()} - {None}
                assert quantities <= printed, claim
                named += len(quantities)
    assert named > 0


def test_every_study_has_a_question_and_headlines_that_it_printed():
    asked = rows("layout/studies.csv")
    assert [row["study"] for row in asked] == [*dict.fromkeys(row["study"] for row in asked)]
    assert {row["study"] for row in asked} == set(FILES)
    for row in asked:
        printed = {number["quantity"] for number in rows(f"{row['study']}.csv") if number["kind"] == "result"}
        assert row["question"].endswith("?") and set(row["headline"].split(";")) <= printed, row


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


LAYOUT = json.loads((PUBLISHED / "layout/pictures.json").read_text(encoding="utf-8"))
PICTURES = LAYOUT["pictures"]


def axis(picture, name):
    """An axis of a picture; one that several share stands by its name."""
    found = picture.get(name, {"by": []})
    return LAYOUT["axes"][found] if isinstance(found, str) else found


def test_every_figure_that_can_be_redrawn_has_its_place_in_a_picture_and_no_other_has():
    placed = {(p["study"], figure) for p in PICTURES for panel in p["panels"] for figure in panel["figures"]}
    # Pauses and bytes have functions of their own (figure_pauses, figure_bytes).
    placed |= {("phenry2014", "plot"), ("chromiak", "figure 1"), ("chromiak", "figure 2")}
    assert placed == {(row["study"], row["figure"]) for row in rows("layout/figures.csv") if row["redrawn"] == "yes"}
    assert len({(p["study"], p["id"]) for p in PICTURES}) == len(PICTURES)


def test_what_a_picture_marks_as_printed_is_a_printed_number_at_a_place_of_its_axes():
    marked = 0
    for picture in PICTURES:
        numbers = {row["quantity"] for row in rows(f"{picture['study']}.csv") if row["value"]}
        for mark in picture.get("then", []):
            assert mark["quantity"] in numbers, mark
            assert set(mark["x"]) <= set(axis(picture, "x")["levels"]), mark
            assert mark.get("series", "") in {"", *axis(picture, "series")["levels"]}, mark
            assert mark.get("panel", picture["panels"][0]["name"]) in {panel["name"] for panel in picture["panels"]}, (
                mark
            )
            marked += 1
    assert marked > 0


def test_what_a_picture_says_cannot_be_had_is_so_among_the_systems():
    gone = {(row["study"], row["system"]) for row in rows("layout/systems.csv") if row["available"] != "yes"}
    series = [(picture["study"], axis(picture, "series").get("levels", {})) for picture in PICTURES]
    absent = {(study, name) for study, levels in series for name, ids in levels.items() if not ids}
    assert absent and absent <= gone


def test_pictures_name_workloads_factors_levels_and_providers_that_experiments_have():
    """A name that no experiment has would leave its figure out of every report, without a word."""
    for picture in PICTURES:
        own = experiments(picture["study"])
        wanted = {*picture.get("where", {}), *(name for panel in picture["panels"] for name in panel.get("where", {}))}
        columns = [*axis(picture, "x")["by"], *axis(picture, "series")["by"]]
        for name in filter(lambda column: column.startswith("factor."), [*columns, *wanted]):
            assert any(name[7:] in one["factors"] for one in own), (picture["id"], name)
        for panel in picture["panels"]:
            for name, levels in {**picture.get("where", {}), **panel.get("where", {})}.items():
                known = levels_of(own, name)
                assert known is None or set(levels) & known, (picture["id"], panel["name"], name, levels)
        if axis(picture, "series")["by"] == ["provider"]:
            assert {x for ids in axis(picture, "series")["levels"].values() for x in ids} <= levels_of(own, "provider")


@cache
def experiments(study):
    files = [path.read_text(encoding="utf-8") for path in sorted(Path("bench/experiments").glob("*.yaml"))]
    return [one for one in map(yaml.safe_load, files) if one["study"]["id"] == study]


def levels_of(own, column):
    """What a column of the cells may hold by the definitions; None where they do not tell."""
    if column == "workload":
        return {name for one in own for name in one["workloads"]}
    if column == "provider":
        return {name for one in own for name in one["providers"]}
    if column.startswith("factor."):
        return {"", *(level for one in own for level in one["factors"].get(column[7:], {}))}
    return None
