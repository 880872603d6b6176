"""The same image in Podman: the same id, and it runs."""

import shutil
from pathlib import Path

import pytest

from jcarerun.images import catalogue, image
from jcarerun.support import engine as engines

pytestmark = pytest.mark.containers


@pytest.mark.skipif(shutil.which("podman") is None, reason="podman is not installed")
def test_image_has_the_same_id_and_runs():
    smoke = catalogue.read().find("debian-12-temurin-17")
    built = image.ensure("docker", smoke, Path("envs/cache/jdks"))
    engines.require("podman")
    loaded = image.load("podman", smoke, Path("envs/cache/jdks"))["image_id"]
    assert loaded == built == engines.image_id("podman", built)
    status, words = engines.run_in("podman", built, ["java", "-version"])
    assert status == 0 and "17.0.9" in words
