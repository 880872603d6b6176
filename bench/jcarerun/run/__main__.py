"""Command line of a run: `python -m jcarerun.run jars|round|plan|stage|definitions ...`, called by the rules."""

import argparse
import json
import signal
import sys
from pathlib import Path

from jcarerun.errors import entry_point
from jcarerun.plan import claim_pairs
from jcarerun.run import container, described, jar_identity, jars, make_plan, make_stage, run, run_round


def parser() -> argparse.ArgumentParser:
    """What the command line takes."""
    found = argparse.ArgumentParser(prog="jcarerun.run", description="Fetches providers, runs rounds, writes the plan.")
    commands = found.add_subparsers(dest="command", required=True)
    fetch = commands.add_parser("jars", help="fetch every provider's jar and check its SHA-256")
    fetch.add_argument("record", type=Path, help="where to write which jars there are")
    measure = commands.add_parser("round", help="measure one round of the run")
    measure.add_argument("path", help="<experiment>/<environment>/<round>")
    second = commands.add_parser("plan", help="plan the second stage of an experiment in an environment from the first")
    second.add_argument("path", help="<experiment>/<environment>/<tier>-<hash>")
    later = commands.add_parser("stage", help="plan a stage of a run that wants verdicts from those before it")
    later.add_argument("stage", type=int, help="its number, from 2 on")
    write = commands.add_parser("definitions", help="write what the analysis needs to know of the run")
    write.add_argument("definitions", type=Path)
    write.add_argument("rounds", type=Path)
    write.add_argument("pilots", type=Path)
    write.add_argument("pairs", type=Path)
    return found


def main(arguments: argparse.Namespace) -> None:
    """Do what the command line says."""
    perform(arguments, run.from_environment())


def perform(arguments: argparse.Namespace, current: run.Run) -> None:
    """Do a job of a run."""
    if arguments.command == "jars":
        jars.fetch_all(current.world.providers, container.JARS, arguments.record)
    elif arguments.command == "round":
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        one = current.round(arguments.path)
        run_round.run(one, current.rounds, current.settings, current.world, current.folders.raw)
    elif arguments.command == "plan":
        make_plan.make(current.place(arguments.path), current.settings.engine, current.folders.raw)
    elif arguments.command == "stage":
        make_stage.make(current, arguments.stage)
    else:
        jar_identity.require_all(current.folders.raw, current.rounds)
        content = {**current.definitions(), "left_out": described.left_out_cells(current)}
        arguments.definitions.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
        claim_pairs.write(arguments.pairs, described.pairs(current, content))
        arguments.rounds.write_text("\n".join(current.round_paths()) + "\n")
        arguments.pilots.write_text("".join(f"{path}\n" for path in current.pilot_paths))


if __name__ == "__main__":
    entry_point(main, parser())
