"""Writes what every experiment file says as JSON, for `jca-rerun claims`.

In: bench/experiments, and all that they may name. Out: {"experiments": [...]}.
"""

import argparse
import json
from pathlib import Path

from jcarerun.images import catalogue
from jcarerun.plan import definitions, providers

EXPERIMENTS = Path("bench/experiments")


def main(arguments: argparse.Namespace) -> None:
    """Write the file. Raises UserError for an experiment file that is wrong."""
    every = definitions.read_all(EXPERIMENTS, (), definitions.world(providers.read(), catalogue.read()))
    arguments.file.write_text(json.dumps({"experiments": list(every.values())}, indent=1, ensure_ascii=False) + "\n")
