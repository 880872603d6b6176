"""`--config only=...`: what a run measures of its experiments."""

import pytest

from jcarerun.errors import UserError
from jcarerun.plan import selection
from jcarerun.run import run


def cells(only, **config):
    planned = run.from_config(
        {"only": only, "experiments": ["stegerer2008-providers"], "calibration": False, "minutes": 0, **config}
    )
    return {
        (round_.environment, cell.workload, cell.provider, *cell.factors.values())
        for round_ in planned.first
        for cell in round_.cells
    }


def test_one_provider_and_one_jdk():
    found = cells(["provider:sunjce", "jdk:21"], tier="standard")
    assert {cell[2] for cell in found} == {"sunjce"} and {cell[0] for cell in found} == {"debian-13-temurin-21"}


def test_several_levels_of_a_key_add_up_and_those_of_a_factor_leave_other_workloads_alone():
    every, some = cells([], tier="standard"), cells(["digest:SHA-256,digest:SHA-512"], tier="standard")
    assert {cell for cell in every if cell[1] != "hash"} == {cell for cell in some if cell[1] != "hash"}
    assert {cell[3] for cell in some if cell[1] == "hash"} == {"SHA-256", "SHA-512"}


def test_workloads():
    found = {cell[1] for cell in cells("workload:hash", tier="standard")}
    assert found - {"programme"} == {"hash"}  # a programme has no operation but these


@pytest.mark.parametrize("protocol", ["as-published", "steady-state"])
def test_one_protocol(protocol):
    planned = run.from_config(
        {"only": f"protocol:{protocol}", "tier": "full", "experiments": ["ibm-jsse-suites"], "calibration": False}
    )
    assert {cell.protocol for round_ in planned.first for cell in round_.cells} == {protocol}


def test_experiments_without_any_of_it_are_left_out():
    planned = run.from_config(
        {"only": ["provider:gnu-crypto-2.0.1"], "tier": "full", "calibration": False, "minutes": 0}
    )
    assert {round_.experiment for round_ in planned.first} and all(
        cell.provider == "gnu-crypto-2.0.1" for round_ in planned.first for cell in round_.cells
    )


@pytest.mark.parametrize(
    ("only", "words"),
    [
        ("sunjce", "must be a key and a level"),
        ("provder:sunjce", "did you mean 'provider'"),
        ("provider:sunjca", "did you mean 'sunjce'"),
        ("jdk:99", "has no such level of jdk"),
        ("digest:SHA-1,workload:encrypt,digest:SHA-256", None),
    ],
)
def test_what_there_is_not_is_refused(only, words):
    if words is None:
        assert cells(only, tier="standard")
    else:
        with pytest.raises(UserError, match=words):
            cells(only)


def test_nothing_left_is_refused():
    with pytest.raises(UserError, match="no experiment has all of that"):
        cells("provider:sunjsse,cipher:AES", tier="full", experiments=["kofahi2013", "ibm-jsse"])


def test_words_are_read():
    assert selection.parse(["a:b", "a:c,d:e"]) == {"a": ["b", "c"], "d": ["e"]}
