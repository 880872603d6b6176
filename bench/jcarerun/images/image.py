"""Images: a root file system and a JDK, whose id depends on nothing but their bytes, or an image of a registry by its digest.

In: the rootfs tar and the JDK, or the digest. Out: the image in the engine's store, and the environment's record (a dict).
"""

import hashlib
import json
import re
import tarfile
import tempfile
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import jdk as jdks
from jcarerun.images import lock
from jcarerun.images.catalogue import FILE, Environment
from jcarerun.images.packages import supply
from jcarerun.support import engine as engines
from jcarerun.support.files import EPOCH, load_json, sha256

BUILD = Path("envs/build")
REMEDY = "remove it and run again"
# What an image of a registry is asked for its packages.
QUERY = "dpkg-query -W -f='${Package}\\t${Version}\\t${Architecture}\\n' 2>/dev/null || true"
CREATED = "2024-01-01T00:00:00Z"


def rootfs_tar(environment: Environment) -> Path:
    """Where the environment's root file system is built."""
    return BUILD / "rootfs" / f"{environment.rootfs}.tar"


def tars(environment: Environment) -> list[str]:
    """The root file system that an image is made from; none for an image of a registry, or of other processors."""
    return [str(rootfs_tar(environment))] if environment.rootfs and not environment.elsewhere else []


def record_path(environment_id: str) -> Path:
    """Where the record of a built environment stands."""
    return BUILD / environment_id / "environment.json"


def _config(environment: Environment, digests: list[str]) -> bytes:
    """The image's configuration. Its SHA-256 is the image id, so nothing in it may change from day to day."""
    settings = [
        "PATH=/opt/jdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "LANG=C.UTF-8",
        "TZ=UTC",
    ]
    config = {
        "architecture": environment.architecture,
        "os": "linux",
        "created": CREATED,
        "config": {
            "Env": settings + (["JAVA_HOME=/opt/jdk"] if environment.jdk else []),
            "Labels": {"jca-rerun.environment": environment.id},
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}" for digest in digests]},
        "history": [{"created": CREATED, "created_by": f"layer {n + 1}"} for n in range(len(digests))],
    }
    return json.dumps(config, sort_keys=True, separators=(",", ":")).encode()


def _archive(environment: Environment, config: bytes, parts: list[tuple[str, Path]]):
    """A writer of the archive that `docker load` and `podman load` take."""
    config_name = f"{hashlib.sha256(config).hexdigest()}.json"
    layers = [f"{digest}/layer.tar" for digest, _ in parts]
    manifest = [{"Config": config_name, "RepoTags": [f"jca-rerun/{environment.id}:latest"], "Layers": layers}]

    def write(stream) -> None:
        with tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT, bufsize=1 << 20) as archive:
            jdks.add_member(archive, config_name, 0o644, config)
            for digest, part in parts:
                member = tarfile.TarInfo(f"{digest}/layer.tar")
                member.size, member.mtime = part.stat().st_size, EPOCH
                with part.open("rb") as content:
                    archive.addfile(member, content)
            jdks.add_member(archive, "manifest.json", 0o644, json.dumps(manifest).encode())

    return write


def load(engine: str, environment: Environment, cache: Path) -> dict:
    """Make or pull the image, see it in the engine and return the environment's record; `cache` keeps what JDKs come in.

    The record says what the environment holds and how that differs from the lock. Raises UserError where the root file
    system is missing or the engine ends up with another id.
    """
    return _record(environment, _pull(engine, environment) if environment.image else _make(engine, environment, cache))


def resolve(environment: Environment, jdk_cache: Path, pool: Path, refresh: bool) -> dict:
    """The record of an environment for other processors: all that it is made of, fetched by hash, and no image.

    Raises UserError where a package or the JDK can't be had, or has other bytes.
    """
    if environment.jdk:
        jdks.fetch(environment.jdk, jdk_cache)
    supplied = supply(environment, lock.read(environment.id), pool, refresh)
    return _record(environment, {**supplied, "image_id": None, "jdk": _jdk(environment)})


def _record(environment: Environment, found: dict) -> dict:
    record = {
        "environment": environment.id,
        "label": environment.label,
        "image_id": found["image_id"],
        "system": environment.system_label,
        "suite": environment.suite,
        "platform": environment.platform,
        "caveat": environment.caveat,
        "jdk": found["jdk"],
        "packages": found["packages"],
        "snapshot": found.get("snapshot"),
    }
    return {**record, "drift": lock.drift(record, lock.read(environment.id))}


