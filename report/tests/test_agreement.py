"""The agreement: which printed numbers are a row's and which are not, and the whole of the sample's report."""

import json
import re
import shutil

import pytest

from jcarerun.agreement import front, parts, rows, tally
from jcarerun.agreement.printed import Rows, triples
from jcarerun.errors import UserError


def have(row, text):
    (found,) = triples(text)
    return Rows([row]).have(found)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ((1.0345, 0.98, 1.0774), "1.034 [0.980, 1.077]"),
        ((134761.0, 128800.0, 140799.0), "134.8 µs [128.8, 140.8]"),
        ((134761.0, 128800.0, 140799.0), "134.8 [128.8, 140.8]"),
        ((0.1711, 0.12, 0.2), "17.1 % [12.0, 20.0]"),
        ((9312.0, 8978.0, 9653.0), "9310 [8980, 9650]"),
        ((20631.0, 19661.0, 21649.0), "20 631 [19 661, 21 649]"),
        ((131.2, 118.0, 144.4), "AES-128 131 [118, 144]"),
        ((0.852, 0.499, 1.12), "0.85 [0.50, 1.1]"),
        ((-0.02, -0.5, 0.4), "\u22120.02 [\u22120.50, 0.40]"),
    ],
)
def test_a_row_is_known_as_it_is_printed(row, text):
    assert have(row, text)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ((1.0356, 0.98, 1.0774), "1.034 [0.980, 1.077]"),
        ((1.0345, 0.98, 1.0774), "1.034 [0.981, 1.077]"),
        ((1.0345, 0.98, 1.0774), "1.034 [0.980, 1.078]"),
        ((134761.0, 128800.0, 140799.0), "134.8 ms [128.8, 140.8]"),
        ((2063.0, 1966.0, 2165.0), "2063 [1966, 2160]"),
        ((2063.0, 1966.0, 2165.0), "2060 [1966, 2165]"),
    ],
)
def test_another_number_is_not(row, text):
    assert not have(row, text)


PAGE = """Under the protocol modern: 1 supported, 2 refuted and 1 inconclusive (of statements: 3 too wide).
Under the protocol as-published: 1 supported and 0 refuted. Not testable here: S1 and S8.
as-published C1 S modern C2 R C3 R C12 I
S supported, R refuted, I inconclusive, N not comparable (our conditions leave out what the study has).
"""


def test_a_tally_is_counted_from_the_marks():
    assert tally.said(PAGE) == {"supported": 2, "refuted": 2, "inconclusive": 1}
    assert tally.marks(PAGE) == {"supported": 1, "refuted": 2, "inconclusive": 1}
    words = "P1 a claim R refuted all 2 statements I inconclusive 2 not settled A claim is supported where R refuted"
    assert tally.marks(words) == {"refuted": 1, "inconclusive": 1}


def test_what_page_1_says_of_all_cells_is_counted_again(tmp_path):
    header = "experiment,environment,image_id,machine_id,cell,protocol,measure,settled,half_width_pct\n"
    rows = (
        "a,modern,wall,proved,4",
        "a,modern,cpu,proved,9",
        "b,modern,wall,not proved,6.4",
        "c,old,wall,by definition,",
    )
    (tmp_path / "cells.csv").write_text(header + "".join(f"e,d,i,m,{row}\n" for row in rows))
    (tmp_path / "definitions.json").write_text('{"experiments": [{"id": "e", "measure": "wall"}]}')
    counts = (
        "Of %s cells that look for steady times, 1 is proved settled by what the JVM had compiled, 0 were still\n"
        "compiling, 1 are not proved. "
    )
    width = "The median 95 %% interval of its cells is ±%s %% (modern, 2 intervals)."
    assert list(front.wrong(counts % 2 + width % "5.2", tmp_path)) == [None, None]
    told = list(front.wrong(counts % 3 + width % "5.3", tmp_path))
    assert told[0].startswith("counts ('3', '1', '0', '1') of cells settled, the table has (2, 1, 0, 1)")
    assert told[1].startswith("says ±5.3 % of 2 intervals under modern")


@pytest.fixture(scope="module")
def made(checkout, tmp_path_factory):
    """The sample's report and tables, which each test may copy and change."""
    kept = tmp_path_factory.mktemp("agreement")
    for name in ("data/tidy", "report/build/tables"):
        shutil.copytree(checkout.path / name, kept / name)
    for name in ("report/report.pdf", "report/report.html"):
        shutil.copy(checkout.path / name, kept / name)
    return kept


def agreement(checkout, folder):
    tables = ("--tidy", str(folder / "data/tidy"), "--report", str(folder / "report"))
    return checkout.run("python", "-m", "jcarerun", "agreement", *tables)


@pytest.mark.sample
def test_all_numbers_of_the_samples_report_agree(made, checkout):
    run = agreement(checkout, made)
    assert run.returncode == 0, run.stderr
    counts = [int(line.split()[0]) for line in run.stdout.splitlines()]
    assert len(counts) == 3
    assert min(counts) > 50
    # What page 1 counts is found where it stands: the settled cells, and a half-width for a protocol or more.
    first = parts.text_of(made / "report/report.pdf", "-l", "1")
    assert len(list(front.wrong(first, made / "data/tidy"))) >= 2


@pytest.mark.sample
def test_a_number_that_is_not_its_rows_is_named(made, tmp_path, checkout):
    folder = tmp_path / "copy"
    shutil.copytree(made, folder)
    text = (folder / "data/tidy/verdicts.csv").read_text()
    estimate = re.search(r",c1,([0-9.]+),", text)[1]
    # In every table that has it, or the PDF's number would still be that of a row.
    for path in (folder / "data/tidy").glob("*.csv"):
        path.write_text(path.read_text().replace(f",{estimate},", f",{float(estimate) * 1.03!r},"))
    run = agreement(checkout, folder)
    assert run.returncode == 1
    for words in ("report.pdf: prints", "which no row of the tables has", "report.html: verdicts, estimate"):
        assert words in run.stderr
    assert re.search(r"\.json: [vc]1 is ", run.stderr)


@pytest.mark.sample
def test_a_verdict_that_is_not_its_rows_is_named(made, tmp_path):
    folder = tmp_path / "tables"
    shutil.copytree(made / "report/build/tables", folder)
    (folder / "more.json").write_text(json.dumps([{"id": "v1", "verdict": "proven"}, {"x": {"id": "v999"}}]))
    _, wrong = parts.of_tables(folder, made / "data/tidy")
    assert [line.rpartition(": ")[2] for line in wrong] == [
        "v1 is proven, in the table refuted",
        "names v999, which no table has",
    ]


def test_tables_of_another_time_are_named(tmp_path):
    (tmp_path / "verdicts.csv").write_text("verdict_id,lower,upper\nv1,1,2\n")
    with pytest.raises(UserError, match=r"verdicts.csv: lacks column estimate; make the report again"):
        list(rows.of_run(tmp_path))
