"""Compares the cells of a measured round with those of the experiment: the same labels and parameters under the same id.

In: a round's forks, the experiment's cells. Out: nothing, or InvalidRound. Parameters that only one of both has are passed over:
rounds that were measured by an earlier version of a workload stay readable.
"""

from collections.abc import Iterable

from jcarerun.plan.cells import Cell, slug
from jcarerun.rounds import forks
from jcarerun.rounds.tree import InvalidRound


def check(measured: Iterable[forks.Fork], cells: dict[str, Cell]) -> None:
    """Raise InvalidRound where a fork's labels or arguments are those of another cell than its id says."""
    for fork in measured:
        _check_id(fork)
        if cell := cells.get(fork.cell):
            expected = {name: getattr(cell, name) for name in forks.LABELS}
            expected |= {f"factor.{name}": level for name, level in cell.factors.items()}
            _compare(
                fork,
                {**fork.labels, "benchmark": _method(fork.benchmark)},
                {**expected, "benchmark": _method(cell.benchmark)},
            )
            _compare(fork, {**cell.params, **fork.params}, {**fork.params, **cell.params})


def _compare(fork: forks.Fork, found: dict[str, str], expected: dict[str, str]) -> None:
    for key in sorted(found.keys() | expected.keys()):
        if found.get(key, "") != expected.get(key, ""):
            said = f"{key} is {expected.get(key, 'empty')!r}; it was measured with {found.get(key, 'empty')!r}"
            raise InvalidRound(forks.CELLS, f"fork {fork.number} is said to be {fork.cell}, whose {said}")


def _check_id(fork: forks.Fork) -> None:
    """A cell's id is made of its labels, which also holds for a cell that the experiment no longer has."""
    labels = [value for name, value in fork.labels.items() if name not in ("benchmark", "mode")]
    if sorted(map(slug, labels)) != sorted(fork.cell.split(":")):
        raise InvalidRound(
            forks.CELLS, f"fork {fork.number} is said to be {fork.cell}, but its labels are {', '.join(labels)[:200]}"
        )


def _method(benchmark: str) -> str:
    """A benchmark's class and method: its package may be another one in another version."""
    return ".".join(benchmark.split(".")[-2:])
