"""Whether a round is whole: its manifest of SHA-256 sums, written last and checked before every run, and the stamp beside it."""

import hashlib
from pathlib import Path

from envs.builder.errors import UserError
from envs.builder.files import sha256
from envs.builder.yamlfile import where

NAME = "manifest.sha256"


def _files(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file() and p.name != NAME)


def write(folder: Path) -> str:
    """Write the manifest over all of a round's files, in `sha256sum -c`'s format; return the manifest's own SHA-256."""
    text = "".join(f"{sha256(folder / name)}  {name}\n" for name in _files(folder))
    (folder / NAME).write_text(text)
    return hashlib.sha256(text.encode()).hexdigest()


def verify(folder: Path, mend: str | None = None) -> str:
    """Hold a round against its manifest and return the manifest's SHA-256. Raises UserError naming the first bad file."""
    mend = mend or f"remove {where(folder)} to measure that round again, or put the file back"
    try:
        text = (folder / NAME).read_text()
    except OSError:
        raise UserError(f"{where(folder / NAME)}: missing; {mend}") from None
    listed = {}
    for line in text.splitlines():
        digest, separator, name = line.partition("  ")
        if not separator:
            raise UserError(f"{where(folder / NAME)}: {line!r} is no line of a manifest; {mend}")
        listed[name] = digest
    for name in sorted(listed.keys() | set(_files(folder))):
        file = folder / name
        if name not in listed:
            raise UserError(f"{where(file)}: not in the round's manifest; remove it: raw data is never added to")
        if not file.is_file():
            raise UserError(f"{where(file)}: missing, though the manifest lists it; {mend}")
        if sha256(file) != listed[name]:
            raise UserError(f"{where(file)}: differs from the manifest (changed or cut short); {mend}")
    return hashlib.sha256(text.encode()).hexdigest()


def stamp_of(folder: Path) -> Path:
    """Where a round's stamp lies, which Snakemake takes for its output."""
    return folder.with_name(f"{folder.name}.whole")


def stamp(folder: Path) -> None:
    """Write the stamp that says that a round is whole: the SHA-256 of its manifest."""
    stamp_of(folder).write_text(verify(folder) + "\n")


def verify_stamped(folder: Path) -> None:
    """Hold a round against its manifest, and the manifest against the stamp where there is one."""
    digest, file = verify(folder), stamp_of(folder)
    if file.is_file() and file.read_text().strip() != digest:
        raise UserError(
            f"{where(folder / NAME)}: differs from {where(file)}, so the round was changed after it was measured; "
            f"put it back, or remove {where(folder)} and its stamp"
        )
