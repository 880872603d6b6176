"""Zips, links and files in the wrong place are refused in one line that names the file."""

import os
import shutil
import stat
import zipfile

import pytest

from bench.tests.import_kit.importing import pack, refusal
from bench.tests.rounds.hostile import ENTRIES
from jcarerun.bundle import sealed
from jcarerun.errors import UserError
from jcarerun.plan import settings
from jcarerun.rounds import tree


def test_of_another_checkout(current, back, rounds):
    rounds[0].rename(rounds[0].with_name("smoke-00000000-01"))
    assert "this checkout plans no such round" in refusal(current, back)


@pytest.mark.parametrize("environment", ["debian-12-temurin-17", "kit-0123456789AB", "kit-01234"])
def test_only_a_kits_environment(current, back, rounds, environment):
    rounds[0].parent.rename(rounds[0].parent.with_name(environment))
    assert f"{environment} is no kit's environment" in refusal(current, back)


def test_of_an_unknown_experiment(current, back, rounds):
    rounds[0].parents[1].rename(back / "other")
    assert "other is no experiment of this run" in refusal(current, back)


def test_nothing_in_it(current, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "holds no round" in refusal(current, empty)


def test_a_stray_file(current, back):
    (back / "readme").write_text("")
    assert "readme: is no file of" in refusal(current, back)


def test_a_link(current, back, rounds):
    (rounds[0] / "console.log").unlink()
    (rounds[0] / "console.log").symlink_to("/etc/passwd")
    assert "console.log: is no plain file" in refusal(current, back)


@pytest.mark.parametrize("kind", ENTRIES)
def test_anything_but_plain_files(current, back, rounds, kind):
    make, words = ENTRIES[kind]
    for name in ("commands.txt", "jmh/001.txt"):
        (rounds[0] / name).unlink()
    shutil.rmtree(rounds[0] / "gc")
    make(rounds[0])
    assert words in refusal(current, back)


@pytest.mark.parametrize(
    "name",
    [
        "selftest/kit-0123456789ab/r/notes.txt",
        "selftest/kit-0123456789ab/r/jmh/001.json\nerror forged",
        "readme",
        "selftest/kit-0123456789ab/r/strange/",
    ],
)
def test_a_zip_with_strange_names(current, tmp_path, name):
    file = tmp_path / "strange.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "")
    assert "is no file of <experiment>/kit-<machine>/<round>/" in refusal(current, file)


def test_a_zip_with_a_file_that_is_a_directory_too(current, tmp_path):
    file = tmp_path / "both.zip"
    with zipfile.ZipFile(file, "w") as archive:
        for name in ("a/b/c/jmh/001.json", "a/b/round.json/jmh/001.json", "a/b/round.json/round.json"):
            archive.writestr(name, "")
    assert "strange" not in refusal(current, file)


def test_a_damaged_member_of_a_zip(current, back, tmp_path):
    """A broken download whose list of members is whole: zlib's error, not zipfile's."""
    file = tmp_path / "back.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("selftest/kit-0123456789ab/r/iterations.csv", "1,2,3\n" * 1000)
    content = bytearray(file.read_bytes())
    content[75:85] = b"\xff" * 10
    file.write_bytes(content)
    assert "can't be read (" in refusal(current, file)


def test_what_is_given_may_be_no_fifo(current, tmp_path):
    os.mkfifo(tmp_path / "fifo")
    assert "is neither a file nor a directory" in refusal(current, tmp_path / "fifo")


@pytest.mark.parametrize("name", ["../evil", "/evil", "a/../../evil", "a\\..\\evil", "C:evil"])
def test_a_zip_that_leads_out_of_itself(current, tmp_path, name):
    file = tmp_path / "evil.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "")
    assert "is no file of <experiment>/kit-<machine>/<round>/" in refusal(current, file)
    assert not list(tmp_path.rglob("evil"))


def test_a_link_in_a_zip(current, tmp_path):
    file = tmp_path / "link.zip"
    member = zipfile.ZipInfo("selftest/kit-0123456789ab/r/console.log")
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(member, "/etc/passwd")
    assert "is no plain file (a link?)" in refusal(current, file)


def test_a_zip_that_is_none_or_was_cut_short(current, back, tmp_path):
    file = tmp_path / "back.zip"
    file.write_text("no zip")
    assert "can't be read (" in refusal(current, file)
    whole = pack(back, file).read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert "can't be read (" in refusal(current, file)


def test_a_zip_too_large(current, back, tmp_path, monkeypatch):
    monkeypatch.setattr(sealed, "BOUNDS", tree.Bounds(all=1000))
    assert "MiB unpacked" in refusal(current, pack(back, tmp_path / "back.zip"))


def test_the_key_is_checked_when_it_is_read():
    with pytest.raises(UserError, match="no such file or directory"):
        settings.read({"from": "no/such/file.zip"})
