"""What a run measures of its experiments: `--config only=...`, and the calibration beside them, in their environments."""

import pytest

from jcarerun.errors import UserError
from jcarerun.plan import definitions, plan, selection, settings
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


def test_one_workload():
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


@pytest.fixture
def planned(registry, kofahi, write):
    """The environments in which kofahi2013 in these environments has the calibration measured, and its cells."""

    def planned(environments, **config):
        kofahi["tiers"]["quick"]["environments"] = environments
        chosen = settings.read(config)
        experiments = {"kofahi2013": definitions.read(write(kofahi), registry)}
        every = plan.rounds(selection.add_calibration(experiments, chosen, registry), chosen, registry)
        own = [round_ for round_ in every if round_.experiment == selection.CALIBRATION]
        return {round_.environment for round_ in own}, [cell for round_ in own for cell in round_.cells]

    return planned


def test_the_calibration_is_measured_where_its_tier_and_the_experiments_meet(planned):
    assert planned(["debian-12-temurin-17", "debian-13-temurin-21"])[0] == {"debian-13-temurin-21"}


def test_the_calibration_needs_no_environment_of_its_own(planned):
    assert planned(["debian-12-temurin-17", "debian-11-temurin-21"])[0] == {"debian-12-temurin-17"}


def test_twins_are_the_same_work_as_two_cells_and_the_effect_is_known(planned):
    _, cells = planned(["debian-13-temurin-21"])
    work = {cell.id: (cell.benchmark, cell.params) for cell in cells}
    assert work["md5:a:sunjce:steady-state:native"] == work["md5:b:sunjce:steady-state:native"]
    assert work["sha-256:a:sunjce:steady-state:native"] == work["sha-256:b:sunjce:steady-state:native"]
    more = work["sha-256:5-more:sunjce:steady-state:native"][1]
    assert int(more["bytes"]) / int(work["sha-256:a:sunjce:steady-state:native"][1]["bytes"]) == pytest.approx(1.05)
    assert all(len([cell for cell in cells if cell.id == name]) == 5 for name in work)


def test_the_calibration_can_be_left_out(planned):
    assert planned(["debian-13-temurin-21"], calibration=False) == (set(), [])


def test_no_experiment_may_be_called_calibration(registry):
    with pytest.raises(UserError, match=r"calibration\.yaml: .* has that name"):
        selection.add_calibration({"calibration": {}}, settings.read({}), registry)


def test_the_analysis_gets_the_calibration_beside_the_experiments(tmp_path):
    (tmp_path / "calibration/debian-13-temurin-21/quick-1").mkdir(parents=True)
    (tmp_path / "calibration/debian-13-temurin-21/quick-1/round.json").write_text('{"tier": "quick"}')
    (tmp_path / "kofahi2013/debian-13-temurin-21/quick-1").mkdir(parents=True)
    (tmp_path / "kofahi2013/debian-13-temurin-21/quick-1/round.json").write_text('{"tier": "quick"}')
    current = run.from_config({"raw": str(tmp_path)})
    assert [path.split("/")[0] for path in current.round_paths()] == ["calibration", "kofahi2013"]
    without = run.from_config({"raw": str(tmp_path), "calibration": False})
    assert [path.split("/")[0] for path in without.round_paths()] == ["kofahi2013"]
