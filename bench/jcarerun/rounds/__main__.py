"""`jca-rerun check-rounds DIR...`: checks every round below some directories, however deep.

Whatever is no round is passed over: who summarises results may give a directory of JMH's own files, or of both.
"""

import argparse
import os
import sys
from pathlib import Path

from jcarerun.errors import UserError, count
from jcarerun.rounds import record, validate
from jcarerun.support.files import confined


def rounds(folder: Path) -> list[Path]:
    """The directories below one, itself too, that have a round's record. No link is followed."""
    found = []
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if record.FILE in files:
            found.append(Path(path))
    return found


def check_below(folder: Path) -> None:
    """Check every round below a directory, and say how many there are; a single file is none."""
    found = confined(lambda: rounds(folder.resolve()), folder)
    for each in found:
        validate.validate_round(each)
    if found:
        print(f"{folder}: {count(len(found), 'round')}, each of them as it was measured", file=sys.stderr)


def main(arguments: argparse.Namespace) -> None:
    """Check what the command line names."""
    for folder in arguments.folders:
        if not folder.is_dir():
            raise UserError(f"{folder}: there is no such directory")
        check_below(folder)
