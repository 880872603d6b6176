"""The Debian packages of a root file system: the cache of them, an apt with its own state, and snapshot archives.

A package is a dict of `name`, `version`, `architecture` and `sha256`, as in the locks. `supply` tries in this order, so that what
is locked is built if possible: the cache; today's archive, where it has the locked bytes; Debian's snapshot archive at
the time of the lock; today's archive with other versions, which is drift in the record.

No package of this machine is read or changed; apt checks signatures. The archive's address is mmdebstrap's own. A snapshot
archive is the one that the suite's Release file names, or that an apt is configured with: this machine's, or an earlier image's.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images.catalogue import AMD64, Environment
from jcarerun.support import trust
from jcarerun.support.files import exclusive, sha256

APT = Path("envs/cache/apt")
# What `mmdebstrap --variant=minbase` installs.
MINBASE = ("?essential", "?and(?priority(required),?not(?essential))", "apt")
SNAPSHOT_TIMEOUT_S = 5
SNAPSHOT_KEY = "Acquire::Snapshots::URI"
# What the apt of built root file systems says of snapshot archives.
KNOWN_SNAPSHOTS = APT / "snapshots.conf"


def file_name(package: dict) -> str:
    """The file's name as apt writes it."""
    return f"{package['name']}_{package['version'].replace(':', '%3a')}_{package['architecture']}.deb"


def missing_packages(pool: Path, packages: list[dict]) -> list[dict]:
    """Those of the packages that the pool does not hold with these very bytes."""
    return [
        package
        for package in packages
        if not (pool / file_name(package)).is_file() or sha256(pool / file_name(package)) != package["sha256"]
    ]


def make_repository(pool: Path, packages: list[dict], suite: str, target: Path) -> None:
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


def archive_sources(suite: str) -> list[str]:
    """The lines of sources.list that mmdebstrap would use for a suite. Nothing is fetched."""
    begin, end = "SOURCES-BEGIN", "SOURCES-END"
    hook = f'echo {begin} >&2; cat "$1"/etc/apt/sources.list "$1"/etc/apt/sources.list.d/*.list >&2; echo {end} >&2; exit 1'
    command = ["mmdebstrap", "--quiet", "--variant=custom", "--format=null", f"--setup-hook={hook}", suite, "/dev/null"]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    said = run.stderr.partition(f"{begin}\n")[2].partition(end)[0]
    lines = [line for line in said.splitlines() if line.startswith("deb ")]
    if not lines:
        raise UserError(f"suite {suite}: mmdebstrap knows no archive for it: {run.stderr.strip().splitlines()[:1]}")
    return lines


