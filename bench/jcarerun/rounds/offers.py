"""Which forks of a round ran: a provider that lacks an algorithm, or gives another result than the others, is not timed.

In: a round's offered.csv, which its runner writes where its workloads compare providers (jcarerun.round.CapabilityProbe).
Out: the forks
that must have left results.
"""

import os
from pathlib import Path

from jcarerun.rounds import columns, table
from jcarerun.rounds.damage import Damage
from jcarerun.rounds.forks import Fork

NAME = "offered.csv"


def ran(folder: Path, planned: dict[int, Fork]) -> dict[int, Fork]:
    """The planned forks that ran: all, where nothing was asked. Raises Damage for answers that contradict each other."""
    if not os.path.lexists(folder / NAME):
        return planned
    rows = table.read(folder, NAME, columns.OFFERED)
    asked = {row["fork"]: row for row in rows}
    if len(asked) != len(rows) or not asked.keys() <= planned.keys():
        raise Damage(NAME, "has a fork twice, or one that cells.csv lacks")
    _check_answers(asked, planned)
    return {
        number: fork for number, fork in planned.items() if number not in asked or columns.RAN[asked[number]["offered"]]
    }


def _check_answers(asked: dict[int, dict], planned: dict[int, Fork]) -> None:
    """Providers that were timed with one another gave the same answer to the same question."""
    believed: dict[tuple, tuple[int, str]] = {}
    for number, row in asked.items():
        fork = planned[number]
        if row["offered"] != "yes" or not row["answer"]:
            continue
        question = (fork.benchmark, *sorted((key, value) for key, value in fork.params.items() if key != "provider"))
        other, answer = believed.setdefault(question, (number, row["answer"]))
        if answer != row["answer"]:
            raise Damage(NAME, f"forks {other} and {number} are both timed and gave different answers")
