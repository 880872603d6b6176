"""A registry on the loopback, for tests of images by digest: Debian's docker-registry, installed by root if it is missing."""

import hashlib
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest


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
