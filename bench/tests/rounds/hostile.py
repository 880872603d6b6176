"""Entries that a round must not have, each by the name of what is wrong with it."""

import os
import socket
from pathlib import Path


def _hard_link(folder: Path) -> None:
    os.link(folder / "iterations.csv", folder / "jmh/001.txt")


def _socket(folder: Path) -> None:
    here = Path.cwd()
    os.chdir(folder)  # a socket's path has at most some hundred characters
    try:
        socket.socket(socket.AF_UNIX).bind("commands.txt")
    finally:
        os.chdir(here)


def _directory_link(folder: Path) -> None:
    (folder / "gc").symlink_to("/etc", target_is_directory=True)


def _sparse(folder: Path) -> None:
    with (folder / "jmh/001.txt").open("wb") as file:
        file.truncate(1 << 40)


def _not_utf8(folder: Path) -> None:
    (folder / os.fsdecode(b"jmh/\xff.json")).write_text("")


ENTRIES = {
    "a link to a file": (lambda folder: (folder / "commands.txt").symlink_to("/etc/passwd"), "commands.txt: is no plain file"),
    "a link to nothing": (lambda folder: (folder / "commands.txt").symlink_to("/nowhere"), "commands.txt: is no plain file"),
    "a link to a directory": (_directory_link, "gc: is no plain file"),
    "a hard link": (_hard_link, "has another name besides"),
    "a FIFO": (lambda folder: os.mkfifo(folder / "commands.txt"), "commands.txt: is no plain file"),
    "a socket": (_socket, "commands.txt: is no plain file"),
    "a huge sparse file": (_sparse, "jmh/001.txt: is too large (1099511627776 bytes"),
    "a strange file": (lambda folder: (folder / ".bashrc").write_text(""), ".bashrc: is no "),
    "a strange directory": (lambda folder: (folder / "jmh/more").mkdir(), "jmh/more: is no "),
    "a line break": (lambda folder: (folder / "jmh/001.json\nerror: all is well").write_text(""), r"jmh/001.json\nerror: "),
    "a terminal's code": (lambda folder: (folder / "jmh/\x1b[2J").write_text(""), r"jmh/\x1b[2J: is no "),
    "a name that is not UTF-8": (_not_utf8, r"jmh/\udcff.json: is no "),
}  # fmt: skip


def plain(folder: Path) -> Path:
    """A small tree with nothing wrong in it."""
    (folder / "jmh").mkdir(parents=True)
    (folder / "jmh/002.json").write_text("[1, 2, 3]\n")
    (folder / "iterations.csv").write_text("fork\n1\n")
    return folder
