"""Held against others: whether ours give the times of the OpenJDK's microbenchmarks for the same operations.

`make micros JAR=FILE` runs it, alone on the machine, a quarter of an hour; the jar is that of the project's module micros-jdk8.
Rounds of both take turns, and the table says for each operation whether the means are within 3 % of each other.
"""

import argparse
import shutil
from pathlib import Path

from jcarerun.errors import UserError, entry_point
from jcarerun.support.files import sha256
from jcarerun.trials import arms

FOLDER = Path("bench/jcarerun/trials/micros")
STUDY = Path("data/trials/micros-study")


def _study(jar: Path) -> Path:
    """The experiments with a jar of theirs, in a directory of their own."""
    if not jar.is_file():
        raise UserError(
            f"{jar}: there is no such file; build the project's module micros-jdk8 (docs/outside-suites.md)"
        )
    STUDY.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(jar, STUDY / "theirs.jar")
    for file in FOLDER.glob("*.yaml"):
        (STUDY / file.name).write_text(file.read_text().replace("0" * 64, sha256(jar)))
    return STUDY


def main(arguments: argparse.Namespace) -> None:
    """Measure what is missing, then print the table."""
    config = {
        **arms.configuration(arguments.tier),
        "experiment_dir": str(_study(arguments.jar)),
        "experiments": ["ours", "theirs"],
    }
    current = arms.read(config)
    folder = arms.folder("micros", current)
    folder.mkdir(parents=True, exist_ok=True)
    arms.snakemake(config, ["envs/build/analysis/environment.json", *arms.stamps(current.rounds)])
    arms.in_r(folder, current.rounds, "micros", plain=False)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jcarerun.trials.micros", description=__doc__.splitlines()[0])
    parser.add_argument("jar", type=Path, help="their jar")
    parser.add_argument("--tier", default="quick", choices=["smoke", "quick"])
    return parser


if __name__ == "__main__":
    entry_point(main, _parser())
