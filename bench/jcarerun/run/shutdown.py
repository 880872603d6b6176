"""Ends a run at once: when it is told to, and when the `make` that started it is gone.

Snakemake itself waits, on SIGTERM, for the jobs that run, which may take as long as a round does.
"""

import contextlib
import os
import signal
import sys
import threading
import time
from typing import NoReturn

import psutil

from jcarerun.support import engine as engines

# What `make` tells of itself (Makefile): its process id. A run of Snakemake's own may well outlive the shell it was started from.
VARIABLE = "JCA_RERUN_MAKE"
_EVERY_S = 0.5


def _end(engine: str) -> NoReturn:
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


def _watch(pid: int) -> None:
    with contextlib.suppress(psutil.Error):  # no such process
        make = psutil.Process(pid)
        while make.is_running() and make.status() != psutil.STATUS_ZOMBIE:
            time.sleep(_EVERY_S)
    os.kill(os.getpid(), signal.SIGTERM)


def prepare(engine: str) -> None:
    """From now on end the run, with its jobs and containers, on a signal, or when `make` is gone. In the main thread only."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup has it, or a shell for what runs in the background
            signal.signal(number, lambda *_: _end(engine))
    if (pid := os.environ.get(VARIABLE, "")).isdigit():
        threading.Thread(target=_watch, args=(int(pid),), daemon=True).start()
