"""`jca-rerun choose`: names become experiments, and rows become sentences."""

import re
import subprocess

import pytest

from bench.tests.csv_files import write_rows
from envs.tests import checkout as checkouts
from jcarerun import choose, cli
from jcarerun.errors import UserError
from jcarerun.plan import algorithms, definitions, environments, providers, question
from jcarerun.plan.providers import Offer
from jcarerun.plan.scheduler import cell_forks
from jcarerun.run import run
from jcarerun.run.verdict_lines import DECIDED


def asked(names, jdk=("21",), provider=(), operations=None, length=None):
    known = providers.read()
    found = question.algorithms_of_one_kind(map(algorithms.find, names))
    kind = found[0].kind
    return question.Question(
        found, operations or kind.usual,
        tuple(question.find_provider(word, known) for word in provider or question.DEFAULT_PROVIDERS),
        tuple(f"debian-13-temurin-{each}" for each in jdk), length or kind.bytes, "jca-rerun choose",
    )  # fmt: skip


def write(tmp_path, asked_for, registry):
    file = tmp_path / f"{asked_for.id}.yaml"
    file.write_text(question.text(asked_for, registry.catalogue))
    return file


@pytest.mark.parametrize("name", algorithms.named())
def test_every_name_becomes_an_experiment_that_is_accepted(name, tmp_path, registry):
    asked_for = asked([name], operations=tuple(algorithms.find(name).kind.operations))
    definitions.read(write(tmp_path, asked_for, registry), registry)


def test_two_algorithms_three_providers_and_two_jdks_fit_into_ten_minutes(tmp_path, registry):
    asked_for = asked(["AES-GCM", "ChaCha20-Poly1305"], ["21", "25"], ["SunJCE", "bc", "conscrypt"])
    write(tmp_path, asked_for, registry)
    planned = run.from_config({"experiment_dir": str(tmp_path), "minutes": 10, "calibration": False})
    forks = cell_forks(planned.first)
    assert len(forks) == 12 and set(forks.values()) == {question.ROUNDS}


def test_a_claim_for_each_pair_of_algorithms_jdks_and_providers(tmp_path, registry):
    asked_for = asked(["SHA-256", "SHA-512", "SHA3-256"], ["17", "21"])
    claims = definitions.read(write(tmp_path, asked_for, registry), registry)["claims"]
    assert sorted(name[0] for name in claims) == ["A"] * 3 + ["J"] + ["P"] * 3


def test_a_parameter_that_algorithms_differ_in_is_each_ones_own(tmp_path, registry):
    data = definitions.read(write(tmp_path, asked(["PBKDF2", "Argon2id"]), registry), registry)
    assert data["workloads"]["derive"]["params"] == {"bits": 256}
    assert {name: level["iterations"] for name, level in data["factors"]["algorithm"].items()} == {
        "PBKDF2": 1000,
        "Argon2id": 2,
    }


def test_the_same_question_has_the_same_name_and_another_one_another():
    asked_for = asked(["AES-GCM"])
    assert asked_for.id == asked(["AES-128-GCM".replace("-128", "")]).id
    others = [
        asked(["AES-GCM"], ["25"]), asked(["AES-CCM"]), asked(["AES-GCM"], length=1024),
        asked(["AES-GCM"], provider=["sunjce"]), asked(["AES-GCM"], operations=("decrypt",)),
    ]  # fmt: skip
    assert len({asked_for.id, *(each.id for each in others)}) == 6


def test_names_are_found_however_they_are_written():
    for word in ("aes-gcm", "AES/GCM/NoPadding", "aesgcm"):
        assert algorithms.find(word).name == "AES-GCM"
    assert algorithms.find("HmacSHA256").name == "HMAC-SHA-256"
    assert algorithms.find("Threefish-512", [("Cipher", "THREEFISH-512")]).params["bits"] == 512
    assert algorithms.find("SHA3-256withRSA", [("Signature", "SHA3-256withRSA")]).params["keys"] == "RSA"
    assert algorithms.find("Kuznyechik") is None  # the providers must be asked


