"""Command line of the harness: `python -m bench.harness jars|round|plan|definitions|kit|take_in ...`, called by the rules."""

import argparse
import json
import signal
import sys
from pathlib import Path

from bench.harness import container, jars, kit, make_plan, run, run_round, take_in
from envs.builder.errors import UserError, entry_point


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bench.harness", description="Fetches providers, runs rounds, writes the plan."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    fetch = commands.add_parser("jars", help="fetch every provider's jar and check its SHA-256")
    fetch.add_argument("record", type=Path, help="where to write which jars there are")
    measure = commands.add_parser("round", help="measure one round of the run")
    measure.add_argument("path", help="<experiment>/<environment>/<round>")
    second = commands.add_parser("plan", help="plan the second stage of an experiment in an environment from the first")
    second.add_argument("path", help="<experiment>/<environment>/<tier>-<hash>")
    write = commands.add_parser("definitions", help="write what the analysis needs to know of the run")
    write.add_argument("definitions", type=Path)
    write.add_argument("rounds", type=Path)
    commands.add_parser("kit", help="write the kit by which a machine with nothing but Java measures the same rounds")
    commands.add_parser("take_in", help="check and take in what a kit sent back (--config from=FILE)")
    return parser


def main(arguments: argparse.Namespace) -> None:
    """Do what the command line says."""
    current = run.from_environment()
    if arguments.command == "jars":
        jars.fetch_all(current.world.providers, container.JARS, arguments.record)
    elif arguments.command == "round":
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        one = current.round(arguments.path)
        run_round.run(one, current.rounds, current.settings, current.world, run.RAW)
    elif arguments.command == "plan":
        make_plan.make(current.place(arguments.path), current.settings.engine, run.RAW)
    elif arguments.command == "kit":
        rounds = current.kit_rounds()
        print(kit.summary(kit.write(rounds, current.world), rounds), file=sys.stderr)
    elif arguments.command == "take_in":
        if current.settings.from_ is None:
            raise UserError("take_in: takes in what a kit sent back; say what: snakemake take_in --config from=FILE")
        print(take_in.take_in(current, current.settings.from_), file=sys.stderr)
    else:
        arguments.definitions.write_text(json.dumps(current.definitions(), indent=1, ensure_ascii=False) + "\n")
        arguments.rounds.write_text("\n".join(current.round_paths()) + "\n")


if __name__ == "__main__":
    entry_point(main, _parser())
