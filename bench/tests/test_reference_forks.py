"""Reference forks: which cells have one, how long it is, and that another tier finds it again."""

import pytest

from bench.tests.csv_files import write_rows
from jcarerun.plan import reference_forks
from jcarerun.run import run, verdict_lines
from jcarerun.run.round_file import Schedule
from jcarerun.trials import reference_forks as command


def _run(**config):
    """A run that finds nothing measured, whatever there is in this checkout."""
    return run.from_config({"experiments": ["kofahi2013"], "results": "data/no-results", **config})


def _reference_forks(**config):
    return _run(**config).reference_forks()


def test_every_cell_that_looks_for_its_steady_state_has_a_reference_fork_of_its_own_that_nothing_warms_up():
    current = _run(tier="quick")
    sought = {
        (round_.environment, cell.id)
        for round_ in current.first
        for cell in round_.cells
        if cell.warmup == "steady-state" and round_.experiment == "kofahi2013"
    }
    found = [reference_fork for reference_fork, _ in current.reference_forks()]
    assert {(round_.environment, round_.cells[0].id) for round_ in found} == sought
    assert len(found) == len(sought)
    for round_ in found:
        (cell,) = round_.cells
        assert not any("warm-calls" in word for word in cell.jmh_arguments([]))
        assert cell.iteration_ms == 1000
        assert reference_forks.LEAST_S <= cell.iterations <= reference_forks.MOST_S
        assert round_.id.startswith("reference-")


def test_a_long_call_has_a_long_reference_fork():
    cells = [reference_fork.cells[0] for reference_fork, _ in _reference_forks(tier="full")]
    seconds = {cell.factors.get("size", ""): cell.iterations for cell in cells}
    assert seconds["10 MB"] == reference_forks.MOST_S
    assert seconds["100 KB"] <= seconds["1 MB"] <= seconds["10 MB"]


@pytest.mark.parametrize("experiment", ["kofahi2013", "ibm-jsse"])
def test_a_reference_fork_is_found_again_by_another_tier_and_by_no_other_flags(experiment):
    quick, standard = (
        {
            (round_.environment, round_.cells[0].id): round_.path
            for round_, _ in _reference_forks(tier=tier, minutes=0, experiments=[experiment])
        }
        for tier in ("quick", "standard")
    )
    both = quick.keys() & standard.keys()
    assert both
    assert all(quick[key] == standard[key] for key in both)
    flags = {"memory": 4096, "cpu_profiles": ["native"]}  # of core2 the memory is part
    other = {round_.path for round_, _ in _reference_forks(tier="quick", experiments=[experiment], **flags)}
    assert not other & set(quick.values())


def test_an_early_fork_is_the_same_fork_in_a_jvm_that_compiles_sooner():
    reference_fork, early_fork = _reference_forks(tier="quick")[0]
    assert early_fork.id.startswith("early-")
    assert early_fork.path != reference_fork.path
    words = early_fork.cells[0].jmh_arguments([])
    assert words[words.index(reference_forks.EARLY_OPTION) - 1] == "-jvmArgs"
    assert early_fork.cells[0].id == reference_fork.cells[0].id


def test_an_early_fork_of_jdk_8_which_lacks_the_option_has_its_thresholds_one_by_one():
    own = {}
    for _, early_fork in _reference_forks(tier="standard", minutes=0, experiments=["ibm-jsse", "ibm-jsse-suites"]):
        own.setdefault(early_fork.environment, early_fork.cells[0].jvm_options)
    for environment, options in own.items():
        old = environment.endswith("openjdk-8")
        assert (reference_forks.EARLY_OPTION in options) != old
        assert ("-XX:Tier4InvocationThreshold=100" in options) == old
    assert {True, False} == {environment.endswith("openjdk-8") for environment in own}


def test_this_machines_own_jvm_has_early_forks_too():
    found = _reference_forks(
        tier="smoke", engine="host", experiment_dir="bench/tests/experiments", experiments=["selftest"]
    )
    assert all(reference_forks.EARLY_OPTION in early_fork.cells[0].jvm_options for _, early_fork in found)
    assert found


def test_native_programs_and_the_calibration_have_no_reference_forks():
    found = _reference_forks(experiments=["stegerer2008-native"], tier="quick")
    assert found
    known = run.from_config({"experiments": ["stegerer2008-native"], "tier": "quick"}).registry.providers
    assert not any(known[round_.cells[0].provider].native for round_, _ in found)
    assert {round_.experiment for round_, _ in found} == {"stegerer2008-native"}


def test_a_verdict_waits_for_both_sides_of_its_ratios_where_its_times_are_not_settled(tmp_path):
    place = {"variant": "", "environment": "e", "image_id": "i", "machine_id": "m", "cpu_profile": "native"}
    verdicts = [
        {"experiment": "s", "claim": claim, "protocol": "steady-state", **place, "cause": cause}
        for claim, cause in (("C1", "warm-up unproven"), ("C2", "too wide"), ("C3", ""))
    ]
    contrasts = [
        verdict
        | {"numerator_environment": "e", "numerator_cell": top}
        | {"denominator_environment": below, "denominator_cell": cell}
        for verdict, top, below, cell in (
            (verdicts[0], "aes", "f", "des"),
            (verdicts[0], "rsa", "", ""),
            (verdicts[1], "md5", "e", "sha"),
            ({**verdicts[0], "protocol": "as-published"}, "cold", "e", "des"),
        )
    ]
    write_rows(tmp_path / "verdicts.csv", verdicts)
    write_rows(tmp_path / "contrasts.csv", contrasts)
    assert verdict_lines.waiting_cells(tmp_path) == {("s", "e", "aes"), ("s", "f", "des"), ("s", "e", "rsa")}


def test_the_command_knows_the_other_reference_forks_and_bounds_one_that_was_too_short(tmp_path, monkeypatch):
    """It gives their schedule to each job, which shows how many are left."""
    jobs = []
    monkeypatch.setattr(command, "RAW", tmp_path)
    monkeypatch.setattr(command, "round_file", lambda round_, *_: round_)
    monkeypatch.setattr(command.hot_path, "compiled_after_s", lambda folder: None)
    monkeypatch.setattr(command.run_round, "run", lambda round_, raw, allowed: jobs.append((round_, allowed.schedule)))
    current = _run(tier="quick")
    every = [reference_fork for reference_fork, _ in current.reference_forks()]
    command.measure(current, current.reference_forks()[0], every)
    assert jobs == [(every[0], Schedule(every)), (current.reference_forks()[0][1], Schedule())]


def test_a_cell_that_only_a_later_stage_has_gets_a_reference_fork_too(tmp_path):
    config = {"tier": "standard", "minutes": 20, "experiments": ["chromiak"], "results": str(tmp_path)}
    (tmp_path / "raw").mkdir()
    current = run.from_config(config)
    first = {cell.id for round_ in current.first for cell in round_.cells if round_.experiment == "chromiak"}
    family, cells = next(
        (round_.family_path, round_.cells) for round_ in current.full_plan if round_.experiment == "chromiak"
    )
    late = next(cell.id for cell in cells if cell.id not in first and cell.warmup == "steady-state")
    before = {reference_fork.cells[0].id for reference_fork, _ in current.reference_forks()}
    assert before and late not in before
    for stage, cells in ((1, first), (2, {late})):
        current.stages[stage - 1].write({(family, cell): {"forks": 2} for cell in cells})
    (tmp_path / "raw" / current.first[0].path).mkdir(parents=True)  # what has begun keeps its choice
    again = run.from_config(config)
    assert {reference_fork.cells[0].id for reference_fork, _ in again.reference_forks()} == before | {late}
