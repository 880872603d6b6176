"""The TLS experiments: threads of a workload, the cost of a set-up in the plan, and files that only some forks leave."""

from pathlib import Path

import pytest

from jcarerun.plan import cells, definitions
from jcarerun.rounds import validate


def of(registry, name, tier):
    experiment = definitions.read(Path(f"bench/experiments/{name}.yaml"), registry)
    return cells.cells(experiment, tier, ["native"], registry)


def test_a_workload_may_have_several_threads(registry):
    found = {cell.workload: cell.jmh_arguments([]) for cell in of(registry, "ibm-jsse", "standard")}
    threads = {name: words[words.index("-t") + 1] for name, words in found.items()}
    assert threads == {"log-on": "1", "log-on-four": "4", "provider": "1", "payload": "1"}


def test_a_providers_cells_are_those_it_can_have(registry):
    found = of(registry, "ibm-jsse", "standard")
    for provider in ("conscrypt-2.8.0", "bouncycastle-jsse-1.84"):
        assert {cell.workload for cell in found if cell.provider == provider} == {"provider"}


def test_the_quick_tier_measures_for_about_ninety_seconds(registry):
    measured = 0
    for name in ("ibm-jsse", "ibm-jsse-suites"):
        measured += sum(5 * cell.iterations * cell.iteration_ms / 1000 for cell in of(registry, name, "quick"))
    assert measured <= 90


def fork(registry, name, tier, protocol, workload):
    """A cell's expected seconds of warm-up, and the options by which it warms up."""
    cell = next(cell for cell in of(registry, name, tier) if (cell.protocol, cell.workload) == (protocol, workload))
    return round(cell.warm_s, 3), [word for word in cell.jmh_arguments([]) if "warm" in word]


CALLS, MOST = "-Djcarerun.warm-calls=100000", "-Djcarerun.warm-ms=60000"


@pytest.mark.parametrize(
    "tier, protocol, warm_s, options",
    [
        ("quick", "steady-state", 3, [CALLS]),
        ("standard", "steady-state", 60, [CALLS, MOST]),
        ("standard", "as-published", 0, []),
    ],
)
def test_a_fork_that_measures_for_long_warms_up_for_as_long_as_it_may_and_the_plan_says_so(
    registry, tier, protocol, warm_s, options
):
    assert fork(registry, "ibm-jsse", tier, protocol, "log-on") == (warm_s, options)


def test_single_shots_are_warmed_up_where_their_workload_says_how_and_their_protocol_is_not_cold(registry):
    calls = "-Djcarerun.warm-calls=6000"
    assert fork(registry, "phenry2014-jetty", "standard", "as-published", "load")[1] == []
    assert fork(registry, "phenry2014-jetty", "standard", "steady-state", "load")[1] == [
        calls,
        "-Djcarerun.warm-ms=8000",
    ]
    assert fork(registry, "phenry2014-tls", "standard", "steady-state", "request")[1] == []


@pytest.mark.parametrize("name", ["ibm-jsse", "ibm-jsse-suites"])
def test_a_side_of_a_log_on_has_a_cpu_of_its_own_in_every_cell(registry, name):
    assert {cell.params["cpus"] for cell in of(registry, name, "full")} == {"own"}


def test_utilisation_is_judged_where_no_side_is_busy_all_the_time(registry):
    """The studies' machines had time left; a side that has none is as busy as any, whatever a log-on costs it."""
    for name in ("ibm-jsse", "ibm-jsse-suites"):
        experiment = definitions.read(Path(f"bench/experiments/{name}.yaml"), registry)
        for claim in experiment["claims"].values():
            judged = claim.get("measures", [claim.get("measure")])
            if isinstance(claim.get("not_comparable"), str):
                assert "comparable_if" not in claim
            elif any("utilisation" in measure or measure == "server-per-client" for measure in judged):
                wanted = claim["comparable_if"]
                assert (wanted["measure"], wanted["cells"], wanted["below"]) == ("busier-utilisation", "any", 0.95)
            else:
                assert judged == ["throughput"] and "comparable_if" not in claim


@pytest.mark.parametrize("name", ["observations.csv", "gc/001-server.log", "jmh/012-frozen.txt", "tls/rsa-2048.p12"])
def test_files_that_only_some_forks_leave_are_no_strangers_in_a_round(name):
    assert validate.SOMETIMES_THERE.fullmatch(name)
    assert not validate.SOMETIMES_THERE.fullmatch(name + "x")
