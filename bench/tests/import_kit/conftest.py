"""What a kit sent back, made without measuring, and a run that may take it in."""

import pytest

from bench.tests import kit_results
from bench.tests.kit_results import planned_run
from jcarerun.run import container


@pytest.fixture
def current(registry, tmp_path, monkeypatch):
    """A run of the self-test whose raw directory and jar are the test's own."""
    jar = tmp_path / "benchmarks.jar"
    jar.write_bytes(b"jar")
    monkeypatch.setattr(container, "JAR", jar)
    return planned_run(registry, results=str(tmp_path))


@pytest.fixture
def rounds(current, tmp_path):
    """The two rounds of the kit, measured so to say."""
    return [kit_results.make(tmp_path / "back", round_, current.registry) for round_ in current.kit_rounds()]


@pytest.fixture
def back(rounds, tmp_path):
    return tmp_path / "back"
