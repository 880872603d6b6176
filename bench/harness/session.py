"""Start of a Snakemake process: refuse what is wrong, hold the checkout, clear what dead runs left, print the plan."""

import fcntl
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.harness import expectation, run, run_round
from envs.builder import engine as engines
from envs.builder.errors import UserError

_held = []


def _hold(raw: Path) -> None:
    """One run at a time in a checkout. The kernel drops the lock with the process, so a killed run leaves none behind."""
    raw.mkdir(parents=True, exist_ok=True)
    file = (raw / ".run.lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UserError(f"{raw / '.run.lock'}: another run works in this checkout; wait for it or end it") from None
    _held.append(file)


def _or_exit(work: Callable[[], Any]) -> Any:
    """What `work` gives; a mistake of the user's ends the process with one line and status 2."""
    try:
        return work()
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


def _tidy_terminal() -> None:
    """Keep Snakemake's scheduler from printing two lines for each job between the lines of the rounds."""
    noise = ("Select jobs to execute", "Execute ")
    logging.getLogger("snakemake.logging").addFilter(lambda record: not str(record.msg).startswith(noise))


def read(config: dict, main: bool) -> run.Run:
    """The run that `config` selects, its rounds checked; `main` (not one of its jobs) prints the plan."""
    return _or_exit(lambda: _read(config, main))


def _read(config: dict, main: bool) -> run.Run:
    current = run.from_config(config)
    run.export(config)
    if not main:
        return current
    _tidy_terminal()
    current.verify()
    if current.rounds:
        print(f"plan, tier {current.settings.tier}, engine {current.settings.engine}:", file=sys.stderr)
        print(expectation.summary(run.RAW, current.rounds), file=sys.stderr)
    else:
        print(
            f"plan: report on {len(current.round_paths())} rounds in {current.raw}; nothing is measured",
            file=sys.stderr,
        )
    return current


def begin(current: run.Run) -> None:
    """Before the first job: hold the checkout, see that the engine answers, remove what dead runs left."""
    _or_exit(lambda: _begin(current))


def _begin(current: run.Run) -> None:
    _hold(run.RAW)
    engines.require(current.settings.engine)
    run_round.sweep(run.RAW, current.settings.engine)
