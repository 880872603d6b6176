"""Debian's archive through apt, with a state of our own: what a root file system needs, and its packages by their hashes.

Nothing of this machine's own packages is read or changed; apt checks the archive's signatures. The archive's addresses are
mmdebstrap's own.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import pool as pools
from jcarerun.images.catalogue import AMD64, Environment
from jcarerun.support.files import sha256

# What `mmdebstrap --variant=minbase` installs.
MINBASE = ("?essential", "?and(?priority(required),?not(?essential))", "apt")


def sources(suite: str) -> list[str]:
    """The lines of sources.list that mmdebstrap would use for a suite. Nothing is fetched."""
    begin, end = "SOURCES-BEGIN", "SOURCES-END"
    hook = f'echo {begin} >&2; cat "$1"/etc/apt/sources.list "$1"/etc/apt/sources.list.d/*.list >&2; echo {end} >&2; exit 1'
    run = subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=custom", "--format=null", f"--setup-hook={hook}", suite, "/dev/null"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
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
        return subprocess.run(
            ["apt-get", "--quiet", "--quiet", *self.options, *arguments],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )

    def update(self) -> str | None:
        """Fetch the indexes. Returns None, or apt's own words where it could not."""
        run = self._apt("update", "--error-on=any")
        return None if run.returncode == 0 else _words(run)

    def releases(self) -> list[Path]:
        """The suites' Release files, as fetched."""
        return sorted(self.state.glob("lists/*Release"))

    def resolve(self, packages: Sequence[str]) -> list[dict]:
        """What the smallest system with these packages is made of. Raises UserError where apt finds no way."""
        run = self._apt("install", "--yes", "--print-uris", *MINBASE, *packages)
        if run.returncode != 0:
            raise UserError(
                f"apt finds no way to install {', '.join(packages) or 'the smallest system'}: {_words(run)}"
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
                        pools.take(pool, file)
            if run.returncode != 0:
                raise UserError(f"packages can't be fetched: {_words(run)}")
        return pools.missing(pool, packages)

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
            packages.append(
                {
                    "name": name,
                    "version": version.replace("%3a", ":"),
                    "architecture": architecture,
                    "sha256": digest,
                }
            )
    return sorted(packages, key=lambda package: package["name"])


def _words(run: subprocess.CompletedProcess) -> str:
    """The first complaint of apt, in one line."""
    lines = [line for line in run.stderr.splitlines() if line.startswith(("E:", "Err", "W:"))] or ["E: no message"]
    return lines[0].partition(": ")[2].strip()[:300]


def live(environment: Environment, cache: Path) -> Archive:
    """Debian's archive as it is now, for an environment's suite."""
    state = cache / environment.suite / ("" if environment.architecture == AMD64 else environment.architecture)
    return Archive(sources(environment.suite), state, environment.architecture, environment.check_valid_until)