def _make(engine: str, environment: Environment, cache: Path) -> dict:
    tar = rootfs_tar(environment)
    if not tar.exists():
        raise UserError(f"{tar}: not built; run `snakemake --cores 1 {record_path(environment.id)}`")
    base = load_json(tar.with_suffix(".json"), f"remove {tar} and run again")
    with tempfile.TemporaryDirectory(dir=BUILD) as scratch:
        parts = [(base["sha256"], tar)]
        if environment.jdk:
            part = Path(scratch) / "jdk.tar"
            jdks.write_layer(environment.jdk, jdks.fetch(environment.jdk, cache), environment.platform, part)
            parts.append((sha256(part), part))
        config = _config(environment, [digest for digest, _ in parts])
        image_id = f"sha256:{hashlib.sha256(config).hexdigest()}"
        if not engines.has_image(engine, image_id):
            engines.load(engine, image_id, _archive(environment, config, parts))
            if not engines.has_image(engine, image_id):
                raise UserError(
                    f"environment {environment.id}: the engine does not hold image {image_id} after loading it"
                )
    kept = {"packages": base["packages"], "snapshot": base.get("snapshot")}
    return {"image_id": image_id, "jdk": _jdk(environment), **kept}


def _pull(engine: str, environment: Environment) -> dict:
    """Pull the image if the engine lacks it; return its id, its packages and what its `java -version` says.

    Packages have no hash here: the digest holds all of them; the list is empty for an image without dpkg. Raises UserError
    where the registry has no such digest or other bytes than it promises, or the image no java.
    """
    place, digest = f"{FILE}: environments.{environment.id}.image", environment.image.partition("@")[2]
    image_id = engines.image_id(engine, environment.image)
    if image_id is None:
        said = engines.pull(engine, environment.image)
        image_id = engines.image_id(engine, environment.image)
        if image_id is None:
            raise UserError(f"{place}: {environment.image} can't be pulled ({_reason(said)})")
    status, words = engines.run_in(engine, image_id, ["java", "-version"])
    if status != 0 or "version" not in words:
        raise UserError(
            f"{place}: `java -version` fails in it ({words.strip()[:200] or 'no message'}); name an image with java"
        )
    version = [line.strip() for line in words.splitlines() if line.strip()]
    found = re.search(r'version "(?:1\.)?(\d+)', words)
    if found and int(found.group(1)) != environment.jdk.java:
        raise UserError(
            f"{FILE}: environments.{environment.id}.java: {environment.jdk.java} given, the image says {version[0]}; correct it"
        )
    status, listed = engines.run_in(engine, image_id, ["sh", "-c", QUERY])
    packages = [
        dict(zip(("name", "version", "architecture", "sha256"), (*line.split("\t"), ""), strict=True))
        for line in sorted(listed.splitlines() if status == 0 else [])
        if line.count("\t") == 2
    ]
    jdk = {"id": environment.jdk.id, "label": environment.jdk.label, "version": version, "image": digest}
    return {"image_id": image_id, "jdk": jdk, "packages": packages}


def _reason(said: str) -> str:
    """The engine's words, with the remedy for what is likeliest."""
    if re.search(r"manifest unknown|not found", said):
        return "the registry has no image of that digest; look the digest up again"
    if re.search(r"digest|verif|corrupt|does not match|invalid checksum", said, re.IGNORECASE):
        return "the registry's bytes don't match the digest; don't use that registry"
    if re.search(r"refused|no such host|timeout|timed out|dial tcp|unreachable", said):
        return f"the registry can't be reached: {said[:200]}"
    return said[:300]


def _jdk(environment: Environment) -> dict | None:
    jdk = environment.jdk
    if jdk is None:
        return None
    named = {"id": jdk.id, "label": jdk.label}
    if jdk.wheel:
        return {**named, "wheel": f"{jdk.wheel['name']} {jdk.wheel['version']}", "sha256": jdk.sha256}
    if jdk.tarball:
        return {**named, "tarball": jdk.tarball, "sha256": jdk.sha256}
    return {**named, "package": jdk.package}


def read_record(environment_id: str) -> dict:
    """The record of a built environment. Raises UserError for one that is missing or damaged."""
    path = record_path(environment_id)
    if not path.exists():
        raise UserError(
            f"{path}: environment {environment_id} is not built; run `jca-rerun images ready {environment_id}`"
        )
    record = load_json(path, REMEDY)
    if missing := sorted({"image_id", "jdk", "packages", "drift"} - record.keys()):
        raise UserError(f"{path}: {missing[0]}: missing; {REMEDY}")
    return record


def ensure(engine: str, environment: Environment, cache: Path) -> str:
    """The recorded image's id, with the image surely in the engine's store: loaded again if somebody removed it."""
    record = read_record(environment.id)
    if not engines.has_image(engine, record["image_id"]):
        again = load(engine, environment, cache)
        if again["image_id"] != record["image_id"]:
            raise UserError(
                f"{record_path(environment.id)}: image {record['image_id']} is gone and can't be made again; "
                "remove that file and run again"
            )
    return record["image_id"]
