"""What tests of bundles share: a bundle unpacked, altered, and packed again with the manifest that it then should have."""

import zipfile
from pathlib import Path

from jcarerun.bundle import make, sealed
from jcarerun.rounds import manifest


def unpacked(bundle: Path, target: Path) -> Path:
    """A bundle's files in a directory."""
    with zipfile.ZipFile(bundle) as packed:
        packed.extractall(target)
    return target


def packed(folder: Path, target: Path, seal: bool = False) -> Path:
    """The directory as a bundle; `seal`: with a manifest of what it holds now, as a forger would write it."""
    if seal:
        (folder / sealed.MANIFEST).unlink()
        manifest.write(folder, sealed.BUNDLE, name=sealed.MANIFEST)
    make.write_zip(folder, target)
    return target


def replaced(file: Path, old: str, new: str) -> None:
    """Replace a text that a file has."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def commit(made) -> str:
    """Commit all of a scratch checkout, and return the commit's id."""
    assert made.run("git", "add", "--all").returncode == 0
    who = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    assert made.run("git", *who, "commit", "--quiet", "--message", "all").returncode == 0
    return made.run("git", "rev-parse", "HEAD").stdout.strip()
