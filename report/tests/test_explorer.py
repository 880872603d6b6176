"""The explorer's page from tables: what goes into it, and what is said of tables that are damaged or of two runs."""

import gzip
import json
import re
import shutil

import pytest

from jcarerun.errors import UserError
from jcarerun.explorer import page, tidy


def test_numbers_keep_their_digits_and_names_stay_names():
    rows = [{"x": "0.1000000000000000055", "cell": "7", "factor.size": "100", "note": "a"}] * 2
    rows.append({"x": "", "cell": "8", "factor.size": "", "note": "1"})
    packed = page.pack(rows)
    assert "[0.1000000000000000055,0.1000000000000000055,null]" in packed
    columns = json.loads(packed)["columns"]
    assert columns["cell"] == {"levels": ["7", "8"], "codes": [0, 0, 1]}
    assert columns["factor.size"] == {"levels": ["100", ""], "codes": [0, 0, 1]}
    assert columns["note"]["levels"] == ["a", "1"]


def test_what_json_knows_no_number_for_stays_text():
    assert json.loads(page.pack([{"x": "Inf"}, {"x": "1"}]))["columns"]["x"]["levels"] == ["Inf", "1"]


def test_rows_are_put_beside_their_forks():
    fork = dict.fromkeys(("experiment", "environment", "round"), "a")
    forks = [{**fork, "fork": "1"}, {**fork, "fork": "2"}]
    found = page.with_fork_rows([{**fork, "fork": "2", "x": "9"}, {**fork, "fork": "1", "x": "8"}], forks, "some.csv")
    assert found == [{"fork_row": "0", "x": "8"}, {"fork_row": "1", "x": "9"}]
    with pytest.raises(UserError, match=r"some.csv: has a row of a/a/a, fork 3, which forks.csv lacks"):
        page.with_fork_rows([{**fork, "fork": "3"}], forks, "some.csv")


WHOLE = gzip.compress(b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(9999)))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        *(
            ("cells.csv", damaged, "is no whole table")
            for damaged in (b"a,b\n1\n", b"a,b\n1,2,3\n", b"\xff\xfe,b\n1,2\n")
        ),
        ("chain.csv.gz", WHOLE[: len(WHOLE) // 2], "is no whole table"),
        ("cells.csv", None, "can't be read .* make the report first"),
    ],
)
def test_a_damaged_or_missing_table_is_named(tmp_path, name, content, words):
    if content:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError, match=f"{name}: {words}"):
        tidy.read(tmp_path, name)


def test_a_library_with_other_bytes_is_refused(tmp_path, monkeypatch):
    shutil.copytree(page.VENDOR, tmp_path / "vendor")
    monkeypatch.setattr(page, "VENDOR", tmp_path / "vendor")
    assert len(page.libraries()) == 4
    with (tmp_path / "vendor/d3.min.js").open("a") as file:
        file.write(" ")
    with pytest.raises(UserError, match=r"d3.min.js: has other bytes than d3 7"):
        page.libraries()


def test_every_library_has_its_licence_and_every_file_of_code_is_used():
    for each in json.loads((page.VENDOR / "vendor.json").read_text()):
        name = each["package"].split("/")[-1].split("-")[0]
        assert (page.VENDOR / f"{name}.LICENSE").read_text().strip()
    assert {path.stem for path in (page.HERE / "app").glob("*.js")} == set(page.APP)


def test_lines_of_the_pages_own_code_have_120_characters_at_most():
    own = [*(page.HERE / "app").glob("*.js"), page.HERE / "style.css", page.HERE / "page.html"]
    long = [f"{path.name}: {line}" for path in own for line in path.read_text().splitlines() if len(line) > 120]
    assert long == []


def test_no_text_of_a_run_can_end_its_element():
    made = page.make({"main": json.dumps({"x": "</script><script>alert(1)</script>"})}, "</title>")
    assert "alert(1)" not in made
    assert "<title>&lt;/title&gt;</title>" in made
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', made)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "connect-src" not in policy
    assert "unsafe" not in policy.split("style-src")[0]


def test_the_same_tables_give_the_same_page():
    assert page.make({"main": "{}"}, "a") == page.make({"main": "{}"}, "a")


def test_a_pages_tables_come_out_as_they_went_in(tmp_path):
    rows = [{"cell": "7", "x": "0.10000000000000001", "why": "a, b"}, {"cell": "8", "x": "", "why": ""}]
    tables = {name: page.pack(rows) for name in ("forks", "cells", "rounds")}
    text = "{" + ", ".join(f'"{name}": {packed}' for name, packed in tables.items()) + "}"
    (tmp_path / "report.html").write_text(page.make({"main": text}, "a run"))
    assert tidy.saved_rows(tidy.saved_tables(tmp_path / "report.html")["forks"]) == rows
    assert tidy.forks_of(tmp_path / "report.html") == 'cell,x,why\n7,0.10000000000000001,"a, b"\n8,,\n'


@pytest.mark.parametrize("text", ["<html></html>", '<script type="application/gzip" data-block="main">AAAA</script>'])
def test_what_holds_no_run_is_named(tmp_path, text):
    (tmp_path / "other.html").write_text(text)
    with pytest.raises(UserError, match=r"other.html: holds no run .* name a report.html that this project made"):
        tidy.forks_of(tmp_path / "other.html")
    with pytest.raises(UserError, match=r"has no forks.csv; name a directory of tidy tables"):
        tidy.forks_of(tmp_path)


def test_pairs_and_contrasts_lead_to_the_rows_of_their_cells():
    key = {"experiment": "e", "machine_id": "m", "protocol": "p"}
    cells = [
        {**key, "environment": place, "image_id": "i", "cell": cell, "measure": measure}
        for place, cell, measure in (("a", "x", "wall"), ("a", "x", "cpu"), ("b", "x", "wall"))
    ]
    sides = {f"{side}_image_id": "i" for side in ("numerator", "denominator")}
    pair = {**key, **sides, "numerator_environment": "b", "denominator_environment": "a", "measure": "wall"}
    pair |= {"numerator_cell": "x", "denominator_cell": "x"}
    (found,) = page.with_cell_rows([pair], cells)
    assert (found["numerator_row"], found["denominator_row"]) == ("2", "0")
    (observed,) = page.with_cell_rows([{**pair, "measure": "share.a", "denominator_cell": ""}], cells)
    assert (observed["numerator_row"], observed["denominator_row"]) == ("2", "")


def test_a_run_is_described_without_claims_or_rounds():
    settings = dict.fromkeys(("tier", "seed", "engine", "alpha", "confidence"), 1)
    experiment = {"id": "a", "title": "A", "measure": "wall", "protocols": {"as-published": {}}}
    providers = {"sunjce": {"label": "SunJCE", "jar": None}}
    definitions = {"settings": settings, "experiments": [experiment], "environments": [], "providers": providers}
    found = page._run(definitions, [], [])
    assert found["experiments"] == [
        {**experiment, "authors": None, "year": None, "study": "a", "protocols": ["as-published"]}
    ]
    assert found["providers"] == {"sunjce": "SunJCE"}
    assert (found["measured"], found["forks"], found["cells"]) == ([], 0, 0)
