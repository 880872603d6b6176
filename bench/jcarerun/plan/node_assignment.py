"""Which node of a cluster measures a round, where a run names its nodes: by the round's number.

Rounds of one number are of all environments, so what a claim compares, be it two environments, is measured whole on each node.
In: the setting `nodes`, planned rounds. Out: a node's name, lines for a terminal.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from jcarerun.plan.plan import Round

# Forks of a cell on one machine from which on a ratio has an interval there.
LEAST = 2


def node_of(planned: Round, nodes: Sequence[str]) -> str:
    """The node that a round is dealt to; empty where it may be any."""
    return nodes[(planned.number - 1) % len(nodes)] if nodes else ""


def slurm_options(planned: Round, nodes: Sequence[str]) -> str:
    """What sbatch is told beside what Snakemake tells it: that the round has a node alone, and which one."""
    node = node_of(planned, nodes)
    return f"--exclusive --nodelist={node}" if node else "--exclusive"


def summary(rounds: Iterable[Round], nodes: Sequence[str]) -> list[str]:
    """How rounds are dealt, in a line, and another one where a node gets too few to say anything by itself."""
    if not nodes:
        return []
    numbers = {(round_.experiment, round_.environment, round_.number): node_of(round_, nodes) for round_ in rounds}
    lines = [f"  dealt by their numbers to {len(nodes)} nodes: {', '.join(nodes)}"]
    counts = Counter((experiment, environment, node) for (experiment, environment, _), node in numbers.items())
    places = {(experiment, environment) for experiment, environment, _ in numbers}
    few = sorted({(place[0], node) for place in places for node in nodes if counts[*place, node] < LEAST})
    if few:
        experiment, node = few[0]
        lines.append(
            f"  {experiment}: {node} gets fewer than {LEAST} rounds, so there is no interval on it; give fewer nodes, or a "
            "tier with more rounds"
        )
    return lines
