"""`jca-rerun pack`, `unpack`, `spreads` and `results`."""

import argparse

from jcarerun.errors import say
from jcarerun.plan import fixed_plan
from jcarerun.results import archive, make, spreads


def main(arguments: argparse.Namespace) -> None:
    """Do what the command line says."""
    if arguments.command == "unpack":
        made = archive.unpack(arguments.archives, arguments.out)
        say(f"{arguments.out}: {made}")
        return
    if arguments.command == "spreads":
        say(f"{fixed_plan.SPREADS}: {spreads.update(arguments.tidy)} rows of these runs")
        return
    experiments = arguments.experiments.strip("[]").split(",") if arguments.experiments else []
    if arguments.command == "pack":
        made = archive.pack(arguments.raw, arguments.out, experiments, arguments.tier or "")
        say(f"{arguments.out}: {made}, {arguments.out.stat().st_size / 1e6:.1f} MB")
        return
    make.run(arguments.engine, target=arguments.out or make.RESULTS, only=experiments)
    if arguments.bundle:
        make.bundle(arguments.bundle, arguments.engine)
