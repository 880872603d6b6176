"""Efficiency: what an honest half-width of 1 % costs, the pipeline's way and at JMH's default lengths.

`make efficiency` runs it, alone on the machine; about an hour. Five forks of every cell at JMH's default lengths (five warm-up
iterations of 10 s and five measured), turn by turn with the pipeline's rounds: those of its first stage in the first two turns,
those of the second in the others. The table says for each cell how long each way takes to the same half-width, and whether both
give the same mean and ranking.
"""

import argparse
from itertools import islice

from bench.harness.run import RAW
from bench.trials import arms
from envs.builder.errors import entry_point

LENGTHS = ["-wi", "5", "-w", "10s", "-i", "5", "-r", "10s"]
TURNS, FIRST_TURNS = 5, 2


def _slices(rounds: list, count: int) -> list[list]:
    """Rounds in their order, dealt to `count` turns of nearly the same length."""
    left = iter(sorted(rounds, key=lambda one: one.number))
    sizes = [len(rounds) // count + (turn < len(rounds) % count) for turn in range(count)]
    return [list(islice(left, size)) for size in sizes]


def main(_: argparse.Namespace) -> None:
    """Measure what is missing of both arms, then print the table."""
    config = arms.configuration("standard")
    current = arms.read(config)
    folder = arms.folder("efficiency", current)
    plain = arms.PlainArm(folder)
    first = current.first
    turns = _slices(first, FIRST_TURNS)
    arms.snakemake(config, ["bench/target/benchmarks.jar", "envs/build/analysis/environment.json"])
    for turn in range(TURNS):
        if turn == FIRST_TURNS:
            arms.snakemake(config, [str(current.places[0].stamp(RAW))])
            second = [one for one in arms.read(config).rounds if one.stage == 2]
            turns += _slices(second, TURNS - FIRST_TURNS)
        if turns[turn]:
            arms.snakemake(config, arms.stamps(turns[turn]))
        for cell in turns[0][turn % len(turns[0])].cells:
            plain.fork(current, first[0].environment, cell, turn + 1, LENGTHS)
        print(f"turn {turn + 1} of {TURNS}", flush=True)
    arms.in_r(folder, arms.read(config).rounds, "analysis/efficiency.R")


if __name__ == "__main__":
    entry_point(main, argparse.ArgumentParser(prog="bench.trials.efficiency", description=__doc__.splitlines()[0]))
