"""The second stage: read off a plan file, the same each time, and refused in one line where the file is not what it was."""

import csv
import json
from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given

from bench.tests import mutations
from jcarerun.errors import UserError
from jcarerun.plan import definitions, expectation, fork_plan, plan

WIDTH, MOST = 0.02, 9


def two_stages(data):
    data["tiers"]["quick"] |= {"rounds": 5, "max_rounds": MOST, "environments": ["debian-13-temurin-21"]}
    data["tiers"]["quick"]["protocols"]["modern"]["half_width"] = WIDTH


@pytest.fixture
def place(rounds, kofahi):
    first = rounds(two_stages, goal="intervals")
    (found,) = fork_plan.places(first, {"kofahi2013": kofahi})
    return found


@pytest.fixture
def write_plan(place, tmp_path):
    """Writes a plan in which the n-th planned cell gets 5 + n forks, as far as the cap goes, and gives the file."""

    def write(**changes):
        rows, more = [], 0
        for cell in sorted(place.first[0].cells, key=lambda cell: cell.id):
            row = dict.fromkeys(fork_plan.COLUMNS, "")
            row |= {"cell": cell.id, "protocol": cell.protocol, "first_rounds": 5, "forks": 5, "most_forks": MOST}
            row["reason"] = "not planned"
            if cell.half_width:
                forks = min(5 + more, MOST)
                more += 1
                row |= {"warmup_iterations": 4, "iterations": 8, "forks_wanted": 5 + more, "forks": forks}
                row |= {"wanted_half_width_pct": 2, "s0_log": 0.03, "reason": "more forks"}
            rows.append(row | {key: value for key, value in changes.items() if cell.half_width})
        file = place.file(tmp_path)
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("w", newline="") as out:
            writer = csv.DictWriter(out, fork_plan.COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        return file

    return write


def measured(place, raw, number, **record):
    """A directory as a round leaves it, with so much of its record as tells its stage."""
    folder = raw / f"{place.path}-{number:02d}"
    folder.mkdir(parents=True)
    (folder / "round.json").write_text(json.dumps(record))
    return folder


def test_there_is_no_second_stage_without_a_plan_nor_in_a_tier_that_wants_none(rounds, place, kofahi, tmp_path):
    assert fork_plan.second_rounds(place, tmp_path) == ()
    assert fork_plan.places(rounds(tier="smoke"), {"kofahi2013": kofahi}) == []
    assert {one.stage for one in place.first} == {1}
    assert place.half_widths == {"modern": WIDTH}


def test_every_cell_gets_the_forks_that_are_missing_at_the_planned_length(place, write_plan, tmp_path):
    file = write_plan()
    second = fork_plan.second_rounds(place, tmp_path)
    assert [one.number for one in second] == [6, 7, 8, 9]
    assert {one.plan_sha256 for one in second} == {sha256(file.read_bytes()).hexdigest()}
    forks = Counter(cell.id for one in second for cell in one.cells)
    with file.open() as read:
        wanted = {row["cell"]: int(row["forks"]) - 5 for row in csv.DictReader(read)}
    assert forks == Counter({cell: count for cell, count in wanted.items() if count})
    cells = [cell for one in second for cell in one.cells]
    assert {cell.iterations for cell in cells} == {8}
    full = {cell.id: cell.expected_s for cell in place.first[0].cells}
    assert all(cell.expected_s == pytest.approx(full[cell.id] - 4 * cell.iteration_ms / 1000) for cell in cells)
    arguments = cells[0].jmh_arguments([])
    assert arguments[arguments.index("-i") + 1] == "8"


def test_the_second_stage_keeps_the_seeds_rule_and_the_rounds_names(place, write_plan, tmp_path):
    write_plan()
    second = fork_plan.second_rounds(place, tmp_path)
    assert {one.family for one in second} == {place.first[0].family}
    assert len({one.order_seed for one in (*place.first, *second)}) == 9
    orders = [[cell.id for cell in one.cells] for one in second]
    assert orders[0] != sorted(orders[0])
    assert fork_plan.second_rounds(place, tmp_path) == second
    every = fork_plan.every_round(list(place.first), [place], tmp_path)
    assert [one.number for one in every] == list(range(1, 10))


def test_a_wish_does_not_change_what_is_measured(rounds, place):
    """Rounds of stage one are kept when the half-width or the cap changes."""

    def wish_for_nothing(data):
        del data["tiers"]["quick"]["max_rounds"]
        del data["tiers"]["quick"]["protocols"]["modern"]["half_width"]

    assert (
        rounds(lambda data: data["tiers"]["quick"].update(max_rounds=20), goal="intervals")[0].id == place.first[0].id
    )
    assert rounds(wish_for_nothing, goal="intervals")[0].id == place.first[0].id


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"first_rounds": 4}, "planned with rounds, max_rounds and half_width"),
        ({"wanted_half_width_pct": 1}, "the experiment has 5, 9, 2.0"),
        ({"forks": 10}, "out of bounds"),
        ({"forks": 6, "iterations": 99}, "out of bounds"),
        ({"cell": "other"}, "is no plan"),
    ],
)
def test_a_plan_of_something_else_is_refused(place, write_plan, tmp_path, change, words):
    file = write_plan(**change)
    with pytest.raises(UserError) as caught:
        fork_plan.second_rounds(place, tmp_path)
    message = str(caught.value)
    assert message.startswith(str(file))
    assert words in message
    assert "to plan anew" in message
    assert "\n" not in message


