"""The published results: their links, and what their pages say of a repeat."""

import csv
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

RESULTS = Path("report/results")
EARLIER = RESULTS / "earlier"
PAGES = [RESULTS, EARLIER, RESULTS / "today", RESULTS / "tls"]


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
    assert {row["again"] for row in decided if row["same"] == "no"} == {"undecided"}
    means, ratios, verdicts = (f"{same[kind]} of {count[kind]}" for kind in ("mean", "ratio", "verdict"))
    text = " ".join((table.parent / "README.md").read_text().split())
    stated = [f"{means} intervals of means", f"{ratios} ", f"the {len(decided)} verdicts", f"{kept} are the same"]
    stated.append(f"{verdicts} verdicts are the same")
    assert [words for words in stated if words not in text] == []


def test_the_table_of_the_repeat_is_what_its_command_makes(tmp_path):
    again = tmp_path / "repeat.csv"
    words = ["repeat", EARLIER / "tables", RESULTS / "tables", "--out", again]
    done = subprocess.run(["python", "-m", "jcarerun", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert again.read_bytes() == (RESULTS / "repeat.csv").read_bytes()
