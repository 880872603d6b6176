"""Projects that are built first: what their sources are, what the lock holds, and what is refused when an experiment is read."""

import json
import os
import zipfile
from pathlib import Path

import pytest
import yaml
from hypothesis import given

from bench.tests import mutations
from bench.tests.outside_jar import RUNNER, class_file, listed
from jcarerun.errors import UserError
from jcarerun.plan import build, definitions
from jcarerun.subject import build_lock, jars, sources
from jcarerun.subject.build_lock import BuildLock
from jcarerun.subject.projects import Project
from jcarerun.support.files import sha256

RECIPE = {
    "directory": "../theirs", "fetch": "mvn -B package", "command": "mvn -B -o package", "jar": "target/benchmarks.jar",
}  # fmt: skip
TIER = {"rounds": 5, "environments": ["debian-13-temurin-17"]}
EXPERIMENT = {
    "title": "Built", "measure": "wall", "study": {"authors": "they", "where": "there", "then": "then"}, "build": RECIPE,
    "workloads": {"encrypt": {"benchmark": "org.example.Crypto.encrypt"}},
    "protocols": {"modern": {"mode": "average-time", "warmup": "steady-state", "iterations": 20, "iteration_ms": 100}},
    "tiers": dict.fromkeys(("smoke", "quick", "standard", "full"), TIER),
}  # fmt: skip


@pytest.fixture
def theirs(tmp_path):
    """A project's directory."""
    root = tmp_path / "theirs"
    (root / "src").mkdir(parents=True)
    (root / "pom.xml").write_text("<project/>")
    (root / "src/Crypto.java").write_text("class Crypto {}")
    return root


@pytest.fixture
def study(tmp_path, theirs, world, monkeypatch):
    """Writes an experiment on the project and reads it."""
    monkeypatch.setattr(jars, "FOLDER", tmp_path / "kept")
    (tmp_path / "study").mkdir()

    def read(**changes):
        data = {**EXPERIMENT, "build": {**RECIPE, **changes.pop("build", {})}, **changes}
        file = tmp_path / "study/built.yaml"
        file.write_text(yaml.safe_dump(data))
        return definitions.read(file, world)

    return read


def built(tmp_path):
    """Leave what a build leaves: the jar, its record and the lock. Return the jar's SHA-256."""
    made = tmp_path / "made.jar"
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("META-INF/BenchmarkList", listed("encrypt"))
        archive.writestr(RUNNER, class_file(8))
        archive.writestr("org/example/Crypto.class", class_file(8))
    digest = sha256(made)
    jars.FOLDER.mkdir(exist_ok=True)
    made.rename(jars.file_of(digest))
    project = Project(tmp_path / "study/built.yaml", RECIPE)
    fetched = {".m2/a.jar": "ab" * 32}
    project.record(fetched).parent.mkdir(exist_ok=True)
    project.record(fetched).write_text(json.dumps({"jar": digest}))
    build_lock.write(project.lock, BuildLock(project.sources, digest, fetched))
    return digest


def test_what_is_not_built_is_said_and_not_run(study, tmp_path):
    with pytest.raises(
        UserError, match=r"theirs is not built as it is now.*'mvn -B package' with network, then"
    ) as caught:
        study()
    assert "make build STUDY=" in str(caught.value) and not (tmp_path / "study/built.lock").exists()


def test_a_project_that_is_built_is_a_jar_like_any_other(study, tmp_path):
    (tmp_path / "study/built.yaml").touch()
    digest = built(tmp_path)
    assert study()["subject"] == {"jars": [digest], "jmh": "unknown"}
    with pytest.raises(UserError, match=r"workloads\.encrypt\.benchmark: 'org.example.Crypto.gone' is not in the jar"):
        study(workloads={"encrypt": {"benchmark": "org.example.Crypto.gone"}})


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "theirs/src/Crypto.java").write_text("class Crypto { }"),
        lambda folder: (folder / "theirs/src/More.java").write_text("class More {}"),
        lambda folder: (folder / "theirs/src/Crypto.java").rename(folder / "theirs/src/crypto.java"),
        lambda folder: (folder / "theirs/pom.xml").chmod(0o755),
        lambda folder: jars.file_of(sha256(next(jars.FOLDER.glob("*.jar")))).write_bytes(b"another"),
        lambda folder: next(jars.FOLDER.glob("*.jar")).unlink(),
    ],
    ids=["content", "another file", "name", "mode", "another jar", "no jar"],
)
def test_another_project_is_not_built_yet(study, tmp_path, change):
    (tmp_path / "study/built.yaml").touch()
    built(tmp_path)
    study()
    change(tmp_path)
    with pytest.raises(UserError, match="is not built as it is now"):
        study()


def test_another_recipe_or_lock_is_not_built_yet(study, tmp_path):
    (tmp_path / "study/built.yaml").touch()
    built(tmp_path)
    with pytest.raises(UserError, match="is not built as it is now"):
        study(build={"command": "mvn -B -o -Pother package"})
    lock = tmp_path / "study/built.lock"
    lock.write_text(lock.read_text().replace("ab" * 32, "cd" * 32))
    with pytest.raises(UserError, match="is not built as it is now"):
        study()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"build": {"directory": "../gone"}}, r"build\.directory: there is no directory .*gone"),
        ({"build": {"jar": "../benchmarks.jar"}}, r"build\.jar: \.\./benchmarks.jar is outside the project"),
        ({"build": {"jar": "/tmp/benchmarks.jar"}}, r"build\.jar: .* is outside the project"),
        ({"build": {"jar": 3}}, r"build\.jar: 3 can't be used here"),
        ({"build": {"comand": "make"}}, r"build\.comand: unknown key; did you mean 'command'"),
        ({"jar": {"path": "a.jar", "sha256": "0" * 64}}, "build: stands beside jar"),
    ],
)
def test_a_recipe_that_can_not_be_is_refused_in_a_line(study, change, message):
    with pytest.raises(UserError, match=message) as caught:
        study(**change)
    assert "\n" not in str(caught.value)


