"""Every cell names every parameter of its workload: a default in the Java sources would be a choice that no experiment states.

A kit's round is checked against its cells by that, too: JMH's result tells every parameter.
"""

from pathlib import Path

import pytest

from jcarerun.plan import cells, definitions

FILES = [
    Path("bench/calibration.yaml"),
    *sorted(Path("bench/experiments").glob("*.yaml")),
    *sorted(Path("bench/jcarerun/trials/experiments").glob("*.yaml")),
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_cell_names_every_parameter_of_its_workload(file, registry):
    found = cells.cells(definitions.read(file, registry), "full", ["native"], registry)
    assert found
    for cell in found:
        takes = registry.benchmarks[cell.benchmark.removeprefix("jcarerun.workload.")]
        assert {*cell.params, "provider"} == takes, cell.id
