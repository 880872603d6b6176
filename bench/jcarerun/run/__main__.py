"""Command line of a run: `python -m jcarerun.run jars|round-files|stage|definitions ...`, called by the rules."""

import argparse
import json
from pathlib import Path

from jcarerun.errors import entry_point
from jcarerun.plan import claim_pairs, providers
from jcarerun.run import container, described, jars, plan_stage, run


def parser() -> argparse.ArgumentParser:
    """What the command line takes."""
    found = argparse.ArgumentParser(prog="jcarerun.run", description="Plans a run, and says what it is.")
    commands = found.add_subparsers(dest="command", required=True)
    fetch = commands.add_parser("jars", help="fetch every provider's jar and check its SHA-256")
    fetch.add_argument("record", type=Path, help="where to write which jars there are")
    files = commands.add_parser("round-files", help="write the file of every round of a stage")
    files.add_argument("stage", type=int)
    files.add_argument("folder", type=Path, help="where to write them")
    later = commands.add_parser("stage", help="plan a stage of the run from the rounds of those before it")
    later.add_argument("stage", type=int, help="its number, from 2 on")
    write = commands.add_parser("definitions", help="write what the analysis needs to know of the run")
    write.add_argument("definitions", type=Path)
    write.add_argument("rounds", type=Path)
    write.add_argument("reference_forks", type=Path)
    write.add_argument("pairs", type=Path)
    for each in (files, later, write):
        each.add_argument("--config", default="{}", help="the configuration of the run, as JSON")
    return found


def main(arguments: argparse.Namespace) -> None:
    """Do what the command line says."""
    if arguments.command == "jars":
        jars.fetch_all(providers.read(), container.JARS, arguments.record)
        return
    current = run.from_config(json.loads(arguments.config))
    if arguments.command == "round-files":
        current.write_round_files(arguments.stage, arguments.folder)
    elif arguments.command == "stage":
        plan_stage.make(current, arguments.stage)
    else:
        jars.require_same_jars(current.folders.raw, current.rounds)
        planned = {"left_out": described.left_out_cells(current), "claim_minutes": current.planner.claim_minutes()}
        content = current.definitions() | planned
        arguments.definitions.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
        claim_pairs.write(arguments.pairs, described.pairs(current, content))
        arguments.rounds.write_text("\n".join(current.round_paths()) + "\n")
        arguments.reference_forks.write_text("".join(f"{path}\n" for path in current.reference_paths))


if __name__ == "__main__":
    entry_point(main, parser())
