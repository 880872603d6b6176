"""False plateaus: whether times that count as settled are those that a long JVM comes to.

`make plateaus [TIER=quick|standard] [CPU_PROFILES=core2] [TRIAL=plateaus-slow]` runs it, alone on the machine: forty minutes in
the quick tier, 28 minutes for each JDK of plateaus-slow. Each cell is measured in short forks, in forks that are warmed up by
count, and in long ones that are not, whose end is the truth where HotSpot had compiled their own code by then. The table says
for each state how far its forks are from it, and whether within 2 %.
"""

import argparse

from jcarerun.errors import entry_point
from jcarerun.trials import arms


def main(arguments: argparse.Namespace) -> None:
    """Measure what is missing, then print the table."""
    chosen = {"cpu_profiles": arguments.cpu_profiles.split(",")} if arguments.cpu_profiles else {}
    config = {**arms.configuration(arguments.tier), "experiments": [arguments.trial], **chosen}
    current = arms.read(config)
    folder = arms.folder(arguments.trial, current)
    folder.mkdir(parents=True, exist_ok=True)
    arms.snakemake(config, ["envs/build/analysis/environment.json", *arms.stamps(current.rounds)])
    arms.in_r(folder, current.rounds, "plateaus", plain=False)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jcarerun.trials.plateaus", description=__doc__.splitlines()[0])
    parser.add_argument("--tier", default="quick", choices=["smoke", "quick", "standard", "full"])
    parser.add_argument("--trial", default="plateaus", choices=["plateaus", "plateaus-slow"])
    parser.add_argument("--cpu-profiles", help="names, with commas between them; all of the tier's if left out")
    return parser


if __name__ == "__main__":
    entry_point(main, _parser())
