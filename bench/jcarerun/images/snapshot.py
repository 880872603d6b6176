"""Debian's snapshot archive: the sources of a suite as they were at a moment, where such an archive answers.

Its address stands nowhere here. It is what the suite's Release file names (`Snapshots`), or what apt itself is configured with
(`Acquire::Snapshots::URI`, there by default from apt 3 on): this machine's apt, or that of a root file system built before.
"""

import re
import subprocess
import urllib.error
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from jcarerun.images.archive import Archive
from jcarerun.support import trust

TIMEOUT_S = 5
KEY = "Acquire::Snapshots::URI"


def now() -> str:
    """The present moment as the snapshot archive writes it."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")


def _field(release: str, name: str) -> str:
    found = re.search(rf"^{name}: (.+)$", release, re.MULTILINE)
    return found.group(1).strip() if found else ""


def _configured(known: Path) -> dict[str, str]:
    """The configuration of apt of snapshot addresses: of this machine, and what built root file systems left in `known`."""
    run = subprocess.run(["apt-config", "dump"], capture_output=True, text=True)
    text = (known.read_text() if known.is_file() else "") + run.stdout
    return dict(re.findall(rf'^{KEY}::(\S+) "(.+)";$', text, re.MULTILINE))


def remember(dump: Path, known: Path) -> None:
    """Keep in `known` what a root file system's apt says of snapshot archives, if it does; `dump` is removed."""
    lines = [line for line in dump.read_text().splitlines() if line.startswith(f"{KEY}::") and "@SNAPSHOTID@" in line]
    dump.unlink()
    if lines:
        known.parent.mkdir(parents=True, exist_ok=True)
        known.write_text("\n".join(lines) + "\n")


def _address(release: str, configured: dict[str, str]) -> str | None:
    """The address, with @SNAPSHOTID@ in it, for the suite of a Release file."""
    named = _field(release, "Snapshots")
    if named:
        return None if named == "no" else named
    for key in (f"Override::Label::{_field(release, 'Label')}", f"Origin::{_field(release, 'Origin')}"):
        if key in configured:
            return configured[key]
    return None


def _release_of(line: str, live: Archive) -> str:
    """The Release file that belongs to a line of sources.list: apt names it after the address."""
    _, address, suite = _parts(line)
    start = f"{address.partition('://')[2].rstrip('/').replace('/', '_')}_dists_{suite}_"
    return next((file.read_text() for file in live.releases() if file.name.startswith(start)), "")


def _parts(line: str) -> tuple[str, str, str]:
    """Options in brackets, address and suite of a `deb` line."""
    found = re.match(r"deb\s+(\[[^\]]*\]\s+)?(\S+)\s+(\S+)", line)
    return found.group(1) or "", found.group(2), found.group(3)


class NoSnapshot(Exception):
    """Why no snapshot archive can be used, in words."""


def sources(lines: Sequence[str], live: Archive, moment: str | None, known: Path) -> list[str]:
    """The lines of sources.list for that moment. Raises NoSnapshot where no snapshot archive answers."""
    if moment is None:
        raise NoSnapshot("the lock does not say of when it is; write it anew with `make lock`")
    configured, moved = _configured(known), []
    for line in lines:
        options, old, _ = _parts(line)
        address = _address(_release_of(line, live), configured)
        if address is None:
            raise NoSnapshot(
                f"neither the Release files nor this machine's apt names one; set {KEY} in apt's configuration"
            )
        new = address.replace("@SNAPSHOTID@", moment)
        moved.append(line.replace(f"{options}{old}", f"{options}{new}", 1))
    _, address, suite = _parts(moved[0])
    probe = f"{address.rstrip('/')}/dists/{suite}/Release"
    try:
        with trust.opened(probe, TIMEOUT_S):
            return moved
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise NoSnapshot(f"it does not answer ({getattr(error, 'reason', error)})") from None
