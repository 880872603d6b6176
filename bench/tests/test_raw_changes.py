"""One change of raw data, as by a disk or a person: it is reported with the name of what was changed, or it does not matter."""

import os
import random
import shutil
from pathlib import Path

import pytest

from jcarerun.errors import UserError
from jcarerun.rounds import manifest, validate
from jcarerun.run import verified
from jcarerun.run.run import from_config

SAMPLE = sorted(path for path in Path("data/sample/phenry2014").glob("*/*") if path.is_dir())[:2]
FILES = sorted(str(path.relative_to(SAMPLE[0])) for path in SAMPLE[0].rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """A run that reports on the directory which it returns, as it reads somebody else's."""
    raw = tmp_path_factory.mktemp("read") / "raw"
    raw.mkdir()
    shutil.copytree(SAMPLE[0].parent.parent, raw / SAMPLE[0].parts[-3])
    return raw, from_config({"raw": str(raw), "calibration": False})


@pytest.fixture
def folder(read):
    """A copy of two rounds with their stamps; the first of them."""
    raw, _ = read
    shutil.rmtree(raw)
    for source in SAMPLE:
        target = raw / Path(*source.parts[-3:])
        shutil.copytree(source, target)
        validate.stamp_round(target)
    return raw / Path(*SAMPLE[0].parts[-3:])


def message(read):
    """What the run says of its raw directory; empty where nothing is amiss."""
    try:
        verified.verify(read[1])
    except UserError as error:
        return str(error)
    return ""


def test_the_rounds_as_they_were(read, folder):
    assert message(read) == ""


@pytest.mark.parametrize("name", FILES)
def test_one_altered_byte(read, folder, name):
    content, drawn = bytearray((folder / name).read_bytes()), random.Random(name)
    content[drawn.randrange(len(content))] ^= 1 << drawn.randrange(8)
    (folder / name).write_bytes(content)
    assert name in message(read)


def _lines(change):
    """A change of a file's lines."""

    def changed(file, others):
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join(change(lines)))

    return changed


def _replaced_by(make):
    """A change of a file to something else of the same name."""

    def changed(file, others):
        kept = others / "kept"
        file.rename(kept)
        make(file, kept)

    return changed


OF_A_FILE = {
    "cut short": _lines(lambda lines: lines[:-1]),
    "a line twice": _lines(lambda lines: [*lines, lines[-1]]),
    "its lines in another order": _lines(lambda lines: lines[::-1]),
    "line ends of Windows": _lines(lambda lines: [line.replace(b"\n", b"\r\n") for line in lines]),
    "another round's file": lambda file, others: shutil.copyfile(SAMPLE[1] / "iterations.csv", file),
    "removed": lambda file, others: file.unlink(),
    "renamed": lambda file, others: file.rename(file.with_suffix(".old")),
    "a link": _replaced_by(lambda file, kept: file.symlink_to(kept)),
    "another name besides": lambda file, others: os.link(file, others / "kept"),
    "a FIFO": _replaced_by(lambda file, kept: os.mkfifo(file)),
    "a directory": _replaced_by(lambda file, kept: file.mkdir()),
}


@pytest.mark.parametrize("change", OF_A_FILE.values(), ids=OF_A_FILE)
def test_a_change_of_a_file(read, folder, tmp_path, change):
    others = read[0].with_name("outside")
    shutil.rmtree(others, ignore_errors=True)
    others.mkdir()
    change(folder / "iterations.csv", others)
    assert "iterations." in message(read)


def _moved(folder, target):
    folder.rename(target)
    return target


OF_A_ROUND = {
    "removed, its stamp left": shutil.rmtree,
    "under another name": lambda folder: folder.rename(folder.with_name(f"{folder.name[:-2]}77")),
    "twice": lambda folder: shutil.copytree(folder, folder.with_name(f"{folder.name[:-2]}78")),
    "a link": lambda folder: folder.symlink_to(_moved(folder, folder.parents[3] / "moved")),
    "a directory of it a link": lambda folder: (folder / "gc").symlink_to(
        _moved(folder / "gc", folder.parents[3] / "gc")
    ),
    "a directory of it removed": lambda folder: shutil.rmtree(folder / "gc"),
    "a stray file": lambda folder: (folder / "notes.txt").write_text("1"),
    "a stray file with a line break in its name": lambda folder: (folder / "jmh/1.json\nerror: forged").write_text("1"),
    "another stamp": lambda folder: manifest.stamp_of(folder).write_text("0" * 64),
    "a stamp that is a link": lambda folder: manifest.stamp_of(folder).symlink_to(
        _moved(manifest.stamp_of(folder), folder.parents[3] / "stamp")
    ),
}


@pytest.mark.parametrize("change", OF_A_ROUND.values(), ids=OF_A_ROUND)
def test_a_change_of_a_round(read, folder, change):
    for name in ("moved", "gc", "stamp"):
        left = read[0].with_name(name)
        shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)
    change(folder)
    said = message(read)
    assert folder.name[:-2] in said and "\n" not in said


def _without_both(folder):
    shutil.rmtree(folder)
    manifest.stamp_of(folder).unlink()


NO_MATTER = {
    "a round and its stamp removed: the report counts the rounds that are there": _without_both,
    "a stamp removed: the round is checked in full": lambda folder: manifest.stamp_of(folder).unlink(),
    "a file's rights": lambda folder: (folder / "round.json").chmod(0o600),
    "a file's time": lambda folder: os.utime(folder / "round.json", (0, 0)),
}


@pytest.mark.parametrize("change", NO_MATTER.values(), ids=NO_MATTER)
def test_a_change_that_does_not_matter(read, folder, change):
    change(folder)
    assert message(read) == ""
