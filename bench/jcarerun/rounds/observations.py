"""What forks observed besides time: observations.csv of a round, which is there only if a workload observes anything."""

import os
from pathlib import Path

from jcarerun.rounds import columns, table
from jcarerun.rounds.damage import Damage
from jcarerun.rounds.forks import Fork

NAME = "observations.csv"


def check(folder: Path, forks: dict[int, Fork]) -> None:
    """Raise Damage for a row that is of no fork or iteration of the round, has no value, or is there twice."""
    if not os.path.lexists(folder / NAME):
        return
    seen = set()
    for line, row in enumerate(table.read(folder, NAME, columns.OBSERVATIONS), start=2):
        fork = forks.get(row["fork"])
        if fork is None or row["iteration"] > fork.iterations:
            raise Damage(
                NAME, f"line {line}: fork {row['fork']}, iteration {row['iteration']}: the round has none such"
            )
        key = (row["fork"], row["iteration"], row["measure"])
        if key in seen:
            raise Damage(
                NAME, f"line {line}: {row['measure']} of fork {row['fork']}, iteration {row['iteration']}, again"
            )
        seen.add(key)
