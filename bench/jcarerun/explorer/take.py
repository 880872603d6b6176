"""Takes the forks of a run, for a comparison with another.

A run is its report.html, or a directory with its tidy tables.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.explorer import held, tidy
from jcarerun.support.files import write_file

NAME = "forks.csv"


def forks_of(run: Path) -> str:
    """The text of a run's forks.csv. Raises UserError for what holds no run."""
    if run.is_dir():
        if not (run / NAME).is_file():
            raise UserError(
                f"{run}: has no {NAME}; name a directory of tidy tables, such as data/tidy, or a report.html"
            )
        rows = tidy.read(run, NAME)
    else:
        rows = held.rows(held.tables(run)["forks"])
    if not rows:
        raise UserError(f"{run}: has no fork; name a run that measured something")
    out = io.StringIO()
    table = csv.DictWriter(out, rows[0], lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return out.getvalue()


def write(run: Path | str, out: Path | str) -> None:
    """Write the forks of a run to `forks.csv` in the directory `out`."""
    write_file(Path(out) / NAME, forks_of(Path(run)))
