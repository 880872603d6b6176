"""Programmes: one fork repeats many operations, and each of them is compared as a cell with forks of its own would be."""

from pathlib import Path

import pytest

from jcarerun.plan import cells, claim_pairs, claim_resolver, definitions, plan, settings
from jcarerun.plan.environments import EnvironmentWords, described

STEGERER = ["stegerer2008", "stegerer2008-providers", "stegerer2008-native"]


@pytest.fixture(scope="module", params=STEGERER)
def experiment(request, registry):
    return definitions.read(Path(f"bench/experiments/{request.param}.yaml"), registry)


@pytest.fixture(scope="module")
def rounds(experiment, registry):
    return plan.rounds({experiment["id"]: experiment}, settings.read({"tier": "quick"}), registry)


def test_a_provider_in_java_has_one_fork_for_all_operations_and_a_native_one_has_one_for_each(rounds, registry):
    published = [cell for cell in rounds[0].cells if cell.protocol == "as-published"]
    java = [cell for cell in published if not registry.providers[cell.provider].native]
    assert len(java) == len({(cell.provider, cell.cpu_profile) for cell in java})
    assert {(cell.workload, cell.mode, cell.iterations) for cell in java} == {("programme", "single-shot", 1)}
    for cell in published:
        if cell not in java:
            assert (cell.mode, cell.iterations) == ("average-time", 1)
            assert cell.iteration_ms > 1
            assert cell.least_times > 1
            assert f"-Djcarerun.least-times={cell.least_times}" in cell.jmh_arguments([])


def test_each_operation_of_a_programme_is_a_cell_to_claims(experiment, rounds, registry):
    words = EnvironmentWords(described(registry.catalogue))
    planned = claim_pairs.planned_cells(rounds, words)
    rows = claim_resolver.resolve([experiment], registry.forms, words, planned)
    ids = {cell.id for round_ in rounds for cell in round_.cells}
    operations = {cell for row in rows if not row.lacking for _, cell in row.cells} - ids
    assert operations
    assert {cells.programme_cell(cell) for cell in operations} <= ids


def test_an_operation_is_found_by_its_name(experiment):
    for workload, entry in experiment["workloads"].items():
        levels = {name: list(experiment["factors"][name])[-1] for name in entry.get("factors", [])}
        name = cells.operation_name(workload, levels.values())
        assert cells.operation_levels(experiment, name) == (workload, levels)
    assert cells.operation_levels(experiment, "guess--AES") is None
