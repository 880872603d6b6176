"""Puts a root file system and a JDK together as an image whose id depends on nothing but their bytes.

In: the rootfs tar and the JDK. Out: the image in the engine's store, and the environment's record (a dict).
"""

import hashlib
import io
import json
import tarfile
import tempfile
from pathlib import Path

from envs.builder import engine as engines
from envs.builder import jdk as jdks
from envs.builder import lock
from envs.builder.catalogue import Environment
from envs.builder.errors import UserError
from envs.builder.rootfs import EPOCH, sha256

BUILD = Path("envs/build")
CREATED = "2024-01-01T00:00:00Z"


def rootfs_tar(environment: Environment) -> Path:
    """Where the environment's root file system is built."""
    return BUILD / "rootfs" / f"{environment.rootfs}.tar"


def record_path(environment_id: str) -> Path:
    """Where the record of a built environment stands."""
    return BUILD / environment_id / "environment.json"


def _config(environment: Environment, layers: list[str]) -> bytes:
    """The image's configuration. Its SHA-256 is the image id, so nothing in it may change from day to day."""
    settings = [
        "PATH=/opt/jdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "LANG=C.UTF-8",
        "TZ=UTC",
    ]
    config = {
        "architecture": "amd64", "os": "linux", "created": CREATED,
        "config": {
            "Env": settings + (["JAVA_HOME=/opt/jdk"] if environment.jdk else []),
            "Labels": {"jca-rerun.environment": environment.id},
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}" for digest in layers]},
        "history": [{"created": CREATED, "created_by": f"layer {n + 1}"} for n in range(len(layers))],
    }  # fmt: skip
    return json.dumps(config, sort_keys=True, separators=(",", ":")).encode()


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mtime = len(content), EPOCH
    archive.addfile(member, io.BytesIO(content))


def _archive(environment: Environment, config: bytes, layers: list[tuple[str, Path]]):
    """A writer of the archive that `docker load` and `podman load` take."""
    config_name = f"{hashlib.sha256(config).hexdigest()}.json"
    manifest = [{
        "Config": config_name, "RepoTags": [f"jca-rerun/{environment.id}:latest"],
        "Layers": [f"{digest}/layer.tar" for digest, _ in layers],
    }]  # fmt: skip

    def write(stream) -> None:
        with tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT, bufsize=1 << 20) as archive:
            _add(archive, config_name, config)
            for digest, layer in layers:
                member = tarfile.TarInfo(f"{digest}/layer.tar")
                member.size, member.mtime = layer.stat().st_size, EPOCH
                with layer.open("rb") as content:
                    archive.addfile(member, content)
            _add(archive, "manifest.json", json.dumps(manifest).encode())

    return write


def load(engine: str, environment: Environment, wheels: Path) -> dict:
    """Make the image from the built root file system, load it into the engine and return the environment's record.

    The record says what the environment holds and how that differs from the lock. Raises UserError where the root file
    system is missing or the engine ends up with another id.
    """
    tar = rootfs_tar(environment)
    if not tar.exists():
        raise UserError(f"{tar}: not built; run `snakemake --cores 1 {record_path(environment.id)}`")
    base = json.loads(tar.with_suffix(".json").read_text())
    with tempfile.TemporaryDirectory(dir=BUILD) as scratch:
        layers = [(base["sha256"], tar)]
        if environment.jdk:
            layer = Path(scratch) / "jdk.tar"
            wheel = jdks.fetch(environment.jdk, wheels) if environment.jdk.wheel else None
            jdks.layer(environment.jdk, wheel, layer)
            layers.append((sha256(layer), layer))
        config = _config(environment, [digest for digest, _ in layers])
        image_id = f"sha256:{hashlib.sha256(config).hexdigest()}"
        if not engines.has_image(engine, image_id):
            engines.load(engine, _archive(environment, config, layers))
            if not engines.has_image(engine, image_id):
                raise UserError(
                    f"environment {environment.id}: the engine does not hold image {image_id} after loading it"
                )
    record = {
        "environment": environment.id, "label": environment.label, "image_id": image_id,
        "system": environment.system_label, "suite": environment.suite,
        "jdk": _jdk(environment), "packages": base["packages"],
    }  # fmt: skip
    return {**record, "drift": lock.drift(record, lock.read(environment.id))}


def _jdk(environment: Environment) -> dict | None:
    jdk = environment.jdk
    if jdk is None:
        return None
    if jdk.wheel:
        return {
            "id": jdk.id,
            "label": jdk.label,
            "wheel": f"{jdk.wheel['name']} {jdk.wheel['version']}",
            "sha256": jdk.sha256,
        }
    return {"id": jdk.id, "label": jdk.label, "package": jdk.package}


def ensure(engine: str, environment: Environment, wheels: Path) -> str:
    """The recorded image's id, with the image surely in the engine's store: loaded again if somebody removed it."""
    record = json.loads(record_path(environment.id).read_text())
    if not engines.has_image(engine, record["image_id"]):
        again = load(engine, environment, wheels)
        if again["image_id"] != record["image_id"]:
            raise UserError(
                f"{record_path(environment.id)}: image {record['image_id']} is gone and can't be made again; "
                "remove that file and run again"
            )
    return record["image_id"]
