"""The benchmark jar: an ordinary JMH jar, and the same bytes from the same sources."""

import hashlib
from pathlib import Path

import pytest

from envs.tests import checkout as checkouts
from jcarerun.plan import workloads

pytestmark = pytest.mark.containers

BUILD = (
    "python",
    "-m",
    "jcarerun",
    "images",
    "maven",
    "--",
    "--batch-mode",
    "--quiet",
    "--file",
    "bench/jmh/pom.xml",
    "package",
    "-DskipTests",
)
JAR = "bench/target/benchmarks.jar"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_two_builds_are_the_same_bytes_and_list_every_benchmark(tmp_path):
    made = checkouts.make(tmp_path)
    digests = set()
    for _ in range(2):
        made.run("rm", "-rf", "bench/target")
        run = made.run(*BUILD)
        assert run.returncode == 0, run.stdout[-2000:]
        digests.add(digest(made.path / JAR))
    assert len(digests) == 1
    listed = made.run("java", "-jar", JAR, "-l").stdout.split()
    for benchmark in workloads.benchmarks():
        assert workloads.qualified(benchmark) in listed
