"""A JDK from a tarball, as for releases that no package index carries: in an image, and run there."""

import dataclasses
import hashlib
import subprocess
import tarfile
from pathlib import Path

import pytest

from jcarerun.images import catalogue, image, jdk
from jcarerun.images.catalogue import Jdk
from jcarerun.support import engine as engines

pytestmark = pytest.mark.containers


def test_java_of_a_tarball_runs(tmp_path):
    smoke = catalogue.read().find("debian-12-temurin-17")
    jdk.write_layer(smoke.jdk, jdk.fetch(smoke.jdk, Path("envs/cache/jdks")), "linux", tmp_path / "layer.tar")
    with tarfile.open(tmp_path / "layer.tar") as tar:
        tar.extractall(tmp_path, filter="tar")
    ball = tmp_path / "jdk-17.tar.gz"
    command = ["tar", "-C", str(tmp_path / "opt"), "--transform=s/^jdk/jdk-17.0.9/", "-czf", str(ball), "jdk"]
    subprocess.run(command, check=True)
    packed = Jdk("packed", "Packed", 17, tarball=ball.as_uri(), sha256=hashlib.sha256(ball.read_bytes()).hexdigest())
    environment = dataclasses.replace(smoke, id="packed", jdk=packed)
    record = image.load("docker", environment, tmp_path / "cache")
    try:
        status, words = engines.run_in("docker", record["image_id"], ["java", "-version"])
        assert status == 0 and "17.0.9" in words
        assert record["jdk"] == {"id": "packed", "label": "Packed", "tarball": ball.as_uri(), "sha256": packed.sha256}
    finally:
        subprocess.run(["docker", "rmi", "jca-rerun/packed:latest"], capture_output=True)
