"""What a measuring container really is given: as the engine says, as the kernel says inside, and what is refused without it."""

import json
import os
import subprocess

import pytest

from bench.tests.selftest import measure, stamp
from jcarerun.support.engine import ENGINES

pytestmark = pytest.mark.containers


@pytest.fixture(scope="module")
def checkout(selftest_checkout):
    return selftest_checkout


def audits(checkout, environment: str = "*") -> list[dict]:
    """What every whole round's audit says."""
    found = sorted((checkout.path / "data/raw").glob(f"selftest/{environment}/*/audit.json"))
    return [json.loads(path.read_text()) for path in found]


def test_docker_inspect_shows_an_isolated_container(checkout):
    found = audits(checkout)
    assert len(found) == 2
    for audit in found:
        inside, asked = audit["container"], audit["limits"]["asked"]
        assert inside["NetworkMode"] == "none"
        assert inside["ReadonlyRootfs"] is True
        assert inside["CapDrop"] == ["ALL"]
        assert not inside["CapAdd"]
        assert inside["SecurityOpt"] == ["no-new-privileges"]
        assert inside["Privileged"] is False
        assert inside["user"].split(":")[0] != "0"
        assert inside["CpusetCpus"] == ",".join(map(str, asked["cpus"]))
        assert inside["Memory"] == inside["MemorySwap"] == asked["memory_bytes"] == 2048 << 20
        assert inside["PidsLimit"] == 512


def test_the_kernel_says_the_same_inside(checkout):
    for audit in audits(checkout):
        held = audit["limits"]
        assert held["enforced"] is True
        assert held["inside"]["memory_limit_bytes"] == str(2048 << 20)
        assert held["inside"]["cpus_allowed"]


def test_the_audit_says_which_intrinsics_were_on(checkout):
    for audit in audits(checkout):
        on = audit["intrinsics"]
        assert set(on) == {"native", "core2"}
        assert on["core2"]["UseAESIntrinsics"] == "false"
        assert on["core2"]["UseMontgomeryMultiplyIntrinsic"] == "true"
        assert on["core2"].keys() == on["native"].keys()


def test_forks_of_core2_are_started_by_the_script_and_can_be_repeated(checkout):
    for folder in checkout.rounds():
        lines = (folder / "commands.txt").read_text().splitlines()
        scripted = [line for line in lines if "-jvm jvm/java-core2" in line]
        assert len(scripted) == len(lines) / 2
        assert all("jcarerun.cpu-profile=core2" in line for line in scripted)
        assert "OPENSSL_ia32cap" in (folder / "jvm/java-core2").read_text()


def doctored_engine(tmp_path, dropped: str) -> str:
    """A PATH on which docker runs containers without some of the options it is given: an engine that ignores limits."""
    real = subprocess.run(["which", "docker"], capture_output=True, text=True, check=True).stdout.strip()
    script = tmp_path / "docker"
    script.write_text(
        f'#!/bin/sh\nfor word; do shift; case "$word" in {dropped}) ;; *) set -- "$@" "$word" ;; esac; done\nexec {real} "$@"\n'
    )
    script.chmod(0o755)
    return str(tmp_path)


@pytest.mark.parametrize(("dropped", "words"), [("--memory*", "memory 2147483648 bytes asked"), ("--cpuset*", "CPUs")])
def test_an_engine_that_ignores_limits_is_found_out(checkout, tmp_path, dropped, words):
    path = f"{doctored_engine(tmp_path, dropped)}:{checkout.environment()['PATH']}"
    # One CPU of the two there may be: without its limit a container has more.
    config = ("cpu_profiles=[native]", "cpuset=0", "seed=2")
    before = checkout.rounds()
    run = measure(checkout, *config, PATH=path)
    if words == "CPUs" and len(audits(checkout)[0]["limits"]["asked"]["cpus"]) < 2:
        pytest.skip("this machine has one CPU: no container can have more")
    assert run.returncode != 0
    complaint = next(line for line in run.stderr.splitlines() if line.startswith("error: "))
    assert "engine docker: does not enforce its limits" in complaint
    assert words in complaint
    assert "Traceback" not in run.stderr
    assert checkout.rounds() == before
    kept = sorted((checkout.path / "data/raw/.failed").glob("selftest-*"))
    done = [path for path in kept[-1].glob("jmh/*.json") if path.stat().st_size > 0]
    assert len(done) <= 1, "ended at once, not after all forks"


def test_a_cpu_profile_that_hides_too_little_fails_the_round(checkout):
    file = checkout.path / "bench/cpu_profiles.yaml"
    whole = file.read_text()
    try:
        file.write_text(whole.replace("      - -XX:-UsePopCountInstruction\n", ""))
        run = measure(checkout, "seed=3")
    finally:
        file.write_text(whole)
    if "popcnt" not in (audits(checkout)[0]["host"]["cpu_flags"] or ""):
        pytest.skip("this machine has no POPCNT to hide")
    assert run.returncode != 0
    assert "flags-core2.txt: UsePopCountInstruction=true: must be off in the CPU profile core2" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_smoke_round_passes_on_every_engine(checkout, engine):
    if engine != "host" and checkout.run("which", engine).returncode != 0:
        pytest.skip(f"{engine} is not installed and can't be")
    if engine == "apptainer" and os.getuid() == 0:
        pytest.skip("apptainer runs as an ordinary user only")
    # A round of its own: what one engine measured another need not measure again.
    config = (f"engine={engine}", f"seed={40 + ENGINES.index(engine)}")
    run = measure(checkout, *config)
    if engine == "podman" and os.getuid() != 0 and "does not enforce its limits" in run.stderr:
        pytest.skip("podman of an ordinary user can't limit containers here, and is refused")
    assert run.returncode == 0, run.stderr[-3000:]
    folder = checkout.path / stamp(checkout, *config).removesuffix(".done")
    assert json.loads((folder / "round.json").read_text())["engine"] == engine
    held = json.loads((folder / "audit.json").read_text())["limits"]
    assert held["enforced"] is {"host": None, "apptainer": False}.get(engine, True)
    assert (folder / "iterations.csv").read_text().count("\n") == 1 + 8 * 5
