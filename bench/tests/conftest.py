"""What the tests of the plan and the rounds share: the checkout's own registry, and small experiments made from it."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from bench.tests import selftest
from envs.tests import checkout as checkouts
from jcarerun.plan import definitions, plan, settings
from jcarerun.run import run
from jcarerun.support.files import exclusive

EXPERIMENTS = Path("bench/experiments")


@pytest.fixture(scope="session")
def registry():
    return definitions.registry()


@pytest.fixture(scope="session")
def selftest_made(tmp_path_factory):
    """A scratch checkout in which the smoke tier of the self-test ran, down to the PDF. For copying: no test changes it.

    Workers of pytest-xdist, whose directories lie in one, share it.
    """
    own = tmp_path_factory.getbasetemp()
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "selftest"
    with exclusive(shared):
        if not (shared / "checkout").exists():
            made = checkouts.make(shared / f"making-{os.getpid()}")
            run = made.snakemake(*selftest.CONFIG)
            assert run.returncode == 0, run.stderr[-3000:]
            made.path.rename(shared / "checkout")
    return checkouts.Checkout(shared / "checkout")


@pytest.fixture(scope="module")
def selftest_checkout(selftest_made, tmp_path_factory):
    """A copy of it for a module's tests, with its two rounds and the report."""
    return checkouts.copy(selftest_made, tmp_path_factory.mktemp("copy") / "checkout")


@pytest.fixture
def changed_yaml(tmp_path):
    """Writes a YAML file after a change of its content, and gives the new file's path."""

    def write(file, change):
        data = yaml.safe_load(file.read_text())
        change(data)
        changed = tmp_path / file.name
        changed.write_text(yaml.safe_dump(data))
        return changed

    return write


@pytest.fixture
def scratch_raw(tmp_path, monkeypatch):
    """A scratch directory in the place of this checkout's rounds."""
    monkeypatch.setattr(settings, "CHECKOUT_FOLDERS", replace(settings.CHECKOUT_FOLDERS, raw=tmp_path))
    return tmp_path


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
def rounds(registry, kofahi, write):
    """Plans the rounds of kofahi2013 under a configuration, after a change of its file."""
    here = registry

    def planned(change=lambda data: None, registry=here, **config):
        change(kofahi)
        experiments = {"kofahi2013": definitions.read(write(kofahi), registry)}
        return plan.rounds(experiments, settings.read(config), registry)

    return planned


@pytest.fixture
def staged(registry, kofahi, scratch_raw):
    """A run of kofahi2013 with these rounds and the stages that a configuration gives it; its raw directory is a scratch one."""

    def made(full_plan, uncounted=None, **config):
        chosen = settings.read({"minutes": 0, "calibration": False, **config})
        return run.staged(chosen, registry, {"kofahi2013": {**kofahi, "id": "kofahi2013"}}, full_plan, uncounted)

    return made


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    """Two SSH keys, of a signer and of a stranger, and the list of signers that has the first."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("own", "other"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", folder / name]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    signer = f'maintainers@example.org namespaces="jca-rerun" {(folder / "own.pub").read_text()}'
    (folder / "signers").write_text(signer)
    return folder / "own", folder / "other", folder / "signers"
