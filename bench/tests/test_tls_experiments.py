"""The TLS experiments: threads of a workload, the cost of a set-up in the plan, and files that only some forks leave."""

from pathlib import Path

import pytest

from bench.plan import cells, definitions
from bench.rounds import check


def of(world, name, tier):
    experiment = definitions.read(Path(f"bench/experiments/{name}.yaml"), world)
    return cells.cells(experiment, tier, ["native"], world)


def test_a_workload_may_have_several_threads(world):
    found = {cell.workload: cell.jmh_arguments([]) for cell in of(world, "ibm-jsse", "standard")}
    threads = {name: words[words.index("-t") + 1] for name, words in found.items()}
    assert threads == {"handshake": "1", "provider": "1", "payload": "1", "four-at-once": "4"}


def test_a_providers_cells_are_those_it_can_have(world):
    found = of(world, "ibm-jsse", "full")
    for provider in ("conscrypt-2.8.0", "bouncycastle-jsse-1.84"):
        assert {cell.workload for cell in found if cell.provider == provider} == {"provider"}


def test_the_quick_tier_measures_for_about_ninety_seconds(world):
    measured = 0
    for name in ("ibm-jsse", "ibm-jsse-suites"):
        measured += sum(5 * cell.iterations * cell.iteration_ms / 1000 for cell in of(world, name, "quick"))
    assert measured <= 90


def test_the_set_up_of_a_fork_is_in_the_plan(world):
    cell = of(world, "ibm-jsse", "quick")[0]
    assert cell.expected_s == pytest.approx(cells.FORK_S + cells.WARM_S + 1.5 + 1.2)


@pytest.mark.parametrize("name", ["observations.csv", "gc/001-server.log", "jmh/012-frozen.txt", "tls/rsa-2048.p12"])
def test_files_that_only_some_forks_leave_are_no_strangers_in_a_round(name):
    assert check._OF_SOME.fullmatch(name)
    assert not check._OF_SOME.fullmatch(name + "x")
