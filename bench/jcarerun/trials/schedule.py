"""How long recorded rounds would take on several nodes of a cluster, against one.

`python -m jcarerun.trials.schedule --raw data/raw [--nodes 3]` deals them in the order in which they were begun: each to the node
that is free next, as Slurm does. Nothing is measured; what a queue and a shared folder cost is not in it.
"""

import argparse
import heapq
from collections.abc import Iterable
from pathlib import Path

from jcarerun.errors import UserError, entry_point
from jcarerun.plan.expectation import clock
from jcarerun.rounds import documents, tree
from jcarerun.rounds.damage import RESTORE, told


def length_s(seconds: Iterable[float], nodes: int) -> float:
    """Seconds until the last round has ended, each begun, in that order, on the node that is free next (Graham 1966)."""
    free = [0.0] * nodes
    for taken in seconds:
        heapq.heappush(free, heapq.heappop(free) + taken)
    return max(free)


def recorded_s(raw: Path) -> list[float]:
    """Seconds that each round of a raw directory took, in the order of their beginnings."""
    found = []
    for path in tree.folders(raw, 3):
        with told(raw / path, RESTORE):
            record = documents.record(raw / path, "round.json")
            found.append((str(record["started_at"]), float(record["elapsed_s"])))
    if not found:
        raise UserError(f"{raw}: holds no round (<experiment>/<environment>/<round>/round.json)")
    return [taken for _, taken in sorted(found)]


def main(arguments: argparse.Namespace) -> None:
    """Print both lengths and their ratio."""
    seconds = recorded_s(arguments.raw)
    one, several = (length_s(seconds, nodes) for nodes in (1, arguments.nodes))
    print(
        f"{len(seconds)} rounds: {clock(one)} on one node, {clock(several)} on {arguments.nodes}; ratio {several / one:.3f}"
    )


def parser() -> argparse.ArgumentParser:
    """What the command line takes."""
    found = argparse.ArgumentParser(prog="jcarerun.trials.schedule", description="Rounds on several nodes against one.")
    found.add_argument("--raw", type=Path, required=True, help="a directory of rounds")
    found.add_argument("--nodes", type=int, default=3, choices=range(1, 1001), metavar="N")
    return found


if __name__ == "__main__":
    entry_point(main, parser())
