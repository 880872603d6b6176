"""`jca-rerun pack` and `unpack`."""

import argparse

from jcarerun.errors import say
from jcarerun.results import archive


def main(arguments: argparse.Namespace) -> None:
    """Do what the command line says."""
    if arguments.command == "pack":
        experiments = arguments.experiments.strip("[]").split(",") if arguments.experiments else []
        made = archive.pack(arguments.raw, arguments.out, experiments)
        say(f"{arguments.out}: {made}, {arguments.out.stat().st_size / 1e6:.1f} MB")
    else:
        made = archive.unpack(arguments.archives, arguments.out)
        say(f"{arguments.out}: {made}")
