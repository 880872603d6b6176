"""What a round must leave behind, and how a lack of it is named."""

import csv
import json

import pytest

from bench.harness import round_files
from envs.builder.errors import UserError


@pytest.fixture
def one(rounds):
    return rounds(tier="smoke")[0]


@pytest.fixture
def folder(tmp_path, one, world):
    """A round's files as its forks would leave them."""
    (tmp_path / "jmh").mkdir()
    (tmp_path / "gc").mkdir()
    round_files.write_inputs(tmp_path, one, world.providers, "/bench/providers")
    rows = ["header"]
    for fork, cell in enumerate(one.cells, start=1):
        result = [{"primaryMetric": {"rawData": [[1.0] * cell.iterations]}}]
        (tmp_path / f"jmh/{fork:03d}.json").write_text(json.dumps(result))
        (tmp_path / f"gc/{fork:03d}.log").write_text("log\n")
        rows += [f"{fork},{i}" for i in range(cell.iterations)]
    (tmp_path / "iterations.csv").write_text("\n".join(rows) + "\n")
    return tmp_path


def refusal(folder, one):
    with pytest.raises(UserError) as caught:
        round_files.check_outputs(folder, one)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_whole(folder, one):
    round_files.check_outputs(folder, one)


def test_truncated_result(folder, one):
    (folder / "jmh/002.json").write_text('[{"primaryMetric"')
    assert "002.json: no JMH result of fork 2" in refusal(folder, one)


def test_missing_result(folder, one):
    (folder / "jmh/003.json").unlink()
    assert "003.json" in refusal(folder, one)


def test_too_few_iterations(folder, one):
    (folder / "jmh/001.json").write_text('[{"primaryMetric": {"rawData": [[1.0]]}}]')
    assert "001.json: 1 iterations" in refusal(folder, one)


def test_empty_gc_log(folder, one):
    (folder / "gc/001.log").write_text("")
    assert "gc/001.log: fork 1" in refusal(folder, one)


def test_lost_rows(folder, one):
    text = (folder / "iterations.csv").read_text()
    (folder / "iterations.csv").write_text(text[: text.rindex("\n", 0, -1) + 1])
    assert "iterations.csv" in refusal(folder, one)


def test_cells_say_which_fork_is_which(folder, one):
    with (folder / "cells.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["cell"] for row in rows] == [cell.id for cell in one.cells]
    forks = [line.split("\t") for line in (folder / "forks.tsv").read_text().splitlines()]
    assert [int(words[0]) for words in forks] == list(range(1, len(one.cells) + 1))
    assert all("provider=sunjce" in words for words in forks)
