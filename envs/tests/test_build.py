"""Builds for real: the same bytes from the same packages on any day, without network from the cache, whole or not at all."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from envs.tests import checkout
from jcarerun.images import catalogue, image, rootfs

pytestmark = pytest.mark.containers

POOL = Path("envs/cache/debs")
SMOKE = "debian-12-temurin-17"
BUILDER = (sys.executable, "-m", "jcarerun", "images")


def recorded(path):
    """What there is of a root file system, as a lock of it would say."""
    return json.loads(path.with_suffix(".json").read_text())


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    return checkout.make(tmp_path_factory.mktemp("build") / "checkout")


def unplugged(*command):
    """The command without any network; a user who may not ask for that gets a proxy that does not answer."""
    if os.getuid() == 0:
        return ("unshare", "--net", *command)
    return ("env", "http_proxy=http://127.0.0.1:9", "https_proxy=http://127.0.0.1:9", *command)


@pytest.mark.parametrize("name", ["debian-11-temurin-21", "debian-sid-openjdk-8"])
def test_two_builds_are_the_same_bytes(tmp_path, name):
    environment = catalogue.read().find(name)
    tar = image.rootfs_tar(environment)
    before = recorded(tar) if tar.exists() else rootfs.build(environment, tmp_path / "first/x.tar", POOL)
    again = rootfs.build(environment, tmp_path / "again/x.tar", POOL, before)
    assert (again["sha256"], again["source"]) == (before["sha256"], "cache")


def test_second_build_needs_no_network_and_gives_the_same_image(scratch):
    built = json.loads((scratch.path / f"envs/build/{SMOKE}/environment.json").read_text())
    for folder in ("envs/build/rootfs/debian-12.tar", f"envs/build/{SMOKE}/environment.json"):
        (scratch.path / folder).unlink()
    for command in (("rootfs", "debian-12"), ("image", SMOKE)):
        run = scratch.run(*unplugged(*BUILDER, *command))
        assert run.returncode == 0, run.stderr
    again = json.loads((scratch.path / f"envs/build/{SMOKE}/environment.json").read_text())
    assert again["image_id"] == built["image_id"]
    assert recorded(scratch.path / "envs/build/rootfs/debian-12.tar")["source"] == "cache"


def test_killed_build_leaves_nothing_that_is_taken_for_built(scratch, tmp_path):
    folder = scratch.path / "envs/build/rootfs"
    (folder / "debian-13.tar").unlink()
    around = scratch.environment(TMPDIR=str(tmp_path))
    process = subprocess.Popen([*BUILDER, "rootfs", "debian-13"], cwd=scratch.path, env=around, start_new_session=True)
    try:
        for _ in range(600):
            if (folder / "debian-13.part.tar").exists() or process.poll() is not None:
                break
            time.sleep(0.1)
        assert process.poll() is None, "the build ended before it could be killed"
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert not (folder / "debian-13.tar").exists()
    run = scratch.run(*BUILDER, "image", "debian-13-temurin-21")
    assert (run.returncode, run.stderr.count("\n")) == (2, 1) and "not built" in run.stderr


def test_drift_is_shown_and_strict_refuses_it(scratch):
    path = scratch.path / f"envs/locks/{SMOKE}.json"
    whole = path.read_text()
    locked = json.loads(whole)
    locked["packages"][0]["version"] = "0.1"
    path.write_text(json.dumps(locked))
    record = scratch.path / f"envs/build/{SMOKE}/environment.json"
    try:
        run = scratch.run(*BUILDER, "image", SMOKE)
        name = locked["packages"][0]["name"]
        assert run.returncode == 0 and f"drift: {SMOKE}: {name}: locked 0.1" in run.stderr
        assert json.loads(record.read_text())["drift"][0]["package"] == name
        run = scratch.run(*BUILDER, "image", "--strict", SMOKE)
        assert (run.returncode, run.stderr.count("\n")) == (2, 1)
        assert all(word in run.stderr for word in (name, "locked 0.1", "found", "make lock"))
        assert not record.exists()
    finally:
        path.write_text(whole)
    run = scratch.run(*BUILDER, "image", "--strict", SMOKE)
    assert run.returncode == 0, run.stderr
