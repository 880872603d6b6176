"""A Snakemake process: at its start refuse what is wrong, lock the checkout, clear what dead runs left, print the plan; its end.

It ends at once when it is told to, and when the `make` that started it is gone. Snakemake itself waits, on SIGTERM, for the jobs
that run, which may take as long as a round does.
"""

import contextlib
import fcntl
import os
import re
import shlex
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import psutil

from jcarerun.errors import UserError, say, system_errors
from jcarerun.images import image
from jcarerun.plan import claim_pairs, plan, reference_forks, stages
from jcarerun.run import run, run_round, verdict_lines, verified
from jcarerun.support import engine as engines
from jcarerun.support.engine import HOST
from jcarerun.support.files import where

# Of a plan that measures somebody's jar without an engine.
UNCONFINED = (
    "  engine host: benchmarks of a jar run with your rights, files and network; another engine isolates them",
)
# What `make` tells of itself (Makefile): its process id. A run of Snakemake's own may well outlive the shell it was started from.
VARIABLE = "JCA_RERUN_MAKE"
_EVERY_S = 0.5
_locks = []


def _lock(raw: Path, place: str = "in this checkout", shared: bool = False) -> None:
    """One run at a time in a checkout, and one at a time with the same results, from whatever checkout.

    Runs that measure nothing share a checkout. The kernel drops the lock with the process, so a killed run leaves none behind.
    """
    raw.mkdir(parents=True, exist_ok=True)
    file = (raw / ".run.lock").open("w")
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UserError(f"{raw / '.run.lock'}: another run works {place}; wait for it or end it") from None
    _locks.append(file)


def _is_locked(raw: Path) -> bool:
    """Whether another run works with these results: a look at the plan must not change what it was asked for."""
    try:
        with (raw / ".run.lock").open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


@contextlib.contextmanager
def _exit_on_mistakes() -> Iterator[None]:
    """A mistake of the user's ends the process with its lines and status 2."""
    try:
        with system_errors():
            yield
    except UserError as error:
        print("\n".join(f"error: {text}" for text in error.texts), file=sys.stderr)
        sys.exit(2)


def is_dry_run(words: list[str]) -> bool:
    """Whether Snakemake's command line asks for a dry run, which a Snakefile can't know otherwise while it is read."""
    return any(re.fullmatch(r"--dry-?run|-[a-zA-Z]*n[a-zA-Z]*", word) for word in words)


def read(config: dict, main: bool, dry_run: bool = False) -> run.Run:
    """The run that the configuration selects, its rounds checked; `main` (not one of its jobs) prints the plan.

    A dry run writes, removes and fetches nothing.
    """
    with _exit_on_mistakes():
        return _read(config, dry_run) if main else run.from_config(config)


def _read(config: dict, dry_run: bool) -> run.Run:
    current = run.with_disturbed(run.from_config(config, fetch=not dry_run))
    verified.verify(current, repair=not dry_run)
    if not dry_run and not _is_locked(current.folders.raw):
        stages.write_requests(current.stages, current.settings.minutes, current.uncounted)
    _refuse_drift(current)
    if current.settings.from_:
        return current
    if current.first:
        if (
            not current.settings.cluster and not {"DOCKER_HOST", "CONTAINER_HOST"} & os.environ.keys()
        ):  # else the engine may be another machine's
            memory_mib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
            current.settings.check_machine(memory_mib, os.sysconf("SC_NPROCESSORS_CONF"))
        print(*plan_lines(current), sep="\n", file=sys.stderr)
    else:
        current.definitions()  # which says here what is wrong with them
        print(
            f"plan: report on {len(current.round_paths())} rounds in {current.raw}{_place(current)}; nothing is measured",
            file=sys.stderr,
        )
    if current.imported() or current.left_out():
        print(_kits(current), file=sys.stderr)
    return current


def plan_lines(current: run.Run) -> list[str]:
    """The plan of a run that measures, in lines."""
    return [
        f"plan, tier {current.settings.tier}, engine {current.settings.engine}{_place(current)}:",
        *_planned(current),
        *plan.left_out(current.experiments, current.settings, current.registry),
        *claim_pairs.unjudged(current.experiments, current.registry, current.first),
        *(UNCONFINED if current.settings.engine == HOST and any(round_.subject for round_ in current.first) else ()),
    ]


