"""Gets the providers' jars, through Maven or from the drop-in directory, and refuses one whose SHA-256 is not the entry's."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from bench.harness.providers import DROP_IN, FILE, Provider
from envs.builder.errors import UserError
from envs.builder.files import sha256

PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"


def fetch(provider: Provider, folder: Path) -> Path:
    """The provider's jar at `<folder>/<id>.jar`, fetched if it is not there. Raises UserError if the bytes are others."""
    target = folder / f"{provider.id}.jar"
    folder.mkdir(parents=True, exist_ok=True)
    if target.exists() and sha256(target) == provider.sha256:
        return target
    if provider.file:
        return _drop_in(provider, target)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        run = subprocess.run(
            ["mvn", "--batch-mode", "--quiet", PLUGIN, f"-Dartifact={provider.jar}", f"-DoutputDirectory={scratch}"],
            capture_output=True, text=True,
        )  # fmt: skip
        found = list(Path(scratch).glob("*.jar"))
        if run.returncode != 0 or len(found) != 1:
            words = [line for line in run.stdout.splitlines() if "ERROR" in line] or ["no message"]
            raise UserError(f"{FILE}: {provider.id}.jar: {provider.jar} can't be fetched: {words[0][:300]}")
        if (digest := sha256(found[0])) != provider.sha256:
            raise UserError(
                f"{FILE}: {provider.id}.sha256: {provider.sha256} expected, the fetched jar has {digest}; not taken in"
            )
        shutil.move(found[0], target)
    return target


def _drop_in(provider: Provider, target: Path) -> Path:
    """Copy a jar that the user put into the drop-in directory."""
    found = DROP_IN / provider.file
    if not found.is_file():
        raise UserError(f"{FILE}: {provider.id}.file: there is no {found}; put the jar there, or remove the entry")
    if (digest := sha256(found)) != provider.sha256:
        raise UserError(f"{FILE}: {provider.id}.sha256: {provider.sha256} expected, {found} has {digest}; not taken in")
    shutil.copyfile(found, target)
    return target


def fetch_all(providers: dict[str, Provider], folder: Path, record: Path) -> None:
    """Fetch every jar, and write the record of them: a line `<sha256>  <id>.jar` each."""
    lines = [f"{sha256(fetch(p, folder))}  {p.id}.jar\n" for p in providers.values() if p.sha256]
    record.write_text("".join(lines))
