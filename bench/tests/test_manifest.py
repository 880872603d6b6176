"""Manifests: a round that is not whole is named, never used."""

import os
import subprocess

import pytest

from bench.tests.mutations import refusal
from jcarerun.errors import UserError
from jcarerun.rounds import manifest


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "jmh").mkdir()
    (tmp_path / "jmh/001.json").write_text("[1, 2, 3]\n")
    (tmp_path / "iterations.csv").write_text("fork\n1\n")
    manifest.write(tmp_path)
    return tmp_path


def test_a_whole_round_is_accepted_and_anybody_can_check_it(folder):
    assert len(manifest.verify(folder)) == 64
    run = subprocess.run(["sha256sum", "--check", "--quiet", manifest.NAME], cwd=folder)
    assert run.returncode == 0


def written(name, text):
    return lambda folder: (folder / name).write_text(text)


def manifest_text(change):
    """A change of the manifest's text, whose last character is a line feed."""

    def changed(folder):
        file = folder / manifest.NAME
        file.write_bytes(change(file.read_text()).encode(errors="surrogateescape"))

    return changed


def added_line(line):
    return manifest_text(lambda text: f"{text}{line}\n")


def endless(folder):
    (folder / manifest.NAME).unlink()
    os.mkfifo(folder / manifest.NAME)


CHANGES = {
    "a file cut short": (written("jmh/001.json", "[1, 2"), "001.json: differs from the manifest"),
    "a file emptied": (written("iterations.csv", ""), "iterations.csv: differs from the manifest"),
    "a file missing": (lambda folder: (folder / "jmh/001.json").unlink(), "001.json: missing"),
    "a file added": (written("jmh/002.json", ""), "002.json: not in the manifest"),
    "no manifest": (lambda folder: (folder / manifest.NAME).unlink(), "manifest.sha256: missing"),
    "a broken manifest": (written(manifest.NAME, "nonsense\n"), "no line of a manifest"),
    "a manifest that never ends": (endless, "manifest.sha256: is no plain file"),
    "a name twice": (manifest_text(lambda text: text + text.splitlines()[0] + "\n"), "lists iterations.csv twice"),
    "line ends of Windows": (
        manifest_text(lambda text: text.replace("\n", "\r\n")), r"'iterations.csv\r' is no file of a round",
    ),
    "a name that leads out": (added_line("0" * 64 + "  ../../secret"), "'../../secret' is no file of a round"),
    "an absolute name": (added_line("0" * 64 + "  /proc/kmsg"), "'/proc/kmsg' is no file of a round"),
    "a line break": (added_line("0" * 64 + "  iterations.csv\r"), r"'iterations.csv\r' is no file of a round"),
    "no sum": (added_line("0" * 63 + "  limits.txt"), "is no line of a manifest"),
    "a strange name": (added_line("0" * 64 + "  notes.txt"), "'notes.txt' is no file of a round"),
    "a name that is not UTF-8": (added_line("0" * 64 + "  \udcff"), "is no file of a round"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "words"), CHANGES.values(), ids=CHANGES)
def test_a_change_is_named(folder, change, words):
    change(folder)
    assert words in refusal(manifest.verify, folder)


def test_a_manifest_is_not_written_through_a_link(folder, tmp_path_factory):
    victim = tmp_path_factory.mktemp("host") / "victim"
    victim.write_text("as it was")
    (folder / manifest.NAME).unlink()
    (folder / manifest.NAME).symlink_to(victim)
    with pytest.raises(UserError, match=r"manifest\.sha256: is no plain file"):
        manifest.write(folder)
    assert victim.read_text() == "as it was"