def _planned(current: run.Run) -> list[str]:
    """What the plan says of the rounds: how many, what they take, what the minutes leave out, and what later stages add."""
    chosen, time_budget = current.settings, current.budget
    disturbed = [
        f"  most forks of earlier runs were disturbed: their cells are measured again, and the time of {len(current.uncounted)} "
        "rounds does not count"
    ]
    return [
        *time_budget.summary(),
        *(disturbed if current.uncounted else ()),
        *current.planner.summary(current.stages, chosen.minutes, time_budget.left_s(), time_budget.correction()),
        *reference_forks.summary(current.full_plan, current.tier_cells),
        *plan.node_summary(current.rounds, chosen.nodes),
    ]


def _place(current: run.Run) -> str:
    """Where results go, where that is not this checkout."""
    return f", results in {where(current.settings.results)}" if current.settings.results else ""


def _kits(current: run.Run) -> str:
    """What of the rounds that kits measured elsewhere enters the report, in a line."""
    own, others = current.imported(), current.left_out()
    machines = ", ".join(sorted({path.split("/")[1] for path in own}))
    words = [
        f"{len(own)} rounds of {machines}" if own else "",
        f"{len(others)} rounds are of another tier, seed, experiment or jar and stay out" if others else "",
    ]
    return f"  imported from kits: {'; '.join(word for word in words if word)}"


def _refuse_drift(current: run.Run) -> None:
    """Under `strict`, refuse an environment of the run that is built already and is not what its lock says."""
    for name in current.environments() if current.settings.strict else ():
        path = image.record_path(name)
        if not path.is_file():
            continue
        if drift := image.read_record(name)["drift"]:
            first = drift[0]
            raise UserError(
                f"--config strict=true: {name} is built, and {len(drift)} package(s) differ from envs/locks/{name}.json: "
                f"{first['package']} locked {first['locked'] or '-'}, found {first['found'] or '-'}; measure without strict, or "
                f"remove {path.parent} where the locked versions can be had"
            )


def begin(current: run.Run) -> None:
    """Before the first job: lock the checkout, and remove what dead runs left. Jobs say where the engine does not answer."""
    only_report = current.settings.raw is not None
    with _exit_on_mistakes():
        _lock(run.RAW, shared=only_report)
        if current.folders.raw != run.RAW:
            _lock(current.folders.raw, "with these results")
        _end_when_told(current.settings.engine)
        # Another run that measures nothing may have containers of this checkout.
        if not only_report:
            run_round.sweep(current.folders.raw, current.settings.engine)


def _end_now(engine: str) -> NoReturn:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    with contextlib.suppress(OSError):  # of a terminal that is gone
        print(
            "ending: whole rounds are kept, and the same command goes on with the others", file=sys.stderr, flush=True
        )
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            process.terminate()
    engines.reap(engine)
    raise KeyboardInterrupt  # which Snakemake ends on, once the jobs are gone


def _end_with_make(pid: int) -> None:
    with contextlib.suppress(psutil.Error):  # no such process
        make = psutil.Process(pid)
        while make.is_running() and make.status() != psutil.STATUS_ZOMBIE:
            time.sleep(_EVERY_S)
    os.kill(os.getpid(), signal.SIGTERM)


def _end_when_told(engine: str) -> None:
    """From now on end the run, with its jobs and containers, on a signal, or when `make` is gone. In the main thread only."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup has it, or a shell for what runs in the background
            signal.signal(number, lambda *_: _end_now(engine))
    if (pid := os.environ.get(VARIABLE, "")).isdigit():
        threading.Thread(target=_end_with_make, args=(int(pid),), daemon=True).start()


def end(current: run.Run) -> None:
    """After the last job of a user's own study: its verdicts, each with its number, and what to do next."""
    if not current.settings.results or not (current.folders.tidy / "verdicts.csv").is_file():
        return
    own = {name: experiment for name, experiment in current.experiments.items() if experiment.get("claims")}
    chosen = current.settings
    reference_forks = (
        f"jca-rerun reference-forks --tier {chosen.tier} --experiments {','.join(own)} "
        f"--experiment-dir {shlex.quote(where(chosen.experiment_dir))}"
    )
    lines = verdict_lines.summary(current.folders.tidy, own, chosen.minutes, reference_forks)
    say(*lines, f"report: {where(current.folders.report / 'report.pdf')}, and report.html beside it")


def cancel_timers() -> None:
    """Let the process end at once, without Snakemake's timers for the next look at open jobs (profiles/default)."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()
