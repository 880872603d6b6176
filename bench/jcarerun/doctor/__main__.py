"""Command line of the doctor: `python3 -m jcarerun.doctor`, run by `make doctor`, also where nothing is set up yet."""

import argparse
import sys

from jcarerun.doctor import checks, facts


def main() -> int:
    """Collect, print, and give the exit status."""
    parser = argparse.ArgumentParser(prog="doctor", description="Says what this machine can give, and what that means.")
    parser.add_argument("--engine", choices=(*checks.ENGINES, "host"), default="docker")
    parser.add_argument("--tier", default="quick")
    arguments = parser.parse_args()
    rows = checks.checks(facts.collect(arguments.engine, arguments.tier), arguments.engine)
    words, status = checks.verdict(rows, arguments.engine)
    print(f"{checks.table(rows)}\n\n{words}")
    return status


if __name__ == "__main__":
    sys.exit(main())
