"""A file appears complete or not at all, after an error, a kill and a power cut; a spoilt one is refused in one line."""

import os
from pathlib import Path

import pytest

from jcarerun.errors import UserError
from jcarerun.images import image
from jcarerun.support import files


def test_an_error_leaves_the_old_file_and_no_temporary_one(tmp_path):
    target = tmp_path / "table.csv"
    files.write_file(target, "old")
    with pytest.raises(OSError, match="disk full"), files.atomic_file(target) as part:
        part.write_text("half of the n")
        raise OSError("disk full")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_the_content_is_on_the_disk_before_the_name_and_then_the_directory(tmp_path, monkeypatch):
    """A rename that reaches the disk before the content leaves a file of 0 bytes after a power cut."""
    target, steps = tmp_path / "new/record.json", []
    synced = os.fsync

    def fsync(handle):
        steps.append((Path(f"/proc/self/fd/{handle}").readlink().name.partition("-")[0], target.exists()))
        synced(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    files.write_json(target, {"a": 1})
    assert steps == [(".part", False), ("new", True)]
    assert target.read_text() == '{\n "a": 1\n}\n'


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b"\xff\xfe\x00", b"[" * 200_000),
        *(b'{"a": 1, "a": 2}', b'{"a": NaN}', b'{"a": ' + b"9" * 5000 + b"}"),
    ],
    ids=["nothing", "half", "a list", "no text", "deep", "a key twice", "NaN", "digits"],
)
def test_a_spoilt_record(tmp_path, content):
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(UserError) as caught:
        files.load_json(tmp_path / "x.json", "remove it and run again")
    assert "x.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named_with_the_remedy(tmp_path, monkeypatch):
    with pytest.raises(UserError, match=r"x.json: there is no such file; make the report again$"):
        files.load_json(tmp_path / "x.json", "make the report again")
    monkeypatch.setattr(image, "BUILD", tmp_path)
    with pytest.raises(UserError, match=r"environment debian-a is not built; run `jca-rerun images ready debian-a`$"):
        image.read_record("debian-a")


def test_the_record_of_an_environment_lacks_something(tmp_path, monkeypatch):
    monkeypatch.setattr(image, "BUILD", tmp_path)
    (tmp_path / "debian-a").mkdir()
    (tmp_path / "debian-a/environment.json").write_text('{"image_id": "sha256:0"}')
    with pytest.raises(UserError, match=r"debian-a/environment.json: drift: missing; remove it and run again"):
        image.read_record("debian-a")
