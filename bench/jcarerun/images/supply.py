"""Where the packages of a root file system come from, so that what is built is what is locked if there is any way to it.

In this order: the cache; the archive as it is now, where it still has the locked bytes; Debian's snapshot archive at the time
of the lock; the archive as it is now, with other versions, which is said on standard error and is drift in the record.
"""

import sys
import tempfile
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import archive as archives
from jcarerun.images import pool as pools
from jcarerun.images import snapshot
from jcarerun.images.catalogue import Environment
from jcarerun.support.files import held

APT = Path("envs/cache/apt")
# What the apt of built root file systems says of snapshot archives.
KNOWN = APT / "snapshots.conf"


def packages(environment: Environment, locked: dict | None, pool: Path, refresh: bool = False) -> dict:
    """Bring the packages into the pool; return `packages`, `snapshot` (when they were current) and `source` (where from).

    `locked` has `packages` and `snapshot`. `refresh` goes past cache, lock and snapshot. Raises UserError where there is no way.
    """
    wanted = None if refresh or locked is None else locked["packages"]
    if wanted is not None and not pools.missing(pool, wanted):
        return {"packages": wanted, "snapshot": locked["snapshot"], "source": "cache"}
    with held(APT / environment.suite):
        live = archives.live(environment, APT)
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
        moment, found = snapshot.now(), live.resolve(environment.packages)
        left = live.fetch(pools.missing(pool, found), pool)
        if left:
            raise UserError(f"{environment.rootfs}: {left[0]['name']} {left[0]['version']} can't be fetched; run again")
        return {"packages": found, "snapshot": moment, "source": "archive"}


def _locked(locked: dict, live: archives.Archive, unreachable: str | None, pool: Path) -> tuple[str | None, str]:
    """Fetch the locked packages that the cache lacks; return the name of the last place asked, or None and what is lacking."""
    left = pools.missing(pool, locked["packages"])
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


def _from_snapshot(
    wanted: list[dict], live: archives.Archive, moment: str | None, pool: Path
) -> tuple[list[dict], str]:
    """Fetch packages from the snapshot archive of a moment; return those it did not give, and why."""
    try:
        lines = snapshot.sources(live.lines, live, moment, KNOWN)
    except snapshot.NoSnapshot as error:
        return wanted, str(error)
    with tempfile.TemporaryDirectory(dir=APT, prefix=".snapshot-") as state:
        old = archives.Archive(lines, Path(state), live.architecture, check_valid_until=False)
        if unreachable := old.update():
            return wanted, unreachable
        left = old.fetch(wanted, pool)
        return left, f"it lacks {len(left)} of them"
