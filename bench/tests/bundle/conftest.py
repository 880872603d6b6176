"""The committed sample's report and its bundle, made once for all tests of them, in a clone of its own."""

import pytest

from bench.tests.bundle.sealing import commit
from envs.tests import checkout as checkouts

RAW = "data/sample"


@pytest.fixture(scope="session")
def clone(tmp_path_factory):
    """A scratch clone with the sample's report."""
    made = checkouts.make(tmp_path_factory.mktemp("clone"), built=checkouts.LINKED)
    assert made.run("git", "init", "--quiet").returncode == 0
    commit(made)
    run = made.snakemake(f"raw={RAW}")
    assert run.returncode == 0, run.stderr[-3000:]
    return made


@pytest.fixture(scope="session")
def bundle(clone, tmp_path_factory):
    """The bundle of that report."""
    file = tmp_path_factory.mktemp("bundle") / "bundle.zip"
    run = clone.run("python", "-m", "jcarerun", "bundle", "--raw", RAW, "--out", str(file))
    assert run.returncode == 0, run.stderr[-3000:]
    assert "20 rounds" in run.stdout and "differ" not in run.stdout
    return file
