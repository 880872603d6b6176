"""Command line of the kit: `python -m jcarerun.kit write|import`, called by the rules."""

import argparse
import json
import sys

from jcarerun.errors import UserError, entry_point, one_line
from jcarerun.kit import import_kit, kit
from jcarerun.run import run


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jcarerun.kit", description="Rounds that a machine measures which has only Java."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    write = commands.add_parser(
        "write", help="write the kit by which a machine with nothing but Java measures the same rounds"
    )
    import_ = commands.add_parser("import", help="check and import what a kit sent back (--config from=FILE)")
    for each in (write, import_):
        each.add_argument("--config", default="{}", help="the configuration of the run, as JSON")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Do what the command line says."""
    current = run.from_config(json.loads(arguments.config))
    if arguments.command == "write":
        rounds = current.kit_rounds()
        print(kit.summary(kit.write(rounds, current.registry), rounds), file=sys.stderr)
    elif current.settings.from_ is None:
        raise UserError("import_kit: imports what a kit sent back; say what: snakemake import_kit --config from=FILE")
    else:
        print(one_line(import_kit.import_rounds(current, current.settings.from_)), file=sys.stderr)


if __name__ == "__main__":
    entry_point(main, _parser())
