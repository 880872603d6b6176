"""Spoilt files of each kind that a user writes or a disk keeps: read, or refused in one line that names the file, within seconds.

`python -m jcarerun.trials.bad_input [--examples 10000]` runs the tests of spoilt files with so many cases each, drawn
anew each time, and writes their table. A case that fails is printed by Hypothesis as the smallest that does.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

from jcarerun.errors import UserError, entry_point
from jcarerun.trials import tables


def rows(report: Path) -> list[list[object]]:
    """What each test came to, by the report that pytest wrote: its name, cases, and whether all of them went well."""
    found = []
    for case in ET.parse(report).getroot().iter("testcase"):
        cases = sum(int(each.get("value", "0")) for each in case.iter("property") if each.get("name") == "cases")
        if cases:
            failed = case.find("failure") is not None or case.find("error") is not None
            name = case.get("name", "").removeprefix("test_").replace("_", " ")
            found.append([name, cases, "no" if failed else "yes"])
    return sorted(found)


def main(arguments: argparse.Namespace) -> None:
    """Run the tests and write the table."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-k", arguments.k, f"--junitxml={report}", "bench/tests"]
        status = subprocess.run(command, env=os.environ | {"EXAMPLES": str(arguments.examples)}).returncode
        found = rows(report)
    all_of_them = ["all", sum(row[1] for row in found), "no" if "no" in {row[2] for row in found} else "yes"]
    header = ["spoilt file", "cases", "each read or refused in one line"]
    tables.write(
        tables.FAULTS,
        "Bad input",
        f"`python -m jcarerun.trials.bad_input --examples {arguments.examples}`: up to so many cases each, a sixteenth of files "
        "that are read with all that hangs on them, or by R, and fewer where no more differ.\n\n"
        f"{tables.table(header, [*found, all_of_them])}",
    )
    if status:
        raise UserError("a spoilt file was neither read nor refused in one line; pytest's own words are above")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jcarerun.trials.bad_input", description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=10_000, help="cases for each kind of file")
    parser.add_argument("-k", default="spoilt", help="which tests, as pytest has it")
    return parser


if __name__ == "__main__":
    entry_point(main, _parser())
