"""One round with a jar that a user dropped in and with native libraries: asked, held against each other, timed, in the tables."""

import csv
import json
import shutil

import pytest
import yaml

from envs.tests import checkout as checkouts
from jcarerun.native import build
from jcarerun.support.files import sha256

pytestmark = pytest.mark.containers

ENVIRONMENT = "debian-13-native-temurin-21"
PROVIDERS = ["sunjce", "mine", *build.LIBRARIES]
EXPERIMENT = {
    "title": "A dropped-in jar and native libraries",
    "study": {"authors": "this project", "year": 2026, "where": "bench/tests", "then": "Nothing."},
    "measure": "wall",
    "not_offered": "mark",
    "workloads": {
        "encrypt": {
            "benchmark": "SecretKeyCipher.encrypt",
            "factors": ["cipher"],
            "params": {"bytes": 65536, "init": "inside"},
            "expected_us": 500,
        },
        "sign": {"benchmark": "Signing.sign", "factors": ["signature"], "params": {"bytes": 100}, "expected_us": 900},
    },
    "factors": {
        "cipher": {
            "AES": {"transformation": "AES/CBC/PKCS5Padding", "bits": 128},
            "Twofish": {"transformation": "Twofish/CBC/PKCS5Padding", "bits": 128},
        },
        "signature": {"RSA-1024": {"algorithm": "SHA256withRSA", "keys": "RSA", "bits": 1024}},
    },
    "providers": PROVIDERS,
    "protocols": {
        "steady-state": {"mode": "average-time", "warmup": "steady-state", "iterations": 6, "iteration_ms": 10}
    },
    "tiers": {
        tier: {"rounds": 2, "environments": [ENVIRONMENT], "cpu_profiles": ["native", "core2"]}
        for tier in ("smoke", "quick", "standard", "full")
    },
    "claims": {
        "N1": {
            "text": "Java takes longer than native code",
            "place": "nowhere",
            "form": "ratio-above",
            "parameters": {"limit": 1},
            "ratios": [{"numerator": {"provider": "sunjce"}, "denominator": {"provider": "openssl"}}],
        },
    },
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A scratch checkout with one more entry in providers.yaml, in which the experiment ran down to the verdicts."""
    made = checkouts.make(tmp_path_factory.mktemp("checkout"))
    fetched = made.snakemake(targets=("bench/target/providers.sha256",))
    assert fetched.returncode == 0, fetched.stderr[-3000:]
    jar = made.path / "bench/providers/mine.jar"
    shutil.copyfile(made.path / "bench/target/providers/bouncycastle-1.86.jar", jar)
    entry = {
        "label": "Mine",
        "file": jar.name,
        "sha256": sha256(jar),
        "offers": ["AES"],
        "class": "org.bouncycastle.jce.provider.BouncyCastleProvider",
    }
    with (made.path / "bench/providers.yaml").open("a") as file:
        file.write("\n" + yaml.safe_dump({"mine": entry}))
    (made.path / "own").mkdir()
    (made.path / "own/own.yaml").write_text(yaml.safe_dump(EXPERIMENT, sort_keys=False))
    config = ("experiment_dir=own", "tier=smoke", "calibration=false")
    run = made.snakemake(*config, targets=("data/tidy/verdicts.csv",))
    assert run.returncode == 0, run.stderr[-3000:]
    return made


def rows(checkout, file):
    with (checkout.path / "data/tidy" / file).open(newline="") as table:
        return list(csv.DictReader(table))


def test_every_provider_is_timed_in_what_it_offers(checkout):
    timed = {(row["provider"], row["workload"], row["factor.cipher"]) for row in rows(checkout, "forks.csv")}
    assert {("mine", "encrypt", "Twofish"), ("mine", "sign", ""), ("sunjce", "encrypt", "AES")} <= timed
    for library in build.LIBRARIES:
        assert {(library, "encrypt", "AES"), (library, "sign", "")} <= timed
    assert ("sunjce", "encrypt", "Twofish") not in timed


def test_what_is_lacking_is_marked_and_answers_are_alike(checkout):
    offers = rows(checkout, "offers.csv")
    assert len(offers) == 2 * 2 * 3 * len(PROVIDERS)
    assert {row["offered"] for row in offers} == {"yes", "no"}
    lacking = {row["provider"] for row in offers if "twofish" in row["cell"] and row["offered"] == "no"}
    assert "sunjce" in lacking
    assert "openssl" in lacking
    answers = {row["answer"] for row in offers if ":aes:" in row["cell"]}
    assert len(answers) == 1


def test_native_forks_leave_what_forks_leave_but_no_gc_log(checkout):
    for folder in checkout.rounds():
        with (folder / "cells.csv").open(newline="") as file:
            cells = {int(row["fork"]): row for row in csv.DictReader(file)}
        ran = {int(path.stem) for path in (folder / "jmh").glob("*.json")}
        native = {fork for fork in ran if fork in cells and cells[fork]["provider"] in build.LIBRARIES}
        assert native
        assert {int(path.stem) for path in (folder / "gc").glob("*.log")} & native == set()
        for fork in native:
            result = json.loads((folder / f"jmh/{fork:03d}.json").read_text())[0]
            assert result["benchmark"] == cells[fork]["benchmark"]
            assert result["library"]
            assert (folder / f"jmh/{fork:03d}.txt").read_text().startswith(("/bench/native/", "env JCARERUN_PROGRAM="))


def test_the_cpu_profile_reaches_native_code(checkout):
    said = {}
    for folder in checkout.rounds():
        with (folder / "cells.csv").open(newline="") as file:
            for row in csv.DictReader(file):
                result = folder / f"jmh/{int(row['fork']):03d}.json"
                if row["provider"] == "openssl" and result.exists():
                    said.setdefault(row["cpu_profile"], set()).add(json.loads(result.read_text())[0]["cpuFeatures"])
    assert said["native"].isdisjoint(said["core2"])


def test_the_record_names_the_programs(checkout):
    built = json.loads((checkout.path / "bench/target/native/debian-13-native/built.json").read_text())["programs"]
    for folder in checkout.rounds():
        hashes = json.loads((folder / "round.json").read_text())["providers"]
        assert {library: hashes[library] for library in build.LIBRARIES} == built
        assert len(hashes["mine"]) == 64


def test_java_over_native_has_a_verdict(checkout):
    verdicts = [row for row in rows(checkout, "verdicts.csv") if row["claim"] == "N1"]
    assert {row["cpu_profile"] for row in verdicts} == {"native", "core2"}
    assert all(row["estimate"] for row in verdicts)
