"""The start of a run: under `strict`, what is built and has drifted from its lock is refused in one line."""

import json
from types import SimpleNamespace

import pytest

from bench.run import session
from envs.builder import image
from envs.support.errors import UserError


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Starts a run of two environments, of which one is built with some drift."""
    monkeypatch.setattr(image, "BUILD", tmp_path)

    def start(drift, strict):
        (tmp_path / "debian-a").mkdir(exist_ok=True)
        (tmp_path / "debian-a/environment.json").write_text(json.dumps({**RECORD, "drift": drift}))
        settings = SimpleNamespace(strict=strict)
        session._refuse_drift(SimpleNamespace(environments=lambda: ["debian-a", "debian-b"], settings=settings))

    return start


RECORD = {"image_id": "sha256:0", "jdk": None, "packages": []}
DRIFT = [{"package": "libc6", "locked": "1 amd64", "found": "2 amd64"}, {"package": "x", "locked": "", "found": "1"}]


def test_drift_is_refused(start):
    with pytest.raises(UserError) as caught:
        start(DRIFT, strict=True)
    message = str(caught.value)
    assert "--config strict=true: debian-a is built, and 2 package(s) differ" in message
    assert "libc6 locked 1 amd64, found 2 amd64" in message
    assert "\n" not in message


def test_drift_without_strict_goes_on(start):
    start(DRIFT, strict=False)


def test_no_drift_is_strict_enough(start):
    start([], strict=True)
