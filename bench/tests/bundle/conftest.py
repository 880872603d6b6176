"""The bundle of the committed sample's report, made once for all tests of it, in a clone of its own."""

import pytest

from bench.tests.bundle.sealing import commit
from envs.tests import checkout as checkouts

RAW = "data/sample"


@pytest.fixture(scope="session")
def clone(sample_report, tmp_path_factory):
    """A scratch clone with the sample's report."""
    made = checkouts.copy(sample_report, tmp_path_factory.mktemp("clone") / "clone")
    assert made.run("git", "init", "--quiet").returncode == 0
    commit(made)
    return made


@pytest.fixture(scope="session")
def bundle(clone, tmp_path_factory):
    """The bundle of that report."""
    file = tmp_path_factory.mktemp("bundle") / "bundle.zip"
    run = clone.run("python", "-m", "jcarerun", "bundle", "--raw", RAW, "--out", str(file))
    assert run.returncode == 0, run.stderr[-3000:]
    assert "20 rounds" in run.stdout and "differ" not in run.stdout
    return file
