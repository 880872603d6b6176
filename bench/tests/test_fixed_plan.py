"""The full tier's plan: the same list on every machine, as many forks as a simulation says, within its minutes."""

import pytest

from jcarerun.plan import budget, demand, fixed_plan, scheduler, settings
from jcarerun.plan.claim_rows import PairRow, Stratum
from jcarerun.plan.settings import MOST_FORKS
from jcarerun.run import plan_stage, run

PART_MINUTES, ALL_MINUTES = 150, 720
STUDY = "phenry2014"


@pytest.fixture(scope="module")
def planned():
    """The full tier of one study."""
    return run.from_config({"tier": "full", "experiments": [STUDY]})


@pytest.fixture(scope="module")
def every():
    """The full tier of all studies."""
    return run.from_config({"tier": "full"})


def plan_of(*experiments):
    (plan,) = run.from_config(
        {"tier": "full", "experiments": list(experiments), "calibration": False}
    ).planner.fixed_plans
    return plan


def test_the_tier_is_a_fixed_list_that_is_looked_at_once(planned):
    assert planned.settings.goal == settings.FIXED
    assert planned.settings.looks == 1
    assert planned.stages[0].is_fixed


def test_a_fork_that_stays_disturbed_is_measured_again_in_a_later_stage(scratch_raw, monkeypatch):
    current = run.from_config({"tier": "full", "experiments": ["phenry2014-tls"], "calibration": False})
    cells = {scratch_raw / round_.path: [cell.id for cell in round_.cells] for round_ in current.first}
    for folder in cells:
        folder.mkdir(parents=True)
    scheduler.keep_first(current.stages[0])
    broken = current.first[0]
    cell = broken.cells[0].id
    monkeypatch.setattr(
        plan_stage.interference,
        "undisturbed_cells",
        lambda folder: {name: (folder, name) != (scratch_raw / broken.path, cell) for name in cells[folder]},
    )
    (wanted,) = plan_stage._unmeasured(current, scratch_raw, [])
    assert wanted.forks == {(broken.family_path, cell): 1}
    current.stages[1].write({key: {"forks": n} for key, n in wanted.forks.items()})
    (again,) = current.stages[1].rounds()
    assert [each.id for each in again.cells] == [cell]
    assert again.number > max(round_.number for round_ in current.first if round_.family_path == broken.family_path)
    cells[scratch_raw / again.path] = [cell]
    (scratch_raw / again.path).mkdir()
    assert plan_stage._unmeasured(current, scratch_raw, []) == []


def test_a_part_alone_has_the_rounds_that_it_has_among_all(planned, every):
    alone, among = (
        [
            (round_.path, [cell.id for cell in round_.cells])
            for round_ in current.first
            if round_.experiment.startswith(STUDY)
        ]
        for current in (planned, every)
    )
    assert alone == among


def test_every_planned_claim_has_its_cells_and_each_cell_its_forks(planned):
    for each in planned.planner.fixed_plans:
        for claim in (claim for claim in each.claims if claim.planned):
            assert fixed_plan.LEAST_FORKS <= claim.planned <= MOST_FORKS
            assert all(each.forks[key] >= claim.planned for key in claim.demand.forks)
        assert set(each.forks) == {key for claim in each.claims if claim.planned for key in claim.demand.forks}


def test_the_rounds_are_those_of_the_plan(planned):
    own = {key: n for key, n in scheduler.cell_forks(planned.first).items() if not key[0].startswith("calibration/")}
    assert own == {key: n for each in planned.planner.fixed_plans for key, n in each.forks.items()}


def test_of_variants_that_cost_the_same_the_one_that_the_experiment_file_has_first_is_planned():
    """Chromiak's study names no mode; ECB is what its names of ciphers meant."""
    plan = plan_of("chromiak")
    own = {claim.demand.name for claim in plan.claims if claim.planned}
    for claim in ("C2a", "C3", "C6"):
        assert any(name.startswith(f"chromiak {claim} ") and "mode=ECB" in name for name in own)


@pytest.fixture(scope="module")
def jdk_claims():
    return plan_of("jdk-claims", "-jdk-claims-today").claims


def test_a_claim_that_takes_more_forks_than_have_room_still_gets_an_interval(jdk_claims):
    short = [claim for claim in jdk_claims if claim.needed and not claim.is_beyond and 0 < claim.planned < claim.needed]
    assert short
    assert all(claim.planned >= fixed_plan.LEAST_FORKS for claim in short)


