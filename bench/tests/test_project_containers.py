"""A project of benchmarks, built in containers as its experiment says, down to a round of its jar.

Its `fetch` copies JMH's jars, which the Maven lock lists, from the project into its home directory: the test needs no network.
"""

import json
import re
import shutil

import pytest
import yaml

from bench.tests.selftest import NEEDED
from envs.tests import checkout as checkouts
from jcarerun.errors import UserError
from jcarerun.images import catalogue, image, maven
from jcarerun.plan import build
from jcarerun.rounds import check
from jcarerun.subject import build_lock, jars, project_build
from jcarerun.support.files import sha256

pytestmark = pytest.mark.containers

JMH = re.compile(r".+/(?:jmh-core|jmh-generator-annprocess|jopt-simple|commons-math3)-[^/]+\.jar")
SOURCE = """\
package org.example;
import org.openjdk.jmh.annotations.*;
@State(Scope.Thread)
public class Sums {
  @Param({"1000", "2000"}) public int length;
  @Benchmark public int sum() { int sum = 0; for (int i = 0; i < length; i++) sum = 31 * sum + i; return sum; }
}
"""
# What a container must be like is part of the command: it fails in another.
BUILD = " && ".join((
    'test "$(ls /sys/class/net)" = lo', 'test "$(id -u)" != 0', "! touch /opt/x 2> /dev/null", "test ! -e ~/_remote.repositories",
    "mkdir -p target/classes", "cd target/classes", "for each in ~/lib/*.jar; do jar xf $each; done", "rm -rf META-INF/services",
    'javac -d . --release 8 -cp "$HOME/lib/*" ../../src/org/example/Sums.java', "jar cf ../benchmarks.jar .",
))  # fmt: skip
RECIPE = {
    "directory": "../theirs", "fetch": "mkdir ~/lib && cp lib/*.jar ~/lib && touch ~/_remote.repositories fetched",
    "command": BUILD, "jar": "target/benchmarks.jar",
}  # fmt: skip


@pytest.fixture(scope="module")
def jmh(tmp_path_factory):
    """JMH's jars, with the bytes that the lock lists."""
    folder = tmp_path_factory.mktemp("jmh")
    for name, digest in maven.read().items():
        if JMH.fullmatch(name):
            maven.take(name, digest, folder / name.rpartition("/")[2])
    return folder


@pytest.fixture
def study(tmp_path, jmh, monkeypatch):
    """Writes the experiment beside the project, after changes of its recipe; gives its file."""
    assert image.record_path(catalogue.PROJECTS).exists(), (
        "snakemake envs/build/toolchain-java/environment.json makes it"
    )
    monkeypatch.setattr(jars, "FOLDER", tmp_path / "kept")
    monkeypatch.setattr(project_build, "LOGS", tmp_path / "logs")
    project = tmp_path / "theirs"
    (project / "src/org/example").mkdir(parents=True)
    (project / "src/org/example/Sums.java").write_text(SOURCE)
    shutil.copytree(jmh, project / "lib")
    (tmp_path / "study:its own").mkdir()

    def write(**recipe):
        file = tmp_path / "study:its own/sums.yaml"
        tier = {"rounds": 1, "environments": {"tag": "smoke"}}
        file.write_text(yaml.safe_dump({
            "title": "Sums", "measure": "wall", "study": {"authors": "they", "where": "there", "then": "Nothing."},
            "build": {**RECIPE, **recipe},
            "workloads": {"sum": {"benchmark": "org.example.Sums.sum", "params": {"length": 1000}}},
            "protocols": {"modern": {"mode": "average-time", "warmup": "steady-state", "iterations": 3, "iteration_ms": 50}},
            "tiers": dict.fromkeys(("smoke", "quick", "standard", "full"), tier),
        }))  # fmt: skip
        return file

    return write


def made(file):
    """Build it; the jar's SHA-256."""
    return project_build.build(build.project(file), "docker")