@pytest.mark.parametrize(
    "word", ["SIV", "AES-SIV", "AES-GCN", "AES-CMC", "GMC", "AES-GCM-SV", "ChaCha20-Poly", "AES-EAV"]
)
def test_no_suggestion_crosses_from_an_authenticated_cipher_to_another(word):
    found = algorithms.near(word, algorithms.named())
    assert len({algorithms.is_authenticated(name) for name in found}) <= 1
    if algorithms.is_authenticated(word):
        assert all(map(algorithms.is_authenticated, found))


def test_an_unknown_name_gets_the_nearest_and_the_list():
    with pytest.raises(UserError, match=r"did you mean .*SHA3-512.*list algorithms"):
        algorithms.find("SHA3-521", [("MessageDigest", "SHA-256")])


def test_algorithms_of_two_kinds_are_refused():
    with pytest.raises(UserError, match="AES-GCM encrypts, SHA-256 hashes"):
        asked(["AES-GCM", "SHA-256"])


def test_a_cipher_that_is_not_authenticated_is_named():
    assert question.notes(asked(["AES-GCM", "AES-CBC"]))[0].startswith("note: AES-CBC does not notice")
    assert question.notes(asked(["AES-CTR", "AES-CBC"])) == []


def test_the_host_has_its_own_jdk_alone(registry):
    assert choose._environments("host", [], registry.catalogue) == ()
    with pytest.raises(UserError, match="engine host has the machine's own JDK only"):
        choose._environments("host", ["25"], registry.catalogue)
    assert choose._environments("docker", [], registry.catalogue) == ("debian-13-temurin-21",)


def test_providers_and_jdks_by_short_names(registry):
    known = providers.read()
    assert [question.find_provider(word, known).id for word in ("SunJCE", "BC", "conscrypt", "bouncycastle-1.38")] == [
        "sunjce", "bouncycastle-1.86", "conscrypt-2.8.0", "bouncycastle-1.38",
    ]  # fmt: skip
    with pytest.raises(UserError, match="provider openssl"):
        question.find_provider("openssl", known)
    assert environments.environment_of_jdk(registry.catalogue, "25") == "debian-13-temurin-25"
    assert environments.environment_of_jdk(registry.catalogue, 8) == "debian-sid-openjdk-8"
    with pytest.raises(UserError, match="jdk 99: there is none; choose from 8, 11"):
        environments.environment_of_jdk(registry.catalogue, 99)


def ranked(algorithm, rank, time_ns, **more):
    return {
        "experiment": "x", "environment": "debian-13-temurin-21", "cell": f"encrypt:{algorithm}", "workload": "encrypt",
        "provider": "sunjce", "factor.algorithm": algorithm, "rank": rank, "disturbed": "FALSE", "time_ns": time_ns,
        "lower_ns": time_ns * 0.9, "upper_ns": time_ns * 1.1, "ratio": rank, "ratio_lower": rank * 0.9,
        "ratio_upper": rank * 1.1, "allocated_bytes": 100, "warm_up_state": "proven", **more,
    }  # fmt: skip


def answered(folder, verdict, ratio, **more):
    environment = "debian-13-temurin-21"
    write_rows(folder / "ranking.csv", [ranked("A", 1, 1000.0), ranked("B", 2, 2000.0, **more)])
    write_rows(folder / "contrasts.csv", [{
        "contrast": "c1", "ratio": ratio, "lower": ratio * 0.9, "upper": ratio * 1.1, "numerator_environment": environment,
        "denominator_environment": environment, "numerator_cell": "encrypt:A", "denominator_cell": "encrypt:B",
    }])  # fmt: skip
    write_rows(folder / "verdicts.csv", [{
        "experiment": "x", "claim": "A1", "variant": "", "environment": environment, "verdict": verdict, "reason": "",
        "cause": "" if verdict != "undecided" else "too wide", "contrast": "c1", "estimate": ratio, "lower": 0, "upper": 1,
        "forks_min": 5, "forks_needed": "" if verdict != "undecided" else 11,
    }])  # fmt: skip
    write_rows(folder / "offers.csv", [{
        "cell": "encrypt:c:conscrypt:steady-state:native", "environment": environment, "offered": "no", "why": "lacks it",
    }])  # fmt: skip
    forks = [
        {"environment": environment, "cell": f"encrypt:{name}", "elapsed_ms": 5000, "valid": "TRUE"} for name in "AB"
    ]
    write_rows(folder / "forks.csv", forks)
    return choose.answer(folder, asked(["AES-GCM"]), 10)


