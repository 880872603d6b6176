"""Builds a Debian root file system with mmdebstrap: the same bytes from the same packages.

In: an Environment. Out: `<id>.tar`, and `<id>.json` with every package's name, version, architecture and SHA-256.
Packages are kept in a cache, so that only the first build fetches them.
"""

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

from envs.builder.catalogue import Environment
from envs.builder.errors import UserError

# Files newer than this get this date; a constant, so that the day of the build leaves no trace.
EPOCH = 1704067200

# Made anew by each installation and not reproducible; nothing that is measured needs them. The class data archives (.jsa) go
# from every JDK alike: the wheels have none.
UNSTABLE = (
    "/etc/ssl/certs/java/cacerts",
    "/usr/lib/jvm/*/jre/lib/*/server/*.jsa",
    "/usr/lib/jvm/*/lib/server/*.jsa",
    "/var/cache/fontconfig/*",
    "/var/lib/dpkg/status-old",
)


def sha256(path: Path) -> str:
    """SHA-256 of a file, as hex digits."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _command(environment: Environment, target: Path, cache: Path, listing: Path) -> list[str]:
    # The listing is read with the new system's own dpkg-query; `$1` is the root that mmdebstrap works in.
    query = "dpkg-query --admindir=\"$1\"/var/lib/dpkg -W -f='${Package}\\t${Version}\\t${Architecture}\\n'"
    command = [
        "mmdebstrap", "--quiet", "--variant=minbase", "--format=tar",
        "--skip=download/empty", "--skip=essential/unlink",
        '--setup-hook=mkdir -p "$1"/var/cache/apt/archives/',
        f'--setup-hook=sync-in "{cache}" /var/cache/apt/archives/',
        f'--customize-hook=sync-out /var/cache/apt/archives "{cache}"',
        f'--customize-hook={query} > "{listing}"',
        *(f'--customize-hook=rm -f "$1"{name}' for name in UNSTABLE),
    ]  # fmt: skip
    if environment.packages:
        command.append(f"--include={','.join(environment.packages)}")
    if not environment.check_valid_until:
        command.append('--aptopt=Acquire::Check-Valid-Until "false"')
    return [*command, environment.suite, str(target)]


def _packages(listing: Path, cache: Path) -> list[dict]:
    packages = []
    for line in sorted(listing.read_text().splitlines()):
        name, version, architecture = line.split("\t")
        deb = cache / f"{name}_{version.replace(':', '%3a')}_{architecture}.deb"
        if not deb.is_file():
            raise UserError(
                f"package {name} {version} was installed but {deb.name} is not in the cache; remove {cache} and build again"
            )
        packages.append({"name": name, "version": version, "architecture": architecture, "sha256": sha256(deb)})
    return packages


def build(environment: Environment, tar: Path, cache: Path) -> dict:
    """Build the root file system at `tar` and return its record, also written as JSON beside it.

    `cache` keeps the packages between builds. Nothing stands at `tar` until all of it is there. Raises UserError
    with mmdebstrap's own last words if it fails.
    """
    if shutil.which("mmdebstrap") is None:
        raise UserError("mmdebstrap is not installed; run `make setup` as root, or install the package mmdebstrap")
    tar.parent.mkdir(parents=True, exist_ok=True)
    cache.mkdir(parents=True, exist_ok=True)
    part, listing = tar.with_suffix(".part.tar"), tar.with_suffix(".packages.part")
    run = subprocess.run(
        _command(environment, part.absolute(), cache.absolute(), listing.absolute()),
        env={**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )  # fmt: skip
    if run.returncode != 0:
        part.unlink(missing_ok=True)
        words = [line for line in run.stderr.splitlines() if line.startswith(("E:", "W:", "Err"))] or ["no message"]
        raise UserError(
            f"{environment.rootfs}: mmdebstrap failed: {' | '.join(words[:3])}; is the Debian archive reachable?"
        )
    record = {
        "rootfs": environment.rootfs, "suite": environment.suite, "sha256": sha256(part),
        "packages": _packages(listing, cache),
    }  # fmt: skip
    listing.unlink()
    tar.with_suffix(".json").write_text(json.dumps(record, indent=1) + "\n")
    part.rename(tar)
    return record
