"""Archives with a manifest, as zips: a bundle, a kit, or the rounds that a kit sent back. Their names, check and signature.

Of a zip of others only plain files are taken, under names of a given set, within bounds. An ordinary SSH key signs the manifest.
The signature lies beside the archive, as `<archive>.sig`. The list of signers is ssh's own (ssh-keygen(1), ALLOWED SIGNERS).
"""

import argparse
import os
import re
import shutil
import stat
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from jcarerun.errors import UserError, one_line, say
from jcarerun.rounds import manifest, tree
from jcarerun.rounds.tree import Names
from jcarerun.run import run_record
from jcarerun.support.files import confined, sha256, where

BOUNDS = tree.Bounds(entries=1_000_000)
# By how many times a zip may grow, beyond some MiB: raw timings and logs are packed to a tenth.
MOST_GROWTH, FREE_BYTES = 100, 64 << 20
REMEDY = "have it sent again, or ask whoever made it"
ZIP_REMEDY = "give a zip that `jca-rerun bundle` or `jca-rerun kit` made"
_ID = tree.ID.pattern

# A bundle: the names of a results folder, and next to rounds their stamps and the plans of later stages.
MANIFEST = "SHA256SUMS"
RECORD, CLAIMS, CRATE = "bundle.json", "verdict_commands.csv", "ro-crate-metadata.json"
RAW, TIDY, EXPERIMENTS = "raw", "tidy", "experiments"
REPORTS = ("report.pdf", "report.html")
# Files of this checkout, by their names in a bundle.
ABOUT = {"README.md": Path("bench/jcarerun/bundle/readme.md"), "LICENSE": Path("LICENSE")}
_COMPANION = re.compile(rf"{_ID}\.(?:done|stage-[1-9]\.csv)")
_REFERENCE_FORKS = re.escape(run_record.REFERENCE_FORKS)
_ROUND = rf"{RAW}/(?:{_REFERENCE_FORKS}/)?{_ID}/{_ID}/{_ID}"
BUNDLE = Names(
    re.compile(
        "|".join((
            rf"{_ROUND}/(?:{tree.ROUND.files.pattern})",
            rf"{RAW}/(?:{_REFERENCE_FORKS}/)?{_ID}/{_ID}/{_COMPANION.pattern}",
            rf"{RAW}/{re.escape(run_record.NAME)}",
            rf"{TIDY}/[a-z_]+\.(?:csv|csv\.gz|json|txt)",
            rf"{EXPERIMENTS}/{_ID}",
            *map(re.escape, (*REPORTS, *ABOUT, RECORD, CLAIMS, CRATE, MANIFEST)),
        ))
    ),
    re.compile(rf"{RAW}(?:/{_REFERENCE_FORKS})?(?:/{_ID}){{0,3}}|{_ROUND}/(?:{tree.ROUND.folders.pattern})|{EXPERIMENTS}|{TIDY}"),
    "file of a bundle",
)  # fmt: skip

# A kit lies in a folder of the zip, so that it unpacks to one (bench/jcarerun/kit/kit.py).
KIT_MANIFEST = "kit.sha256"
_KIT = rf"jca-rerun-kit-{_ID}"
_IN_KIT = rf"{_ID}(?:/{_ID}){{0,3}}"
KIT = Names(re.compile(_IN_KIT), re.compile(_IN_KIT), "file of a kit")
KIT_ZIP = Names(re.compile(rf"{_KIT}/(?:{_IN_KIT})"), re.compile(rf"{_KIT}(?:/{_IN_KIT})?"), KIT.what)

# What a kit sends back: `<experiment>/kit-<machine>/<round>/`, each with the manifest that the kit wrote.
MACHINE = re.compile(r"kit-([0-9a-f]{12})")
KIT_REMEDY = "give the zip that the kit made, or the results directory in it"
_KIT_ROUND_MANIFEST = re.compile(rf"{_ID}/{MACHINE.pattern}/{_ID}/{re.escape(manifest.NAME)}")


def companion_files(folder: Path) -> list[Path]:
    """Files next to a round: its stamp, and the plans of its stages."""
    names = (folder.name, folder.name.rpartition("-")[0])
    files = sorted(folder.parent.iterdir())
    return [file for file in files if _COMPANION.fullmatch(file.name) and file.name.partition(".")[0] in names]


def refuse(place: object, what: str, remedy: str = KIT_REMEDY) -> UserError:
    """What is said of something that can't be taken."""
    return UserError(f"{place}: {what}; {remedy}")


def unpack(given: Path, target: Path, names: Names, remedy: str) -> None:
    """Unpack a zip into a directory that is ours. Raises UserError in one line for whatever can't be taken."""
    confined(lambda: _unpack(given, target, names, remedy), given, given.stat().st_size)


def _unpack(given: Path, target: Path, names: Names, remedy: str) -> None:
    with zipfile.ZipFile(given) as archive:
        members = archive.infolist()
        for member in members:
            if what := _complaint(member, names):
                raise refuse(f"{given}: {member.filename}", f"{what}; nothing of it is used", remedy)
        if len({member.filename for member in members}) != len(members):
            raise refuse(given, "has a name twice", remedy)
        if len(members) > BOUNDS.entries:
            raise refuse(given, f"has {len(members)} files, more than {BOUNDS.entries}", remedy)
        most = min(BOUNDS.all, FREE_BYTES + MOST_GROWTH * given.stat().st_size)
        if (size := sum(member.file_size for member in members)) > most:
            raise refuse(given, f"would be {size >> 20} MiB unpacked, more than {most >> 20}", remedy)
        for member in members:
            if not member.is_dir():
                place = target / member.filename
                place.parent.mkdir(parents=True, exist_ok=True)
                # No more than the member's stated size is ever unpacked.
                with archive.open(member) as packed, place.open("xb") as file:
                    shutil.copyfileobj(packed, file)