@pytest.mark.parametrize(
    ("ratio", "words"),
    [(0.5, "A is 2.00 [1.82, 2.22] times as fast as B"), (2.0, "B is 2.00 [1.80, 2.20] times as fast as A")],
)
def test_a_decided_claim_is_a_difference_that_is_real_whichever_way_round(tmp_path, ratio, words):
    lines = answered(tmp_path, next(iter(DECIDED)), ratio)
    assert f"  encrypt, JDK 21, SunJCE: {words}" in lines
    assert "Undecided:" not in lines


def test_an_undecided_claim_says_what_it_would_take(tmp_path):
    lines = answered(tmp_path, "undecided", 0.9)
    assert "Undecided:" in lines
    # 6 more forks of two cells, 5 s each, with a fifth more
    assert lines[-1] == "1 of 1 verdicts are undecided; about 2 more minutes would decide 1: --minutes 12"


def test_what_a_provider_lacks_and_what_is_disturbed_is_shown(tmp_path):
    lines = answered(tmp_path, next(iter(DECIDED)), 0.5, disturbed="TRUE")
    assert any(line.startswith("Not measured: encrypt:c:conscrypt (no: lacks it)") for line in lines)
    assert any(line.endswith("*") for line in lines) and any(line.startswith("*: all its runs") for line in lines)


def test_a_text_where_there_is_none_is_refused():
    words = cli.command_line().parser.parse_args(["choose", "X25519", "--bytes", "100"])
    with pytest.raises(UserError, match="--bytes 100: must be left out"):
        choose._question(words)


def test_the_run_gets_every_option(monkeypatch, tmp_path):
    commands = []
    monkeypatch.setattr(choose, "FOLDER", tmp_path)
    monkeypatch.setattr(
        choose.subprocess, "run", lambda words, **_: commands.append(words) or subprocess.CompletedProcess(words, 3)
    )
    with pytest.raises(SystemExit) as ended:
        choose.main(
            cli.command_line().parser.parse_args(["choose", "SHA-256", "SHA-512", "--minutes", "7", "--wait", "2"])
        )
    assert ended.value.code == 3
    assert {"minutes=7", "wait=2", "tier=quick", "engine=docker", "calibration=false"} <= set(commands[0])


@pytest.mark.containers
def test_providers_are_asked_in_the_image_once(tmp_path, monkeypatch):
    monkeypatch.setattr(providers, "OFFERS", tmp_path)
    known = providers.read()
    asked = [known[name] for name in ("sunjce", "bouncycastle-1.86", "conscrypt-2.8.0")]
    found = providers.offers("docker", "debian-12-temurin-17", asked)
    assert Offer("sunjce", "Cipher", "AES/GCM/NoPadding", "SunJCE") in found
    assert Offer("bouncycastle-1.86", "MessageDigest", "BLAKE3-256", "BC") in found
    assert {offer.provider for offer in found} == {provider.id for provider in asked}
    monkeypatch.setattr(providers, "_ask", lambda *_: pytest.fail("it is asked twice"))
    assert providers.offers("docker", "debian-12-temurin-17", asked) == found


@pytest.mark.containers
def test_a_question_ends_with_a_table_a_report_and_an_experiment_file(tmp_path):
    checkout = checkouts.make(tmp_path / "checkout")
    words = ("--jdk", "debian-12-temurin-17", "--provider", "sunjce", "--minutes", "2")
    run = checkout.run("jca-rerun", "choose", "SHA-256", "SHA3-256", *words)
    assert run.returncode == 0, run.stderr[-3000:]
    (folder,) = (checkout.path / "data/choose").iterdir()
    rows = re.findall(r"^hash +(\S+) +SunJCE +17 +\S+ .?s", run.stdout, re.MULTILINE)
    assert sorted(rows) == ["SHA-256", "SHA3-256"]
    assert "(1 of 1 comparisons" in run.stdout or "Undecided:" in run.stdout or "enough runs yet" in run.stdout
    assert (folder / f"{folder.name}.yaml").is_file() and (folder / "results/report.pdf").is_file()
