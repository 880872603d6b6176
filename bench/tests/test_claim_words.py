"""Ids in words: what bench/labels.yaml says of workloads and levels is what experiments have."""

from pathlib import Path

import pytest

from jcarerun.plan import claim_words
from jcarerun.plan.claim_words import filter_words, labels, level_words, listing
from jcarerun.support.yamlfile import load

EXPERIMENTS = sorted(Path("bench/experiments").glob("*.yaml"))


@pytest.mark.parametrize(
    ("factor", "level", "words"),
    [
        ("workload", "rsa-encrypt", "RSA encryption"),
        ("workload", "my-own-workload", "my own workload"),
        ("rsa-bits", "1024", "1024-bit key"),
        ("my-bits", "1024", "my bits 1024"),
        ("size", "1 MB", "1 MB"),
        ("work", "none", "no work"),
        ("work", "100 ms", "100 ms of work"),
        ("provider", "sunjce", "SunJCE"),
        ("provider", "of-a-jar", "of-a-jar"),
        ("cpu-profile", "core2", "Core 2 class"),
    ],
)
def test_an_id_reads_as_its_label_and_without_one_as_it_is(factor: str, level: str, words: str) -> None:
    assert level_words(factor, level) == words


@pytest.mark.parametrize("file", EXPERIMENTS, ids=lambda file: file.stem)
def test_each_workload_of_an_experiment_has_a_label(file: Path) -> None:
    assert set(load(file)["workloads"]) <= set(labels()["workloads"])


def test_each_label_is_of_a_workload_or_a_factor_that_some_experiment_has() -> None:
    files = [*EXPERIMENTS, Path("bench/calibration.yaml"), *Path("bench/trials/experiments").glob("*.yaml")]
    found = [load(file) for file in files]
    workloads = {name for each in found for name in each["workloads"]}
    factors = {name for each in found for name in each.get("factors", {})}
    assert set(labels()["workloads"]) <= workloads
    assert set(labels()["levels"]) <= factors | {"provider", "cpu-profile", claim_words.SECURITY_LEVEL}


def test_what_is_shown_elsewhere_has_the_words_of_every_level_that_is_not_its_own_name() -> None:
    experiment = {
        "workloads": {"rsa-encrypt": {}, "load": {}},
        "factors": {"rsa-bits": {"1024": {"level": 1}}, "size": {"1 MB": {}}, "my-bits": {"8": {}}},
    }
    words = claim_words.words_of([experiment])
    assert words["workload"] == {"rsa-encrypt": "RSA encryption", "load": "requests under load"}
    assert (words["rsa-bits"], words["size"]) == ({"1024": "1024-bit key"}, {})
    assert words["my-bits"] == {"8": "my bits 8"}
    assert words["security-level"] == {"1": "security level 1"}
    assert words["provider"]["sunjce"] == "SunJCE"


def test_a_filter_reads_as_what_it_asks_for() -> None:
    assert filter_words({"jdk": ["a", "b"], "platform": "windows"}) == "JDK a or b, a Windows JVM"
    assert filter_words({"workload": "encrypt", "cipher": "RC4"}) == "encryption (RC4)"
    assert filter_words({"workload": ["rsa-encrypt", "rsa-decrypt"]}) == "RSA encryption or RSA decryption"


@pytest.mark.parametrize(
    ("words", "most", "sentence"),
    [
        ([], None, ""),
        (["DES"], 1, "DES"),
        (["DES", "AES"], None, "DES and AES"),
        (["DES", "AES", "RC4"], None, "DES, AES and RC4"),
        (["DES", "AES", "RC4"], 2, "DES, AES and RC4"),
        (["DES", "AES", "RC4"], 1, "DES and 2 more"),
        (["DES", "AES", "RC4", "RC2"], 2, "DES, AES and 2 more"),
    ],
)
def test_words_make_a_sentence_and_too_many_of_them_are_counted(
    words: list[str], most: int | None, sentence: str
) -> None:
    assert listing(words, most) == sentence
