"""Programmes: forks that repeat many operations, each of which is compared like a cell with forks of its own.

In: names of workloads and levels, ids of cells. Out: names of operations, as measures have them, and ids of their cells.
"""

import re
from collections.abc import Iterable

# The mode of a protocol whose forks run many operations, each repeated, and the workload's name that such forks have.
PROGRAMME = "programme"


def slug(text: str) -> str:
    """A name as ids have it: small letters, digits, dots and single hyphens."""
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-")


def operations(programme: str) -> list[str]:
    """The names of the operations of a programme, as `operation_name` makes them."""
    return [entry.partition("@")[0] for entry in programme.split("+")]


def operation_name(workload: str, levels: Iterable[str]) -> str:
    """The name of a programme's operation, in its measures: workload and levels, joined by two hyphens."""
    return "--".join(slug(word) for word in (workload, *levels))


def operation_levels(experiment: dict, name: str) -> tuple[str, dict[str, str]] | None:
    """The workload and the levels of an operation by its name; None where the experiment has none of that name."""
    for workload, entry in experiment["workloads"].items():
        factors = entry.get("factors", [])
        first, *words = name.split("--")
        if first == slug(workload) and len(words) == len(factors):
            levels = {
                factor: level
                for factor, word in zip(factors, words, strict=True)
                for level in experiment["factors"].get(factor, {})
                if slug(level) == word
            }
            return (workload, levels) if len(levels) == len(factors) else None
    return None


def operation_cell(programme: str, name: str) -> str:
    """The id of an operation's cell, which a fork of its own would have; `programme`: the id of the programme's cell."""
    return name.replace("--", ":") + programme.removeprefix(PROGRAMME)


def programme_cell(cell: str) -> str:
    """The id of the programme's cell that an operation's cell is part of."""
    return ":".join((PROGRAMME, *cell.split(":")[-3:]))
