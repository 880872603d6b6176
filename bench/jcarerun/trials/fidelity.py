"""Fidelity: whether the means of the pipeline's short forks are those of plain JMH's forks of a minute and more.

`make fidelity [TIER=smoke|quick|standard]` runs it, alone on the machine: half an hour, two hours, five. In blocks; in each, in
an order drawn by the seed: two rounds of the pipeline, and for every cell a fork of `java -jar benchmarks.jar` in the same image,
not warmed up by count, whose last quarter of a minute is what it says. Equal lengths would prove nothing: both arms would share
what short forks leave out. In the first block plain JMH's forks leave HotSpot's log, which tells whether forks of that length are
compiled when they begin to count; in the others nothing is written but JMH's result. The table says for each cell whether the
means are within 2 %, and whether the pipeline marked it.
"""

import argparse
import random

from jcarerun.errors import entry_point
from jcarerun.plan.cells import Cell
from jcarerun.run.run import RAW
from jcarerun.trials import arms, plain_record

# Seconds that a fork of plain JMH warms up for, and counts for. HotSpot compiles the caller of AES-CBC of 10 MB for good after
# 64 s (decryption) and 98 s (encryption), all else here sooner.
WARM_S, LONG_WARM_S, COUNTED_S = 45, 135, 15
ROUNDS_A_BLOCK = 2


def warm_s(cell: Cell) -> int:
    """How long plain JMH warms a cell up, in seconds."""
    return LONG_WARM_S if cell.factors == {"cipher": "AES-CBC", "size": "10 MB"} else WARM_S


def lengths(cell: Cell) -> list[str]:
    """A plain fork's iterations, as JMH's arguments."""
    return ["-wi", str(warm_s(cell)), "-w", "1s", "-i", str(COUNTED_S), "-r", "1s"]


def blocks(rounds: list) -> list[list]:
    """Rounds in their order, as many to a block as it takes."""
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
                record = arms.RECORD if number == 1 else []
                plain.fork(current, own[0].environment, turn, number, [*lengths(turn), *record])
        print(f"block {number} of {len(dealt)}", flush=True)
    first = dealt[0][0]
    stacks = {cell.id: RAW / first.path / f"jit/{fork:03}.stacks" for fork, cell in enumerate(first.cells, start=1)}
    plain_record.write(folder, stacks, {cell.id: warm_s(cell) for cell in first.cells})
    arms.in_r(folder, current.rounds, "fidelity")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jcarerun.trials.fidelity", description=__doc__.splitlines()[0])
    parser.add_argument("--tier", default="quick", choices=["smoke", "quick", "standard", "full"])
    return parser


if __name__ == "__main__":
    entry_point(main, _parser())
