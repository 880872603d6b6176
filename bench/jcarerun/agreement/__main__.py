"""`jca-rerun agreement`: holds the PDF, the explorer's page and R's tables for them against data/tidy.

Exit status 0 where all agree, 1 where a number does not, 2 for what can't be read.
"""

import argparse
import sys

from jcarerun.agreement import parts, rows
from jcarerun.agreement.printed import Rows
from jcarerun.errors import UserError
from jcarerun.explorer import tidy

MOST_LINES = 30


def main(arguments: argparse.Namespace) -> None:
    """Compare, print what was held, and each number that is not its row's."""
    known = Rows([*rows.of_run(arguments.tidy), *rows.published(arguments.published)])
    judged = sum(bool(row["lower"]) for row in tidy.read(arguments.tidy, "verdicts.csv"))
    report = arguments.report
    told = {
        "numbers with an interval and marks of the PDF": parts.of_pdf(report / "report.pdf", known, arguments.tidy),
        "numbers with an id or a row in what R made for it": parts.of_tables(report / "build/tables", arguments.tidy),
        "values of the explorer's page": parts.of_page(report / "report.html", arguments.tidy),
    }
    for what, (held, lines) in told.items():
        print(f"{held} {what}: {'all agree' if not lines else f'{len(lines)} do not agree'} with {arguments.tidy}")
        if judged and not held:
            raise UserError(f"{report}: has no {what}, where {judged} verdicts have an interval; make the report again")
    wrong = [line for _, lines in told.values() for line in lines]
    for line in wrong[:MOST_LINES]:
        print(line, file=sys.stderr)
    if wrong:
        sys.exit(1)
