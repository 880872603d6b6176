"""Fidelity: whether the pipeline's means are plain JMH's.

`make fidelity` runs it, alone on the machine; about 35 minutes. Sixty blocks; in each, in an order drawn by the seed: a round of
the pipeline, and a fork of every cell by `java -jar benchmarks.jar` in the same image with as many iterations, half of them
warm-up. The table says for each cell whether the means are equivalent within 1 %.
"""

import argparse
import random

from bench.trials import arms
from envs.support.errors import entry_point

LENGTHS = ["-wi", "10", "-w", "100ms", "-i", "10", "-r", "100ms"]


def main(_: argparse.Namespace) -> None:
    """Measure what is missing of both arms, then print the table."""
    config = arms.configuration("quick")
    current = arms.read(config)
    folder = arms.folder("fidelity", current)
    plain = arms.PlainArm(folder)
    rounds = sorted(current.rounds, key=lambda one: one.number)
    arms.snakemake(config, ["bench/target/benchmarks.jar", "envs/build/analysis/environment.json"])
    for one in rounds:
        turns = ["pipeline", "plain"]
        random.Random(f"{current.settings.seed}/{one.number}").shuffle(turns)
        for turn in turns:
            if turn == "pipeline":
                arms.snakemake(config, arms.stamps([one]))
            else:
                for cell in one.cells:
                    plain.fork(current, one.environment, cell, one.number, LENGTHS)
        print(f"block {one.number} of {len(rounds)}", flush=True)
    arms.in_r(folder, rounds, "analysis/fidelity.R")


if __name__ == "__main__":
    entry_point(main, argparse.ArgumentParser(prog="bench.trials.fidelity", description=__doc__.splitlines()[0]))
