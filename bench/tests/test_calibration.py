"""The calibration: an experiment that runs beside those of the run, in their environments, and never among them."""

import pytest

from jcarerun.errors import UserError
from jcarerun.plan import definitions, plan, selection, settings
from jcarerun.run import run


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


def test_it_is_measured_where_its_tier_and_the_experiments_meet(planned):
    assert planned(["debian-12-temurin-17", "debian-13-temurin-21"])[0] == {"debian-13-temurin-21"}


def test_it_needs_no_environment_of_its_own(planned):
    assert planned(["debian-12-temurin-17", "debian-11-temurin-21"])[0] == {"debian-12-temurin-17"}


def test_twins_are_the_same_work_as_two_cells_and_the_effect_is_known(planned):
    _, cells = planned(["debian-13-temurin-21"])
    work = {cell.id: (cell.benchmark, cell.params) for cell in cells}
    assert work["md5:a:sunjce:steady-state:native"] == work["md5:b:sunjce:steady-state:native"]
    assert work["sha-256:a:sunjce:steady-state:native"] == work["sha-256:b:sunjce:steady-state:native"]
    more = work["sha-256:5-more:sunjce:steady-state:native"][1]
    assert int(more["bytes"]) / int(work["sha-256:a:sunjce:steady-state:native"][1]["bytes"]) == pytest.approx(1.05)
    assert all(len([cell for cell in cells if cell.id == name]) == 5 for name in work)


def test_it_can_be_left_out(planned):
    assert planned(["debian-13-temurin-21"], calibration=False) == (set(), [])


def test_no_experiment_may_have_its_name(registry):
    with pytest.raises(UserError, match=r"calibration\.yaml: .* has that name"):
        selection.add_calibration({"calibration": {}}, settings.read({}), registry)


def test_the_analysis_gets_it_beside_the_experiments(tmp_path):
    (tmp_path / "calibration/debian-13-temurin-21/quick-1").mkdir(parents=True)
    (tmp_path / "calibration/debian-13-temurin-21/quick-1/round.json").write_text('{"tier": "quick"}')
    (tmp_path / "kofahi2013/debian-13-temurin-21/quick-1").mkdir(parents=True)
    (tmp_path / "kofahi2013/debian-13-temurin-21/quick-1/round.json").write_text('{"tier": "quick"}')
    current = run.from_config({"raw": str(tmp_path)})
    assert [path.split("/")[0] for path in current.round_paths()] == ["calibration", "kofahi2013"]
    without = run.from_config({"raw": str(tmp_path), "calibration": False})
    assert [path.split("/")[0] for path in without.round_paths()] == ["kofahi2013"]
