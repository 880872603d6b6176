"""What a round must leave behind, and how a lack of it is named."""

import csv
import json
from dataclasses import replace

import pytest

from bench.plan import cpu_profiles, inputs
from bench.rounds import interference, outputs, record
from bench.tests import made_up_interference
from envs.support.errors import UserError


@pytest.fixture
def one(rounds):
    return rounds(lambda data: data["tiers"]["smoke"].update(cpu_profiles=["native", "core2"]), tier="smoke")[0]


@pytest.fixture
def folder(tmp_path, one, world):
    """A round's files as its forks would leave them."""
    (tmp_path / "jmh").mkdir()
    (tmp_path / "gc").mkdir()
    inputs.write_inputs(tmp_path, one, world.providers, world.cpu_profiles, "/bench/providers", "linux")
    rows = ["header"]
    made_up_interference.write(tmp_path, len(one.cells), again=(3,))
    for fork, cell in interference.forks(tmp_path, one.cells).items():
        result = [{"primaryMetric": {"rawData": [[1.0] * cell.iterations]}}]
        (tmp_path / f"jmh/{fork:03d}.json").write_text(json.dumps(result))
        (tmp_path / f"gc/{fork:03d}.log").write_text("log\n")
        rows += [f"{fork},{i}" for i in range(cell.iterations)]
    (tmp_path / "iterations.csv").write_text("\n".join(rows) + "\n")
    return tmp_path


def refusal(folder, one):
    with pytest.raises(UserError) as caught:
        outputs.check_outputs(folder, one.cells)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_whole(folder, one):
    outputs.check_outputs(folder, one.cells)


def test_forks_that_were_run_again_must_be_whole_too(folder, one):
    new = len(one.cells) + 1
    (folder / f"jmh/{new:03d}.json").write_text('[{"primaryMetric": {"rawData": [[1.0]]}}]')
    assert f"{new:03d}.json: 1 iterations of {one.cells[2].id}" in refusal(folder, one)
    (folder / f"jmh/{new:03d}.json").unlink()
    assert f"{new:03d}.json: no JMH result of fork {new}, {one.cells[2].id}" in refusal(folder, one)


def test_the_record_says_of_which_stage_it_is(folder, one):
    record.write(folder, replace(one, stage=2, plan_sha256="ab").record(), {})
    found = json.loads((folder / "round.json").read_text())
    assert (found["schema"], found["stage"], found["plan_sha256"]) == (2, 2, "ab")


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


def forks(folder):
    return [line.split("\t") for line in (folder / "forks.tsv").read_text().splitlines()]


def test_forks_carry_the_options_of_their_cpu_profile(folder, one, world):
    core2 = world.cpu_profiles["core2"]
    assert {cell.cpu_profile for cell in one.cells} == {"native", "core2"}
    for cell, words in zip(one.cells, forks(folder), strict=True):
        assert f"-Djcarerun.cpu-profile={cell.cpu_profile}" in words
        assert all((option in words) == (cell.cpu_profile == "core2") for option in core2.jvm_options)
        assert ("jvm/java-core2" in words) == (cell.cpu_profile == "core2")


def test_variables_are_set_by_a_script(folder, world):
    script = folder / "jvm/java-core2"
    assert script.stat().st_mode & 0o777 == 0o755
    assert world.cpu_profiles["core2"].variables["OPENSSL_ia32cap"] in script.read_text()
    assert not (folder / "jvm/java-native").exists()


def test_no_script_where_there_is_no_shell(tmp_path, one, world):
    inputs.write_inputs(tmp_path, one, world.providers, world.cpu_profiles, "/bench/providers", "windows")
    assert not (tmp_path / "jvm").exists()
    assert not [words for words in forks(tmp_path) if "-jvm" in words]


def test_flags_that_must_be_off(folder, one, world):
    (folder / "jvm/flags-native.txt").write_text("bool UseAES = true {product}\n")
    (folder / "jvm/flags-core2.txt").write_text("bool UseAES = false {product}\n")
    used = cpu_profiles.check_flags(folder, ["native", "core2"], world.cpu_profiles)
    assert used == {"native": {"UseAES": "true"}, "core2": {"UseAES": "false"}}
    (folder / "jvm/flags-core2.txt").write_text("bool UseAES = true {product}\n")
    with pytest.raises(UserError, match=r"flags-core2\.txt: UseAES=true: must be off in the CPU profile core2"):
        cpu_profiles.check_flags(folder, ["native", "core2"], world.cpu_profiles)
    (folder / "jvm/flags-core2.txt").unlink()
    with pytest.raises(UserError, match=r"flags-core2\.txt: is missing"):
        cpu_profiles.check_flags(folder, ["native", "core2"], world.cpu_profiles)
