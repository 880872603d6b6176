"""Command line of the bundle: `python -m jcarerun.bundle make|verify|repeat|sign`, called by make.

Exit status 0, or of `verify` 1 where something is not the same when it is made again, and 2 for what can't be used.
"""

import argparse
import sys
from pathlib import Path

from jcarerun.bundle import make, repeat, sealed, verify
from jcarerun.errors import entry_point
from jcarerun.plan import settings
from jcarerun.rounds import signing
from jcarerun.support import engine as engines


def _path(text: str) -> Path | None:
    return Path(text) if text else None


def parser() -> argparse.ArgumentParser:
    """What the command line takes."""
    found = argparse.ArgumentParser(prog="jcarerun.bundle", description="One archive of a run that others can check.")
    commands = found.add_subparsers(dest="command", required=True)
    write = commands.add_parser("make", help="write the bundle of the report that stands")
    write.add_argument("--out", type=Path, required=True, help="the zip")
    write.add_argument("--raw", type=_path, help="the rounds that the report is of, where they are somebody else's")
    check = commands.add_parser("verify", help="check a bundle, and make all that it says again from its raw rounds")
    check.add_argument("artifact", type=Path, help="the zip")
    check.add_argument(
        "--anyway", action="store_true", help="by this checkout's code, whatever commit the bundle is of"
    )
    check.add_argument("--signers", type=_path, help="a file of ssh's allowed signers, one of whom must have signed it")
    check.add_argument("--strict", action="store_true", help="refuse what nobody signed")
    check.add_argument("--measure", action="store_true", help="then measure again, and compare the verdicts")
    hold = commands.add_parser("repeat", help="hold the tables of a run against those of one that measured it again")
    hold.add_argument("first", type=Path, help="the run's tidy tables")
    hold.add_argument("again", type=Path, help="those of the other")
    hold.add_argument("--out", type=_path, help="where to write a row for each mean, ratio and verdict that both have")
    seal = commands.add_parser("sign", help="sign the manifest of a bundle, a kit or what one sent back")
    seal.add_argument("artifact", type=Path, help="the zip")
    seal.add_argument(
        "--key", type=Path, required=True, help="the private key, or the public one of a key that an agent holds"
    )
    for each in (write, check):
        each.add_argument(
            "--results", type=_path, help="where the report lies, or where to measure, if not in this checkout"
        )
        each.add_argument(
            "--experiment_dir", type=_path, help="where its experiment files lie, if not in this checkout"
        )
        each.add_argument("--engine", choices=engines.ENGINES, default="docker", help="what runs R")
    return found


def main(arguments: argparse.Namespace) -> None:
    """Do what the command line says."""
    if arguments.command == "sign":
        with sealed.opened(arguments.artifact) as found:
            print(signing.sign(found.manifest, arguments.key, arguments.artifact))
        return
    if arguments.command == "repeat":
        found = repeat.rows(arguments.first, arguments.again)
        if arguments.out:
            repeat.write(found, arguments.out)
        print("\n".join(repeat.words(found, arguments.first)))
        return
    if arguments.command == "verify":
        one, again = arguments, verify.Measuring(arguments.results) if arguments.measure else None
        if not verify.verify(one.artifact, one.engine, one.anyway, one.experiment_dir, one.signers, one.strict, again):
            sys.exit(1)
        return
    # As a run reads them: results of a study elsewhere lie beside it.
    given = {key: str(path) for key in ("raw", "results", "experiment_dir") if (path := getattr(arguments, key))}
    chosen = settings.read(given)
    print(make.make(arguments.out, arguments.engine, chosen.raw, chosen.results, chosen.experiment_dir))


if __name__ == "__main__":
    entry_point(main, parser())