def test_a_project_is_built_once_and_again_when_its_sources_change(study, tmp_path, capfd):
    file = study()
    before = sorted((tmp_path / "theirs").rglob("*"))
    first = made(file)
    assert sorted((tmp_path / "theirs").rglob("*")) == before, "nothing is written into it"
    lock = build_lock.read(file.with_suffix(".lock"))
    assert lock.jar == first and len(lock.fetched) == 4 and all(name.startswith("lib/") for name in lock.fetched)
    assert "4 files" in capfd.readouterr().err
    assert made(file) == first and capfd.readouterr().err == "", "nothing is run where it is built"

    # Fetched once: what is kept of it serves the next build, which has other sources.
    shutil.rmtree(tmp_path / "theirs/lib")
    source = tmp_path / "theirs/src/org/example/Sums.java"
    source.write_text(source.read_text().replace("31", "33"))
    second = made(file)
    assert second != first and build_lock.read(file.with_suffix(".lock")).fetched == lock.fetched
    assert "the sources are others than those in the lock" in capfd.readouterr().err


def test_the_same_sources_with_other_bytes_in_the_jar_are_said(study, tmp_path, capfd):
    file = study(command=f"{BUILD} && date +%N > ../now && jar uf ../benchmarks.jar -C .. now")
    first = made(file)
    jars.file_of(first).unlink()
    assert made(file) != first
    assert "the same sources gave another jar than the lock has" in capfd.readouterr().err


def test_what_is_fetched_must_be_what_the_lock_lists(study, tmp_path):
    file = study()
    made(file)
    shutil.rmtree(jars.FOLDER)  # another machine
    (jar,) = (tmp_path / "theirs/lib").glob("jopt-simple*")
    jar.write_bytes(jar.read_bytes() + b"more")
    with pytest.raises(
        UserError, match=rf"sums\.lock: lib/{jar.name}: locked [0-9a-f]+, fetched [0-9a-f]+; put the lock back"
    ):
        made(file)


WRONG = {
    "a command that fails": (
        {"command": "echo error: there is no such thing >&2; exit 3"},
        r"build\.command: failed \(status 3\): error: there is no such thing; all it said is in .*sums-command\.log",
    ),
    "a fetch that fails": ({"fetch": "echo no; false"}, r"build\.fetch: failed \(status 1\): no;"),
    "no jar": ({"command": "true"}, r"build\.jar: the build left no file target/benchmarks\.jar"),
    "a link to a file of the host": (
        {"command": "mkdir target && ln -s /etc/passwd target/benchmarks.jar"},
        r"build\.jar: the build left no file",
    ),
    "a link to a directory of the host": (
        {"command": "ln -s /etc target", "jar": "target/passwd"},
        r"build\.jar: target/passwd leads out of the project by a link",
    ),
}


@pytest.mark.parametrize(("recipe", "message"), WRONG.values(), ids=WRONG)
def test_a_build_that_gives_no_jar_is_refused_in_a_line(study, recipe, message):
    file = study(**recipe)
    with pytest.raises(UserError, match=message) as caught:
        made(file)
    assert "\n" not in str(caught.value) and not getattr(build_lock.read(file.with_suffix(".lock")), "jar", "")


def test_what_was_fetched_is_kept_when_the_command_fails(study, tmp_path):
    file = study(command="false")
    with pytest.raises(UserError, match=r"build\.command: failed"):
        made(file)
    assert made(study(fetch="false")) == build_lock.read(file.with_suffix(".lock")).jar


def test_a_run_builds_first_and_its_rounds_record_the_jar(study, tmp_path):
    own = checkouts.make(tmp_path / "checkout")
    for name in NEEDED:
        (own.path / name).touch()  # newer than the sources that were copied
    file = study()
    config = (f"experiment_dir={file.parent}", "tier=smoke", "calibration=false")
    run = own.run("snakemake", "-n", "--cores", "2", "--config", *config)
    assert run.returncode == 2 and "is not built as it is now" in run.stderr and not file.with_suffix(".lock").exists()
    run = own.snakemake(*config, targets=("bench/target/benchmarks.jar",))
    assert run.returncode == 0, run.stderr[-3000:]
    code = (
        f"from jcarerun.run import run; print(*run.from_config({dict(each.split('=') for each in config)!r}).stamps())"
    )
    (stamp,) = own.run("python", "-c", code.replace("'false'", "False")).stdout.splitlines()
    run = own.snakemake(*config, targets=(stamp,))
    assert run.returncode == 0, run.stderr[-3000:]
    (record,) = file.parent.glob("results/raw/sums/*/*/round.json")
    assert check.whole(record.parent)
    lock = build_lock.read(file.with_suffix(".lock"))
    assert (
        json.loads(record.read_text())["jar_sha256"]
        == lock.jar
        == sha256(own.path / f"bench/target/subjects/{lock.jar}.jar")
    )