def test_what_is_no_table_is_refused(place, write_plan, tmp_path):
    write_plan().write_text("hello\n")
    with pytest.raises(UserError, match="is no plan"):
        fork_plan.second_rounds(place, tmp_path)


def test_a_plan_is_held_against_the_rounds_that_were_measured_by_it(place, write_plan, tmp_path):
    file = write_plan()
    digest = sha256(file.read_bytes()).hexdigest()
    measured(place, tmp_path, 6, stage=2, plan_sha256=digest)
    fork_plan.verify(place, tmp_path)
    file.write_text(file.read_text().replace("more forks", "cap"))
    with pytest.raises(
        UserError, match=r"was changed after .*-06 was measured by it; put it back as it was, or remove it"
    ):
        fork_plan.verify(place, tmp_path)
    file.unlink()
    with pytest.raises(UserError, match=r"plan\.csv: missing, though .*-06 was measured by it"):
        fork_plan.verify(place, tmp_path)


def test_a_plan_is_held_against_its_stamp_and_a_stamp_without_a_plan_is_forgotten(place, write_plan, tmp_path):
    file, stamp = write_plan(), place.stamp(tmp_path)
    stamp.write_text(sha256(file.read_bytes()).hexdigest() + "\n")
    fork_plan.verify(place, tmp_path)
    file.write_text(file.read_text().replace("more forks", "cap"))
    with pytest.raises(UserError, match="was changed after it was made"):
        fork_plan.verify(place, tmp_path)
    file.unlink()
    fork_plan.verify(place, tmp_path)
    assert not stamp.exists()


def test_a_round_beyond_stage_one_that_is_of_stage_one_is_refused(place, tmp_path):
    measured(place, tmp_path, 6, stage=1, plan_sha256="")
    with pytest.raises(UserError, match=r"-06: is of stage one, which has 5 rounds now"):
        fork_plan.verify(place, tmp_path)


def test_a_round_that_the_plan_does_not_have_is_refused(place, write_plan, tmp_path):
    digest = sha256(write_plan().read_bytes()).hexdigest()
    measured(place, tmp_path, 12, stage=2, plan_sha256=digest)
    with pytest.raises(UserError, match=r"plans no .*-12, which is there"):
        fork_plan.verify(place, tmp_path)


def test_the_expectation_says_what_stage_two_may_add_until_it_is_planned(place, write_plan, tmp_path):
    first = list(place.first)
    words = expectation.summary(tmp_path, first, [place])
    planned = sum(bool(cell.half_width) for cell in first[0].cells)
    assert f"more forks of {planned} cells: at most {MOST - 5} rounds" in words
    each = plan.ROUND_S + sum(cell.expected_s for cell in first[0].cells if cell.half_width)
    assert place.most_s() == pytest.approx(4 * each)
    write_plan()
    every = fork_plan.every_round(first, [place], tmp_path)
    words = expectation.summary(tmp_path, every, [place])
    assert "at most" not in words
    assert "5 rounds each" in words
    assert "9 rounds, " in words


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"max_rounds": 9}, r"tiers\.quick\.max_rounds: 9: no protocol has a half_width"),
        ({"protocols": {"modern": {"half_width": 0.01}}}, r"tiers\.quick\.max_rounds: missing, though modern"),
        (
            {"protocols": {"modern": {"half_width": 0.01}}, "max_rounds": 4},
            "4, with rounds 5: must be at least rounds",
        ),
        ({"protocols": {"modern": {"half_width": 0}}, "max_rounds": 9}, "write a number above 0"),
    ],
)
def test_stages_that_can_not_be_are_refused(kofahi, write, world, change, words):
    kofahi["tiers"]["quick"] |= change
    with pytest.raises(UserError, match=words):
        definitions.read(write(kofahi), world)


@pytest.mark.parametrize("tier", ["standard", "full"])
def test_the_studies_have_two_stages_in_the_tiers_that_state_results(world, tier):
    for name in ("kofahi2013", "phenry2014", "stegerer2008"):
        experiment = definitions.read(definitions.Path("bench") / f"experiments/{name}.yaml", world)
        assert experiment["tiers"][tier]["max_rounds"] > experiment["tiers"][tier]["rounds"] > 5
        assert "max_rounds" not in experiment["tiers"]["quick"]


def test_a_spoilt_plan_is_refused_in_one_line(place, write_plan):
    file = write_plan()

    @mutations.few
    @given(mutations.text(file.read_text()))
    def spoil(text):
        mutations.accepted_or_told(lambda: fork_plan.read(file, text, place), file.name)

    spoil()


def test_a_plan_that_is_no_utf8_is_refused(place, write_plan, tmp_path):
    write_plan().write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="UTF-8"):
        fork_plan.second_rounds(place, tmp_path)
