"""The one check of a round: after measuring, at the import of a kit, and before a report from somebody's directory.

In: a round's directory. Out: its forks, or a UserError in one line for the first file that is not as it must be. What passed is
stamped (stamp.py), and believed by whatever reads it afterwards.
"""

import os
import re
from pathlib import Path

from jcarerun.rounds import (
    columns,
    forks,
    gates,
    hot_chain,
    interference,
    iterations,
    logs,
    manifest,
    observations,
    offers,
    record,
    results,
    table,
    tree,
)
from jcarerun.rounds.damage import RESTORE, Damage, told
from jcarerun.rounds.forks import Fork
from jcarerun.rounds.names import MANIFEST, ROUND

# Raised when rounds that passed must be looked at again.
VERSION = 1

LIMITS = "limits.txt"
_ALWAYS = {
    record.FILE, forks.CELLS, forks.FORKS, gates.FILE, "commands.txt", iterations.NAME, interference.NAME, LIMITS,
    record.ENVIRONMENT, record.AUDIT, record.VERSION, "console.log",
}  # fmt: skip
# Only some workloads observe anything, compare providers, or talk to a server; only some profiles set variables.
_OF_SOME = re.compile(
    r"observations\.csv|offered\.csv|gc/[0-9]+-server\.log|jmh/[0-9]+-frozen\.txt|tls/[a-z]+-[0-9]+\.p12|jvm/java-[^/]+"
    r"|jit/[0-9]+\.(?:log\.gz|stacks)|chain\.csv|compilations\.csv|plan\.json|machine/.*"
)


def whole(folder: Path, remedy: str = RESTORE) -> str:
    """Hold a round against its manifest, and all that it says against the rest of it; return the manifest's SHA-256."""
    digest = manifest.verify(folder, remedy)
    contents(folder, remedy)
    return digest


def contents(folder: Path, remedy: str = "", path: str = "") -> dict[int, Fork]:
    """Hold all that a round says against the rest of it; return every fork that ran. Raises UserError.

    `path`: where below a raw directory the round belongs; where it lies, unless it is still being made.
    """
    with told(folder, remedy):
        planned = forks.read(folder)
        ran = offers.ran(folder, planned)
        every = interference.forks(folder, ran, len(planned))
        _check_files(folder, planned, every)
        times = iterations.read(folder, every)
        interference.check(folder, times, len(planned))
        for number, fork in every.items():
            version = results.check(folder, number, fork, times[number])
            if not fork.native:
                logs.check(folder, f"gc/{number:03d}.log", version)
        observations.check(folder, every)
        for name, own in ((hot_chain.CHAIN, columns.CHAIN), (hot_chain.COMPILATIONS, columns.COMPILATIONS)):
            _check_forks_of(folder, name, own, every)
        _check_limits(folder)
        elapsed = sum(row["elapsed_ms"] for row in table.read(folder, interference.NAME, columns.INTERFERENCE))
        record.check(folder, path or "/".join(folder.resolve().parts[-3:]), planned, elapsed)
        return every


def _check_files(folder: Path, planned: dict[int, Fork], every: dict[int, Fork]) -> None:
    """A round has all of its files, and no other."""
    wanted = _ALWAYS | {f"jvm/flags-{fork.cpu_profile}.txt" for fork in planned.values()}
    for number, fork in every.items():
        wanted |= {f"jmh/{number:03d}.json", f"jmh/{number:03d}.txt"} | (
            set() if fork.native else {f"gc/{number:03d}.log"}
        )
    found = tree.names(folder, ROUND) - {MANIFEST}
    for name in sorted(wanted ^ found):
        if name in wanted:
            raise Damage(name, "missing")
        if not _OF_SOME.fullmatch(name):
            raise Damage(name, "no file of this round")


def _check_forks_of(folder: Path, name: str, own: dict[str, table.Kind], every: dict[int, Fork]) -> None:
    """Each row of a table that a round may have is of a fork that ran."""
    if os.path.lexists(folder / name):
        for line, row in enumerate(table.read(folder, name, own), start=2):
            if row["fork"] not in every:
                raise Damage(name, f"line {line}: fork {row['fork']} did not run")


def _check_limits(folder: Path) -> None:
    for line in table.lines(folder, LIMITS):
        if not re.fullmatch(r"[a-z_]+: .+", line):
            raise Damage(LIMITS, f"{line[:80]!r} is no limit")
