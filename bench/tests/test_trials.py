"""The trials: what is handed to plain JMH, how rounds are dealt between its forks, and that a trial goes on where it was."""

import csv
import gzip
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from jcarerun.run.run import from_config
from jcarerun.trials import methods


def _current(tier="quick", trial="trial"):
    return from_config(methods.configuration(tier, trial))


@pytest.mark.parametrize(("trial", "cells"), [("trial", 6), ("pairs", 208)])
def test_a_trial_has_so_many_cells_in_ten_rounds_of_one_environment(trial, cells):
    rounds = _current("standard", trial).first
    assert {len(round_.cells) for round_ in rounds} == {cells}
    assert {round_.environment for round_ in rounds} == {"debian-13-temurin-21"}
    assert len(rounds) == 10


def test_a_trials_plain_arm_is_kept_by_the_pipelines_rounds_so_that_both_are_of_one_jar():
    quick, standard = _current(), _current("standard")
    assert methods.folder_of("fidelity", quick).name == quick.first[0].family
    assert methods.folder_of("fidelity", quick) != methods.folder_of("fidelity", standard)


def test_plain_jmh_gets_the_cells_arguments_with_lengths_of_its_own():
    current = _current()
    cell = current.rounds[0].cells[0]
    argv = methods.plain_arguments(current, cell, methods.DEFAULT_LENGTHS)
    assert argv.count("-wi") == argv.count("-i") == argv.count("-r") == 1
    assert argv[-len(methods.DEFAULT_LENGTHS) :] == methods.DEFAULT_LENGTHS
    assert argv[0] == f"^{cell.benchmark.replace('.', chr(92) + '.')}$"
    assert {"-Xmx512m", "-Djcarerun.provider.sunjce=SunJCE"} <= set(argv)


def test_plain_jmhs_forks_of_the_fidelity_trial_are_a_minute_long_and_more_and_not_warmed_up_by_count():
    current = _current("smoke", "fidelity")
    for cell in current.rounds[0].cells:
        lengths = methods.fidelity_lengths(cell)
        options = dict(zip(lengths[::2], lengths[1::2], strict=True))
        assert options["-w"] == options["-r"] == "1s"
        assert int(options["-wi"]) + int(options["-i"]) >= (150 if "aes-cbc:10-mb" in cell.id else 60)
        assert cell.warm_calls > 0
        assert not any("warm-calls" in word for word in methods.plain_arguments(current, cell, lengths))


def test_fidelity_is_asked_where_it_hurts():
    cells = _current("smoke", "fidelity").rounds[0].cells
    ciphers = {(cell.workload, *cell.factors.values()) for cell in cells if "cipher" in cell.factors}
    assert len(ciphers) == 16
    assert {"hash", "public-encrypt", "public-decrypt", "handshake"} <= {cell.workload for cell in cells}


@pytest.mark.parametrize("trial", [name for name, run in methods.TRIALS.items() if run is methods.compare_with_theirs])
def test_ours_and_the_openjdks_are_the_same_operations_in_the_same_places(trial):
    folder = methods.TRIALS_FOLDER / trial
    ours, theirs = (yaml.safe_load((folder / f"{name}.yaml").read_text()) for name in ("ours", "theirs"))
    assert ours["workloads"].keys() == theirs["workloads"].keys()
    assert ours["tiers"] == theirs["tiers"]


def test_two_rounds_of_the_pipeline_stand_against_a_fork_of_plain_jmh():
    rounds = [SimpleNamespace(number=number) for number in (4, 2, 3, 1)]
    assert [[round_.number for round_ in block] for block in methods.blocks(rounds)] == [[1, 2], [3, 4]]
    assert f"fidelity_rounds <- {methods.ROUNDS_A_BLOCK}L\n" in Path("analysis/R/trials.R").read_text()


def test_plain_jmhs_record_has_the_flags_of_the_pipelines_own():
    java = Path("bench/jmh/src/main/java/jcarerun/probe/LogFlags.java").read_text().partition("compilations(")[2]
    flags = [option.partition("=")[0] for option in methods.LOG_ARGUMENTS[1::2]]
    assert re.findall(r'"(-XX:[^"=]+)', java) == flags


# A round whose forks were compiled when they ended.
SAMPLE = Path("data/sample/calibration/debian-13-temurin-21/standard-e0620b61-01")


def _trial_with_a_log(folder):
    """A trial's folder as plain JMH leaves it, one of its two forks with a log, which a real fork left; that fork's samples."""
    (folder / "plain.csv").write_text("cell,block,file,wall_s\na,1,a-01.json,60\nb,1,b-01.json,60\n")
    for name in "ab":
        (folder / f"{name}-01.json").write_text('[{"primaryMetric": {"score": 80000.0}}]')
    shutil.copy(SAMPLE / "jit/001.log.gz", folder / "a-01.log.gz")
    return SAMPLE / "jit/001.stacks"


def test_a_plain_forks_log_says_when_its_operation_was_compiled(tmp_path):
    stacks = _trial_with_a_log(tmp_path)
    with (SAMPLE / "compilations.csv").open() as rows:
        last = max(int(row["uptime_ms"]) for row in csv.DictReader(rows) if row["fork"] == "1") / 1000
    for warm_s, in_time in ((last, "yes"), (last - 0.001, "no")):
        methods.write_compiled(tmp_path, {"a": stacks}, {"a": warm_s})
        assert (tmp_path / "compiled.csv").read_text().splitlines()[1:] == [f"a,1,{last:.3f},{in_time}"]


def test_a_plain_fork_that_ends_before_its_code_is_compiled_has_no_such_time(tmp_path):
    stacks = _trial_with_a_log(tmp_path)
    with gzip.open(SAMPLE / "jit/001.log.gz", "rt", encoding="latin-1") as log:
        early = [line for line in log if not re.match(r"\s*\d+\s+\d+\s.{5,8}4\s", line)]
    (tmp_path / "a-01.log.gz").write_bytes(gzip.compress("".join(early).encode("latin-1")))
    methods.write_compiled(tmp_path, {"a": stacks}, {"a": 45})
    assert (tmp_path / "compiled.csv").read_text().splitlines()[1:] == ["a,1,,no"]


def test_rounds_are_dealt_in_order_evenly_and_none_is_lost():
    rounds = [SimpleNamespace(number=number) for number in range(5, 0, -1)]
    for count, expected in ((2, [[1, 2], [3, 4, 5]]), (7, [[], [1], [2], [], [3], [4], [5]])):
        assert [[round_.number for round_ in place] for place in methods.split_evenly(rounds, count)] == expected
    assert methods.split_evenly([], 3) == [[], [], []]


def test_a_fork_that_was_run_is_not_run_again(tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(methods, "plain_fork", lambda *arguments: ran.append(arguments[2].id) or 1.5)
    cell = SimpleNamespace(id="hash:md5")
    for block in (1, 1, 2):
        methods.run_plain(tmp_path, None, "e", cell, block, [])
    assert ran == ["hash:md5", "hash:md5"]
    assert (tmp_path / "plain.csv").read_text().splitlines()[1:] == [
        "hash:md5,1,hash_md5-01.json,1.500",
        "hash:md5,2,hash_md5-02.json,1.500",
    ]


def test_rounds_take_as_long_on_nodes_as_the_last_of_them():
    """Worked by hand: 3 and 5 and 2 begin at once on three nodes, 4 where the 2 ended, 1 where the 3 did."""
    assert methods.schedule_s([3, 5, 2, 4, 1], 1) == 15
    assert methods.schedule_s([3, 5, 2, 4, 1], 3) == 6
