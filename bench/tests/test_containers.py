"""Real rounds in real containers: what is measured is whole, what fails fails loudly, what is killed goes on.

Forks that break a gate are run again, logged, capped, and named in the notes.
"""

import json
import os
import signal
import subprocess
import time

import pytest

from bench.tests.csv_files import read_rows
from bench.tests.selftest import CONFIG, NEEDED, measure, stamp
from envs.tests import checkout as checkouts
from jcarerun.rounds import manifest

pytestmark = pytest.mark.containers


@pytest.fixture(scope="module")
def checkout(selftest_checkout):
    return selftest_checkout


def containers(checkout, *options):
    """Ids of the containers that this checkout's runs have in the engine; with more options of `docker ps`, of those."""
    code = "from jcarerun.support.engine import project_label; print(project_label())"
    label = checkout.run("python", "-c", code).stdout.strip()
    return checkout.run("docker", "ps", "--quiet", "--all", "--filter", f"label={label}", *options).stdout.split()


def running(checkout):
    """Those of them whose process has started. Nothing ends one that its killed client left created and not started."""
    return containers(checkout, "--filter", "status=running")


def wait_for(condition, seconds=300):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.1)
    raise AssertionError(f"did not happen within {seconds} s")


def _heard():
    """Hear the signals that a shell has its background jobs, and nohup its command, ignore."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def launched(checkout, command):
    """A command that runs in a checkout, in a process group of its own, and hears signals as at a terminal."""
    return subprocess.Popen(
        command,
        cwd=checkout.path,
        env=checkout.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=_heard,
    )


def start(checkout, *config):
    """Start measuring the first round."""
    target = stamp(checkout, *config)
    return launched(checkout, ["snakemake", "--cores", "2", "--config", *CONFIG, *config, "--", target])


def test_a_round_is_whole_and_says_what_it_is(checkout):
    rounds = checkout.rounds()
    assert len(rounds) == 2
    for folder in rounds:
        assert len(manifest.verify(folder)) == 64
        for name in (
            "round.json", "cells.csv", "forks.tsv", "commands.txt", "iterations.csv", "jvm/version.txt", "jvm/flags-native.txt",
            "jvm/flags-core2.txt", "jvm/java-core2", "gates.tsv", "interference.csv",
            "limits.txt", "environment.json", "audit.json", "console.log", "jmh/001.json", "gc/001.log",
        ):  # fmt: skip
            assert (folder / name).stat().st_size > 0, name
        assert str(checkout.path) not in (folder / "console.log").read_text()


def test_every_iteration_is_kept(checkout):
    for folder in checkout.rounds():
        rows = (folder / "iterations.csv").read_text().splitlines()
        assert len(rows) == 1 + 8 * 5


def test_nothing_is_left_running(checkout):
    assert containers(checkout) == []


def test_there_is_a_report(checkout):
    assert (checkout.path / "report/report.pdf").read_bytes().startswith(b"%PDF")


def test_a_second_run_has_nothing_to_do(checkout):
    run = checkout.run("snakemake", "-n", "--cores", "2", "--config", *CONFIG)
    assert "Nothing to be done" in run.stdout + run.stderr


@pytest.mark.parametrize(("tier", "words"), [("quick", "throw"), ("standard", "wrong"), ("full", "exit")])
def test_a_benchmark_that_fails_fails_its_round_loudly(checkout, tier, words):
    run = checkout.snakemake(*CONFIG, f"tier={tier}")
    assert run.returncode != 0
    complaint = next(line for line in run.stderr.splitlines() if line.startswith("error: "))
    assert "selftest/debian-12-temurin-17" in complaint
    assert words in complaint
    assert "Traceback" not in run.stderr
    assert "\tat " not in run.stderr
    assert not [folder for folder in checkout.rounds() if folder.name.startswith(tier)]
    kept = list((checkout.path / "data/raw/.failed").glob(f"*{tier}*"))
    assert len(kept) == 1
    assert (kept[0] / "console.log").exists()


def test_damage_is_named_and_nothing_is_measured_or_dropped(checkout):
    file = checkout.rounds()[0] / "jmh/001.json"
    whole = file.read_bytes()
    try:
        file.write_bytes(whole[:100])
        run = checkout.snakemake(*CONFIG)
    finally:
        file.write_bytes(whole)
    assert run.returncode != 0
    assert "jmh/001.json: differs from the manifest" in run.stderr
    assert "Traceback" not in run.stderr


def test_kill_9_in_mid_round_goes_on_from_the_last_whole_round(checkout):
    before = {folder: (folder / "manifest.sha256").stat().st_mtime_ns for folder in checkout.rounds()}
    process = start(checkout, "seed=2049")
    wait_for(lambda: running(checkout))
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_for(lambda: not containers(checkout), seconds=60)
    run = measure(checkout, "seed=2049")
    assert run.returncode == 0, run.stderr[-2000:]
    after = checkout.rounds()
    assert len(after) == len(before) + 1
    assert {folder: (folder / "manifest.sha256").stat().st_mtime_ns for folder in before} == before
    assert not list((checkout.path / "data/raw").glob("*/*/.part-*"))


def test_what_a_killed_runner_left_is_reaped(checkout):
    """Kills Snakemake and the round's runner together, so that nobody ends the container but the next run."""
    process = start(checkout, "seed=2050")
    wait_for(lambda: containers(checkout))
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    run = measure(checkout, "seed=2050")
    assert run.returncode == 0, run.stderr[-2000:]
    assert containers(checkout) == []


