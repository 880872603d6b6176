"""`make TARGET NAME=VALUE...` as a command of `jca-rerun`: a target is a command, a variable is one of its options.

The Makefile passes the variables of its command line as MAKE_GIVEN (names) and MAKE_VALUE_<NAME> (values, unexpanded). A variable
that the command has no option for is refused. A variable of the environment, such as ENGINE, counts if the command has it.
"""

from __future__ import annotations

import argparse
import difflib
import os
import subprocess
import sys

from jcarerun import cli
from jcarerun.errors import UserError, handled

# Targets that have another name than their command.
TARGETS = {
    "test-fast": ["test", "--fast"],
    "doctor": ["check-machine"],
    "workloads": ["list", "workloads"],
    "forms": ["list", "forms"],
    "artifact": ["bundle"],
    "r-image": ["images", "ready"],
}
# Variables that have another name than their option.
NAMES = {"LOG": "gc_log", "FILE": "artifact", "A": "first", "B": "again"}
YES, NO = ("yes", "true", "1"), ("no", "false", "0", "")


def _near(word: str, known) -> str:
    found = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {found[0]}? " if found else ""


def _words(what: str, option: argparse.Action, value: str) -> list[str]:
    """A variable's value as words of the command line. Raises UserError for a switch that is neither yes nor no."""
    if option.nargs == 0:
        if value.lower() not in YES + NO:
            raise UserError(f"{what}: must be yes or no")
        return [option.option_strings[0]] if value.lower() in YES else []
    # Several values have spaces between them, unless all of it is the name of one file.
    several = option.nargs in ("+", "*") and not os.path.exists(value)  # noqa: PTH110 - may be a name that no file can have
    values = value.split() if several else [value] if value else []
    if not option.option_strings or not values:
        return values
    return [f"{option.option_strings[0]}={value}"] if len(values) == 1 else [option.option_strings[0], *values]


def command(target: str, given: dict[str, str], around: dict[str, str]) -> list[str]:
    """The command line for a target, the variables of make's command line, and those of the environment, `around`.

    Raises UserError for an unknown target, an unknown variable and a missing one.
    """
    commands, words = cli.command_line().commands, TARGETS.get(target, [target])
    if words[0] not in commands:
        raise UserError(f"make {target}: no such target; {_near(target, [*TARGETS, *commands])}`make help` lists them")
    options = [each for each in commands[words[0]].options if each.option_strings or len(words) == 1]
    by_name = {option.dest.upper(): option for option in options}
    by_name |= {name: by_name[dest.upper()] for name, dest in NAMES.items() if dest.upper() in by_name}
    found: dict[argparse.Action, list[str]] = {}
    for name, value in {**{name: around[name] for name in by_name if name in around}, **given}.items():
        if name not in by_name:
            remedy = _near(name.upper(), by_name) or f"it takes {', '.join(by_name) or 'none'}"
            raise UserError(f"make {target}: {name}={value}: unknown variable; {remedy.strip()}")
        found[by_name[name]] = _words(f"make {target}: {name}={value}", by_name[name], value)
    # argparse calls an argument that may be left out (`*`) required.
    lacking = [option for option in options if option.required and option.nargs != "*" and not found.get(option)]
    if lacking:
        names = [
            next((name for name, dest in NAMES.items() if dest == each.dest), each.dest.upper()) for each in lacking
        ]
        raise UserError(f"{names[0]}= is missing: make {target} {' '.join(f'{name}=...' for name in names)}")
    positional = [word for option in options if not option.option_strings for word in found.get(option, [])]
    words += [word for option in options if option.option_strings for word in found.get(option, [])]
    return [*words, *(["--", *positional] if positional else [])]


def main() -> None:
    """Perform a target, after set-up."""
    target = sys.argv[1]
    if target == "help":
        cli.main(["--help"])
    given = {name: os.environ.get(f"MAKE_VALUE_{name}", "") for name in os.environ.get("MAKE_GIVEN", "").split()}
    words = command(target, given, dict(os.environ))
    line = cli.command_line()
    arguments = line.parser.parse_args(words)
    if not line.commands[words[0]].before_setup:
        status = subprocess.run(["envs/setup.sh", getattr(arguments, "engine", "docker")]).returncode
        if status:
            sys.exit(status)
    cli.main(words)


if __name__ == "__main__":
    handled(main)