def _complaint(member: zipfile.ZipInfo, names: Names) -> str:
    """Why a member is not taken: no set of names has one that leads out of its place."""
    if stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is no plain file (a link?)"
    if not (names.folder(member.filename[:-1]) if member.is_dir() else names.file(member.filename)):
        return f"is no {names.what}"
    known = member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    return "" if known else "is packed in a way that nothing of ours uses"


def kit_rounds(root: Path) -> list[Path]:
    """The directories of the rounds that a kit sent back."""
    found = [root / path for path in tree.folders(root, 3)]
    if not found:
        raise refuse(where(root), "holds no round (<experiment>/kit-<machine>/<round>/)")
    return found


def write_seal(root: Path) -> Path:
    """Write the SHA-256 of every kit round's manifest, which stands for all of it when it is signed, as `sha256sum` has them."""
    found = {folder.relative_to(root).as_posix(): folder / manifest.NAME for folder in kit_rounds(root)}
    for each in found.values():
        if not each.is_file():
            raise refuse(where(each), "missing")
    file = root.with_name("rounds.sha256")
    file.write_text("".join(f"{sha256(found[name])}  {name}/{manifest.NAME}\n" for name in sorted(found)))
    return file


@dataclass(frozen=True)
class Sealed:
    """An archive that is what its manifest says. folder: where it is unpacked. seal: the manifest's SHA-256."""

    folder: Path
    manifest: Path
    seal: str
    bundle: bool


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


def _names(given: Path) -> list[str]:
    with zipfile.ZipFile(given) as packed:
        return packed.namelist()


def _checked(given: Path, folder: Path) -> Sealed:
    names = confined(lambda: _names(given), given, given.stat().st_size)
    if any(map(_KIT_ROUND_MANIFEST.fullmatch, names)):
        unpack(given, folder, tree.KIT, KIT_REMEDY)
        for each in kit_rounds(folder):
            manifest.verify(each, REMEDY, tree.CAPTURED)
        # Each round has a manifest of its own, and what is signed is the list of these.
        seal = write_seal(folder)
        return Sealed(folder, seal, sha256(seal), bundle=False)
    kit = any(re.fullmatch(rf"{_KIT}/{KIT_MANIFEST}", name) for name in names)
    unpack(given, folder, KIT_ZIP if kit else BUNDLE, ZIP_REMEDY)
    tops = sorted(folder.iterdir()) if kit else [folder]
    if len(tops) != 1:
        raise UserError(f"{given}: has {len(tops)} folders at its top, a kit has one; {REMEDY}")
    allowed, name = (KIT, KIT_MANIFEST) if kit else (BUNDLE, MANIFEST)
    seal = manifest.verify(tops[0], REMEDY, allowed, BOUNDS, name)
    return Sealed(tops[0], tops[0] / name, seal, bundle=not kit)


# What a signature is for: one for anything else is none of ours.
_NAMESPACE = "jca-rerun"


def signature_of(archive: Path) -> Path:
    """Where the signature of an archive lies."""
    return archive.with_name(f"{archive.name}.sig")


def _ssh_keygen(*words: str | Path, text: bytes = b"") -> subprocess.CompletedProcess:
    command = ["ssh-keygen", "-Y", *map(str, words)]
    try:
        return subprocess.run(command, input=text, capture_output=True, env={**os.environ, "LC_ALL": "C"})
    except FileNotFoundError:
        raise UserError("ssh-keygen: there is no such command here; install openssh-client") from None


def _said(done: subprocess.CompletedProcess) -> str:
    """What ssh-keygen said, in a line."""
    lines = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
    return one_line(lines[-1])[:200] if lines else "it said nothing"


def sign(archive: Path, key: Path) -> Path:
    """Write the signature of an archive's manifest beside it. Raises UserError for damage, or where the key can't sign."""
    with opened(archive) as found:
        if not key.is_file():
            raise UserError(
                f"{key}: there is no such key; make one with ssh-keygen -t ed25519, or name another with KEY="
            )
        done = _ssh_keygen("sign", "-f", key, "-n", _NAMESPACE, text=found.manifest.read_bytes())
    if done.returncode:
        raise UserError(f"{key}: can't sign ({_said(done)}); name an SSH key that you may use")
    signature_of(archive).write_bytes(done.stdout)
    return signature_of(archive)


def signer(manifest: Path, archive: Path, signers: Path) -> str:
    """The signer of an archive's manifest. Raises UserError unless it is signed by one of those listed."""
    signature = signature_of(archive)
    for file, remedy in ((signers, "a line each: name, key type, key"), (signature, "ask for it: make sign makes it")):
        if not file.is_file():
            raise UserError(f"{file}: there is no such file; {remedy}")
    found = _ssh_keygen("find-principals", "-s", signature, "-f", signers)
    names = found.stdout.decode(errors="replace").splitlines()
    if found.returncode or not names:
        raise UserError(f"{signature}: is by none of the signers in {signers} ({_said(found)}); don't use {archive}")
    words = ("verify", "-f", signers, "-I", names[0], "-n", _NAMESPACE, "-s", signature)
    done = _ssh_keygen(*words, text=manifest.read_bytes())
    if done.returncode:
        raise UserError(f"{signature}: is no signature of this archive's manifest ({_said(done)}); don't use {archive}")
    return one_line(names[0])


def main(arguments: argparse.Namespace) -> None:
    """Sign what the command line names."""
    say(str(sign(arguments.artifact, arguments.key)))
