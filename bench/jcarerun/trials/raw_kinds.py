"""Single changes of a copy of some rounds: what a disk, a person, or somebody with bad intentions may do to raw data."""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from jcarerun.rounds import stamp

STRAY = ("notes.txt", ".hidden", "jmh/999.json", "gc/001.log.bak", "jmh/001.json\nerror: forged", "iterations.csv~")


class Change:
    """One change of a copy of the rounds. `what` is its kind; `name` what must be named, below the raw directory."""

    def __init__(self, raw: Path, drawn: random.Random):
        self.raw, self.drawn = raw, drawn
        self.round = drawn.choice(sorted(path for path in raw.glob("*/*/*") if path.is_dir()))
        self.file = drawn.choice(sorted(path for path in self.round.rglob("*") if path.is_file()))
        self.folder = drawn.choice(sorted(path for path in self.round.iterdir() if path.is_dir()))
        self.outside = raw.with_name("outside")
        self.name = self.file.relative_to(self.round).as_posix()

    def write(self, content: bytes) -> None:
        """Replace what the file says; a change that leaves it as it is would be none."""
        if content == self.file.read_bytes():
            content += b"\n"
        self.file.write_bytes(content)

    def lines(self) -> list[bytes]:
        """The file's lines."""
        return self.file.read_bytes().splitlines(keepends=True)

    def at(self) -> int:
        """A place in the file."""
        return self.drawn.randrange(max(self.file.stat().st_size, 1))

    def named(self, path: Path) -> None:
        """What must be named is another than the file."""
        self.name = path.name if path.parent == self.round.parent else path.relative_to(self.round).as_posix()


def _byte(one: Change) -> None:
    content, at = bytearray(one.file.read_bytes() or b" "), one.at()
    content[at] ^= 1 << one.drawn.randrange(8)
    one.write(bytes(content))


def _number(one: Change) -> None:
    content = one.file.read_bytes()
    digits = [at for at, byte in enumerate(content) if chr(byte).isdigit()]
    at = one.drawn.choice(digits or [0])
    one.write(content[:at] + str(one.drawn.randrange(10)).encode() + content[at + 1 :])


def _cut(one: Change) -> None:
    one.write(one.file.read_bytes()[: one.at()])


def _without_line(one: Change) -> None:
    lines = one.lines() or [b"\n"]
    lines.pop(one.drawn.randrange(len(lines)))
    one.write(b"".join(lines))


def _line_twice(one: Change) -> None:
    lines = one.lines() or [b"\n"]
    at = one.drawn.randrange(len(lines))
    one.write(b"".join([*lines[:at], lines[at], *lines[at:]]))


def _lines_swapped(one: Change) -> None:
    lines = one.lines() or [b"\n"]
    a, b = one.drawn.randrange(len(lines)), one.drawn.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    one.write(b"".join(lines))


def _other_ends(one: Change) -> None:
    one.write(one.file.read_bytes().replace(b"\n", b"\r\n"))


def _another(one: Change) -> None:
    others = [path for path in one.raw.rglob("*") if path.is_file() and path.name == one.file.name and path != one.file]
    one.write(one.drawn.choice(sorted(others) or [one.file]).read_bytes())


def _removed(one: Change) -> None:
    one.file.unlink()


def _renamed(one: Change) -> None:
    one.file.rename(one.file.with_name(f"{one.file.name}.old"))


def _stray(one: Change) -> None:
    new = one.round / one.drawn.choice(STRAY)
    new.write_text("1\n")
    one.named(new)


def _link(one: Change) -> None:
    shutil.move(one.file, one.outside)
    one.file.symlink_to(one.outside)


def _hard_link(one: Change) -> None:
    os.link(one.file, one.outside)


def _fifo(one: Change) -> None:
    one.file.unlink()
    os.mkfifo(one.file)


def _folder_instead(one: Change) -> None:
    one.file.unlink()
    one.file.mkdir()


def _folder_link(one: Change) -> None:
    shutil.move(one.folder, one.outside)
    one.folder.symlink_to(one.outside)
    one.named(one.folder)


def _round_link(one: Change) -> None:
    shutil.move(one.round, one.outside)
    one.round.symlink_to(one.outside)
    one.named(one.round)


def _folder_removed(one: Change) -> None:
    shutil.rmtree(one.folder)
    one.named(one.folder)


def _round_gone(one: Change) -> None:
    shutil.rmtree(one.round)
    one.named(one.round)


def _round_and_stamp_gone(one: Change) -> None:
    shutil.rmtree(one.round)
    stamp.of(one.round).unlink()


def _round_moved(one: Change) -> None:
    one.round.rename(one.round.with_name(one.round.name[:-2] + "77"))
    one.named(one.round)


def _round_copied(one: Change) -> None:
    new = one.round.with_name(one.round.name[:-2] + "78")
    shutil.copytree(one.round, new)
    one.named(new)


def _stamp_changed(one: Change) -> None:
    one.file = stamp.of(one.round)
    one.named(one.round)
    content = bytearray(one.file.read_bytes())
    content[one.drawn.randrange(64)] ^= 1
    one.write(bytes(content))


def _stamp_link(one: Change) -> None:
    one.file = stamp.of(one.round)
    one.named(one.round)
    _link(one)


def _stamp_gone(one: Change) -> None:
    stamp.of(one.round).unlink()


def _rights(one: Change) -> None:
    one.file.chmod(one.drawn.choice([0o600, 0o444, 0o666, 0o755]))


def _times(one: Change) -> None:
    os.utime(one.file, (0, 0))


READ = "what is read is the same"
# Kinds of changes of what a file says, which may be hidden by a new manifest.
CONTENT: dict[str, Callable[[Change], None]] = {
    "a bit": _byte, "a digit": _number, "cut short": _cut, "a line removed": _without_line,
    "a line twice": _line_twice, "two lines swapped": _lines_swapped, "other line ends": _other_ends,
    "another round's file": _another, "a file removed": _removed, "a file renamed": _renamed, "a stray file": _stray,
}  # fmt: skip
# Others, and where they do not matter, why.
OTHERS: dict[str, tuple[Callable[[Change], None], str]] = {
    "a file is a link": (_link, ""), "a file has another name besides (hard link)": (_hard_link, ""),
    "a file is a FIFO": (_fifo, ""), "a file is a directory": (_folder_instead, ""),
    "a directory is a link": (_folder_link, ""), "a round is a link": (_round_link, ""),
    "a directory removed": (_folder_removed, ""), "a round removed, its stamp left": (_round_gone, ""),
    "a round under another name": (_round_moved, ""), "a round twice": (_round_copied, ""),
    "a stamp changed": (_stamp_changed, ""), "a stamp is a link": (_stamp_link, ""),
    "a round removed with its stamp": (_round_and_stamp_gone, "the report is of the rounds that are there, and counts them"),
    "a stamp removed": (_stamp_gone, "the round is checked in full, as it is for anybody's stamp"),
    "a file's rights": (_rights, READ), "a file's time": (_times, READ),
}  # fmt: skip
