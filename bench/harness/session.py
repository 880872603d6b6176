"""Start of a Snakemake process: refuse what is wrong, hold the checkout, clear what dead runs left, print the plan."""

import fcntl
import sys
from pathlib import Path

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


def start(config: dict, main: bool, dry: bool) -> run.Run:
    """The run that `config` selects.

    main: this is the process the user started, not one of its jobs. dry: it only shows the plan. A mistake of the user's ends
    the process with one line and status 2.
    """
    try:
        current = run.from_config(config)
        run.export(config)
        if main:
            _begin(current, dry)
        return current
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


def _begin(current: run.Run, dry: bool) -> None:
    if not dry:
        _hold(run.RAW)
        if current.rounds and expectation.missing(run.RAW, current.rounds):
            engines.require(current.settings.engine)
            run_round.sweep(run.RAW, current.settings.engine)
    current.verify()
    if current.rounds:
        print(f"plan, tier {current.settings.tier}, engine {current.settings.engine}:", file=sys.stderr)
        print(expectation.summary(run.RAW, current.rounds), file=sys.stderr)
    else:
        print(
            f"plan: report on {len(current.round_paths())} rounds in {current.raw}; nothing is measured",
            file=sys.stderr,
        )
