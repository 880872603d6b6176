"""gates.yaml read and refused; interference.csv held against the plan."""

import csv

import pytest
import yaml

from bench.plan import gates
from bench.rounds import gates as round_gates
from bench.rounds import interference
from bench.tests import made_up_interference
from envs.support.errors import UserError


def changed(tmp_path, change):
    data = yaml.safe_load(gates.FILE.read_text())
    change(data)
    file = tmp_path / gates.FILE.name
    file.write_text(yaml.safe_dump(data))
    file.with_suffix(".schema.yaml").write_text(gates.FILE.with_suffix(".schema.yaml").read_text())
    return file


def test_the_projects_own():
    found = gates.read()
    assert set(found.limits) == {
        "steal_share", "others_share", "throttled", "involuntary_per_s", "gc_share", "spin_ratio",
    }  # fmt: skip
    assert "steal_share\t0.05\t50\n" in found.text()
    assert found.text().endswith("\nreruns\t0.2\n")


def test_a_gate_may_be_left_out(tmp_path):
    found = gates.read(changed(tmp_path, lambda data: data["gates"].pop("gc_share")))
    assert "gc_share" not in found.text()


@pytest.mark.parametrize(("forks", "most"), [(1, 1), (5, 1), (6, 2), (18, 4)])
def test_the_cap_is_rounded_up(forks, most):
    assert gates.read().most_reruns(forks) == most


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda data: data["gates"].update(steal_shar={}),
            "gates.steal_shar: unknown key; did you mean 'steal_share'?",
        ),
        (lambda data: data["gates"]["throttled"].pop("limit"), "gates.throttled.limit: missing; write a number of 0"),
        (lambda data: data["gates"]["throttled"].pop("reason"), "gates.throttled.reason: missing"),
        (
            lambda data: data["gates"]["throttled"].update(limit="5 %"),
            "gates.throttled.limit: '5 %' can't be used here",
        ),
        (lambda data: data["gates"]["throttled"].update(limit=-1), "gates.throttled.limit: -1 can't be used here"),
        (lambda data: data["gates"]["throttled"].update(least=-1), "gates.throttled.least: -1 can't be used here"),
        (lambda data: data["reruns"].update(share=2), "reruns.share: 2 can't be used here; write a number from 0 to 1"),
        (lambda data: data.pop("reruns"), "reruns: missing; write {share: 0.2"),
    ],
)
def test_refused(tmp_path, change, words):
    with pytest.raises(UserError) as caught:
        gates.read(changed(tmp_path, change))
    assert "gates.yaml: " + words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.fixture
def one(rounds, tmp_path):
    (tmp_path / round_gates.FILE).write_text(gates.read().text())
    return rounds(tier="smoke")[0]


def test_a_rounds_own_gates_are_read_back(tmp_path):
    (tmp_path / round_gates.FILE).write_text(gates.read().text())
    assert round_gates.read(tmp_path) == gates.read()


@pytest.mark.parametrize(
    "text",
    ["", "steal_share\t0.05\t50\n", "steal_share\tnan\t0\nreruns\t0.2\n", "reruns\t0.2\nreruns\t0.2\n", "reruns\t-1\n"],
)
def test_gates_that_are_none(tmp_path, text):
    (tmp_path / round_gates.FILE).write_text(text)
    with pytest.raises(UserError, match=r"gates\.tsv: "):
        round_gates.read(tmp_path)


def test_reruns_are_of_the_cell_they_repeat(one, tmp_path):
    made_up_interference.write(tmp_path, len(one.cells), again=(3, 1))
    found = interference.forks(tmp_path, one.cells)
    assert list(found) == list(range(1, len(one.cells) + 3))
    assert [found[len(one.cells) + 1], found[len(one.cells) + 2]] == [one.cells[2], one.cells[0]]


def test_the_person_who_waits_is_told(one, tmp_path):
    made_up_interference.write(tmp_path, len(one.cells))
    assert interference.summary(tmp_path) == ""
    made_up_interference.write(tmp_path, len(one.cells), again=(3,))
    forks = len(one.cells)
    told = f"1 of {forks} forks disturbed (1 steal_share, 1 spin_ratio); run again: 3 as {forks + 1}"
    assert interference.summary(tmp_path) == told


def refusal(folder, one):
    with pytest.raises(UserError) as caught:
        interference.forks(folder, one.cells)
    assert "interference.csv: " in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_more_reruns_than_may_be(one, tmp_path):
    most = gates.read().most_reruns(len(one.cells))
    made_up_interference.write(tmp_path, len(one.cells), again=tuple(range(1, most + 2)))
    assert f"{most + 1} forks were run again, {most} of {len(one.cells)} may be" in refusal(tmp_path, one)


def test_none(one, tmp_path):
    assert "the round's runner left none" in refusal(tmp_path, one)
    (tmp_path / interference.FILE).write_text("fork,broken\n1,\n")
    assert "not a table with the columns" in refusal(tmp_path, one)


@pytest.mark.parametrize(
    ("row", "column", "value", "words"),
    [
        (0, "fork", "2", "must have a row for each of"),
        (0, "rerun_of", "2", "fork 1 is planned"),
        (2, "broken", "", "fork 3 is planned, and is run again only if it broke a gate"),
        (2, "rerun_as", "", "rerun_of 3 is no planned fork that was run again so"),
        (0, "rerun_as", "99", "fork 1 is planned, and is run again only if"),
        (-1, "rerun_of", "1", "rerun_of 1 is no planned fork that was run again so"),
        (-1, "rerun_of", "", "rerun_of empty is no planned fork"),
        (1, "steal_ms", "much", "fork 2 has steal_ms much, a number of 0 or more expected"),
        (1, "elapsed_ms", "", "fork 2 has elapsed_ms empty"),
        (1, "spin_after_ns", "-5", "fork 2 has spin_after_ns -5"),
    ],
)
def test_a_table_that_contradicts_itself(one, tmp_path, row, column, value, words):
    made_up_interference.write(tmp_path, len(one.cells), again=(3,))
    file = tmp_path / interference.FILE
    with file.open(newline="") as source:
        rows = list(csv.DictReader(source))
    rows[row][column] = value
    with file.open("w", newline="") as target:
        writer = csv.DictWriter(target, interference.COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    assert words in refusal(tmp_path, one)
