"""A file appears complete or not at all: after an error, a kill and a power cut."""

import os
from pathlib import Path

import pytest

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
