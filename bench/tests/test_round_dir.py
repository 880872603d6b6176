"""A round's place: what the forks could write is taken as a copy, and nothing of the host's is written where they could."""

import os
import sys

import pytest

from bench.tests.rounds.hostile import ENTRIES
from jcarerun.errors import UserError
from jcarerun.run import round_dir
from jcarerun.run.round_dir import RoundDir


@pytest.fixture
def place(tmp_path):
    """A place whose forks have run."""
    made = RoundDir(tmp_path / "raw/.part-r")
    (made.given / "jvm").mkdir()
    (made.given / "cells.csv").write_text("fork,cell\n")
    (made.given / "jvm/java-core2").write_text("#!/bin/sh\n")
    (made.given / "jvm/java-core2").chmod(0o755)
    made.prepare(os.getuid(), os.getgid())
    (made.inside / "jmh").mkdir()
    (made.inside / "jmh/002.json").write_text("[1, 2, 3]\n")
    (made.inside / "iterations.csv").write_text("fork\n1\n")
    made.console.write_text("progress 1 1 1\n")
    return made


def test_what_forks_left_is_taken(place):
    folder = place.collect()
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == [
        "002.json",
        "cells.csv",
        "console.log",
        "iterations.csv",
        "java-core2",
    ]
    assert (folder / "jvm/java-core2").stat().st_mode & 0o777 == 0o755


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
def test_the_forks_own_their_directories_and_no_file_of_ours(tmp_path):
    made = RoundDir(tmp_path / "raw/.part-r")
    (made.given / "cells.csv").write_text("fork,cell\n")
    made.prepare(65534, 65534)
    assert made.inside.stat().st_uid == 65534
    assert (made.inside / "cells.csv").stat().st_uid == 0
    assert made.folder.stat().st_uid == 0


@pytest.mark.parametrize("kind", ENTRIES)
def test_nothing_else_is(place, kind):
    make, words = ENTRIES[kind]
    make(place.inside)
    with pytest.raises(UserError) as caught:
        place.collect()
    assert words in str(caught.value)


@pytest.mark.parametrize("name", ["audit.json", "round.json", "environment.json", "console.log", "manifest.sha256"])
def test_a_file_that_is_the_hosts_to_write(place, name, tmp_path):
    """Shown end to end once: the host wrote its own line through such a link, as root."""
    victim = tmp_path / "victim"
    victim.write_text("as it was")
    (place.inside / name).symlink_to(victim)
    with pytest.raises(UserError, match=f"{name}: is no "):
        place.collect()
    assert victim.read_text() == "as it was"


@pytest.mark.parametrize("name", ["audit.json", "round.json", "environment.json", "console.log", "manifest.sha256"])
def test_the_hosts_files_are_not_the_forks_to_write(place, name):
    (place.inside / name).write_text("forged")
    with pytest.raises(UserError, match=f"{name}: is no file that a round's forks leave"):
        place.collect()


@pytest.mark.parametrize("change", [lambda file: file.write_text("forged\n"), lambda file: file.unlink()])
def test_inputs_come_back_as_they_were_given(place, change):
    (place.inside / "cells.csv").chmod(0o666)
    change(place.inside / "cells.csv")
    with pytest.raises(UserError, match=r"cells\.csv: the forks were given it"):
        place.collect()


@pytest.mark.parametrize("kind", ENTRIES)
def test_of_a_failed_round_what_can_be_taken_is_kept(place, tmp_path, kind):
    make, words = ENTRIES[kind]
    make(place.inside)
    (place.inside / "hs_err_pid7.log").write_text("a JVM's last words\n")
    kept = tmp_path / ".failed/r"
    assert place.save_failure(kept) > 0
    assert words.split(":")[0] in (kept / round_dir.REFUSED).read_text()
    assert (kept / round_dir.REFUSED).read_text().count("\n") <= 2
    assert (kept / "jmh/002.json").read_text() == "[1, 2, 3]\n"
    assert (kept / "console.log").exists()
    assert (kept / "hs_err_pid7.log").exists()
    assert all(path.is_dir() or (path.is_file() and not path.is_symlink()) for path in kept.rglob("*"))
    assert not place.folder.exists()


def test_of_a_round_that_failed_before_it_began(tmp_path):
    place = RoundDir(tmp_path / "raw/.part-r")
    assert place.save_failure(tmp_path / ".failed/r") == 0


def test_why_a_round_failed_is_said_even_where_nothing_can_be_kept(place, tmp_path):
    (tmp_path / ".failed").write_text("no directory")
    assert place.save_failure(tmp_path / ".failed/r") is None
    assert not place.folder.exists()


def test_a_tree_deeper_than_the_stack_is_removed(tmp_path):
    """shutil.rmtree ends with a RecursionError there, whatever errors it is told to ignore."""
    (tmp_path / "deep").mkdir()
    here = os.open(tmp_path / "deep", os.O_RDONLY)
    for _ in range(3 * sys.getrecursionlimit()):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    round_dir.remove(tmp_path / "deep")
    assert not (tmp_path / "deep").exists()
