"""However a run is ended, its container ends with it, no lock is left, whole rounds stay, and the same command goes on."""

import fcntl
import os
import signal

import psutil
import pytest

from bench.tests.selftest import CONFIG, measure, stamp
from bench.tests.test_containers import containers, launched, running, start, wait_for

pytestmark = pytest.mark.containers

SEED = "seed=2060"
# Far beyond what it takes, far below what a round of a study does.
SOON_S = 60


@pytest.fixture(scope="module")
def checkout(selftest_checkout):
    return selftest_checkout


def start_make(checkout):
    """The same by the project's own Makefile, as `make report` starts Snakemake, but without the set-up of a new checkout."""
    command = f"snakemake --cores 2 --config {' '.join([*CONFIG, SEED])} -- {stamp(checkout, SEED)}"
    return launched(checkout, ["make", f"--eval=measured: ; @{command}", "measured"])


def started(process, *words):
    """The process below another whose command line has those words."""
    for each in psutil.Process(process.pid).children(recursive=True):
        if set(words) <= set(each.cmdline()):
            return each
    raise AssertionError(f"no process {words}")


WAYS = {
    "SIGTERM to Snakemake": (start, lambda process: process.send_signal(signal.SIGTERM)),
    "SIGINT to Snakemake": (start, lambda process: process.send_signal(signal.SIGINT)),
    "SIGHUP to Snakemake": (start, lambda process: process.send_signal(signal.SIGHUP)),
    "kill -9 of Snakemake": (start, lambda process: process.kill()),
    "SIGTERM to make": (start_make, lambda process: process.send_signal(signal.SIGTERM)),
    "kill -9 of make": (start_make, lambda process: process.kill()),
    "kill -9 of who runs the round": (start, lambda process: started(process, "jcarerun", "round").kill()),
    "kill -9 of the docker client": (start, lambda process: started(process, "docker", "run").kill()),
    "kill -9 of all at once": (start, lambda process: os.killpg(process.pid, signal.SIGKILL)),
}


def is_free(lock):
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


@pytest.mark.parametrize("way", WAYS)
def test_a_container_ends_with_its_run(checkout, way):
    begin, end = WAYS[way]
    before = checkout.rounds()
    process = begin(checkout) if begin is start_make else begin(checkout, SEED)
    wait_for(lambda: running(checkout))
    end(process)
    wait_for(lambda: not containers(checkout), SOON_S)
    wait_for(lambda: process.poll() is not None, SOON_S)
    assert process.returncode != 0
    wait_for(lambda: is_free(checkout.path / "data/raw/.run.lock"), SOON_S)
    wait_for(lambda: is_free(checkout.path / "data/raw/.timing.lock"), SOON_S)
    assert set(before) <= set(checkout.rounds())
    assert "Traceback" not in process.stdout.read()


def test_and_the_same_command_goes_on(checkout):
    process = start(checkout, SEED)
    wait_for(lambda: containers(checkout))
    process.send_signal(signal.SIGTERM)
    process.communicate()
    run = measure(checkout, SEED)
    assert run.returncode == 0, run.stderr[-2000:]
    assert (checkout.path / stamp(checkout, SEED)).is_file()
    assert not list((checkout.path / "data/raw").glob("*/*/.part-*"))
    assert containers(checkout) == []
