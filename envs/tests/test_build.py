"""A build from the same packages gives the same bytes, on any day."""

import json
from pathlib import Path

import pytest

from envs.builder import catalogue, image, rootfs

pytestmark = pytest.mark.containers


@pytest.mark.parametrize("name", ["debian-12-temurin-17", "debian-sid-openjdk-8"])
def test_two_builds_are_the_same_bytes(tmp_path, name):
    environment = catalogue.read().find(name)
    cache = Path("envs/cache/debs") / environment.rootfs
    first = rootfs.build(environment, tmp_path / "first/x.tar", cache)
    built = image.rootfs_tar(environment).with_suffix(".json")
    second = json.loads(built.read_text()) if built.exists() else None
    if second is None or second["packages"] != first["packages"]:
        second = rootfs.build(environment, tmp_path / "second/x.tar", cache)
    assert first["sha256"] == second["sha256"]
