"""What a kit sent back: how it is unpacked, where its rounds are, and the one text that stands for all of it when it is signed.

In: a directory of rounds, `<experiment>/kit-<machine>/<round>/`, each with the manifest that the kit wrote.
"""

import re
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.rounds import manifest, tree, unzip
from jcarerun.support.files import sha256, where

MACHINE = re.compile(r"kit-([0-9a-f]{12})")
REMEDY = "give the zip that the kit made, or the results directory in it"
ZIP = unzip.Kind(tree.KIT, "nothing of it is imported", REMEDY)
_MANIFEST = re.compile(rf"{tree.ID.pattern}/{MACHINE.pattern}/{tree.ID.pattern}/{re.escape(manifest.NAME)}")


def refuse(place: object, what: str, remedy: str = REMEDY) -> UserError:
    """What is said of something that a kit sent and that can't be taken."""
    return unzip.refuse(place, what, remedy)


def is_manifest(name: str) -> bool:
    """Whether a member of a zip is the manifest of a round that a kit sent back."""
    return _MANIFEST.fullmatch(name) is not None


def rounds(root: Path) -> list[Path]:
    """The directories of the rounds."""
    found = [root / path for path in tree.folders(root, 3)]
    if not found:
        raise refuse(where(root), "holds no round (<experiment>/kit-<machine>/<round>/)")
    return found


def write_seal(root: Path, file: Path) -> Path:
    """Write the SHA-256 of every round's manifest, as `sha256sum` has them: each manifest has those of its round's files."""
    found = {folder.relative_to(root).as_posix(): folder / manifest.NAME for folder in rounds(root)}
    for each in found.values():
        if not each.is_file():
            raise refuse(where(each), "missing")
    file.write_text("".join(f"{sha256(found[name])}  {name}/{manifest.NAME}\n" for name in sorted(found)))
    return file
