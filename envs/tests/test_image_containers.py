"""Images in engines: one from a tarball runs, Podman has the same id, and `java` works in Wine as in every other image."""

import dataclasses
import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from jcarerun.images import catalogue, image, jdk
from jcarerun.images.catalogue import Jdk
from jcarerun.images.commands import JDKS
from jcarerun.support import engine as engines

pytestmark = pytest.mark.containers

JAR = Path("bench/target/benchmarks.jar")
SMOKE = catalogue.read().find("debian-12-temurin-17")


@pytest.mark.skipif(shutil.which("podman") is None, reason="podman is not installed")
def test_image_has_the_same_id_and_runs():
    built = image.ensure("docker", SMOKE, JDKS)
    engines.require("podman")
    loaded = image.load("podman", SMOKE, JDKS)["image_id"]
    assert loaded == built == engines.image_id("podman", built)
    status, words = engines.run_in("podman", built, ["java", "-version"])
    assert status == 0 and "17.0.9" in words


def test_java_of_a_tarball_runs(tmp_path):
    """As for releases that no package index carries."""
    jdk.write_layer(SMOKE.jdk, jdk.fetch(SMOKE.jdk, JDKS), "linux", tmp_path / "layer.tar")
    with tarfile.open(tmp_path / "layer.tar") as tar:
        tar.extractall(tmp_path, filter="tar")
    ball = tmp_path / "jdk-17.tar.gz"
    command = ["tar", "-C", str(tmp_path / "opt"), "--transform=s/^jdk/jdk-17.0.9/", "-czf", str(ball), "jdk"]
    subprocess.run(command, check=True)
    packed = Jdk("packed", "Packed", 17, tarball=ball.as_uri(), sha256=hashlib.sha256(ball.read_bytes()).hexdigest())
    environment = dataclasses.replace(SMOKE, id="packed", jdk=packed)
    record = image.load("docker", environment, tmp_path / "cache")
    try:
        status, words = engines.run_in("docker", record["image_id"], ["java", "-version"])
        assert status == 0 and "17.0.9" in words
        assert record["jdk"] == {"id": "packed", "label": "Packed", "tarball": ball.as_uri(), "sha256": packed.sha256}
    finally:
        subprocess.run(["docker", "rmi", "jca-rerun/packed:latest"], capture_output=True)


def run_on_wine(name, folder, *argv):
    """Run a program as a round is run; the directory is the round's."""
    image_id = image.ensure("docker", catalogue.read().find(name), JDKS)
    folder.chmod(0o777)
    options = engines.isolation("docker", folder, {str(JAR): "/bench/benchmarks.jar"}, "0", "2048m")
    command = engines.measuring_command("docker", image_id, f"jca-rerun-wine-{folder.name}", options, argv)
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("java", [11, 17, 21, 25])
def test_forks_run_and_leave_their_files(tmp_path, java):
    """JDK 11 and 17 fail in Wine's list of network routes unless told otherwise; a JDK without random numbers waits for 8 s."""
    name = f"wine-temurin-{java}"
    options = catalogue.read().find(name).jvm_options
    words = [word for option in options for word in ("-jvmArgs", option)]
    done = run_on_wine(
        name, tmp_path, "java", "-cp", "/bench/benchmarks.jar", "org.openjdk.jmh.Main", "KeyGeneration.generate", "-f", "1",
        "-wi", "0", "-i", "1", "-bm", "ss", "-p", "algorithm=DESede", "-p", "bits=112", "-p", "provider=sunjce",
        "-jvmArgs", "-Djcarerun.provider.sunjce=SunJCE", *words, "-rf", "json", "-rff", "result.json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f'"jdkVersion" : "{java}.' in (tmp_path / "result.json").read_text()
    assert "java.exe" in (tmp_path / "result.json").read_text()


def test_status_and_both_outputs_come_through(tmp_path):
    version = run_on_wine("wine-temurin-21", tmp_path, "java", "-version")
    assert version.returncode == 0 and version.stdout == ""
    assert version.stderr.startswith('openjdk version "21.0.8"')
    listed = run_on_wine(
        "wine-temurin-21", tmp_path, "java", "-cp", "/bench/benchmarks.jar", "org.openjdk.jmh.Main", "-l"
    )
    assert listed.returncode == 0 and listed.stdout.startswith("Benchmarks:") and listed.stderr == ""
    assert run_on_wine("wine-temurin-21", tmp_path, "java", "nonesuch").returncode == 1
