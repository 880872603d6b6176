"""Maven's artefacts by their hashes, plugins too: a repository of our own, with what the lock lists and nothing else.

In: envs/locks/maven.sha256, lines of `sha256sum` over names in a Maven repository. Out: envs/cache/m2. Maven builds from it
offline, so that it runs nothing whose bytes are not known. Missing files come from this user's own Maven repository, where their
bytes are right, or over the network by plain requests: to have Maven fetch them would run its plugins before anybody has looked.
"""

import os
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.support import trust
from jcarerun.support.files import atomic_file, exclusive, sha256

LOCK = Path("envs/locks/maven.sha256")
REPOSITORY = Path("envs/cache/m2")
_AT_ONCE = 4
_LINE = re.compile(r"([0-9a-f]{64})  ((?:[A-Za-z0-9_-][A-Za-z0-9._+-]*/)+[A-Za-z0-9_-][A-Za-z0-9._+-]*\.(?:jar|pom))")
_CENTRAL = ("central", "*", "external:*")


def read(lock: Path = LOCK) -> dict[str, str]:
    """Name in the repository to SHA-256. Raises UserError for a line that is none of a lock."""
    found = {}
    for number, line in enumerate(lock.read_text().splitlines(), start=1):
        if (match := _LINE.fullmatch(line)) is None:
            raise UserError(f"{lock}: line {number}: {line[:80]!r} is no SHA-256 of a file; write the lock anew")
        found[match[2]] = match[1]
    return found


def provide(listed: dict[str, str], repository: Path = REPOSITORY, own: Path | None = None) -> None:
    """Make a repository of exactly these files. Raises UserError where one can't be had with the right bytes.

    `own`: another repository, from which a file is taken only if its bytes are right; this user's if it is not given.
    """
    with exclusive(repository):
        for file in [path for path in repository.rglob("*") if path.suffix in (".jar", ".pom")]:
            digest = listed.get(str(file.relative_to(repository)))
            if digest is None or file.is_symlink() or sha256(file) != digest:
                file.unlink()
        missing = [name for name in listed if not (repository / name).exists()]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(lambda name: take(name, listed[name], repository / name, own), missing))


def take(name: str, digest: str, target: Path, own: Path | None = None) -> None:
    """Put a file of that name in a Maven repository at `target`, whole, with these bytes or not at all."""
    own = Path.home() / ".m2/repository" if own is None else own
    with atomic_file(target) as part:
        if (own / name).is_file() and sha256(own / name) == digest:
            shutil.copyfile(own / name, part)
        else:
            fetch(name, digest, part)


def take_named(coordinates: str, digest: str, target: Path, what: str) -> None:
    """As `take`, by `group:artifact:version[:packaging[:classifier]]`; `what` is where a message says the jar is named."""
    try:
        take(path_of(coordinates), digest, target)
    except UserError as error:
        raise UserError(f"{what}: {error}") from None


def fetch(name: str, digest: str, target: Path) -> None:
    """Fetch a file of Maven's repository. Raises UserError where it can't be had, or has other bytes, which are not kept."""
    address = f"{base().rstrip('/')}/{name}"
    try:
        trust.download(address, target)
    except (OSError, ValueError) as error:
        target.unlink(missing_ok=True)
        raise UserError(
            f"{name}: can't be fetched from Maven's repository ({getattr(error, 'reason', error)}); run again, or put it into "
            "~/.m2/repository"
        ) from None
    if (found := sha256(target)) != digest:
        target.unlink()
        raise UserError(f"{name}: sha256 {digest} expected, what was fetched has {found}; not taken")


def path_of(coordinates: str) -> str:
    """The name in a repository of `group:artifact:version[:packaging[:classifier]]`."""
    group, artifact, version, packaging, classifier, *_ = [*coordinates.split(":"), "", ""]
    end = f"-{classifier}" if classifier else ""
    return f"{group.replace('.', '/')}/{artifact}/{version}/{artifact}-{version}{end}.{packaging or 'jar'}"


@cache
def base() -> str:
    """The address of Maven's central repository: this machine's mirror of it, or what Maven itself has built in."""
    home = _home()
    for file in (Path.home() / ".m2/settings.xml", home / "conf/settings.xml"):
        if file.is_file() and (mirror := mirror_of(file.read_text())):
            return mirror
    for jar in sorted(home.glob("lib/maven-model-builder*.jar")):
        with zipfile.ZipFile(jar) as archive:
            return _urls(archive.read("org/apache/maven/model/pom-4.0.0.xml").decode(), "repositories/repository")[0]
    raise UserError(f"{home}: no Maven of release 3; install the package maven")


def mirror_of(settings: str) -> str | None:
    """The mirror of the central repository in Maven's settings, if they name one."""
    found = _urls(settings, "mirrors/mirror", lambda of: any(word in _CENTRAL for word in of.split(",")))
    return found[0] if found else None


def _urls(text: str, path: str, wanted=lambda of: True) -> list[str]:
    root = ET.fromstring(re.sub(r'\sxmlns="[^"]+"', "", text, count=1))
    return [each.findtext("url", "") for each in root.findall(path) if wanted(each.findtext("mirrorOf", ""))]


def _home() -> Path:
    try:
        said = subprocess.run(["mvn", "--version"], capture_output=True, text=True).stdout
    except FileNotFoundError:
        raise UserError("Maven is not installed; run `make setup`, or install the package maven") from None
    found = re.search(r"Maven home: (.+)", said)
    return Path(found[1].strip() if found else "/usr/share/maven")


def command(words: Sequence[str]) -> list[str]:
    """Maven's command line, with our repository and no other."""
    return ["mvn", "--offline", f"-Dmaven.repo.local={REPOSITORY.resolve()}", *words]


def run(words: Sequence[str]) -> None:
    """Become Maven, with everything that it may use at hand and checked."""
    provide(read())
    os.execvp("mvn", command(words))


def lock(words: Sequence[str]) -> None:
    """Write the lock of what Maven fetches for a build. Runs what it fetches, unchecked."""
    with tempfile.TemporaryDirectory() as folder:
        argv = ["mvn", f"-Dmaven.repo.local={folder}", *words]
        if subprocess.run(argv, env={**os.environ, **trust.for_maven()}).returncode != 0:
            raise UserError("Maven failed; its own words are above")
        files = sorted(path for path in Path(folder).rglob("*") if path.suffix in (".jar", ".pom"))
        LOCK.write_text("".join(f"{sha256(path)}  {path.relative_to(folder)}\n" for path in files))
    print(f"{LOCK}: {len(files)} files")
