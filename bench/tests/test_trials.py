"""The trials: what is handed to plain JMH, how rounds are dealt between its forks, and that a trial goes on where it was."""

from pathlib import Path
from types import SimpleNamespace

import yaml

from bench.trials import arms, efficiency, fidelity, micros


def _current(tier="quick", trial="trial"):
    return arms.read({**arms.configuration(tier), "experiments": [trial]})


def test_the_trials_experiment_has_six_cells_in_one_environment():
    rounds = _current("standard").first
    assert {len(one.cells) for one in rounds} == {6}
    assert {one.environment for one in rounds} == {"debian-13-temurin-21"}
    assert len(rounds) == 10


def test_a_trials_plain_arm_is_kept_by_the_pipelines_rounds_so_that_both_are_of_one_jar():
    quick, standard = _current(), _current("standard")
    assert arms.folder("fidelity", quick).name == quick.first[0].family
    assert arms.folder("fidelity", quick) != arms.folder("fidelity", standard)


def test_pairs_has_two_hundred_cells_of_two_times_five_forks():
    rounds = _current("standard", "pairs").rounds
    assert {len(one.cells) for one in rounds} == {208}
    assert len(rounds) == 10


def test_plain_jmh_gets_the_cells_arguments_with_lengths_of_its_own():
    current = _current()
    cell = current.rounds[0].cells[0]
    argv = arms._plain_arguments(current, cell, efficiency.LENGTHS)
    assert argv.count("-wi") == argv.count("-i") == argv.count("-r") == 1
    assert argv[-len(efficiency.LENGTHS) :] == efficiency.LENGTHS
    assert argv[0] == f"^{cell.benchmark.replace('.', chr(92) + '.')}$"
    assert {"-Xmx512m", "-Djcarerun.provider.sunjce=SunJCE"} <= set(argv)


def test_plain_jmhs_forks_of_the_fidelity_trial_are_a_minute_long_and_not_warmed_up_by_count():
    lengths = dict(zip(fidelity.LENGTHS[::2], fidelity.LENGTHS[1::2], strict=True))
    assert lengths["-w"] == lengths["-r"] == "1s"
    assert int(lengths["-wi"]) + int(lengths["-i"]) >= 60
    current = _current("smoke", "fidelity")
    for cell in current.rounds[0].cells:
        assert cell.warm_calls > 0
        assert not any("warm-calls" in word for word in arms._plain_arguments(current, cell, fidelity.LENGTHS))


def test_fidelity_is_asked_where_it_hurts():
    cells = _current("smoke", "fidelity").rounds[0].cells
    ciphers = {(cell.workload, *cell.factors.values()) for cell in cells if "cipher" in cell.factors}
    assert len(ciphers) == 16
    assert {"hash", "public-encrypt", "public-decrypt", "handshake"} <= {cell.workload for cell in cells}


def test_ours_and_the_openjdks_are_the_same_operations_in_the_same_places():
    ours, theirs = (yaml.safe_load(Path(micros.FOLDER, f"{name}.yaml").read_text()) for name in ("ours", "theirs"))
    assert ours["workloads"].keys() == theirs["workloads"].keys()
    assert ours["tiers"] == theirs["tiers"]


def test_three_rounds_of_the_pipeline_stand_against_a_fork_of_plain_jmh():
    rounds = [SimpleNamespace(number=number) for number in (4, 2, 3, 1, 6, 5)]
    assert [[one.number for one in block] for block in fidelity.blocks(rounds)] == [[1, 2, 3], [4, 5, 6]]


def test_rounds_are_dealt_in_order_evenly_and_none_is_lost():
    rounds = [SimpleNamespace(number=number) for number in range(5, 0, -1)]
    for count, expected in ((2, [[1, 2], [3, 4, 5]]), (7, [[], [1], [2], [], [3], [4], [5]])):
        assert [[one.number for one in place] for place in efficiency._dealt(rounds, count)] == expected
    assert efficiency._dealt([], 3) == [[], [], []]


def test_a_fork_that_was_run_is_not_run_again(tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(arms, "plain_fork", lambda *arguments: ran.append(arguments[2].id) or 1.5)
    cell = SimpleNamespace(id="hash:md5")
    arms.PlainArm(tmp_path).fork(None, "e", cell, 1, [])
    again = arms.PlainArm(tmp_path)
    again.fork(None, "e", cell, 1, [])
    again.fork(None, "e", cell, 2, [])
    assert ran == ["hash:md5", "hash:md5"]
    assert (tmp_path / "plain.csv").read_text().splitlines()[1:] == [
        "hash:md5,1,hash_md5-01.json,1.500",
        "hash:md5,2,hash_md5-02.json,1.500",
    ]
