"""Stage files: read the same each time, refused in one line where they are not what they were, and the stages of a run."""

import csv
import json
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given

from bench.tests import mutations
from bench.tests.refusals import refused
from jcarerun.errors import UserError
from jcarerun.plan import definitions, selection, settings, stages
from jcarerun.run import verified

MOST = 9


def wide(data):
    """Asks for half-widths of 2 % in at most nine rounds."""
    data["tiers"]["quick"] |= {"rounds": 5, "max_rounds": MOST, "environments": ["debian-13-temurin-21"]}
    data["tiers"]["quick"]["protocols"]["steady-state"]["half_width"] = 0.02


@pytest.fixture
def current(rounds, staged):
    return staged(rounds(goal="verdicts"), goal="verdicts", minutes=100)


@pytest.fixture
def widths(rounds, staged):
    """A run that wants intervals of a width."""
    return staged(rounds(wide, goal="intervals"), goal="intervals")


def family_of(current):
    (family,) = current.stages[0].full_plan
    return family


def two(current):
    return [(family_of(current), cell.id) for cell in current.full_plan[0].cells[:2]]


def give(stage, counts):
    stage.write({key: {"forks": n} for key, n in counts.items()})


def write_widths(current, **changes):
    """Writes stage two, in which the n-th cell with a wanted width gets n forks more, and gives the file."""
    rows = {}
    for n, key in enumerate(sorted(current.stages[0].widths)):
        row = {"forks": min(n, 4), "warmup_iterations": 4, "iterations": 8, "first_forks": 5, "most_forks": MOST}
        rows[key] = row | {"wanted_half_width_pct": 2, "s0_log": 0.03, "reason": "more forks"} | changes
    current.stages[1].write(rows)
    return current.stages[1].file(family_of(current))


def measured(current, number, record):
    """A directory as a round leaves it, with so much of its record as names its stage."""
    folder = current.folders.raw / f"{family_of(current)}-{number:02d}"
    folder.mkdir(parents=True)
    (folder / "round.json").write_text(json.dumps(record))
    return folder


def test_a_later_stage_has_each_cell_in_as_many_rounds_as_its_file_says_from_its_first_on(current):
    (one, other), second = two(current), current.stages[1]
    give(second, {one: 4, other: 2})
    later = second.rounds()
    assert [round.number for round in later] == [6, 7, 8, 9]
    assert {(round.stage, round.looks, round.family_path) for round in later} == {(2, 4, family_of(current))}
    cells = [{cell.id for cell in round.cells} for round in later]
    assert cells == [{one[1], other[1]}, {one[1], other[1]}, {one[1]}, {one[1]}]
    assert {round.plan_sha256 for round in later} == {sha256(second.file(family_of(current)).read_bytes()).hexdigest()}
    assert second.rounds() == later
    assert len({round.order_seed for round in current.rounds}) == 9
    assert current.round(later[1].path).number == 7


def test_numbers_go_on_after_those_of_earlier_stages_measured_or_not(current):
    one, other = two(current)
    assert current.stages[2].rounds() == []
    give(current.stages[1], {one: 3})
    give(current.stages[3], {other: 3})
    assert [round.number for round in current.stages[3].rounds()] == [9, 10, 11]
    current.stages[0].write({}, everywhere=[family_of(current)])
    assert [round.number for round in current.stages[3].rounds()] == [4, 5, 6]


def test_planned_intervals_give_each_cell_its_forks_at_the_planned_length(widths):
    file = write_widths(widths)
    second = widths.stages[1].rounds()
    with file.open() as read:
        wanted = {row["cell"]: int(row["forks"]) for row in csv.DictReader(read)}
    assert Counter(cell.id for round_ in second for cell in round_.cells) == Counter(wanted)
    cells = [cell for round_ in second for cell in round_.cells]
    full = {cell.id: cell.expected_s for cell in widths.full_plan[0].cells}
    assert {cell.iterations for cell in cells} == {8}
    assert all(cell.expected_s == pytest.approx(full[cell.id] - 4 * cell.iteration_ms / 1000) for cell in cells)
    arguments = cells[0].jmh_arguments([])
    assert arguments[arguments.index("-i") + 1] == "8"
    assert [cell.id for cell in second[0].cells] != sorted(cell.id for cell in second[0].cells)


def test_only_intervals_of_a_wanted_width_are_planned_and_only_by_a_run_for_intervals(rounds, widths, staged):
    protocols = {
        cell.protocol for cell in widths.full_plan[0].cells if (family_of(widths), cell.id) in widths.stages[0].widths
    }
    assert protocols == {"steady-state"}
    assert staged(rounds(wide, goal="verdicts"), goal="verdicts").stages[0].widths == {}
    assert len(staged(rounds(goal="intervals", tier="smoke"), goal="intervals", tier="smoke").stages) == 1