def test_a_killed_container_fails_its_round_and_the_next_run_goes_on(checkout):
    process = start(checkout, "seed=2051")
    found = wait_for(lambda: running(checkout))
    checkout.run("docker", "kill", *found)
    said, _ = process.communicate()
    assert process.returncode != 0
    assert "the round failed" in said
    assert measure(checkout, "seed=2051").returncode == 0


def test_a_second_run_beside_the_first_is_refused(checkout):
    process = start(checkout, "seed=2052")
    wait_for(lambda: containers(checkout))
    run = checkout.snakemake(*CONFIG, "seed=2053")
    process.communicate()
    assert process.returncode == 0
    assert run.returncode != 0
    assert "another run works in this checkout" in run.stderr


def test_a_stopped_daemon_is_said_in_one_line(checkout):
    run = checkout.snakemake(*CONFIG, "seed=2054", DOCKER_HOST="unix:///nonexistent.sock")
    assert run.returncode != 0
    assert "engine docker: does not answer" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.alone
def test_an_image_removed_from_the_engine_is_made_again(tmp_path):
    checkout = checkouts.make(tmp_path / "checkout")
    made = checkout.snakemake(*CONFIG, targets=NEEDED)
    assert made.returncode == 0, made.stderr[-2000:]
    record = json.loads((checkout.path / "envs/build/debian-12-temurin-17/environment.json").read_text())
    checkout.run("docker", "image", "rm", "--force", record["image_id"])
    run = measure(checkout)
    assert run.returncode == 0, run.stderr[-2000:]
    assert checkout.run("docker", "image", "inspect", record["image_id"]).returncode == 0


PROVIDERS = """
title: A provider from a jar beside the JDK's own
study: {id: own, authors: this project, year: 2026, where: bench/tests, then: Nothing.}
measure: cpu
workloads:
  encrypt: {benchmark: FileCipher.encrypt, factors: [cipher], params: {mode: CBC, bytes: 10240, content: text}}
factors:
  cipher:
    AES: {algorithm: AES, bits: 128}
    Blowfish: {algorithm: Blowfish, bits: 56}
providers: [sunjce, bouncycastle-1.86]
protocols:
  steady-state: {mode: average-time, warmup: steady-state, iterations: 4, iteration_ms: 20}
tiers:
  smoke: {rounds: 2, environments: {tag: smoke}}
  quick: {rounds: 2, environments: {tag: smoke}}
  standard: {rounds: 2, environments: {tag: smoke}}
  full: {rounds: 2, environments: {tag: smoke}}
claims:
  T2:
    text: The JDK's own provider is faster than Bouncy Castle
    place: nowhere
    form: best-of
    parameters: {alike: 1.05}
    compare: {factor: provider, levels: [sunjce, bouncycastle-1.86]}
"""


