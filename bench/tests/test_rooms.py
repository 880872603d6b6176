"""Rooms have walls: what each may import stands in its `__init__`, and here the imports are held against it."""

import ast
from pathlib import Path

import pytest

# A room, and those it may import beside itself and whatever these may. No room stands above the ones that it names.
BELOW = {
    "envs.support": (),
    "envs.builder": ("envs.support",),
    "bench.rounds": ("envs.support",),
    "bench.native": ("envs.builder",),
    "bench.own": ("bench.rounds", "envs.builder"),
    "bench.subject": ("envs.builder",),
    "bench.plan": ("bench.rounds", "bench.native", "bench.subject"),
    "bench.run": ("bench.plan",),
    "bench.kit": ("bench.run",),
    "bench.bundle": ("bench.run", "report.explorer"),
    "bench.doctor": ("bench.rounds",),
    "bench.trials": ("bench.kit", "report.explorer"),
    "report.explorer": ("envs.support",),
    "report.agreement": ("report.explorer",),
    "report.trace": ("bench.rounds", "report.explorer"),
}
TOPS = ("bench", "envs", "report")
# Asked for only where all is set up, and inside a function: the doctor's expectation of how long a tier takes.
LATE = {"bench/doctor/facts.py": {"bench.plan", "bench.run"}}


def allowed(room: str) -> set[str]:
    found = {room}
    for below in BELOW[room]:
        found |= allowed(below)
    return found


def imported(file: Path) -> set[str]:
    """The rooms that a file imports, wherever it does."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        found |= {".".join(name.split(".")[:2]) for name in names if name.split(".")[0] in TOPS}
    return found


def rooms() -> set[str]:
    """Every package that holds Python beside its tests."""
    files = [path for top in TOPS for path in Path(top).glob("*/*.py")]
    return {".".join(file.parent.parts) for file in files if file.parent.name != "tests"}


def test_every_room_has_its_place():
    assert rooms() == BELOW.keys()
    for room in BELOW:
        assert (Path(room.replace(".", "/")) / "__init__.py").read_text().strip('"\n')


@pytest.mark.parametrize("room", sorted(BELOW))
def test_a_room_imports_only_what_stands_below_it(room):
    for file in Path(room.replace(".", "/")).glob("*.py"):
        beyond = imported(file) - allowed(room) - LATE.get(str(file), set())
        assert not beyond, f"{file} imports {', '.join(sorted(beyond))}"
