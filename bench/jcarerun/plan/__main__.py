"""Writes what every experiment file says as JSON, for `jca-rerun claims`.

In: bench/experiments, and all that they may name. Out: {"experiments": [...]}.
"""

import argparse
import json
from pathlib import Path

from jcarerun.images import catalogue
from jcarerun.plan import claim_pairs, definitions, environments, providers
from jcarerun.plan.environments import EnvironmentWords

EXPERIMENTS = Path("bench/experiments")


def main(arguments: argparse.Namespace) -> None:
    """Write the file. Raises UserError for an experiment file that is wrong."""
    registry = definitions.registry(providers.read(), catalogue.read())
    words = EnvironmentWords(environments.described(registry.catalogue, Path(), ()))
    every = definitions.read_all(EXPERIMENTS, (), registry).values()
    content = {"experiments": [claim_pairs.with_decisions(experiment, registry.forms, words) for experiment in every]}
    arguments.file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
