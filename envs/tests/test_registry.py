"""An image of a registry by its digest: pulled, recorded, and refused where the digest is not what is there."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from envs.tests import registry as registries
from jcarerun.errors import UserError
from jcarerun.images import catalogue, image
from jcarerun.support import engine as engines

pytestmark = pytest.mark.containers

SMOKE = "debian-12-temurin-17"


def docker(*arguments):
    run = subprocess.run(["docker", *arguments], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


@pytest.fixture(scope="module")
def pushed(tmp_path_factory):
    """A registry with the smoke environment's image; its name with the digest."""
    smoke = image.ensure("docker", catalogue.read().find(SMOKE), Path("envs/cache/jdks"))
    registry = registries.start(tmp_path_factory.mktemp("registry"))
    docker("tag", smoke, f"{registry.name}:1")
    docker("push", "--quiet", f"{registry.name}:1")
    names = json.loads(docker("image", "inspect", "--format", "{{json .RepoDigests}}", f"{registry.name}:1"))
    docker(
        "tag", smoke, f"jca-rerun/test:{registry.port}"
    )  # so that the image stays when the registry's name for it goes
    docker("rmi", f"{registry.name}:1")
    yield registry, next(name for name in names if name.startswith(registry.name)), smoke
    docker("rmi", f"jca-rerun/test:{registry.port}")
    registry.end()


def environment(name, java=17):
    found = catalogue.read().find(SMOKE)
    jdk = replace(found.jdk, id="mine", label="Java of Mine", java=java, wheel=None, sha256=None)
    return replace(found, id="mine", label="Mine", system="image", suite=None, jdk=jdk, image=name, rootfs=None)


def refusal(name, **options):
    with pytest.raises(UserError) as caught:
        image.load("docker", environment(name, **options), Path("unused"))
    words = str(caught.value)
    assert "\n" not in words and "environments.mine." in words
    return words


def test_digest_that_is_not_there(pushed):
    registry, _, _ = pushed
    assert "no image of that digest" in refusal(f"{registry.name}@sha256:{'0' * 64}")


def test_registry_that_does_not_answer():
    assert "can't be reached" in refusal(f"127.0.0.1:{registries.free_port()}/bench@sha256:{'0' * 64}")


def test_bytes_that_are_not_the_digests(pushed):
    registry, name, _ = pushed
    manifest = registry.blob(name.partition("@")[2]).read_bytes()
    # A manifest of its own: the engine may still hold those that it has seen, and would not ask for them.
    digest = registry.put(manifest.replace(b'"schemaVersion": 2', b'"schemaVersion":  2'))
    blob = registry.blob(digest)
    blob.write_bytes(blob.read_bytes().replace(b'"schemaVersion":  2', b'"schemaVersion":   2'))
    assert "don't match the digest" in refusal(f"{registry.name}@{digest}")


def test_right_digest_is_pulled_and_recorded(pushed):
    _, name, smoke = pushed
    try:
        record = image.load("docker", environment(name), Path("unused"))
        assert record["image_id"] == smoke
        assert record["jdk"]["image"] == name.partition("@")[2]
        assert any("17.0.9" in line for line in record["jdk"]["version"])
        assert "libc6" in {package["name"] for package in record["packages"]}
        assert record["drift"][0]["found"] == "no lock yet"
        assert "the image says" in refusal(name, java=21)
    finally:
        docker("rmi", name)
    assert engines.has_image("docker", smoke)
