"""What a kit sent back, made without measuring, and a run that may take it in."""

import pytest

from bench.kit import import_kit
from bench.run import container, run
from bench.tests import kit_results
from bench.tests.import_kit.importing import planned_run


@pytest.fixture
def current(world, tmp_path, monkeypatch):
    """A run of the self-test whose raw directory and jar are the test's own."""
    jar = tmp_path / "benchmarks.jar"
    jar.write_bytes(b"jar")
    monkeypatch.setattr(container, "JAR", jar)
    for module in (run, import_kit):
        monkeypatch.setattr(module, "RAW", tmp_path / "raw")
    return planned_run(world)


@pytest.fixture
def rounds(current, tmp_path):
    """The two rounds of the kit, measured so to say."""
    return [kit_results.make(tmp_path / "back", one, current.world) for one in current.kit_rounds()]


@pytest.fixture
def back(rounds, tmp_path):
    return tmp_path / "back"
