"""Which jar's code a round measured. Rounds of different jars are never mixed: a round of another jar is refused, not reused.

The names of rounds do not contain the jar's hash, since a run is planned before its jar is built. The records of rounds do.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from jcarerun.plan.plan import Round
from jcarerun.rounds import record
from jcarerun.rounds.tree import RESTORE, name_errors
from jcarerun.run import container, harness
from jcarerun.run.round_file import require_jars
from jcarerun.support import files


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
        return {"jar_sha256": planned.subject[0], "harness_sha256": sha256(harness.write(container.JAR))}
    return {"jar_sha256": sha256(container.JAR)}


def is_same(folder: Path, planned: Round) -> bool:
    """Whether a round that was measured elsewhere is of this checkout's jar. Without a jar here any is."""
    if planned.subject or not container.JAR.is_file():
        return True
    with name_errors(folder, RESTORE):
        return record.read_object(folder, record.FILE).get("jar_sha256") == sha256(container.JAR)


def require_all(raw: Path, planned: Iterable[Round]) -> None:
    """Raise UserError where one of the planned rounds that are there was measured with another jar."""
    for each in planned:
        if (raw / each.path).is_dir():
            require_jars(raw / each.path, jar_record(each))
