"""What a round is given, and its record."""

import csv
import json
from dataclasses import replace

import pytest

from bench.tests import made_up_round
from jcarerun.errors import UserError
from jcarerun.rounds import forks, record
from jcarerun.run import limits
from jcarerun.run.plan_rounds import inputs
from jcarerun.run.round_file import write_inputs


@pytest.fixture
def planned(rounds):
    return rounds(lambda data: data["tiers"]["smoke"].update(cpu_profiles=["native", "core2"]), tier="smoke")[0]


@pytest.fixture
def folder(tmp_path, planned, registry):
    """A round's files as its forks would leave them."""
    write_inputs(tmp_path, inputs(planned, registry, "/bench/providers", "linux"))
    made_up_round.write_outputs(tmp_path, again=(3,))
    return tmp_path


def test_the_record_says_of_which_stage_it_is(folder, planned):
    record.write(folder, replace(planned, stage=2, plan_sha256="ab").record(), {})
    found = json.loads((folder / "round.json").read_text())
    assert (found["schema"], found["stage"], found["plan_sha256"]) == (2, 2, "ab")


def test_the_forks_read_back_are_the_cells(folder, planned):
    found = forks.read(folder)
    for cell, fork in zip(planned.cells, found.values(), strict=True):
        assert (fork.cell, fork.benchmark, fork.iterations, fork.threads) == (
            cell.id,
            cell.benchmark,
            cell.iterations,
            cell.threads,
        )
        assert fork.params == {**cell.params, "provider": cell.provider}
        assert not fork.native


def test_cells_say_which_fork_is_which(folder, planned):
    with (folder / "cells.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["cell"] for row in rows] == [cell.id for cell in planned.cells]
    forks = [line.split("\t") for line in (folder / "forks.tsv").read_text().splitlines()]
    assert [int(words[0]) for words in forks] == list(range(1, len(planned.cells) + 1))
    assert all("provider=sunjce" in words for words in forks)


def arguments(folder):
    return [line.split("\t") for line in (folder / "forks.tsv").read_text().splitlines()]


def test_forks_carry_the_options_of_their_cpu_profile(folder, planned, registry):
    core2 = registry.cpu_profiles["core2"]
    assert {cell.cpu_profile for cell in planned.cells} == {"native", "core2"}
    for cell, words in zip(planned.cells, arguments(folder), strict=True):
        assert f"-Djcarerun.cpu-profile={cell.cpu_profile}" in words
        assert all((option in words) == (cell.cpu_profile == "core2") for option in core2.jvm_options)
        assert ("jvm/java-core2" in words) == (cell.cpu_profile == "core2")


def test_variables_are_set_by_a_script(folder, registry):
    script = folder / "jvm/java-core2"
    assert script.stat().st_mode & 0o777 == 0o755
    assert registry.cpu_profiles["core2"].variables["OPENSSL_ia32cap"] in script.read_text()
    assert not (folder / "jvm/java-native").exists()


def test_no_script_where_there_is_no_shell(tmp_path, planned, registry):
    write_inputs(tmp_path, inputs(planned, registry, "/bench/providers", "windows"))
    assert not (tmp_path / "jvm").exists()
    assert not [words for words in arguments(tmp_path) if "-jvm" in words]


def test_flags_that_must_be_off(folder, planned, registry):
    (folder / "jvm/flags-native.txt").write_text("bool UseAES = true {product}\n")
    (folder / "jvm/flags-core2.txt").write_text("bool UseAES = false {product}\n")
    forbidden = {name: registry.cpu_profiles[name].forbidden_flags for name in ("native", "core2")}
    used = limits.check_flags(folder, forbidden)
    assert used == {"native": {"UseAES": "true"}, "core2": {"UseAES": "false"}}
    (folder / "jvm/flags-core2.txt").write_text("bool UseAES = true {product}\n")
    with pytest.raises(UserError, match=r"flags-core2\.txt: UseAES=true: must be off in the CPU profile core2"):
        limits.check_flags(folder, forbidden)
    (folder / "jvm/flags-core2.txt").unlink()
    with pytest.raises(UserError, match=r"flags-core2\.txt: is missing"):
        limits.check_flags(folder, forbidden)
