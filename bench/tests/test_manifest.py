"""Manifests: a round that is not whole is named, never used."""

import subprocess

import pytest

from bench.harness import manifest
from envs.builder.errors import UserError


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
    assert "002.json: not in the round's manifest" in refusal(folder)


def test_missing_manifest(folder):
    (folder / manifest.NAME).unlink()
    assert "manifest.sha256: missing" in refusal(folder)


def test_broken_manifest(folder):
    (folder / manifest.NAME).write_text("nonsense\n")
    assert "no line of a manifest" in refusal(folder)
