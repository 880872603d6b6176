"""What providers offer, asked in an environment's image."""

import pytest

from jcarerun.plan import provider_algorithms, providers
from jcarerun.plan.provider_algorithms import Offer

pytestmark = pytest.mark.containers


def test_providers_are_asked_in_the_image_once(tmp_path, monkeypatch):
    monkeypatch.setattr(provider_algorithms, "KEPT", tmp_path)
    known = providers.read()
    asked = [known[name] for name in ("sunjce", "bouncycastle-1.86", "conscrypt-2.8.0")]
    found = provider_algorithms.offers("docker", "debian-12-temurin-17", asked)
    assert Offer("sunjce", "Cipher", "AES/GCM/NoPadding", "SunJCE") in found
    assert Offer("bouncycastle-1.86", "MessageDigest", "BLAKE3-256", "BC") in found
    assert {offer.provider for offer in found} == {one.id for one in asked}
    monkeypatch.setattr(provider_algorithms, "_ask", lambda *_: pytest.fail("it is asked twice"))
    assert provider_algorithms.offers("docker", "debian-12-temurin-17", asked) == found
