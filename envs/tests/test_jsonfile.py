"""Records of ours that a full disk or a person spoilt: refused in one line, with the remedy."""

import pytest

from jcarerun.errors import UserError
from jcarerun.images import image
from jcarerun.support.files import load_json


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe\x00",
        b"[" * 200_000,
        b'{"a": 1, "a": 2}',
        b'{"a": NaN}',
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
    ids=["nothing", "half", "a list", "no text", "deep", "a key twice", "NaN", "digits"],
)
def test_a_spoilt_record(tmp_path, content):
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(UserError) as caught:
        load_json(tmp_path / "x.json", "remove it and run again")
    assert "x.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_record_of_an_environment_lacks_something(tmp_path, monkeypatch):
    monkeypatch.setattr(image, "BUILD", tmp_path)
    (tmp_path / "debian-a").mkdir()
    (tmp_path / "debian-a/environment.json").write_text('{"image_id": "sha256:0"}')
    with pytest.raises(UserError, match=r"debian-a/environment.json: drift: missing; remove it and run again"):
        image.read_record("debian-a")
