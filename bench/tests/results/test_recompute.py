"""The published numbers come out of the raw rounds by another program too."""

import subprocess
import sys


def recompute(*claims):
    return subprocess.run(
        [sys.executable, "data/recompute.py", *claims], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def test_five_published_ratios_are_those_of_the_raw_rounds():
    run = recompute()
    assert run.returncode == 0, run.stdout
    assert len(run.stdout.splitlines()) == 5


def test_a_claim_without_such_a_ratio_is_refused_in_a_line():
    run = recompute("J99")
    assert run.returncode == 1
    assert run.stderr == "J99: no published row compares two times in this way; name another claim, such as J1a\n"