def test_wanted_widths_do_not_change_what_is_measured(rounds, widths):
    """Rounds of stage one are kept when the half-width or the cap changes."""

    def nothing_wanted(data):
        del data["tiers"]["quick"]["max_rounds"]
        del data["tiers"]["quick"]["protocols"]["steady-state"]["half_width"]

    def larger_cap(data):
        data["tiers"]["quick"]["max_rounds"] = 20

    first = widths.full_plan[0].id
    assert rounds(larger_cap, goal="intervals")[0].id == first
    assert rounds(nothing_wanted, goal="intervals")[0].id == first


def test_a_record_has_the_number_of_interim_analyses_and_another_number_makes_other_rounds(rounds, current):
    assert current.full_plan[0].record()["looks"] == settings.LOOKS
    single = rounds(goal="intervals")[0]
    assert "looks" not in single.record()
    assert single.family != current.full_plan[0].family


def test_a_kit_has_no_interim_analyses(kofahi, registry):
    assert (settings.read({"goal": "intervals"}).looks, settings.read({}).looks) == (1, settings.LOOKS)
    experiments, chosen = {"kofahi2013": {**kofahi, "id": "kofahi2013"}}, settings.read({"goal": "verdicts"})
    packed = selection.kit_rounds(experiments, chosen, registry, selection.KIT_PROFILES)
    assert {round_.looks for round_ in packed} == {1}


HEAD = ",".join(stages.COLUMNS)


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}\nother,5,,,,,,,,,\n",
        f"{HEAD}\n{{cell}},-1,,,,,,,,,\n",
        f"{HEAD}\n{{cell}},5\n",
        f"{HEAD}\n{{cell}},5,9,8,,,,,,,\n",
        f"{HEAD}\n{{cell}},5,1,999,,,,,,,\n",
        f"{HEAD}\n{{cell}},5,,,,,,,,,\n{{cell}},5,,,,,,,,,\n",
        "cell,forks\n{cell},5\n",
        "hello\n{cell}\n",
    ],
)
@pytest.mark.parametrize("number", [1, 2])
def test_a_spoilt_file_of_any_stage_is_refused_in_one_line(current, number, text):
    stage = current.stages[number - 1]
    file = stage.file(family_of(current))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text.format(cell=two(current)[0][1]))
    with refused(f"stage-{number}.csv: must have the columns cell, forks", "; put it back"):
        stage.rounds()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"wanted_half_width_pct": 1}, r"half_width of 1 % and max_rounds 9, the experiment has 2 and 9"),
        ({"most_forks": 7}, r"half_width of 2 % and max_rounds 7, the experiment has 2 and 9"),
        ({"wanted_half_width_pct": "x"}, "half_width of nan %"),
    ],
)
def test_intervals_that_were_planned_for_other_wishes_are_refused(widths, change, words):
    write_widths(widths, **change)
    with pytest.raises(UserError, match=words):
        widths.stages[1].rounds()


def test_any_spoilt_stage_file_is_accepted_or_refused_in_one_line(widths):
    file = write_widths(widths)

    @mutations.few
    @given(mutations.text(file.read_text()))
    def spoil(text):
        mutations.accepted_or_refused(lambda: widths.stages[1].parse(family_of(widths), text), file.name)

    spoil()


def test_a_stage_file_that_is_no_utf8_is_refused(widths):
    write_widths(widths).write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="UTF-8"):
        widths.stages[1].rounds()


def test_a_stage_file_must_be_the_one_that_its_rounds_were_measured_by(current):
    one, other = two(current)
    give(current.stages[1], {one: 3})
    measured(current, 6, current.stages[1].rounds()[0].record())
    verified.verify_stages(current.stages, 0)
    give(current.stages[1], {one: 3, other: 3})
    with pytest.raises(UserError, match=r"stage-2\.csv: was changed after .*-06 was measured by it"):
        verified.verify_stages(current.stages, 0)
    current.stages[1].file(family_of(current)).unlink()
    with pytest.raises(UserError, match=r"stage-2\.csv: missing, though .*-06 was measured by it"):
        verified.verify_stage_files([current.folders.raw / f"{family_of(current)}-06"])


def test_a_round_that_no_stage_has_is_refused(widths):
    digest = sha256(write_widths(widths).read_bytes()).hexdigest()
    measured(widths, 12, {"stage": 2, "plan_sha256": digest})
    with pytest.raises(UserError, match=r"plans no .*-12, which is there"):
        verified.verify_stages(widths.stages, 0)


