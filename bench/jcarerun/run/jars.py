"""The jars that rounds load: the benchmark jar and which code a round measured, the harness for external jars, providers' jars.

A provider's jar comes from Maven's repository or the drop-in directory; one that its entry does not name is refused. Rounds of
different benchmark jars are never mixed: a round of another jar is refused, not reused. The names of rounds do not contain the
jar's hash, since a run is planned before its jar is built. The records of rounds do.
"""

import io
import re
import shutil
import zipfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import maven
from jcarerun.plan.plan import Round
from jcarerun.plan.providers import DROP_IN, FILE, Jar, Provider
from jcarerun.rounds import record
from jcarerun.rounds.tree import RESTORE, name_errors
from jcarerun.run import container
from jcarerun.run.round_file import require_jars
from jcarerun.support import files
from jcarerun.support.files import write_file

# Of the benchmark jar: what runs a round and what looks into a fork, with what both use.
_HARNESS = re.compile(r"jcarerun/(?:(?:round|probe)/)?[^/]+\.class")


def write_harness(jar: Path) -> Path:
    """Write the part of the benchmark jar that runs rounds as a jar beside it, unless the same bytes are there; return its path.

    It has neither JMH nor our list of benchmarks, so it is put beside somebody else's. The same jar gives the same bytes.
    """
    target, made = jar.with_name("harness.jar"), io.BytesIO()
    with zipfile.ZipFile(jar) as whole, zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as own:
        for name in sorted(filter(_HARNESS.fullmatch, whole.namelist())):
            own.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), whole.read(name))
    if not target.is_file() or target.read_bytes() != made.getvalue():
        write_file(target, made.getvalue())
    return target


@cache
def _digest(file: Path, _changed_ns: int, _size: int) -> str:
    return files.sha256(file)


def sha256(file: Path) -> str:
    """SHA-256 of a file. A file that has not changed is read once: planning asks for the same jar for every round."""
    known = file.stat()
    return _digest(file, known.st_mtime_ns, known.st_size)


def jar_record(planned: Round) -> dict[str, str]:
    """SHA-256 of the jar with a round's benchmarks; for an external benchmark also of the harness that runs it."""
    if planned.subject:
        return {"jar_sha256": planned.subject[0], "harness_sha256": sha256(write_harness(container.JAR))}
    return {"jar_sha256": sha256(container.JAR)}


def is_same_jar(folder: Path, planned: Round) -> bool:
    """Whether a round that was measured elsewhere is of this checkout's jar. Without a jar here any is."""
    if planned.subject or not container.JAR.is_file():
        return True
    with name_errors(folder, RESTORE):
        return record.read_object(folder, record.FILE).get("jar_sha256") == sha256(container.JAR)


def require_same_jars(raw: Path, planned: Iterable[Round]) -> None:
    """Raise UserError where one of the planned rounds that are there was measured with another jar."""
    for each in planned:
        if (raw / each.path).is_dir():
            require_jars(raw / each.path, jar_record(each))


def fetch(jar: Jar, folder: Path) -> Path:
    """A provider's jar in `folder`, fetched if it is not there. Raises UserError if the bytes are others."""
    target = folder / jar.name
    if target.exists() and files.sha256(target) == jar.sha256:
        return target
    if not jar.file:
        maven.take_named(jar.coordinates, jar.sha256, target, f"{FILE}: {jar.name}")
        return target
    found = DROP_IN / jar.file
    if not found.is_file():
        raise UserError(f"{FILE}: {jar.name}: file: there is no {found}; put the jar there, or remove the entry")
    if (digest := files.sha256(found)) != jar.sha256:
        raise UserError(f"{FILE}: {jar.name}: sha256 {jar.sha256} expected, {found} has {digest}; not taken")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(found, target)
    return target


def fetch_all(providers: dict[str, Provider], folder: Path, record: Path) -> None:
    """Fetch every provider's jar, and write the record of them: a line `<sha256>  <id>.jar` each."""
    every = [jar for provider in providers.values() for jar in provider.jars]
    record.write_text("".join(f"{files.sha256(fetch(jar, folder))}  {jar.name}\n" for jar in every))
