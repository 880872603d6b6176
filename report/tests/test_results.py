"""The published results: every estimate and verdict of their pages is that of the row it names."""

import csv
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from jcarerun.agreement import cited

RESULTS = Path("report/results")
EARLIER = RESULTS / "earlier"
PAGES = [RESULTS, EARLIER, RESULTS / "today", RESULTS / "tls"]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_estimate_of_the_page_is_its_rows(page):
    held, lines = cited.of_text(page / "README.md", page / "tables")
    assert lines == []
    assert held > 0


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_file_that_the_page_links_to_is_there(page):
    links = re.findall(r"\]\((?!https?:)([^)#]+)", (page / "README.md").read_text())
    assert [link for link in links if not (page / link).exists()] == []


@pytest.mark.parametrize("table", [RESULTS / "repeat.csv", RESULTS / "repeat-elsewhere.csv"], ids=str)
def test_what_is_said_of_a_repeat_is_what_its_table_counts(table):
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    count, same = Counter(row["kind"] for row in rows), Counter(row["kind"] for row in rows if row["same"] == "yes")
    decided = [row for row in rows if row["first"] in ("supported", "refuted")]
    kept = sum(row["same"] == "yes" for row in decided)
    assert {row["again"] for row in decided if row["same"] == "no"} == {"inconclusive"}
    means, ratios, verdicts = (f"{same[kind]} of {count[kind]}" for kind in ("mean", "ratio", "verdict"))
    page = table.parent / "README.md"
    for file in (page, Path("README.md")):
        text = " ".join(file.read_text().split())
        said = [f"{means} intervals of means", f"{ratios} ", f"the {len(decided)} verdicts", f"{kept} are the same"]
        if file == page:
            said.append(f"{verdicts} verdicts are the same")
        assert [words for words in said if words not in text] == [], file


def test_the_table_of_the_repeat_is_what_its_command_makes(tmp_path):
    again = tmp_path / "repeat.csv"
    words = ["repeat", EARLIER / "tables", RESULTS / "tables", "--out", again]
    done = subprocess.run(["python", "-m", "jcarerun", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert again.read_bytes() == (RESULTS / "repeat.csv").read_bytes()


@pytest.fixture
def tables(tmp_path):
    heads = {
        name: [key, *(c for triple in cited.rows.ESTIMATES[name] for c in triple)]
        for name, key in cited.rows.IDS.items()
    }
    heads["verdicts.csv"].insert(1, "verdict")
    for name, columns in heads.items():
        (tmp_path / name).write_text(",".join(dict.fromkeys(columns)) + "\n")
    with (tmp_path / "verdicts.csv").open("a") as file:
        file.write("v1,refuted,2.781,2.702,2.859\nv2,inconclusive,,,\n")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "held", "wrong"),
    [
        ("It takes 2.78 [2.70, 2.86] (v1) times as long", 1, []),
        ("| 2.78\n[2.70, 2.86] (v1, v2) |", 1, []),
        ("Nobody measured it (v2)", 0, []),
        ("It takes 2.79 [2.70, 2.86] (v1)", 1, ["is not (v1)"]),
        ("It takes 2.78 [2.70, 2.86] (v2)", 1, ["is not (v2)"]),
        ("It takes 2.78 [2.70, 2.86] times as long (v1)", 1, ["no row behind it"]),
        ("It takes 2.78 [2.70, 2.86] (v3)", 1, ["(v3) is no row"]),
        ("Nobody measured it (v1, v4)", 0, ["(v4) is no row"]),
        ("It takes 2.78 [2.70, 2.86] (v1: refuted)", 1, []),
        ("It is left (v2: open)", 0, []),
        ("It is so (v1, v2: supported)", 0, ["(v1) is refuted, not supported", "(v2) is inconclusive, not supported"]),
        ("It is so (c1: supported)", 0, ["(c1) is no row"]),
    ],
)
def test_what_is_not_a_rows_is_told(tables, text, held, wrong):
    (tables / "page.md").write_text(text)
    found, lines = cited.of_text(tables / "page.md", tables)
    assert found == held
    assert len(lines) == len(wrong)
    assert all(part in line for part, line in zip(wrong, lines, strict=True))
