"""A tree that others wrote: what is plain is copied, whatever else there may be is refused in a line and never touched.

Names are those that a round's runner writes, and no other.
"""

import os
import subprocess
import threading
from pathlib import Path

import pytest

from bench.tests.mutations import refusal
from bench.tests.rounds.hostile import ENTRIES, plain
from jcarerun.errors import UserError
from jcarerun.rounds import tree


@pytest.fixture
def folder(tmp_path):
    return plain(tmp_path / "theirs")


def content(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_plain_files_are_copied(folder, tmp_path):
    tree.copy_untrusted(folder, tmp_path / "ours", tree.FORKS)
    assert content(tmp_path / "ours") == content(folder)
    assert tree.digests(tmp_path / "ours", tree.ROUND) == tree.digests(folder, tree.ROUND)


@pytest.mark.parametrize("kind", ENTRIES)
def test_nothing_else_is(folder, tmp_path, kind):
    make, words = ENTRIES[kind]
    make(folder)
    for take in (
        lambda: tree.copy_untrusted(folder, tmp_path / "ours", tree.FORKS),
        lambda: tree.digests(folder, tree.ROUND),
    ):
        assert words in refusal(take)


@pytest.mark.parametrize("kind", ENTRIES)
def test_what_is_refused_is_named_and_the_rest_is_kept(folder, tmp_path, kind):
    make, words = ENTRIES[kind]
    make(folder)
    refused = []
    tree.copy_untrusted(
        folder, tmp_path / "ours", tree.FORKS, refuse=lambda name, why: refused.append(UserError(f"{name}: {why}"))
    )
    assert any(words in str(error) for error in refused)
    kept = content(tmp_path / "ours")
    assert kept["jmh/002.json"] == b"[1, 2, 3]\n"
    assert not any(path.is_symlink() for path in (tmp_path / "ours").rglob("*"))


@pytest.mark.parametrize(
    "bounds", [tree.Bounds(file=3), tree.Bounds(all=8), tree.Bounds(entries=2)], ids=["a file", "all files", "entries"]
)
def test_there_are_bounds(folder, tmp_path, bounds):
    with pytest.raises(UserError, match=r"too large|more than 2 files"):
        tree.copy_untrusted(folder, tmp_path / "ours", tree.FORKS, bounds)


def test_a_target_that_is_there_is_not_written_through(folder, tmp_path):
    victim, ours = tmp_path / "victim", tmp_path / "ours"
    victim.write_text("as it was")
    ours.mkdir()
    (ours / "iterations.csv").symlink_to(victim)
    with pytest.raises(FileExistsError):
        tree.copy_untrusted(folder, ours, tree.FORKS)
    assert victim.read_text() == "as it was"


def test_a_file_that_becomes_a_link_meanwhile_is_not_followed(folder, tmp_path):
    """The other side swaps a file and a link for as long as we look: we get the file, or nothing."""
    secret, going = tmp_path / "secret", threading.Event()
    secret.write_text("secret")
    own, link = folder / "commands.txt", folder / "limits.txt"

    def swap():
        while not going.is_set():
            own.unlink(missing_ok=True)
            own.symlink_to(secret)
            link.write_text("mine")
            link.rename(own)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        for _ in range(300):
            try:
                assert tree.read(folder, "commands.txt") == b"mine"
            except UserError as error:
                assert "secret" not in str(error)
    finally:
        going.set()
        thread.join()


@pytest.mark.parametrize("kind", ["a link to a file", "a FIFO", "a socket", "a hard link", "a huge sparse file"])
def test_a_file_that_is_read_while_forks_run(folder, kind):
    make, words = ENTRIES[kind]
    make(folder)
    name = "jmh/001.txt" if "jmh" in words or kind == "a hard link" else "commands.txt"
    with pytest.raises(UserError, match=r"no plain file|too large"):
        tree.read(folder, name)


def test_a_directory_on_the_way_may_be_no_link_either(folder):
    ENTRIES["a link to a directory"][0](folder)
    with pytest.raises(UserError, match=r"gc/passwd: can't be read"):
        tree.read(folder, "gc/passwd")


def test_the_tree_itself_may_be_no_link(folder, tmp_path):
    (tmp_path / "link").symlink_to(folder)
    with pytest.raises(UserError, match=r"link: is no directory, or a link"):
        tree.digests(tmp_path / "link", tree.ROUND)


def test_folders_are_found_and_links_among_them_refused(tmp_path):
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/.part").mkdir()
    (tmp_path / "a/b.done").write_text("")
    assert tree.folders(tmp_path, 2) == ["a/b"]
    (tmp_path / "a/c").symlink_to("b")
    with pytest.raises(UserError, match="a/c: is no plain file or directory"):
        tree.folders(tmp_path, 2)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make a device")
def test_a_device(folder):
    os.mknod(folder / "commands.txt", 0o20666, os.makedev(1, 3))
    with pytest.raises(UserError, match=r"commands\.txt: is no plain file"):
        tree.digests(folder, tree.FORKS)


def test_the_size_of_any_tree_is_told(tmp_path):
    """Deeper than a recursion may go and than a path may be long, with links in a circle, and no more entries than asked for."""
    folder = tmp_path
    for name in ("x" * 200,) * 19:
        folder = folder / name
        folder.mkdir()
    for number in range(10):
        (folder.parent / str(number)).write_bytes(b"12345")
    (folder / "circle").symlink_to(tmp_path)
    here = Path.cwd()
    try:
        os.chdir(folder)
        for _ in range(1100):
            Path("d").mkdir()
            os.chdir("d")
        assert tree.size(tmp_path) == 50
        assert tree.size(tmp_path, 22) < 50
    finally:
        os.chdir(here)
        subprocess.run(["rm", "-rf", str(tmp_path / ("x" * 200))], check=True)


@pytest.mark.parametrize(
    "name",
    ["iterations.csv", "jmh/001.json", "jmh/1000.txt", "jmh/017-frozen.txt", "gc/002-server.log", "jit/001.log.gz",
     "jit/001.stacks", "jvm/flags-core2.txt", "jvm/java-core2", "tls/rsa-2048.p12", "observations.csv"],
)  # fmt: skip
def test_the_names_that_forks_may_give(name):
    assert tree.FORKS.file(name)
    assert tree.ROUND.file(name)
    assert tree.KIT.file(f"stegerer2008/kit-0123456789ab/smoke-01234567-01/{name}")


@pytest.mark.parametrize("name", ["audit.json", "round.json", "environment.json", "console.log", tree.MANIFEST])
def test_the_names_of_the_hosts_which_forks_may_not_write(name):
    assert tree.ROUND.file(name)
    assert not tree.FORKS.file(name)
    assert not tree.FAILED.file(name)


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../iterations.csv", "/iterations.csv", "jmh/../iterations.csv", "jmh//001.json", "./iterations.csv",
     "iterations.csv\n", "iterations.csv\r", "jmh/001.json\n", "jmh/\u0660\u0660\u0661.json", "jmh\\001.json", "jmh/0001.json",
     "Iterations.csv", "jmh", "notes.txt", ".done", "jvm/flags-../x.txt", "C:iterations.csv"],
)  # fmt: skip
def test_no_other_name(name):
    for known in (tree.ROUND, tree.FORKS, tree.FAILED):
        assert not known.file(name)
    assert not tree.KIT.file(f"a/b/c/{name}")


@pytest.mark.parametrize(
    "name", ["a/b/iterations.csv", "a/../c/iterations.csv", "a/b/c/d/iterations.csv", "/a/b/c/round.json"]
)
def test_a_kits_files_lie_in_a_round(name):
    assert not tree.KIT.file(name)
