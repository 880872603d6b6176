"""Command line: `python -m jcarerun.explorer.take RUN DIR` puts the forks of a run into DIR, for a comparison with another.

A run is its report.html, or a directory with its tidy tables.
"""

from __future__ import annotations

import argparse
import csv
import io
from pathlib import Path

from jcarerun.errors import UserError, entry_point
from jcarerun.explorer import held, tidy

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


def main(arguments: argparse.Namespace) -> None:
    """Write what the command line names."""
    text = forks_of(arguments.run)
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / NAME).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="jcarerun.explorer.take", description="Takes a run's forks out of its report."
    )
    parser.add_argument("run", type=Path, help="a report.html, or a directory of tidy tables")
    parser.add_argument("out", type=Path, help="directory for forks.csv")
    entry_point(main, parser)
