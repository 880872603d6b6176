"""Where a round is made: a directory of the host's, of which the container is given one subdirectory.

`given/` is what the forks are given; `inside/`, a copy of it, is all that they can write to, and hostile from then on;
`round/` is what was taken from there, and becomes the round. Nothing of the host's is written where the forks can write.
"""

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

from jcarerun.errors import UserError, one_line
from jcarerun.rounds import tree
from jcarerun.support import engine as engines
from jcarerun.support.files import sha256, where

REFUSED = "refused.txt"
_MOST_NAMED = 100


def remove(folder: Path) -> None:
    """Remove a tree, whoever made it and however deep it is: shutil.rmtree runs out of stack, and rm does not."""
    subprocess.run(["rm", "-rf", "--", str(folder)], capture_output=True)


def part(final: Path) -> Path:
    """The directory in which a round is made, beside where it will lie, so that a rename puts it there."""
    return final.parent / f".part-{final.name}{engines.node_suffix()}"


def is_of_here(folder: Path) -> bool:
    """Whether such a directory is this machine's: another node's is that of a round which may be running there."""
    return folder.name.partition("@")[2] == engines.node_name()


def put(folder: Path, final: Path) -> None:
    """Put a finished round where it lies, whole, and remove what is left of its making, by whatever node.

    A node that the cluster took for dead may have been alive: who comes second finds the round there, and drops its own.
    """
    try:
        folder.rename(final)
    except OSError:
        if not final.is_dir():
            raise
    remove(part(final))
    for other in final.parent.glob(f".part-{final.name}@*"):
        remove(other)


class RoundDir:
    """The directories of a round that is being made; made when this is."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.given, self.inside, self.taken = folder / "given", folder / "inside", folder / "round"
        self.console = folder / "console.log"
        self.given.mkdir(parents=True)

    def prepare(self, uid: int, gid: int) -> None:
        """Copy the inputs into `inside`, whose directories are the forks' own from now on."""
        shutil.copytree(self.given, self.inside)
        for path in (self.inside, *self.inside.rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
            if path.is_dir() and os.getuid() == 0:  # only root can, and only root needs to
                os.chown(path, uid, gid, follow_symlinks=False)

    def collect(self) -> Path:
        """Copy what the forks left, with the console's log, and return where it is. Raises UserError for what can't be taken."""
        tree.copy_untrusted(self.inside, self.taken, tree.FORKS)
        for name, digest in tree.digests(self.given, tree.FORKS).items():
            file = self.taken / name
            if not file.is_file() or sha256(file) != digest:
                raise UserError(f"{where(self.inside / name)}: the forks were given it, and changed it or took it away")
        shutil.copyfile(self.console, self.taken / self.console.name)
        return self.taken

    def save_failure(self, kept: Path) -> int | None:
        """Keep what can be taken of a round that failed, to be looked at; return how many entries could not, and name them there.

        Raises nothing: why the round failed must be said, even where the disk is full or read-only. None where that kept it from
        being written.
        """
        refused: list[str] = []
        written = False
        with suppress(OSError):
            remove(kept)
            kept.mkdir(parents=True)
            if self.console.is_file():
                shutil.copyfile(self.console, kept / self.console.name)
            self._save_inside(kept, refused)
            if refused:
                (kept / REFUSED).write_text("".join(f"{line}\n" for line in refused[:_MOST_NAMED]))
            written = True
        remove(self.folder)
        return len(refused) if written else None

    def _save_inside(self, kept: Path, refused: list[str]) -> None:
        if not self.inside.is_dir():
            return
        try:
            tree.copy_untrusted(
                self.inside, kept, tree.FAILED, refuse=lambda name, why: refused.append(f"{one_line(name)}: {why}")
            )
        except (UserError, OSError) as error:
            refused.append(str(error))
