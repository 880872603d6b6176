"""Where a run keeps what it measures and what it makes of it: in this checkout, or beside a study that lies elsewhere.

In: the setting `results`. Out: Folders, from which rules, jobs and messages take their paths.
"""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Folders:
    """raw: rounds and plans. tidy: tables. report: report.pdf, report.html, and in `build` what the first is set from.

    logs: what the analysis and the report say while they are made.
    """

    raw: Path
    tidy: Path
    report: Path
    logs: Path


OWN = Folders(Path("data/raw"), Path("data/tidy"), Path("report"), Path("data/logs"))


def of(results: Path | None) -> Folders:
    """The folders of a run with that setting: this checkout's own where there is none."""
    return Folders(results / "raw", results / "tidy", results, results / "logs") if results else OWN
