"""Gets the providers' jars, from Maven's repository or the drop-in directory, and refuses others than their entries name."""

import shutil
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import maven
from jcarerun.plan.providers import DROP_IN, FILE, Jar, Provider
from jcarerun.support.files import sha256


def fetch(jar: Jar, folder: Path) -> Path:
    """The jar in `folder`, fetched if it is not there. Raises UserError if the bytes are others."""
    target = folder / jar.name
    if target.exists() and sha256(target) == jar.sha256:
        return target
    if jar.file:
        return _drop_in(jar, target)
    maven.take_named(jar.coordinates, jar.sha256, target, f"{FILE}: {jar.name}")
    return target


def _drop_in(jar: Jar, target: Path) -> Path:
    """Copy a jar that the user put into the drop-in directory."""
    found = DROP_IN / jar.file
    if not found.is_file():
        raise UserError(f"{FILE}: {jar.name}: file: there is no {found}; put the jar there, or remove the entry")
    if (digest := sha256(found)) != jar.sha256:
        raise UserError(f"{FILE}: {jar.name}: sha256 {jar.sha256} expected, {found} has {digest}; not taken")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(found, target)
    return target


def fetch_all(providers: dict[str, Provider], folder: Path, record: Path) -> None:
    """Fetch every jar, and write the record of them: a line `<sha256>  <id>.jar` each."""
    every = [jar for provider in providers.values() for jar in provider.jars]
    record.write_text("".join(f"{sha256(fetch(jar, folder))}  {jar.name}\n" for jar in every))
