"""Efficiency: what a planned half-width of 1 % costs, the pipeline's way and at JMH's default lengths.

`make efficiency` runs it, alone on the machine; about an hour. Five turns; in each one fork of every cell at JMH's default
lengths (five warm-up iterations of 10 s and five measured), and before every such fork a few of the pipeline's rounds, so that
both meet the machine as it changes: rounds of its first stage in the first two turns, of the second in the others. The table
says for each cell how long each way takes to the same half-width, and whether both give the same mean and ranking.
"""

import argparse
from itertools import islice

from jcarerun.errors import entry_point
from jcarerun.run.run import RAW
from jcarerun.trials import arms

LENGTHS = ["-wi", "5", "-w", "10s", "-i", "5", "-r", "10s"]
TURNS, FIRST_TURNS = 5, 2


def _dealt(rounds: list, count: int) -> list[list]:
    """Rounds in their order, dealt to `count` places as evenly as they go."""
    left = iter(sorted(rounds, key=lambda one: one.number))
    sizes = [(place + 1) * len(rounds) // count - place * len(rounds) // count for place in range(count)]
    return [list(islice(left, size)) for size in sizes]


def main(_: argparse.Namespace) -> None:
    """Measure what is missing of both arms, then print the table."""
    config = arms.configuration("standard")
    current = arms.read(config)
    folder = arms.folder("efficiency", current)
    plain = arms.PlainArm(folder)
    first = current.first
    forks = [(turn, cell) for turn in range(TURNS) for cell in first[turn % len(first)].cells]
    early = FIRST_TURNS * len(first[0].cells)
    before = _dealt(first, early)
    arms.snakemake(config, ["bench/target/benchmarks.jar", "envs/build/analysis/environment.json"])
    for place, (turn, cell) in enumerate(forks):
        if place == early:
            arms.snakemake(config, [str(current.places[0].stamp(RAW))])
            second = [one for one in arms.read(config).rounds if one.stage == 2]
            before += _dealt(second, len(forks) - early)
        if before[place]:
            arms.snakemake(config, arms.stamps(before[place]))
        plain.fork(current, first[0].environment, cell, turn + 1, LENGTHS)
        print(f"fork {place + 1} of {len(forks)} of plain JMH", flush=True)
    arms.in_r(folder, arms.read(config).rounds, "efficiency")


if __name__ == "__main__":
    entry_point(main, argparse.ArgumentParser(prog="jcarerun.trials.efficiency", description=__doc__.splitlines()[0]))
