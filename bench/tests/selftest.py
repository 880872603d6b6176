"""Runs of the self-test (experiments/selftest.yaml), which measures next to nothing: what tests with real containers share."""

import subprocess

from envs.tests.checkout import Checkout

# What its rounds need, for checkouts in which nothing was run yet.
NEEDED = (
    "bench/target/benchmarks.jar",
    "bench/target/providers.sha256",
    "envs/build/debian-12-temurin-17/environment.json",
    "envs/build/analysis/environment.json",
)
CONFIG = ("experiment_dir=bench/tests/experiments", "seed=1", "tier=smoke", "calibration=false")


def stamps(checkout: Checkout, *config: str) -> list[str]:
    """The stamps of the self-test's rounds under more entries of `--config`."""
    code = (
        "import sys, yaml; from jcarerun.run import run; "
        "config = dict(word.split('=', 1) for word in sys.argv[1:]); "
        "found = run.from_config({key: yaml.safe_load(value) for key, value in config.items()}); "
        "print(*found.round_stamps(None, before=2))"
    )
    run = checkout.run("python", "-c", code, *CONFIG, *config)
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


def stamp(checkout: Checkout, *config: str) -> str:
    """The stamp of its first round."""
    return stamps(checkout, *config)[0]


def measure(checkout: Checkout, *config: str, **more: str) -> subprocess.CompletedProcess:
    """Measure the self-test's first round in a checkout where all that it needs is built, and make nothing of it."""
    return checkout.snakemake(*CONFIG, *config, targets=(stamp(checkout, *config),), **more)
