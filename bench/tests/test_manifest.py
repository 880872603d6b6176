"""Manifests: a round that is not whole is named, never used."""

import os
import subprocess

import pytest

from bench.tests.rounds.hostile import ENTRIES
from jcarerun.errors import UserError
from jcarerun.rounds import manifest


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "jmh").mkdir()
    (tmp_path / "jmh/001.json").write_text("[1, 2, 3]\n")
    (tmp_path / "iterations.csv").write_text("fork\n1\n")
    manifest.write(tmp_path)
    return tmp_path


def refusal(folder):
    with pytest.raises(UserError) as caught:
        manifest.verify(folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_whole_round_is_accepted(folder):
    assert len(manifest.verify(folder)) == 64


def test_anybody_can_check_it(folder):
    run = subprocess.run(["sha256sum", "--check", "--quiet", manifest.NAME], cwd=folder)
    assert run.returncode == 0


def test_cut_short(folder):
    (folder / "jmh/001.json").write_text("[1, 2")
    assert "001.json: differs from the manifest" in refusal(folder)


def test_emptied(folder):
    (folder / "iterations.csv").write_text("")
    assert "iterations.csv" in refusal(folder)


def test_missing_file(folder):
    (folder / "jmh/001.json").unlink()
    assert "001.json: missing" in refusal(folder)


def test_added_file(folder):
    (folder / "jmh/002.json").write_text("")
    assert "002.json: not in the manifest" in refusal(folder)


def test_missing_manifest(folder):
    (folder / manifest.NAME).unlink()
    assert "manifest.sha256: missing" in refusal(folder)


def test_broken_manifest(folder):
    (folder / manifest.NAME).write_text("nonsense\n")
    assert "no line of a manifest" in refusal(folder)


LINES = {
    "leads out": ("0" * 64 + "  ../../secret", "'../../secret' is no file of a round"),
    "absolute": ("0" * 64 + "  /proc/kmsg", "'/proc/kmsg' is no file of a round"),
    "a line break": ("0" * 64 + "  iterations.csv\r", r"'iterations.csv\r' is no file of a round"),
    "no sum": ("0" * 63 + "  limits.txt", "is no line of a manifest"),
    "a strange name": ("0" * 64 + "  notes.txt", "'notes.txt' is no file of a round"),
    "not UTF-8": ("0" * 64 + "  \udcff", "is no file of a round"),
}


@pytest.mark.parametrize("kind", LINES)
def test_a_manifests_names_are_those_of_a_round(folder, kind):
    line, words = LINES[kind]
    with (folder / manifest.NAME).open("a", errors="surrogateescape") as file:
        file.write(f"{line}\n")
    assert words in refusal(folder)


def test_a_name_twice(folder):
    text = (folder / manifest.NAME).read_text()
    (folder / manifest.NAME).write_text(text + text.splitlines()[0] + "\n")
    assert "lists iterations.csv twice" in refusal(folder)


def test_line_ends_of_windows(folder):
    text = (folder / manifest.NAME).read_text()
    (folder / manifest.NAME).write_bytes(text.replace("\n", "\r\n").encode())
    assert r"'iterations.csv\r' is no file of a round" in refusal(folder)


def test_a_manifest_that_never_ends(folder):
    (folder / manifest.NAME).unlink()
    os.mkfifo(folder / manifest.NAME)
    assert "manifest.sha256: is no plain file" in refusal(folder)


def test_a_manifest_is_not_written_through_a_link(folder, tmp_path_factory):
    victim = tmp_path_factory.mktemp("host") / "victim"
    victim.write_text("as it was")
    (folder / manifest.NAME).unlink()
    (folder / manifest.NAME).symlink_to(victim)
    with pytest.raises(UserError, match=r"manifest\.sha256: is no plain file"):
        manifest.write(folder)
    assert victim.read_text() == "as it was"


@pytest.mark.parametrize("kind", ENTRIES)
def test_a_round_with_anything_but_plain_files(folder, kind):
    make, words = ENTRIES[kind]
    make(folder)
    assert words in refusal(folder)
