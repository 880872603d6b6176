"""Windows' JVM on Wine: `java` works in a measuring container as in every other image."""

import subprocess
from pathlib import Path

import pytest

from jcarerun.images import catalogue, image
from jcarerun.support import engine as engines

pytestmark = pytest.mark.containers

JAR = Path("bench/target/benchmarks.jar")


def run(name, folder, *argv):
    """Run a program as a round is run; the directory is the round's."""
    image_id = image.ensure("docker", catalogue.read().find(name), Path("envs/cache/jdks"))
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
    done = run(
        name, tmp_path, "java", "-cp", "/bench/benchmarks.jar", "org.openjdk.jmh.Main", "KeyGeneration.generate", "-f", "1",
        "-wi", "0", "-i", "1", "-bm", "ss", "-p", "algorithm=DESede", "-p", "bits=112", "-p", "provider=sunjce",
        "-jvmArgs", "-Djcarerun.provider.sunjce=SunJCE", *words, "-rf", "json", "-rff", "result.json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f'"jdkVersion" : "{java}.' in (tmp_path / "result.json").read_text()
    assert "java.exe" in (tmp_path / "result.json").read_text()


def test_status_and_both_outputs_come_through(tmp_path):
    version = run("wine-temurin-21", tmp_path, "java", "-version")
    assert version.returncode == 0 and version.stdout == ""
    assert version.stderr.startswith('openjdk version "21.0.8"')
    listed = run("wine-temurin-21", tmp_path, "java", "-cp", "/bench/benchmarks.jar", "org.openjdk.jmh.Main", "-l")
    assert listed.returncode == 0 and listed.stdout.startswith("Benchmarks:") and listed.stderr == ""
    assert run("wine-temurin-21", tmp_path, "java", "nonesuch").returncode == 1
