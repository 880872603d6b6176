"""What the tests of the plan and the rounds share: the checkout's own world, and small experiments made from it."""

from pathlib import Path

import pytest
import yaml

from bench.harness import definitions, plan, providers, settings
from envs.builder import catalogue

EXPERIMENTS = Path("bench/experiments")


@pytest.fixture(scope="session")
def world():
    return definitions.world(providers.read(), catalogue.read())


@pytest.fixture
def kofahi():
    return yaml.safe_load((EXPERIMENTS / "kofahi2013.yaml").read_text())


@pytest.fixture
def write(tmp_path):
    """Writes a dict as an experiment file and gives its path."""

    def write(data, name="kofahi2013"):
        file = tmp_path / f"{name}.yaml"
        file.write_text(yaml.safe_dump(data, sort_keys=False))
        return file

    return write


@pytest.fixture
def rounds(world, kofahi, write):
    """Plans the rounds of kofahi2013 under a configuration, after a change of its file."""
    here = world

    def planned(change=lambda data: None, sources="s", world=here, **config):
        change(kofahi)
        experiments = {"kofahi2013": definitions.read(write(kofahi), world)}
        return plan.rounds(experiments, settings.read(config), world, sources)

    return planned
