"""An image of a registry by its digest: pulled, recorded, and refused where the digest is not what is there.

The registry is Debian's docker-registry on the loopback, installed by root if it is missing.
"""

import hashlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from jcarerun.errors import UserError
from jcarerun.images import catalogue, image
from jcarerun.support import engine as engines

pytestmark = pytest.mark.containers

SMOKE = "debian-12-temurin-17"


def free_port() -> int:
    """A port of the loopback that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _installed() -> None:
    if shutil.which("docker-registry"):
        return
    if os.getuid() != 0 or not shutil.which("apt-get"):
        pytest.fail("docker-registry is not installed: apt-get install docker-registry")
    subprocess.run(
        ["apt-get", "install", "--quiet", "--yes", "--no-install-recommends", "docker-registry"],
        check=True,
        capture_output=True,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
    )


@dataclass
class Registry:
    """A running registry; `storage` is where its bytes lie."""

    port: int
    storage: Path
    process: subprocess.Popen

    @property
    def name(self) -> str:
        """The one repository that tests push to."""
        return f"127.0.0.1:{self.port}/bench"

    def blob(self, digest: str) -> Path:
        """The file that holds the bytes of a digest."""
        bare = digest.removeprefix("sha256:")
        return self.storage / f"docker/registry/v2/blobs/sha256/{bare[:2]}/{bare}/data"

    def put(self, manifest: bytes) -> str:
        """Store a manifest of Docker's second version and return its digest."""
        digest = "sha256:" + hashlib.sha256(manifest).hexdigest()
        kind = {"Content-Type": "application/vnd.docker.distribution.manifest.v2+json"}
        address = f"http://127.0.0.1:{self.port}/v2/bench/manifests/{digest}"
        with urllib.request.urlopen(urllib.request.Request(address, manifest, kind, method="PUT"), timeout=10):
            return digest

    def end(self) -> None:
        """End it and wait for its end."""
        self.process.terminate()
        self.process.wait(timeout=10)


def start(folder: Path) -> Registry:
    """Start a registry that keeps its bytes below `folder`."""
    _installed()
    port, storage = free_port(), folder / "storage"
    config = folder / "registry.yml"
    config.write_text(
        "version: 0.1\nlog: {level: error}\n"
        f"storage: {{filesystem: {{rootdirectory: {storage}}}}}\nhttp: {{addr: '127.0.0.1:{port}'}}\n"
    )
    process = subprocess.Popen(
        ["docker-registry", "serve", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    for _ in range(100):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/v2/", timeout=1):
                return Registry(port, storage, process)
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    process.kill()
    raise AssertionError("the registry does not answer")


def docker(*arguments):
    run = subprocess.run(["docker", *arguments], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


@pytest.fixture(scope="module")
def pushed(tmp_path_factory):
    """A registry with the smoke environment's image; its name with the digest."""
    smoke = image.ensure("docker", catalogue.read().find(SMOKE), Path("envs/cache/jdks"))
    registry = start(tmp_path_factory.mktemp("registry"))
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
    assert "can't be reached" in refusal(f"127.0.0.1:{free_port()}/bench@sha256:{'0' * 64}")


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
