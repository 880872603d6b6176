"""data/README.md explains every file and every column of a round."""

import re
from pathlib import Path

import pytest

from jcarerun.rounds import record, tables, validate

DICTIONARY = Path("data/README.md").read_text()
TABLES = {
    "cells.csv": tables.CELLS,
    "offered.csv": tables.OFFERED,
    "iterations.csv": {**tables.ITERATIONS, **tables.ITERATIONS_LATER},
    "interference.csv": tables.INTERFERENCE,
    "observations.csv": tables.OBSERVATIONS,
    "chain.csv": tables.CHAIN,
    "compilations.csv": tables.COMPILATIONS,
    "round.json": record.KEYS,
}


def section(name):
    """What the dictionary says of a raw file, from its heading to the next."""
    return re.split(r"\n##", DICTIONARY.split(f"### `{name}`", 1)[1], maxsplit=1)[0]


@pytest.mark.parametrize("name", TABLES)
def test_every_column_is_explained(name):
    told = set(re.findall(r"`([^`]+)`", section(name)))
    assert set(TABLES[name]) - told == set()


def test_every_file_is_explained():
    for name in validate.ALWAYS_THERE:
        assert f"`{name}`" in DICTIONARY, name
