"""Zips, links and files in the wrong place are refused in one line that names the file."""

import os
import shutil
import stat
import zipfile
from types import SimpleNamespace

import pytest

from bench.tests.kit_results import import_refusal
from bench.tests.mutations import refusal
from bench.tests.rounds.hostile import ENTRIES
from jcarerun.bundle import sealed, verify
from jcarerun.errors import UserError
from jcarerun.plan import settings
from jcarerun.rounds import tree


def test_of_another_checkout(current, back, rounds):
    rounds[0].rename(rounds[0].with_name("smoke-00000000-01"))
    assert "this checkout plans no such round" in import_refusal(current, back)


@pytest.mark.parametrize("environment", ["debian-12-temurin-17", "kit-0123456789AB", "kit-01234"])
def test_only_a_kits_environment(current, back, rounds, environment):
    rounds[0].parent.rename(rounds[0].parent.with_name(environment))
    assert f"{environment} is no kit's environment" in import_refusal(current, back)


def test_of_an_unknown_experiment(current, back, rounds):
    rounds[0].parents[1].rename(back / "other")
    assert "other is no experiment of this run" in import_refusal(current, back)


def test_nothing_in_it(current, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "holds no round" in import_refusal(current, empty)


def test_a_stray_file(current, back):
    (back / "readme").write_text("")
    assert "readme: is no file of" in import_refusal(current, back)


@pytest.mark.parametrize("kind", ENTRIES)
def test_anything_but_plain_files(current, back, rounds, kind):
    make, words = ENTRIES[kind]
    for name in ("commands.txt", "jmh/001.txt"):
        (rounds[0] / name).unlink()
    shutil.rmtree(rounds[0] / "gc")
    make(rounds[0])
    assert words in import_refusal(current, back)


@pytest.fixture(params=["a kit's rounds", "a bundle"])
def intake(request, current, tmp_path):
    """A reader of zips: the line that refuses what `write` makes, a file that such a zip may have, and what its files are."""

    def refused(write):
        write(tmp_path / "given.zip")
        if bundle:
            return refusal(verify.verify, tmp_path / "given.zip", verify.Options("docker"))
        return import_refusal(current, tmp_path / "given.zip")

    bundle = request.param == "a bundle"
    member = "report.pdf" if bundle else "selftest/kit-0123456789ab/r/console.log"
    files = "file of a bundle" if bundle else "file of <experiment>/kit-<machine>/<round>/"
    return SimpleNamespace(refused=refused, member=member, files=files)


def of_members(*names, mode=0o100644, content=b""):
    """Writes a zip of members."""

    def write(file):
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                member = zipfile.ZipInfo(name)
                member.create_system, member.external_attr, member.compress_type = 3, mode << 16, zipfile.ZIP_DEFLATED
                archive.writestr(member, content)

    return write


@pytest.mark.parametrize(
    "name",
    ["../evil", "/evil", "a/../../evil", "a\\..\\evil", "C:evil", "readme", "run.sh", ".git/config", "tidy/x.R", "locks/a.json",
     "raw/a/b/c/run.sh", "raw/.x/a/b/c/round.json", "experiments/.x", "selftest/kit-0123456789ab/r/notes.txt",
     "selftest/kit-0123456789ab/r/jmh/001.json\nerror forged", "selftest/kit-0123456789ab/r/strange/"],
)  # fmt: skip
def test_a_zip_with_a_name_that_leads_out_or_is_strange(intake, tmp_path, name):
    assert f"is no {intake.files}; nothing of it is used" in intake.refused(of_members(name))
    assert not list(tmp_path.rglob("evil"))


def test_a_link_in_a_zip(intake):
    write = of_members(intake.member, mode=stat.S_IFLNK | 0o777, content=b"/etc/passwd")
    assert "is no plain file (a link?)" in intake.refused(write)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_twice_in_a_zip(intake):
    assert "has a name twice" in intake.refused(of_members(intake.member, intake.member))


def test_a_zip_with_more_than_may_be(intake, monkeypatch):
    monkeypatch.setattr(sealed, "BOUNDS", tree.Bounds(all=1 << 20))
    assert "would be 2 MiB unpacked, more than 1" in intake.refused(of_members(intake.member, content=bytes(2 << 20)))


def test_a_zip_that_is_none_or_was_cut_short(intake):
    assert "can't be read (BadZipFile" in intake.refused(lambda file: file.write_text("no zip"))

    def cut(file):
        of_members(intake.member, content=b"1,2,3\n" * 1000)(file)
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])

    assert "can't be read (" in intake.refused(cut)


def test_a_damaged_member_of_a_zip(intake):
    """A broken download whose list of members is whole: zlib's error, not zipfile's."""

    def damaged(file):
        of_members(intake.member, content=b"1,2,3\n" * 1000)(file)
        content = bytearray(file.read_bytes())
        at = 30 + len(intake.member) + 1
        content[at : at + 10] = b"\xff" * 10
        file.write_bytes(content)

    assert "can't be read (" in intake.refused(damaged)


def test_a_zip_with_a_file_that_is_a_directory_too(current, tmp_path):
    names = ("a/b/c/jmh/001.json", "a/b/round.json/jmh/001.json", "a/b/round.json/round.json")
    of_members(*names)(tmp_path / "both.zip")
    assert "strange" not in import_refusal(current, tmp_path / "both.zip")


def test_what_is_given_may_be_no_fifo(current, tmp_path):
    os.mkfifo(tmp_path / "fifo")
    assert "is neither a file nor a directory" in import_refusal(current, tmp_path / "fifo")


def test_the_key_is_checked_when_it_is_read():
    with pytest.raises(UserError, match="no such file or directory"):
        settings.read({"from": "no/such/file.zip"})
