"""data/tables.yaml describes every table; what is made from it is up to date."""

import csv
import gzip
from pathlib import Path

import pytest

from jcarerun import dictionary
from jcarerun.plan import claim_rows
from jcarerun.rounds import record, tables, validate

SCHEMA = dictionary.read()
COLUMNS = dictionary.tables(SCHEMA)
PAGE = dictionary.page(SCHEMA)


@pytest.mark.parametrize(
    ("file", "text"), [(dictionary.PAGE, PAGE), (dictionary.COLUMNS, dictionary.columns_json(SCHEMA))], ids=str
)
def test_the_files_made_from_the_schema_are_up_to_date(file, text):
    if file.read_text() != text:
        pytest.fail(f"{file} is not as data/tables.yaml has it; run `jca-rerun dictionary`", pytrace=False)


def test_every_meaning_has_at_most_20_words():
    every = [column for section in COLUMNS.values() for columns in section.values() for column in columns.items()]
    assert [name for name, (_, meaning) in every if len(meaning.split()) > 20] == []


def test_every_file_of_a_round_is_explained():
    assert [name for name in validate.ALWAYS_THERE if f"`{name}`" not in PAGE] == []


def test_every_key_of_a_round_is_explained():
    entries = next(table for table in SCHEMA["sections"][0]["tables"] if table.get("name") == record.FILE)["entries"]
    assert [key for key in record.KEYS if f"`{key}`" not in " ".join(entries)] == []


def test_claim_pairs_have_the_columns_of_the_schema():
    assert claim_rows.columns() == [*COLUMNS["tidy"]["claim_pairs.csv"]]


def test_a_column_that_may_be_empty_has_a_value_for_it():
    assert tables.INTERFERENCE["rerun_of"].parse("") is None
    assert tables.INTERFERENCE["broken"].parse("") == ""
    with pytest.raises(ValueError):
        tables.INTERFERENCE["fork"].parse("")


@pytest.mark.parametrize(
    ("section", "file"),
    [
        *(("published", file) for file in sorted(Path("data/published/layout").glob("*.csv"))),
        *(("published", file) for file in sorted(Path("data/published").glob("*.csv"))),
        ("tools", Path("analysis/validity.csv")),
    ],
    ids=str,
)
def test_a_kept_table_has_the_columns_of_the_schema(section, file):
    name = file.name if file.name in COLUMNS[section] else "study.csv"
    assert header(file) == [*COLUMNS[section][name]]


def header(file: Path) -> list[str]:
    """The first row of a table."""
    with gzip.open(file, "rt") if file.suffix == ".gz" else file.open() as lines:
        return next(csv.reader(lines))
