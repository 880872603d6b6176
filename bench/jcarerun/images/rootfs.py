"""Builds a Debian root file system with mmdebstrap: the same bytes from the same packages, wherever those came from.

In: an Environment and the lock of what it should hold. Out: `<id>.tar`, and `<id>.json` with every package's name, version,
architecture and SHA-256. mmdebstrap sees nothing but a directory of exactly these packages and needs no network.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images.catalogue import Environment, here
from jcarerun.images.packages import make_repository, remember_snapshots, supply
from jcarerun.support.files import EPOCH, sha256, write_json

# Made anew by each installation and not reproducible; nothing that is measured needs them. The class data archives (.jsa) go
# from every JDK alike: the wheels have none.
UNSTABLE = (
    "/etc/ssl/certs/java/cacerts",
    "/usr/lib/jvm/*/jre/lib/*/server/*.jsa",
    "/usr/lib/jvm/*/lib/server/*.jsa",
    "/var/cache/fontconfig/*",
    "/var/lib/dpkg/status-old",
)
# Same words in every image: the directory that mmdebstrap installed from is gone.
SOURCES = "# Nothing is installed here: the packages are those of the lock."


def _command(suite: str, packages: list[dict], repository: Path, target: Path, listing: Path, apt: Path) -> list[str]:
    # Read with the new system's own dpkg-query; `$1` is the root that mmdebstrap works in.
    query = "dpkg-query --admindir=\"$1\"/var/lib/dpkg -W -f='${Package}\\t${Version}\\t${Architecture}\\n'"
    hooks = (
        f'{query} > "$1"/packages.tmp',
        f'download /packages.tmp "{listing}"',
        # What the new system's apt knows of snapshot archives, which this machine's may not know.
        'env --unset=APT_CONFIG chroot "$1" apt-config dump > "$1"/apt.tmp || true',
        f'download /apt.tmp "{apt}"',
        'rm "$1"/packages.tmp "$1"/apt.tmp',
        f'echo "{SOURCES}" > "$1"/etc/apt/sources.list',
        *(f'rm -f "$1"{name}' for name in UNSTABLE),
    )
    options = ["--quiet", "--variant=minbase", "--format=tar", *(f"--customize-hook={hook}" for hook in hooks)]
    options.append(f"--include={','.join(package['name'] for package in packages)}")
    return ["mmdebstrap", *options, suite, str(target), f"deb [trusted=yes] copy://{repository} ./"]


def _check_installed(environment: Environment, listing: Path, packages: list[dict]) -> None:
    wanted = {f"{p['name']}\t{p['version']}\t{p['architecture']}" for p in packages}
    differing = wanted ^ set(listing.read_text().splitlines())
    if differing:
        name = sorted(differing)[0].replace("\t", " ")
        raise UserError(
            f"{environment.rootfs}: {name} was to be installed and was not, or the other way round; run again"
        )


def build(environment: Environment, tar: Path, pool: Path, locked: dict | None = None, refresh: bool = False) -> dict:
    """Build the root file system at `tar` and return its record, also written as JSON beside it.

    `pool` keeps the packages between builds; `locked` is what it should be made of, `refresh` goes past that. Nothing stands at
    `tar` until all of it is there. Raises UserError with mmdebstrap's own last words if it fails.
    """
    if environment.elsewhere:
        raise UserError(
            f"{environment.rootfs}: for {environment.architecture}, this machine is {here()}: here it can be locked "
            "(make lock ENVIRONMENT=...), and on a machine of its kind built and measured"
        )
    if shutil.which("mmdebstrap") is None:
        raise UserError("mmdebstrap is not installed; run `make setup` as root, or install the package mmdebstrap")
    supplied = supply(environment, locked, pool, refresh)
    tar.parent.mkdir(parents=True, exist_ok=True)
    part, listing, apt = (tar.with_suffix(suffix) for suffix in (".part.tar", ".packages.part", ".apt.part"))
    with tempfile.TemporaryDirectory(prefix="jca-rerun-") as repository:
        make_repository(pool, supplied["packages"], environment.suite, Path(repository))
        targets = (path.absolute() for path in (part, listing, apt))
        command = _command(environment.suite, supplied["packages"], Path(repository), *targets)
        variables = {**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH), "LC_ALL": "C.UTF-8"}
        run = subprocess.run(command, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if run.returncode != 0:
        part.unlink(missing_ok=True)
        words = [line for line in run.stderr.splitlines() if line.startswith(("E:", "W:", "Err"))] or ["no message"]
        raise UserError(f"{environment.rootfs}: mmdebstrap failed: {' | '.join(words[:3])}; is the disk full?")
    _check_installed(environment, listing, supplied["packages"])
    record = {"rootfs": environment.rootfs, "suite": environment.suite, "sha256": sha256(part)}
    record |= {key: supplied[key] for key in ("snapshot", "source", "packages")}
    listing.unlink()
    remember_snapshots(apt)
    # The tar comes last: Snakemake and image.load take the root file system for built when it is there.
    tar.unlink(missing_ok=True)
    write_json(tar.with_suffix(".json"), record)
    part.rename(tar)
    return record