def test_a_round_of_stage_one_whose_number_a_later_stage_needs_is_refused(widths):
    write_widths(widths)
    measured(widths, 6, {"stage": 1, "plan_sha256": ""})
    with pytest.raises(UserError, match=r"-06: is of stage one, which has 5 rounds now"):
        verified.verify_stages(widths.stages, 0)


@pytest.mark.parametrize(
    ("words", "minutes", "planned", "stands"),
    [
        ("planned", 9, True, True),
        ("planned", 9, False, False),
        ("nothing open", 0, False, True),
        ("out of time after 9", 9, False, True),
        ("out of time after 9", 8.5, False, True),
        ("out of time after 9", 10, False, False),
        ("out of time after 9", 0, False, False),
        ("", 9, False, False),
    ],
)
def test_a_stage_is_planned_again_only_with_more_minutes_or_without_its_files(current, words, minutes, planned, stands):
    current.stages[1].mark(words)
    if planned:
        give(current.stages[1], {two(current)[0]: 3})
    assert current.stages[1].stands(minutes) is stands


def test_a_stamp_keeps_how_many_verdicts_were_decided(current):
    stage = current.stages[1]
    assert (stage.words, stage.verdicts) == ("", "")
    stage.mark(stages.PLANNED, "12 of 40 verdicts decided")
    assert (stage.words, stage.verdicts) == ("planned", "12 of 40 verdicts decided")
    stage.mark("nothing open")
    assert (stage.words, stage.verdicts) == ("nothing open", "")


class Checkpoints:
    """Stands for Snakemake's: every stage that is asked for is there already."""

    def __init__(self):
        self.asked, self.stage = [], self

    def get(self, run, stage):
        """Note what is asked for."""
        self.asked.append(stage)


def test_stages_are_asked_for_until_one_has_nothing_to_measure(current):
    give(current.stages[1], {two(current)[0]: 3})
    asked = Checkpoints()
    assert len(current.round_stamps(asked)) == 5 + 3
    assert asked.asked == [2, 3]
    before_third = Checkpoints()
    assert len(current.round_stamps(before_third, before=3)) == 5 + 3
    assert before_third.asked == [2]


def test_stages_are_asked_for_again_from_the_first_on_that_nothing_has_ended(current):
    def asked():
        stages.write_requests(current.stages, 9, [])
        contents = [stage.request.read_text() if stage.request.is_file() else None for stage in current.stages]
        return [n for n, (now, then) in enumerate(zip(contents, before, strict=True), start=1) if now != then], contents

    before = [None] * len(current.stages)
    numbers, before = asked()
    assert numbers == [2, 3, 4, 5, 6, 7, 8, 9]
    give(current.stages[1], {two(current)[0]: 3})
    current.stages[1].mark(stages.PLANNED)
    numbers, before = asked()
    assert numbers == [3, 4, 5, 6, 7, 8, 9]
    current.stages[2].mark("out of time after 9")
    verified.verify_stages(current.stages, 9)
    assert asked()[0] == []
    verified.verify_stages(current.stages, 20)
    assert asked()[0] == [3, 4, 5, 6, 7, 8, 9]


def test_rounds_whose_time_does_not_count_are_those_of_the_last_request(current):
    assert stages.read_uncounted(current.stages) == []
    stages.write_requests(current.stages, 9, ["a/b/c"])
    assert stages.read_uncounted(current.stages) == ["a/b/c"]


@pytest.mark.parametrize(("minutes", "repeat", "kept"), [(9, False, 3), (20, False, 1), (9, True, 0)])
def test_more_minutes_or_disturbed_rounds_forget_that_a_stage_had_no_time_and_those_after_it(
    current, minutes, repeat, kept
):
    for stage, words in zip(current.stages[1:4], ("nothing open", "out of time after 9", "nothing open"), strict=True):
        stage.mark(words)
    verified.verify_stages(current.stages, minutes, repeat)
    assert [stage.stamp.is_file() for stage in current.stages[1:4]] == [n < kept for n in range(3)]


def test_the_studies_want_widths_in_the_tier_that_plans_by_them(registry):
    for name in ("kofahi2013", "phenry2014", "stegerer2008"):
        experiment = definitions.read(Path(f"bench/experiments/{name}.yaml"), registry)
        tier = experiment["tiers"]["standard"]
        assert tier["max_rounds"] > tier["rounds"] > 5
        assert "max_rounds" not in experiment["tiers"]["quick"]
