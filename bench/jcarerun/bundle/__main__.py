"""`jca-rerun bundle`, `verify`, `repeat` and `sign`.

Exit status 0, or of `verify` 1 where something is not the same when it is made again, and 2 for what can't be used.
"""

import argparse
import sys

from jcarerun.bundle import make, repeat, sealed, verify
from jcarerun.errors import say
from jcarerun.plan import settings
from jcarerun.rounds import signing


def main(arguments: argparse.Namespace) -> None:
    """Do what the command line says."""
    if arguments.command == "sign":
        with sealed.opened(arguments.artifact) as found:
            say(str(signing.sign(found.manifest, arguments.key, arguments.artifact)))
        return
    if arguments.command == "repeat":
        found = repeat.rows(arguments.first, arguments.again)
        if arguments.out:
            repeat.write(found, arguments.out)
        say(*repeat.words(found, arguments.first))
        return
    if arguments.command == "verify":
        names = ("engine", "anyway", "experiment_dir", "signers", "strict", "measure", "results")
        options = verify.Options(**{name: getattr(arguments, name) for name in names})
        if not verify.verify(arguments.artifact, options):
            sys.exit(1)
        return
    # As a run reads them: results of a study elsewhere lie beside it.
    given = {key: str(path) for key in ("raw", "results", "experiment_dir") if (path := getattr(arguments, key))}
    chosen = settings.read(given)
    say(make.make(arguments.out, arguments.engine, chosen.raw, chosen.results, chosen.experiment_dir))