class Archive:
    """An apt of our own on one set of sources. `state` keeps its indexes between builds."""

    def __init__(self, lines: Sequence[str], state: Path, architecture: str, check_valid_until: bool = True):
        self.lines, self.state, self.architecture = list(lines), state.absolute(), architecture
        for name in ("lists/partial", "archives/partial", "parts"):
            (self.state / name).mkdir(parents=True, exist_ok=True)
        (self.state / "status").write_text("")
        (self.state / "sources.list").write_text("\n".join(lines) + "\n")
        self.options = [
            f"-o={key}={value}"
            for key, value in {
                "APT::Architecture": architecture, "APT::Architectures": architecture, "APT::Install-Recommends": "false",
                "APT::Sandbox::User": "", "Dir::State": self.state, "Dir::State::lists": self.state / "lists",
                "Dir::State::status": self.state / "status", "Dir::Cache": self.state,
                "Dir::Cache::archives": self.state / "archives", "Dir::Etc::SourceList": self.state / "sources.list",
                "Dir::Etc::SourceParts": self.state / "parts", "Dir::Etc::Preferences": "/dev/null",
                "Dir::Etc::PreferencesParts": self.state / "parts", "Acquire::Languages": "none",
                "Acquire::Retries": "2", "Acquire::ForceHash": "SHA256", "Acquire::http::Timeout": "20",
                "Acquire::https::Timeout": "20",
                "Acquire::Check-Valid-Until": "true" if check_valid_until else "false",
            }.items()
        ]  # fmt: skip

    def _apt(self, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess:
        command = ["apt-get", "--quiet", "--quiet", *self.options, *arguments]
        variables = {**os.environ, "LC_ALL": "C.UTF-8"}
        return subprocess.run(command, cwd=cwd, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def update(self) -> str | None:
        """Fetch the indexes. Returns None, or apt's own words where it could not."""
        run = self._apt("update", "--error-on=any")
        return None if run.returncode == 0 else _apt_message(run)

    def release_of(self, line: str) -> str:
        """The Release file, as fetched, that belongs to a line of sources.list: apt names it after the address."""
        _, address, suite = _deb_line(line)
        start = f"{address.partition('://')[2].rstrip('/').replace('/', '_')}_dists_{suite}_"
        files = sorted(self.state.glob("lists/*Release"))
        return next((file.read_text() for file in files if file.name.startswith(start)), "")

    def resolve(self, packages: Sequence[str]) -> list[dict]:
        """What the smallest system with these packages is made of. Raises UserError where apt finds no way."""
        run = self._apt("install", "--yes", "--print-uris", *MINBASE, *packages)
        if run.returncode != 0:
            raise UserError(
                f"apt finds no way to install {', '.join(packages) or 'the smallest system'}: {_apt_message(run)}"
            )
        return _printed(run.stdout)

    def fetch(self, packages: list[dict], pool: Path) -> list[dict]:
        """Fetch into the pool those of the packages that the archive has, byte for byte, and return the rest."""
        offered = self._offered()
        wanted = [f"{p['name']}:{self.architecture}={p['version']}" for p in packages if p["sha256"] in offered]
        if wanted:
            pool.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=pool, prefix=".fetch-") as scratch:
                run = self._apt("download", *wanted, cwd=Path(scratch))
                for file in Path(scratch).glob("*.deb"):
                    if sha256(file) in offered:
                        file.chmod(0o644)
                        file.replace(pool / file.name)
            if run.returncode != 0:
                raise UserError(f"packages can't be fetched: {_apt_message(run)}")
        return missing_packages(pool, packages)

    def _offered(self) -> set[str]:
        """The SHA-256 of every package in the indexes."""
        files = self._apt("indextargets", "--format", "$(FILENAME)", "Created-By: Packages").stdout.split()
        found = set()
        for file in files:
            with subprocess.Popen(
                ["/usr/lib/apt/apt-helper", "cat-file", file], stdout=subprocess.PIPE, text=True
            ) as text:
                found.update(line.split()[1] for line in text.stdout if line.startswith("SHA256: "))
        return found


def _printed(text: str) -> list[dict]:
    """Packages from the lines of `--print-uris`: 'address' file size SHA256:hash."""
    packages = []
    for line in text.splitlines():
        if match := re.match(r"'[^']+' (\S+)_(\S+)_(\S+)\.deb \d+ SHA256:([0-9a-f]{64})", line):
            name, version, architecture, digest = match.groups()
            named = {"name": name, "version": version.replace("%3a", ":")}
            packages.append({**named, "architecture": architecture, "sha256": digest})
    return sorted(packages, key=lambda package: package["name"])


def _apt_message(run: subprocess.CompletedProcess) -> str:
    """The first complaint of apt, in one line."""
    lines = [line for line in run.stderr.splitlines() if line.startswith(("E:", "Err", "W:"))] or ["E: no message"]
    return lines[0].partition(": ")[2].strip()[:300]


def _release_field(release: str, name: str) -> str:
    found = re.search(rf"^{name}: (.+)$", release, re.MULTILINE)
    return found.group(1).strip() if found else ""


def _configured_snapshots() -> dict[str, str]:
    """The configuration of apt of snapshot addresses: of this machine, and what built root file systems left."""
    run = subprocess.run(["apt-config", "dump"], capture_output=True, text=True)
    text = (KNOWN_SNAPSHOTS.read_text() if KNOWN_SNAPSHOTS.is_file() else "") + run.stdout
    return dict(re.findall(rf'^{SNAPSHOT_KEY}::(\S+) "(.+)";$', text, re.MULTILINE))


def remember_snapshots(dump: Path) -> None:
    """Keep what a root file system's apt says of snapshot archives, if it does; `dump` is removed."""
    lines = re.findall(rf"^{SNAPSHOT_KEY}::.*@SNAPSHOTID@.*$", dump.read_text(), re.MULTILINE)
    dump.unlink()
    if lines:
        KNOWN_SNAPSHOTS.parent.mkdir(parents=True, exist_ok=True)
        KNOWN_SNAPSHOTS.write_text("\n".join(lines) + "\n")


def _snapshot_address(release: str, configured: dict[str, str]) -> str | None:
    """The address, with @SNAPSHOTID@ in it, for the suite of a Release file."""
    named = _release_field(release, "Snapshots")
    if named:
        return None if named == "no" else named
    for key in (f"Override::Label::{_release_field(release, 'Label')}", f"Origin::{_release_field(release, 'Origin')}"):
        if key in configured:
            return configured[key]
    return None


def _deb_line(line: str) -> tuple[str, str, str]:
    """Options in brackets, address and suite of a `deb` line."""
    found = re.match(r"deb\s+(\[[^\]]*\]\s+)?(\S+)\s+(\S+)", line)
    return found.group(1) or "", found.group(2), found.group(3)


def _snapshot_lines(live: Archive, moment: str | None) -> tuple[list[str], str]:
    """The lines of sources.list for that moment; none, and why, where no snapshot archive answers."""
    if moment is None:
        return [], "the lock does not say of when it is; write it anew with `make lock`"
    configured, moved = _configured_snapshots(), []
    for line in live.lines:
        options, old, _ = _deb_line(line)
        address = _snapshot_address(live.release_of(line), configured)
        if address is None:
            return (
                [],
                f"neither the Release files nor this machine's apt names one; set {SNAPSHOT_KEY} in apt's configuration",
            )
        new = address.replace("@SNAPSHOTID@", moment)
        moved.append(line.replace(f"{options}{old}", f"{options}{new}", 1))
    _, address, suite = _deb_line(moved[0])
    try:
        with trust.opened(f"{address.rstrip('/')}/dists/{suite}/Release", SNAPSHOT_TIMEOUT_S):
            return moved, ""
    except (OSError, ValueError) as error:
        return [], f"it does not answer ({getattr(error, 'reason', error)})"


def supply(environment: Environment, locked: dict | None, pool: Path, refresh: bool = False) -> dict:
    """Bring the packages into the pool; return `packages`, `snapshot` (when they were current) and `source` (where from).

    `locked` has `packages` and `snapshot`. `refresh` goes past cache, lock and snapshot. Raises UserError where there is no way.
    """
    wanted = None if refresh or locked is None else locked["packages"]
    if wanted is not None and not missing_packages(pool, wanted):
        return {"packages": wanted, "snapshot": locked["snapshot"], "source": "cache"}
    with exclusive(APT / environment.suite):
        state = APT / environment.suite / ("" if environment.architecture == AMD64 else environment.architecture)
        lines, architecture = archive_sources(environment.suite), environment.architecture
        live = Archive(lines, state, architecture, environment.check_valid_until)
        unreachable = live.update()
        lacking = ""
        if wanted is not None:
            source, lacking = _locked(locked, live, unreachable, pool)
            if source:
                return {"packages": wanted, "snapshot": locked["snapshot"], "source": source}
        if unreachable:
            raise UserError(
                f"{environment.rootfs}: the archive can't be read ({unreachable}){lacking and f'; {lacking}'}"
            )
        if lacking:
            print(f"{environment.rootfs}: {lacking}; going on with the archive as it is now", file=sys.stderr)
        # As the snapshot archive writes it.
        moment, found = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ"), live.resolve(environment.packages)
        left = live.fetch(missing_packages(pool, found), pool)
        if left:
            raise UserError(f"{environment.rootfs}: {left[0]['name']} {left[0]['version']} can't be fetched; run again")
        return {"packages": found, "snapshot": moment, "source": "archive"}


def _locked(locked: dict, live: Archive, unreachable: str | None, pool: Path) -> tuple[str | None, str]:
    """Fetch the locked packages that the cache lacks; return the name of the last place asked, or None and what is lacking."""
    left = missing_packages(pool, locked["packages"])
    if not unreachable:
        left = live.fetch(left, pool)
    if not left:
        return "archive", ""
    left, why = _from_snapshot(left, live, locked["snapshot"], pool)
    if not left:
        return "snapshot", ""
    names = ", ".join(f"{package['name']} {package['version']}" for package in left[:3])
    return None, (
        f"{len(left)} locked packages are neither in the cache nor in the archive ({names}{', ...' * (len(left) > 3)}); "
        f"snapshot archive: {why}"
    )


def _from_snapshot(wanted: list[dict], live: Archive, moment: str | None, pool: Path) -> tuple[list[dict], str]:
    """Fetch packages from the snapshot archive of a moment; return those it did not give, and why."""
    lines, why = _snapshot_lines(live, moment)
    if why:
        return wanted, why
    with tempfile.TemporaryDirectory(dir=APT, prefix=".snapshot-") as state:
        old = Archive(lines, Path(state), live.architecture, check_valid_until=False)
        if unreachable := old.update():
            return wanted, unreachable
        left = old.fetch(wanted, pool)
        return left, f"it lacks {len(left)} of them"
