"""Which jar's code a round measured. Rounds of different jars are never mixed: a round of another jar is refused, not reused.

The names of rounds do not contain the jar's hash, since a run is planned before its jar is built. The records of rounds do.
"""

from collections.abc import Iterable
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.plan.plan import Round
from jcarerun.rounds import documents, record
from jcarerun.rounds.damage import RESTORE, told
from jcarerun.run import container, harness
from jcarerun.support.files import sha256, where


def jar_record(planned: Round) -> dict[str, str]:
    """SHA-256 of the jar with a round's benchmarks; for an external benchmark also of the harness that runs it."""
    if planned.subject:
        return {"jar_sha256": planned.subject[0], "harness_sha256": sha256(harness.write(container.JAR))}
    return {"jar_sha256": sha256(container.JAR)}


def is_same(folder: Path, planned: Round) -> bool:
    """Whether a round that was measured elsewhere is of this checkout's jar. Without a jar here any is."""
    if planned.subject or not container.JAR.is_file():
        return True
    with told(folder, RESTORE):
        return documents.record(folder, record.FILE).get("jar_sha256") == sha256(container.JAR)


def require_same(folder: Path, planned: Round) -> None:
    """Raise UserError for a round that was measured with another jar than the one that is built now."""
    with told(folder, RESTORE):
        measured = documents.record(folder, record.FILE)
    for key, digest in jar_record(planned).items():
        if measured.get(key, digest if key == "harness_sha256" else None) != digest:
            raise UserError(
                f"{where(folder)}: measured with another jar ({key} {str(measured.get(key))[:12]}, {container.JAR} gives "
                f"{digest[:12]}); move {where(folder.parents[2])} elsewhere to measure anew, or check out the code that it is of"
            )


def require_all(raw: Path, planned: Iterable[Round]) -> None:
    """Raise UserError where one of the planned rounds that are there was measured with another jar."""
    for each in planned:
        if (raw / each.path).is_dir():
            require_same(raw / each.path, each)
