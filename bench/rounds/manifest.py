"""Whether a round is whole: its manifest of SHA-256 sums, written last and checked before every run."""

import hashlib
import re
from pathlib import Path

from bench.rounds import names, tree
from bench.rounds.names import Names
from envs.support.errors import UserError
from envs.support.yamlfile import where

NAME = names.MANIFEST
_DIGEST = re.compile("[0-9a-f]{64}")


def write(folder: Path) -> str:
    """Write the manifest over all of a round's files, in `sha256sum -c`'s format; return the manifest's own SHA-256."""
    text = "".join(f"{digest}  {name}\n" for name, digest in sorted(tree.digests(folder, names.ROUND).items()))
    with (folder / NAME).open("x") as file:
        file.write(text)
    return hashlib.sha256(text.encode()).hexdigest()


def _listed(file: Path, text: bytes, remedy: str, allowed: Names) -> dict[str, str]:
    """Name to SHA-256, as a manifest has them. Raises UserError for what is no manifest of a round."""
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


def verify(folder: Path, remedy: str | None = None, allowed: Names = names.ROUND) -> str:
    """Hold a round against its manifest and return the manifest's SHA-256. Raises UserError naming the first bad file.

    `allowed`: which names its files may have.
    """
    remedy = remedy or f"remove {where(folder)} to measure that round again, or put the file back"
    found = tree.digests(folder, allowed)
    own = found.pop(NAME, None)
    if own is None:
        raise UserError(f"{where(folder / NAME)}: missing; {remedy}")
    listed = _listed(folder / NAME, tree.read(folder, NAME), remedy, allowed)
    for name in sorted(listed.keys() | found.keys()):
        file = folder / name
        if name not in listed:
            raise UserError(f"{where(file)}: not in the round's manifest; remove it: raw data is never added to")
        if name not in found:
            raise UserError(f"{where(file)}: missing, though the manifest lists it; {remedy}")
        if found[name] != listed[name]:
            raise UserError(f"{where(file)}: differs from the manifest (changed or cut short); {remedy}")
    return own
