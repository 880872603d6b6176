"""A run that is killed at any moment, again and again, ends in the same bytes as one that nobody disturbed.

`KILLS=200 pytest bench/tests/test_kills_containers.py` kills so often, over as many whole runs as that takes.
"""

import os
import random
import shutil
import signal
import subprocess

import pytest

from bench.tests.selftest import CONFIG
from bench.tests.test_containers import launched
from envs.tests import checkout as checkouts
from jcarerun.rounds import validate
from jcarerun.support.files import sha256

pytestmark = pytest.mark.containers

KILLS = int(os.environ.get("KILLS", "4"))
SEED = int(os.environ.get("KILLS_SEED", "1"))
MOST_IN_A_RUN, LONGEST_S = 25, float(os.environ.get("KILLS_WITHIN_S", "40"))
MADE = ("data/tidy", "report/report.pdf", "report/report.html")


def remove(checkout, *names):
    for name in names:
        path = checkout.path / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def digests(checkout, *names):
    """The SHA-256 of every file at or below some paths, but for stamps and locks."""
    found = {}
    for name in names:
        path = checkout.path / name
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.is_file() and not any(part.startswith(".") for part in file.relative_to(checkout.path).parts):
                found[str(file.relative_to(checkout.path))] = sha256(file)
    return found


def killed(checkout, within_s):
    """Start a run and kill all of it after some seconds; False where it had ended before."""
    process = launched(checkout, ["snakemake", "--cores", "2", "--config", *CONFIG])
    try:
        said, _ = process.communicate(timeout=within_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return True
    assert process.returncode == 0, said[-2000:]
    assert "Traceback" not in said
    return False


def test_kills_over_whole_runs_leave_the_bytes_of_a_run_without_them(selftest_made, tmp_path):
    chance, left, run = random.Random(SEED), KILLS, 0
    while left > 0:
        run += 1
        checkout = checkouts.copy(selftest_made, tmp_path / f"killed-{run}")
        remove(checkout, "data/raw", *MADE)
        for _ in range(min(left, MOST_IN_A_RUN)):
            before = {folder: sha256(folder / "manifest.sha256") for folder in checkout.rounds()}
            if not killed(checkout, chance.uniform(0.2, LONGEST_S)):
                remove(checkout, *MADE)
            else:
                left -= 1
            # What was complete stays as it is, and is complete.
            for folder in checkout.rounds():
                assert before.get(folder) in (None, validate.validate_round(folder))
        done = checkout.snakemake(*CONFIG)
        assert done.returncode == 0, done.stderr[-2000:]
        assert len(checkout.rounds()) == 2
        undisturbed = checkouts.copy(checkout, tmp_path / f"undisturbed-{run}")
        remove(undisturbed, ".snakemake", *MADE)
        done = undisturbed.snakemake(*CONFIG)
        assert done.returncode == 0, done.stderr[-2000:]
        assert digests(checkout, "data/raw", *MADE) == digests(undisturbed, "data/raw", *MADE)
        for each in (checkout, undisturbed):
            shutil.rmtree(each.path)
