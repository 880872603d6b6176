"""Fidelity: whether the means of the pipeline's short forks are those of plain JMH's forks of a minute.

`make fidelity [TIER=smoke|quick|standard]` runs it, alone on the machine: half an hour, an hour, five. In blocks; in each, in an
order drawn by the seed: three rounds of the pipeline, and for every cell a fork of `java -jar benchmarks.jar` in the same image,
not warmed up by count, whose last quarter is what it says. Equal lengths would prove nothing: both arms would share what short
forks leave out. The table says for each cell whether the means are within 2 %, and whether the pipeline marked it.
"""

import argparse
import random

from bench.trials import arms
from envs.support.errors import entry_point

LENGTHS = ["-wi", "45", "-w", "1s", "-i", "15", "-r", "1s"]
ROUNDS_A_BLOCK = 3


def blocks(rounds: list) -> list[list]:
    """Rounds in their order, three to a block."""
    ordered = sorted(rounds, key=lambda one: one.number)
    return [ordered[start : start + ROUNDS_A_BLOCK] for start in range(0, len(ordered), ROUNDS_A_BLOCK)]


def main(arguments: argparse.Namespace) -> None:
    """Measure what is missing of both arms, then print the table."""
    config = {**arms.configuration(arguments.tier), "experiments": ["fidelity"]}
    current = arms.read(config)
    folder = arms.folder("fidelity", current)
    plain = arms.PlainArm(folder)
    dealt = blocks(current.rounds)
    built = [f"envs/build/{name}/environment.json" for name in ("analysis", *current.environments())]
    arms.snakemake(config, ["bench/target/benchmarks.jar", *built])
    for number, own in enumerate(dealt, start=1):
        turns = [*own, *own[0].cells]
        random.Random(f"{current.settings.seed}/{number}").shuffle(turns)
        for turn in turns:
            if turn in own:
                arms.snakemake(config, arms.stamps([turn]))
            else:
                plain.fork(current, own[0].environment, turn, number, LENGTHS)
        print(f"block {number} of {len(dealt)}", flush=True)
    arms.in_r(folder, current.rounds, "analysis/fidelity.R")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench.trials.fidelity", description=__doc__.splitlines()[0])
    parser.add_argument("--tier", default="quick", choices=["smoke", "quick", "standard", "full"])
    return parser


if __name__ == "__main__":
    entry_point(main, _parser())