def test_what_a_claim_compares_in_no_other_environment_ranks_with_the_other_claims(jdk_claims):
    """J5 and J6 are about JDK 25 and later alone."""
    ranks = {}
    for claim in jdk_claims:
        ranks.setdefault(claim.demand.claim[1], set()).add(claim.demand.rank)
    assert demand.CLAIMS in ranks["J5"] & ranks["J6a"] & ranks["J8"]


def test_what_is_not_comparable_anyway_comes_after_what_can_be_decided():
    """I7 is about a cryptographic card, which is not here; I5 on warmed-up code can be decided."""
    plan = plan_of("ibm-jsse", "-ibm-jsse-suites")
    warm = [claim for claim in plan.claims if claim.demand.claim[2] == "steady-state"]
    assert any(claim.planned for claim in warm if claim.demand.claim[1] == "I5")
    card = [claim for claim in plan.claims if claim.demand.claim[1] == "I7a"]
    assert card and not any(claim.comparable or claim.planned > fixed_plan.LEAST_FORKS for claim in card)
    # Its number is shown as published; nothing is decided by more.
    assert any(claim.planned for claim in card if claim.demand.claim[2] == "as-published")
    assert all(claim.demand.rank > demand.CLAIMS for claim in card if claim.demand.claim[2] == "steady-state")


def test_each_part_ends_in_its_minutes(planned):
    for each in planned.planner.fixed_plans:
        assert 0 < each.seconds <= 60 * each.minutes


def test_parts_are_short_and_all_of_them_fit_into_half_a_day(every):
    minutes = [each.minutes for each in every.planner.fixed_plans]
    assert 0 < min(minutes) <= max(minutes) <= PART_MINUTES, "give the full tier of each experiment `minutes`"
    assert sum(round_.expected_s for round_ in every.first) <= 60 * ALL_MINUTES


def test_the_plan_is_shown_claim_by_claim_with_minutes(planned):
    (each,) = [plan for plan in planned.planner.fixed_plans if plan.experiment == STUDY]
    lines = each.summary()
    assert budget.format_duration(each.seconds) in lines[0]
    assert {tuple(line.split()[:2]) for line in lines[1:]} == {wanted.demand.claim[1:] for wanted in each.claims}


def row(lower, upper, numerator="one", denominator="two"):
    return PairRow(
        "study", "P1", "ratio-about", "wall", "", Stratum("here", "", "", "as-published", "native"), measure="wall",
        target_lower=lower, target_upper=upper, numerator_environment="here", numerator_cell=numerator,
        denominator_environment="here", denominator_cell=denominator,
    )  # fmt: skip


KNOWN = {("study", "here", "one", "wall"): (200.0, 0.02), ("study", "here", "two", "wall"): (100.0, 0.02)}


@pytest.mark.parametrize(
    ("target", "forks"),
    [((1.5, 3.0), 5), ((1.9, 4.0), 10), ((2.5, 9.0), 5), ((1.96, 4.0), 40)],
    ids=["well within", "near a limit", "well outside", "very near"],
)
def test_nearer_to_a_limit_it_takes_more_forks(target, forks):
    assert fixed_plan.of_claim([row(*target)], KNOWN) == pytest.approx(forks, abs=6)


def test_what_the_most_forks_cannot_decide_is_known_beforehand():
    needed = fixed_plan.of_claim([row(1.999, 4.0)], KNOWN)
    claim = fixed_plan.PlannedClaim(fixed_plan.CellDemand("study P1 as-published", {}), needed)
    assert claim.is_beyond
    assert needed > fixed_plan.FEASIBLE


def test_one_pair_refutes_and_all_pairs_support():
    far, near, outside = row(0.1, 9.0), row(1.9, 9.0), row(5.0, 9.0)
    assert fixed_plan.of_claim([far, near], KNOWN) == fixed_plan.of_claim([near], KNOWN)
    assert fixed_plan.of_claim([near, outside], KNOWN) == fixed_plan.of_claim([outside], KNOWN)


def test_nothing_is_said_of_cells_that_nobody_measured():
    assert fixed_plan.of_claim([row(0.1, 9.0, numerator="other")], KNOWN) is None


def test_the_forks_are_those_of_the_simulated_table():
    for distance, forks in fixed_plan._distances():
        assert fixed_plan.forks_needed(distance, 1.0) == forks
    wanted = [fixed_plan.forks_needed(distance / 100, 1.0) for distance in range(1, 500)]
    assert wanted == sorted(wanted, reverse=True)
