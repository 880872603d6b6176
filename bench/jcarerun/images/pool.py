"""The cache of Debian packages: one directory for all root file systems, each file there whole or not at all.

A package is a dict of `name`, `version`, `architecture` and `sha256`, as in the locks.
"""

import os
import shutil
import subprocess
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.support.files import sha256


def file_name(package: dict) -> str:
    """The file's name as apt writes it."""
    return f"{package['name']}_{package['version'].replace(':', '%3a')}_{package['architecture']}.deb"


def of_file(path: Path) -> dict:
    """The package that a file of that name holds."""
    name, version, architecture = path.stem.split("_")
    return {
        "name": name,
        "version": version.replace("%3a", ":"),
        "architecture": architecture,
        "sha256": sha256(path),
    }


def missing(pool: Path, packages: list[dict]) -> list[dict]:
    """Those of the packages that the pool does not hold with these very bytes."""
    return [
        package
        for package in packages
        if not (pool / file_name(package)).is_file() or sha256(pool / file_name(package)) != package["sha256"]
    ]


def take(pool: Path, file: Path) -> None:
    """Move a fetched file into the pool."""
    pool.mkdir(parents=True, exist_ok=True)
    file.chmod(0o644)
    file.replace(pool / file.name)


def repository(pool: Path, packages: list[dict], suite: str, target: Path) -> None:
    """Make a flat apt repository of exactly these packages at `target`; their hashes stand in its index.

    mmdebstrap takes the essential packages only from a source that says it is the suite, so there is a Release file too.
    """
    target.chmod(0o755)  # mmdebstrap reads it as another user where it is not run by root
    stanzas = []
    for package in sorted(packages, key=file_name):
        name = file_name(package)
        # A name without % and apt need not guess how often it is quoted.
        plain = name.replace("%3a", "_")
        try:
            os.link(pool / name, target / plain)
        except OSError:
            shutil.copyfile(pool / name, target / plain)
        run = subprocess.run(["dpkg-deb", "--field", str(target / plain)], capture_output=True, text=True)
        if run.returncode != 0:
            raise UserError(f"{pool / name}: no Debian package ({run.stderr.strip()}); remove it and build again")
        size = (target / plain).stat().st_size
        stanzas.append(f"{run.stdout.strip()}\nFilename: ./{plain}\nSize: {size}\nSHA256: {package['sha256']}\n")
    index = target / "Packages"
    index.write_text("\n".join(stanzas))
    (target / "Release").write_text(
        f"Suite: {suite}\nCodename: {suite}\nDate: Mon, 01 Jan 2024 00:00:00 UTC\nSHA256:\n"
        f" {sha256(index)} {index.stat().st_size} Packages\n"
    )
