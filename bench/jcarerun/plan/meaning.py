"""Whether the cells of a measured round mean what the experiment says now: the same parameters under the same id.

In: a round's forks, the experiment's cells. Out: nothing, or InvalidRound. Parameters that only one of both has are passed over:
rounds that were measured by an earlier version of a workload stay readable.
"""

from collections.abc import Iterable

from jcarerun.plan.cells import Cell
from jcarerun.rounds import forks
from jcarerun.rounds.tree import InvalidRound


def check(measured: Iterable[forks.Fork], cells: dict[str, Cell]) -> None:
    """Raise InvalidRound where a fork's arguments are those of another cell than cells.csv says."""
    for fork in measured:
        cell = cells.get(fork.cell)
        for key, value in cell.params.items() if cell else ():
            if fork.params.get(key, value) != value:
                raise InvalidRound(
                    forks.CELLS,
                    f"fork {fork.number} is said to be {fork.cell}, whose {key} is {value}; it was measured with "
                    f"{key}={fork.params[key]}",
                )
