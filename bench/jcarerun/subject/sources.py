"""The sources of somebody else's project: which files they are, their SHA-256, and a copy for a container to work in.

In: a directory, to which nothing is written. Out: its plain files and links, but for what builds leave and what is a study's own.
"""

import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from jcarerun.errors import UserError

# What version control and editors keep in a project: never what it is made of.
_BESIDE = {".git", ".gradle", ".hg", ".idea", ".svn", ".vscode"}
# Where a build puts what it makes, by the file that it is described in.
_MADE = {"pom.xml": {"target"}, "build.gradle": {"build"}, "build.gradle.kts": {"build"}}

_MOST_FILES, _MOST_BYTES = 100_000, 1 << 30


def files(root: Path, but: frozenset[Path] = frozenset()) -> Iterator[Path]:
    """The paths below `root` of all plain files and links, in order; without those of `but` (absolute) and all below them."""
    count = size = 0
    for folder, folders, names in os.walk(root, onerror=_refuse):
        made = _BESIDE.union(*(_MADE[name] for name in names if name in _MADE))
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        folders[:] = sorted(
            name for name in folders if name not in {*made, *links} and Path(folder).resolve() / name not in but
        )
        for name in sorted([*names, *links]):
            path = Path(folder) / name
            if path.parent.resolve() / name in but:
                continue
            found = path.lstat()
            if not (stat.S_ISREG(found.st_mode) or stat.S_ISLNK(found.st_mode)):
                raise UserError(f"{path}: is neither a file nor a link; a project can't be built with it")
            count, size = count + 1, size + found.st_size
            if count > _MOST_FILES or size > _MOST_BYTES:
                raise UserError(
                    f"{root}: has more than {_MOST_FILES} files or {_MOST_BYTES >> 20} MiB; name the project's own directory"
                )
            yield path.relative_to(root)


def _refuse(error: OSError) -> None:
    raise UserError(f"{error.filename}: can't be read ({error.strerror}); give this user the right to it")


def digest(root: Path, but: frozenset[Path] = frozenset()) -> str:
    """SHA-256 over the names of the sources, which of them can be run, and what is in them."""
    whole = hashlib.sha256()
    for path in files(root, but):
        found = (root / path).lstat()
        if stat.S_ISLNK(found.st_mode):
            kind, content = b"link", str((root / path).readlink()).encode(errors="surrogateescape")
        else:
            kind = b"program" if found.st_mode & stat.S_IXUSR else b"file"
            content = (root / path).read_bytes()
        name = str(path).encode(errors="surrogateescape")
        whole.update(b"%b\0%b\0%d\0%b" % (kind, name, len(content), content))
    return whole.hexdigest()


def copy(root: Path, target: Path, owner: tuple[int, int], but: frozenset[Path] = frozenset()) -> None:
    """Copy the sources to the new directory `target`, links as links, all of it the owner's (user and group)."""
    target.mkdir(parents=True)
    for path in files(root, but):
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / path, target / path, follow_symlinks=False)
    give(target, owner)


def give(root: Path, owner: tuple[int, int]) -> None:
    """Make a directory and all below it a user's, where we may."""
    if os.getuid() != 0:
        return
    for folder, folders, names in os.walk(root):
        os.lchown(folder, *owner)
        for name in (*folders, *names):
            os.lchown(Path(folder) / name, *owner)