def test_a_provider_from_a_jar_is_measured_beside_the_jdks_own(checkout):
    """Also: an experiment of the user's own, with one protocol and a claim about providers, is one file."""
    folder = checkout.path / "bench/tests/providers"
    folder.mkdir()
    (folder / "providers.yaml").write_text(PROVIDERS)
    config = ("experiment_dir=bench/tests/providers", "tier=smoke", "calibration=false")
    run = checkout.snakemake(*config, targets=("data/tidy/verdicts.csv",))
    assert run.returncode == 0, run.stderr[-2000:]
    rounds = [folder for folder in checkout.rounds() if "providers" in folder.parts]
    assert len(rounds) == 2
    for folder in rounds:
        record = json.loads((folder / "round.json").read_text())
        assert len(record["providers"]["bouncycastle-1.86"]) == 64
        assert "bouncycastle-1.86.jar" in (folder / "commands.txt").read_text()
    assert "T2" in (checkout.path / "data/tidy/verdicts.csv").read_text()


# A loop that is never faster than itself: every fork breaks this.
GATES = "gates: {spin_ratio: {limit: 0, reason: a test}}\nreruns: {share: 0.2, reason: a test}\n"


@pytest.fixture(scope="module")
def disturbed(tmp_path_factory):
    """A scratch checkout in which the smoke tier of the self-test has run, and what the run said."""
    made = checkouts.make(tmp_path_factory.mktemp("checkout"), GATES)
    run = made.snakemake(*CONFIG, targets=("data/tidy/notes.csv",))
    assert run.returncode == 0, run.stderr[-3000:]
    return made, run


def test_the_run_says_which_forks_were_run_again(disturbed):
    words = "8 of 8 forks disturbed (8 by a slower CPU); run again: 1 as 9, 2 as 10; disturbed again: 9, 10"
    assert disturbed[1].stderr.count(words) == 2


def test_reruns_are_kept_like_all_forks(disturbed):
    for folder in disturbed[0].rounds():
        assert len(manifest.verify(folder)) == 64
        rows = read_rows(folder / "interference.csv")
        assert [row["rerun_of"] for row in rows] == [""] * 8 + ["1", "2"]
        assert all(row["elapsed_ms"] and row["cpu_ms"] and row["steal_ms"] and row["others_ms"] for row in rows)
        assert len((folder / "iterations.csv").read_text().splitlines()) == 1 + 10 * 5
        assert len((folder / "commands.txt").read_text().splitlines()) == 10
        assert (folder / "gc/010.log").stat().st_size > 0
        assert "fork 2 broke spin_ratio: is run again as fork 10" in (folder / "console.log").read_text()


def test_the_tables_keep_their_numbers_but_prove_and_decide_nothing_by_them(disturbed):
    tidy = disturbed[0].path / "data/tidy"
    cells, verdicts = read_rows(tidy / "cells.csv"), read_rows(tidy / "verdicts.csv")
    assert {(row["warm_up_state"], row["forks_proven"], row["warm_up_why"]) for row in cells} == {
        ("unproven", "0", "every run was disturbed")
    }
    assert {(row["verdict"], row["cause"], row["p_holm"]) for row in verdicts} == {("undecided", "disturbed", "")}
    words = "16 of 16 forks were disturbed (16 by a slower CPU) and decide nothing; 4 were run again, and 16 have no undisturbed"
    assert words in (tidy / "notes.csv").read_text()
