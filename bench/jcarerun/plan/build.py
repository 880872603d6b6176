"""Builds the projects that experiment files name: `python -m jcarerun.plan.build FILE`, which is `make build STUDY=FILE`.

In: experiment files, of which those with `build` count. Out: jars and locks (bench/subject), before anything is planned.
"""

import argparse
from pathlib import Path

from jcarerun.errors import UserError, entry_point
from jcarerun.plan.definitions import SCHEMA
from jcarerun.plan.subjects import KINDS
from jcarerun.subject import project_build
from jcarerun.subject.jars import file_of
from jcarerun.subject.projects import Project
from jcarerun.support import engine as engines
from jcarerun.support import yamltext
from jcarerun.support.textfile import read_text, where
from jcarerun.support.yamlfile import load_checked


def project(path: Path) -> Project | None:
    """The project of an experiment file; None where it has none. Raises UserError for a file that is none."""
    if "build" not in read_text(path, yamltext.MOST_BYTES):  # most files need not be read twice
        return None
    data = load_checked(path, SCHEMA)
    return Project(path, data["build"]) if [key for key in KINDS if key in data] == ["build"] else None


def every(folder: Path, engine: str) -> None:
    """Build what the experiments of a directory need and what isn't there. Raises UserError for what can't be built."""
    for path in sorted(folder.glob("*.yaml")):
        if found := project(path):
            project_build.build(found, engine)


def main(arguments: argparse.Namespace) -> None:
    """Build one experiment's project, and say where its jar is."""
    found = project(arguments.file)
    if found is None:
        raise UserError(f"{where(arguments.file)}: build: missing; nothing is to be built: docs/own-jar.md shows one")
    print(file_of(project_build.build(found, arguments.engine)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="jcarerun.plan.build", description="Builds an experiment's project to its jar."
    )
    parser.add_argument("--engine", choices=engines.ENGINES, default="docker")
    parser.add_argument("file", type=Path)
    entry_point(main, parser)
