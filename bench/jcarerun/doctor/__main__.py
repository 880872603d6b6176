"""`jca-rerun check-machine`: what this machine can measure, also before anything is set up."""

import argparse

from jcarerun.doctor import checks, facts


def main(arguments: argparse.Namespace) -> int:
    """Collect, print, and return the exit status."""
    rows = checks.checks(facts.collect(arguments.engine, arguments.tier), arguments.engine)
    words, status = checks.verdict(rows, arguments.engine)
    print(f"{checks.table(rows)}\n\n{words}")
    return status
