"""An archive with a manifest, unpacked and checked by it: a bundle, a kit for another machine, or what one sent back."""

import re
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jcarerun.bundle import layout
from jcarerun.errors import UserError
from jcarerun.rounds import archive, manifest, tree
from jcarerun.rounds.tree import Names
from jcarerun.support.files import confined, sha256

REMEDY = "have it sent again, or ask whoever made it"
ZIP_REMEDY = "give a zip that `jca-rerun bundle` or `jca-rerun kit` made"

# A kit lies in a folder of the zip, so that it unpacks to one (bench/jcarerun/kit/kit.py).
KIT_MANIFEST = "kit.sha256"
_KIT = rf"jca-rerun-kit-{tree.ID.pattern}"
_IN_KIT = rf"{tree.ID.pattern}(?:/{tree.ID.pattern}){{0,3}}"
KIT = Names(re.compile(_IN_KIT), re.compile(_IN_KIT), "file of a kit")
KIT_ZIP = Names(re.compile(rf"{_KIT}/(?:{_IN_KIT})"), re.compile(rf"{_KIT}(?:/{_IN_KIT})?"), KIT.what)


@dataclass(frozen=True)
class Sealed:
    """An archive that is what its manifest says. folder: where it is unpacked. seal: the manifest's SHA-256."""

    folder: Path
    manifest: Path
    seal: str
    bundle: bool


def _names(given: Path) -> list[str]:
    with zipfile.ZipFile(given) as packed:
        return packed.namelist()


@contextmanager
def opened(given: Path) -> Iterator[Sealed]:
    """An archive, unpacked for as long as the block lasts. Raises UserError for one that is not what its manifest says."""
    if not given.is_file():
        raise UserError(f"{given}: there is no such file; give a zip that `jca-rerun bundle` made, or a kit")
    with tempfile.TemporaryDirectory(prefix="jca-rerun-verify-") as scratch:
        folder = Path(scratch) / "bundle"
        folder.mkdir()
        try:
            yield _checked(given, folder)
        except UserError as error:
            # A person knows what they gave, not where it was unpacked.
            raise UserError(str(error).replace(str(folder), str(given))) from None


def _checked(given: Path, folder: Path) -> Sealed:
    names = confined(lambda: _names(given), given, given.stat().st_size)
    if any(map(archive.is_manifest, names)):
        archive.unpack(given, folder, tree.KIT, archive.REMEDY)
        for each in archive.kit_rounds(folder):
            manifest.verify(each, REMEDY, tree.CAPTURED)
        # Each round has a manifest of its own, and what is signed is the list of these.
        seal = archive.write_seal(folder, folder.with_name("rounds.sha256"))
        return Sealed(folder, seal, sha256(seal), bundle=False)
    kit = any(re.fullmatch(rf"{_KIT}/{KIT_MANIFEST}", name) for name in names)
    archive.unpack(given, folder, KIT_ZIP if kit else layout.NAMES, ZIP_REMEDY)
    tops = sorted(folder.iterdir()) if kit else [folder]
    if len(tops) != 1:
        raise UserError(f"{given}: has {len(tops)} folders at its top, a kit has one; {REMEDY}")
    allowed, name = (KIT, KIT_MANIFEST) if kit else (layout.NAMES, layout.MANIFEST)
    seal = manifest.verify(tops[0], REMEDY, allowed, archive.BOUNDS, name)
    return Sealed(tops[0], tops[0] / name, seal, bundle=not kit)
