"""An archive with a manifest, unpacked and checked by it: a bundle, a kit for another machine, or what one sent back."""

import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jcarerun.bundle import layout
from jcarerun.errors import UserError
from jcarerun.rounds import manifest, returned, tree, unzip
from jcarerun.rounds.tree import Names
from jcarerun.support.files import sha256

REMEDY = "have it sent again, or ask whoever made it"

# A kit lies in a folder of the zip, so that it unpacks to one (bench/jcarerun/kit/kit.py).
KIT_MANIFEST = "kit.sha256"
_KIT = rf"jca-rerun-kit-{tree.ID.pattern}"
_IN_KIT = rf"{tree.ID.pattern}(?:/{tree.ID.pattern}){{0,3}}"
KIT = Names(re.compile(_IN_KIT), re.compile(_IN_KIT), "file of a kit")
KIT_ZIP = unzip.Kind(
    Names(re.compile(rf"{_KIT}/(?:{_IN_KIT})"), re.compile(rf"{_KIT}(?:/{_IN_KIT})?"), KIT.what),
    "nothing of it is used",
    "give a zip that `jca-rerun bundle` or `jca-rerun kit` made",
)


@dataclass(frozen=True)
class Sealed:
    """An archive that is what its manifest says. folder: where it is unpacked. seal: the manifest's SHA-256."""

    folder: Path
    manifest: Path
    seal: str
    bundle: bool


def _has(given: Path, wanted: Callable[[str], object]) -> bool:
    try:
        with zipfile.ZipFile(given) as archive:
            return any(wanted(name) for name in archive.namelist())
    except (OSError, ValueError, RuntimeError, zipfile.BadZipFile, NotImplementedError):
        return False  # said when it is unpacked


def _is_kit(name: str) -> object:
    return re.fullmatch(rf"{_KIT}/{KIT_MANIFEST}", name)


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
    if _has(given, returned.is_manifest):
        return _sent_back(given, folder)
    kit = _has(given, _is_kit)
    unzip.unpack(given, folder, KIT_ZIP if kit else layout.ZIP)
    if not kit:
        seal = manifest.verify(folder, REMEDY, layout.NAMES, unzip.BOUNDS, layout.MANIFEST)
        return Sealed(folder, folder / layout.MANIFEST, seal, bundle=True)
    tops = sorted(folder.iterdir())
    if len(tops) != 1:
        raise UserError(f"{given}: has {len(tops)} folders at its top, a kit has one; {REMEDY}")
    seal = manifest.verify(tops[0], REMEDY, KIT, unzip.BOUNDS, KIT_MANIFEST)
    return Sealed(tops[0], tops[0] / KIT_MANIFEST, seal, bundle=False)


def _sent_back(given: Path, folder: Path) -> Sealed:
    """What a kit sent back: each round has a manifest of its own, and what is signed is the list of these."""
    unzip.unpack(given, folder, returned.ZIP)
    for each in returned.rounds(folder):
        manifest.verify(each, REMEDY, tree.CAPTURED)
    seal = returned.write_seal(folder, folder.with_name("rounds.sha256"))
    return Sealed(folder, seal, sha256(seal), bundle=False)
