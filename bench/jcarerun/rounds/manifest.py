"""Whether a round, or a bundle, is complete: its manifest of SHA-256 sums, and the stamp beside a round that was checked.

The manifest is written last, and checked before every use. Snakemake takes the stamp for the round's output.
"""

import hashlib
import os
import re
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.rounds import tree
from jcarerun.rounds.tree import Names
from jcarerun.support.files import where

NAME = tree.MANIFEST
MOST_BYTES = 256 << 20  # of the manifest itself: of a bundle, a line for each of a million files
_BOUNDS = tree.Bounds()
_DIGEST = re.compile("[0-9a-f]{64}")
# What a round may lack that its manifest lists: HotSpot's logs in full, most of a round's bytes. Archives leave them out
# (bench/jcarerun/results/archive.py). The tables that were made from them when the round ended stay.
COMPILATION_LOG = re.compile(r"jit/[0-9]+\.log\.gz")


def write(folder: Path, allowed: Names = tree.ROUND, bounds: tree.Bounds = _BOUNDS, name: str = NAME) -> str:
    """Write the manifest over all files of a directory, in `sha256sum -c`'s format; return the manifest's own SHA-256."""
    text = "".join(f"{digest}  {name}\n" for name, digest in sorted(tree.digests(folder, allowed, bounds).items()))
    with (folder / name).open("x") as file:
        file.write(text)
    return hashlib.sha256(text.encode()).hexdigest()


def _listed(file: Path, text: bytes, remedy: str, allowed: Names) -> dict[str, str]:
    """Name to SHA-256, as a manifest has them. Raises UserError for what is no manifest."""
    found = {}
    for line in text.decode("utf-8", "backslashreplace").removesuffix("\n").split("\n"):
        digest, separator, name = line.partition("  ")
        if not separator or not _DIGEST.fullmatch(digest):
            raise UserError(f"{where(file)}: {line[:200]!r} is no line of a manifest; {remedy}")
        if not allowed.file(name):
            raise UserError(f"{where(file)}: {name[:200]!r} is no {allowed.what}; {remedy}")
        if name in found:
            raise UserError(f"{where(file)}: lists {name} twice; {remedy}")
        found[name] = digest
    return found


def digest(content: bytes) -> str:
    """The SHA-256 of a file's content, as a manifest has it."""
    return hashlib.sha256(content).hexdigest()


def listed(folder: Path) -> dict[str, str]:
    """Name to SHA-256 of the files that a round's manifest lists, whether or not they are there."""
    return _listed(folder / NAME, tree.read(folder, NAME, MOST_BYTES), tree.RESTORE, tree.ROUND)


def verify(
    folder: Path,
    remedy: str | None = None,
    allowed: Names = tree.ROUND,
    bounds: tree.Bounds = _BOUNDS,
    name: str = NAME,
) -> str:
    """Hold a directory against its manifest; return the manifest's SHA-256. Raises UserError naming the first bad file.

    `allowed`: which names its files may have; `name`: what the manifest is called. A round may lack compilation logs.
    """
    remedy = remedy or f"remove {where(folder)} to measure that round again, or put the file back"
    found = tree.digests(folder, allowed, bounds)
    own = found.pop(name, None)
    if own is None:
        raise UserError(f"{where(folder / name)}: missing; {remedy}")
    names = _listed(folder / name, tree.read(folder, name, MOST_BYTES), remedy, allowed)
    for each in sorted(names.keys() | found.keys()):
        file = folder / each
        if each not in names:
            raise UserError(f"{where(file)}: not in the manifest; remove it: what a manifest seals is never added to")
        if each not in found:
            if allowed is tree.ROUND and COMPILATION_LOG.fullmatch(each):
                continue
            raise UserError(f"{where(file)}: missing, though the manifest lists it; {remedy}")
        if found[each] != names[each]:
            raise UserError(f"{where(file)}: differs from the manifest (changed or cut short); {remedy}")
    return own


# In place of a digest, where a round was left out because a run's minutes were up (bench/jcarerun/plan/budget.py).
LEFT_OUT = "left out: out of time"


def stamp_of(folder: Path) -> Path:
    """Where a round's stamp lies."""
    return folder.with_name(f"{folder.name}.done")


def require_stamped_rounds(raw: Path) -> None:
    """Raise UserError where a raw directory has a stamp, but not the round that it is of; one that was left out has none."""
    for file in sorted(raw.glob("*/*/[!.]*.done")):
        if not os.path.lexists(folder := file.with_suffix("")) and not is_left_out(folder):
            raise UserError(
                f"{where(folder)}: is gone, though its stamp is there; put it back, or remove {where(file)}"
            )


def is_left_out(folder: Path) -> bool:
    """Whether a stamp says that there is no round."""
    file = stamp_of(folder)
    return os.path.lexists(file) and tree.read(file.parent, file.name).decode(errors="replace").startswith(LEFT_OUT)
