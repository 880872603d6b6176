"""Held against others: whether ours give the times of the OpenJDK's microbenchmarks for the same operations.

`make micros` runs it, alone on the machine, a quarter of an hour; `../jmh-jdk-microbenchmarks` must be a clone of that project.
Rounds of both take turns, and the table says for each operation whether the means are within 3 % of each other.
"""

import argparse
from pathlib import Path

from jcarerun.errors import entry_point
from jcarerun.plan import build, settings
from jcarerun.trials import arms

FOLDER = "bench/jcarerun/trials/micros"


def main(arguments: argparse.Namespace) -> None:
    """Measure what is missing, then print the table."""
    config = {**arms.configuration(arguments.tier), "experiment_dir": FOLDER, "experiments": ["ours", "theirs"]}
    build.every(Path(FOLDER), settings.read(config).engine)
    current = arms.read(config)
    folder = arms.folder("micros", current)
    folder.mkdir(parents=True, exist_ok=True)
    arms.snakemake(config, ["envs/build/analysis/environment.json", *arms.stamps(current.rounds)])
    arms.in_r(folder, current.rounds, "analysis/micros.R", plain=False)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jcarerun.trials.micros", description=__doc__.splitlines()[0])
    parser.add_argument("--tier", default="quick", choices=["smoke", "quick"])
    return parser


if __name__ == "__main__":
    entry_point(main, _parser())
