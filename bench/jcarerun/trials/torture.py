"""Faults at each write, rename, removal, sync and process start of a run: nothing whole is lost, and nothing let in that is not.

`make torture [FAULTS=2000] [RUNS=30] [SEED=1]` runs it, an hour on two cores: two rounds of the self-test are measured once
and then replayed, so that a run takes a fraction of a second. Each kind of fault is tried at the points of the process that
begins a run and of a round's job, one after the other; then the same command goes on. The table says how often.
"""

import argparse
import multiprocessing
import os
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from jcarerun.errors import UserError, entry_point
from jcarerun.run.run import from_config
from jcarerun.trials import arms, tables, torture_run
from jcarerun.trials.torture_job import KINDS, ROUND, Torture, chosen

CONFIG = {"experiment_dir": "bench/tests/experiments", "seed": 1, "tier": "smoke", "calibration": False}
RUN = "run"
# After so many faults of whole runs the tables are made, too.
TABLES = 3
SURVIVED = (
    "After each fault the same command goes on. Survived: no whole round is lost or measured again, none is there that is "
    "not whole, no container, lock or unfinished round is left, no stack trace is seen, and at the end every file says what it "
    "says in an undisturbed run, but for times."
)


def main(arguments: argparse.Namespace) -> None:
    """Try the faults, print each that is not survived with the command that repeats it, and write the tables."""
    current = from_config(CONFIG)
    arms.snakemake({**CONFIG, "calibration": "false"}, arms.stamps(current.first))
    with tempfile.TemporaryDirectory(prefix="torture-") as scratch:
        torture = Torture(Path(scratch).resolve(), current)
        if arguments.only:
            failed = [one for one in [_named(torture, arguments.only)] if not _survived(torture, one)]
        else:
            failed = _jobs(torture, arguments) + _runs(torture, arguments)
    if failed:
        raise UserError(f"{len(failed)} faults were not survived; the commands above repeat them")


def _named(torture: Torture, words: str) -> tuple[str, int, str]:
    """A fault as it is printed; a number below zero counts from the last point."""
    process, number, kind = words.split(":")
    if (process != RUN and process not in torture.points) or kind not in (
        torture_run.KINDS if process == RUN else KINDS
    ):
        raise UserError(f"--only {words}: no fault; give it as it was printed, <process>:<point>:<kind>")
    points = torture.points[ROUND if process == RUN else process]
    return process, range(len(points) + 1)[int(number)], kind


def _survived(torture: Torture, one: tuple[str, int, str]) -> bool:
    process, number, kind = one
    if process == RUN:
        complaints, point = (
            torture_run.complaints(torture.case, CONFIG, number, kind),
            torture.points[ROUND][number - 1],
        )
    else:
        complaints, point = torture.complaints(*one), torture.points[process][number - 1]
    if complaints:
        print(f"{process}, point {number} ({point.what} {point.name}), {kind}: {complaints[0]}\n"
              f"  python -m jcarerun.trials.torture --only {process}:{number}:{kind}", flush=True)  # fmt: skip
    return not complaints


def _jobs(torture: Torture, arguments: argparse.Namespace) -> list:
    """Faults of single jobs, and their table."""
    every = list(torture.names())
    todo = chosen(every, arguments.faults, arguments.seed)
    if not todo:
        return []
    sizes = ", ".join(f"{len(points)} of {process}" for process, points in torture.points.items())
    print(f"points: {sizes}; {len(every)} faults there, {len(todo)} are tried, seed {arguments.seed}", file=sys.stderr)
    with multiprocessing.get_context("fork").Pool(arguments.jobs, _settle_in, (torture,)) as pool:
        failed = [one for one, survived in zip(todo, pool.imap(_survived_here, todo), strict=True) if not survived]
    points = Counter(point.what for each in torture.points.values() for point in each)
    what = ", ".join(f"{count} of {what}" for what, count in points.most_common())
    tables.write(
        tables.FAULTS,
        "Faults at every step of a run",
        f"`make torture FAULTS={arguments.faults} SEED={arguments.seed}`: a run of two rounds of the self-test, one of them "
        f"whole, comes to {what}. {SURVIVED}\n\n{_table(KINDS, todo, failed)}",
    )
    return failed


def _settle_in(torture: Torture) -> None:
    """Give this process a run's directory of its own."""
    torture.case.at(torture.case.folder.with_name(f"case-{os.getpid()}"))
    global _here
    _here = torture


def _survived_here(one: tuple[str, int, str]) -> bool:
    return _survived(_here, one)


def _runs(torture: Torture, arguments: argparse.Namespace) -> list:
    """Faults of whole runs, and their table."""
    every = [(RUN, number, kind) for number, kind in torture_run.every(len(torture.points[ROUND]))]
    todo = sorted(random.Random(arguments.seed).sample(every, min(arguments.runs, len(every))))
    if not todo:
        return []
    print(f"{len(todo)} faults of whole runs", file=sys.stderr)
    plain = torture_run.undisturbed(torture.case, CONFIG)
    failed, compared = [], 0
    for one in todo:
        if not _survived(torture, one):
            failed.append(one)
        elif compared < TABLES:  # R takes longer than all the rest
            compared += 1
            if torture_run.tables(torture.case, CONFIG) != plain:
                print(f"{':'.join(map(str, one))}: the tables are not those of an undisturbed run", flush=True)
                failed.append(one)
    kinds = {kind: words for kind, (words, _) in torture_run.KINDS.items()}
    tables.write(
        tables.FAULTS,
        "Faults of whole runs",
        f"`make torture FAULTS={arguments.faults} RUNS={arguments.runs} SEED={arguments.seed}`: Snakemake with all its "
        f"processes, each fault at one of {len(torture_run.SHARES)} points of a round's job. {SURVIVED} After {compared} of "
        f"them R made all of its tables, to be held against those of an undisturbed run byte for byte.\n\n"
        f"{_table(kinds, todo, failed)}",
    )
    return failed


def _table(kinds: dict[str, str], todo: list, failed: list) -> str:
    tried, lost = (Counter(kind for _, _, kind in each) for each in (todo, failed))
    rows = [[words, tried[kind], tried[kind] - lost[kind]] for kind, words in kinds.items()]
    return tables.table(["fault", "tried", "survived"], [*rows, ["all", len(todo), len(todo) - len(failed)]])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jcarerun.trials.torture", description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=2000, help="how many of single jobs are tried")
    parser.add_argument("--runs", type=int, default=30, help="how many of whole runs are tried")
    parser.add_argument("--jobs", type=int, default=2, help="how many single jobs at once")
    parser.add_argument("--seed", type=int, default=1, help="which of them, where not all are")
    parser.add_argument("--only", help="one alone, as a failed one is printed")
    return parser


if __name__ == "__main__":
    entry_point(main, _parser())