def test_without_containers_nothing_is_built(study, tmp_path):
    with pytest.raises(UserError):
        study()
    with pytest.raises(UserError, match="build: projects are built in containers; choose engine docker or podman"):
        build.every(tmp_path / "study", "host")
    built(tmp_path)
    build.every(tmp_path / "study", "host")  # what is built needs none


def test_only_experiments_on_projects_are_built(tmp_path):
    file = tmp_path / "other.yaml"
    file.write_text(Path("bench/experiments/phenry2014.yaml").read_text() + "# build\n")
    assert build.project(file) is None
    build.every(tmp_path, "host")


def test_a_spoilt_experiment_on_a_project(study, tmp_path, world):
    file = tmp_path / "study/built.yaml"
    file.touch()
    built(tmp_path)
    study()
    original, lock = file.read_text(), file.with_suffix(".lock").read_text()

    @mutations.fewer
    @given(mutations.yaml_text(original))
    def spoil(text):
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        mutations.accepted_or_told(lambda: definitions.read(file, world), file.name)

    @mutations.fewer
    @given(mutations.text(lock))
    def spoil_lock(text):
        file.with_suffix(".lock").write_text(text, encoding="utf-8", errors="surrogatepass")
        mutations.accepted_or_told(lambda: definitions.read(file, world), "built.")

    spoil()
    file.write_text(original)
    spoil_lock()


def test_what_builds_and_editors_leave_is_no_source_nor_is_the_study(theirs, tmp_path):
    file = theirs / "study.yaml"
    before = Project(file, {**RECIPE, "directory": "."}).sources
    for name in ("target/a.jar", ".git/config", ".gradle/x", "results/report.pdf", "study.yaml", "study.lock"):
        (theirs / name).parent.mkdir(exist_ok=True)
        (theirs / name).write_text("made")
    assert Project(file, {**RECIPE, "directory": "."}).sources == before
    (theirs / "src/target").mkdir()  # a package: no pom.xml is beside it
    (theirs / "src/target/Crypto.java").write_text("package target;")
    assert Project(file, {**RECIPE, "directory": "."}).sources != before


def test_links_are_copied_as_links_and_never_followed(theirs, tmp_path):
    (tmp_path / "secret").write_text("secret")
    (theirs / "src/link").symlink_to(tmp_path / "secret")
    (theirs / "folder").symlink_to(tmp_path)
    before = sources.digest(theirs)
    (tmp_path / "secret").write_text("other")
    assert sources.digest(theirs) == before
    sources.copy(theirs, tmp_path / "copy", (os.getuid(), os.getgid()))
    assert (tmp_path / "copy/src/link").is_symlink() and (tmp_path / "copy/folder").is_symlink()
    assert sources.digest(tmp_path / "copy") == before


def test_a_project_with_anything_but_files_and_links_is_refused(theirs):
    os.mkfifo(theirs / "pipe")
    with pytest.raises(UserError, match="pipe: is neither a file nor a link"):
        sources.digest(theirs)


def test_a_lock_is_read_as_it_was_written(tmp_path):
    lock = BuildLock("ab" * 32, "cd" * 32, {".m2/repository/a b/c.jar": "ef" * 32})
    build_lock.write(tmp_path / "x.lock", lock)
    assert build_lock.read(tmp_path / "x.lock") == lock
    assert build_lock.read(tmp_path / "gone.lock") is None
    fetched = BuildLock("", "", {"a": "ef" * 32})  # and nothing built yet
    build_lock.write(tmp_path / "x.lock", fetched)
    assert build_lock.read(tmp_path / "x.lock") == fetched


@pytest.mark.parametrize(
    "text",
    [
        "text\n",
        f"{'0' * 64}  sources\n{'0' * 64}  jar\n{'0' * 64}  fetched ../a\n",
        f"{'0' * 64}  sources\n{'0' * 64}  jar\n{'0' * 64}  fetched /a\n",
    ],
)
def test_a_lock_that_is_none_is_refused(tmp_path, text):
    file = tmp_path / "x.lock"
    file.write_text(text)
    with pytest.raises(UserError, match="put it back as it was, or remove the file"):
        build_lock.read(file)


def test_what_maven_notes_of_a_download_is_not_locked(tmp_path):
    for name in (
        "a/b.jar",
        "a/b.jar.sha1",
        "a/_remote.repositories",
        "a/maven-metadata-central.xml",
        "a/b.lastUpdated",
    ):
        (tmp_path / "a").mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "a/link.jar").symlink_to("b.jar")
    assert list(build_lock.sums(tmp_path)) == ["a/b.jar"]


@pytest.mark.parametrize("fetched", [{"a": "00"}, {"a": "11", "b": "22"}, {}], ids=["other", "more", "none"])
def test_other_files_than_the_lock_lists_are_refused(fetched):
    with pytest.raises(UserError, match=r"x\.lock: [ab]: locked (11|nothing), fetched (00|22|nothing)"):
        build_lock.hold(Path("x.lock"), fetched, {"a": "11"})
    build_lock.hold(Path("x.lock"), {"a": "11"}, {"a": "11"})
