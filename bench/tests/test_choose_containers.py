"""What providers offer, asked in an environment's image."""

import re

import pytest

from envs.tests import checkout as checkouts
from jcarerun.plan import providers
from jcarerun.plan.providers import Offer

pytestmark = pytest.mark.containers


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
