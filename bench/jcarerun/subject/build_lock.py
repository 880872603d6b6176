"""What a project's build was made of and what it made, by SHA-256: a file beside the experiment's, held against later builds.

In and out: `<experiment>.lock`, lines of a SHA-256 and what it is of: `sources`, `jar`, or `fetched` and a file's name.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.support.files import sha256, write_file
from jcarerun.support.textfile import read_text

_LINE = re.compile(r"([0-9a-f]{64})  (sources|jar|fetched (?:[^\s/][^/\r\n]*/)*[^\s/][^/\r\n]*)")
_MOST_BYTES = 64 << 20
_HEAD = """\
# SHA-256 of what `build` of {name} took and made, held against every later build. Remove this file to have it written anew.
"""

# What Maven notes of a download, which differs from day to day and which it does without.
_NOTES = re.compile(
    r"_remote\.repositories|resolver-status\.properties|maven-metadata.*\.xml|.+\.(?:sha1|md5|sha256|sha512|lastUpdated|lock)"
)


@dataclass(frozen=True)
class BuildLock:
    """sources and jar: their SHA-256, empty until something was built. fetched: name to SHA-256.

    Names are below the home directory that the recipe was run with.
    """

    sources: str
    jar: str
    fetched: dict[str, str] = field(default_factory=dict)


def path_of(experiment: Path) -> Path:
    """The lock of an experiment file."""
    return experiment.with_suffix(".lock")


def read(file: Path) -> BuildLock | None:
    """The lock, or None where there is none. Raises UserError for one that can't be read."""
    if not file.exists():
        return None
    found = {}
    for number, line in enumerate(read_text(file, _MOST_BYTES).splitlines(), start=1):
        if line.startswith("#"):
            continue
        if (match := _LINE.fullmatch(line)) is None or ".." in match[2].split(" ", 1)[-1].split("/"):
            raise UserError(f"{file}: line {number}: is none of a lock; put it back as it was, or remove the file")
        found[match[2]] = match[1]
    own = {name.removeprefix("fetched "): digest for name, digest in found.items() if name.startswith("fetched ")}
    return BuildLock(found.get("sources", ""), found.get("jar", ""), own)


def write(file: Path, lock: BuildLock) -> None:
    """Write the lock."""
    lines = [f"{lock.sources}  sources", f"{lock.jar}  jar"] if lock.jar else []
    lines += [f"{digest}  fetched {name}" for name, digest in sorted(lock.fetched.items())]
    write_file(file, _HEAD.format(name=file.with_suffix(".yaml").name) + "\n".join(lines) + "\n")


def sums(home: Path) -> dict[str, str]:
    """Name to SHA-256 of the plain files that something fetched into `home`, without what is noted of their download."""
    found = {}
    for path in sorted(home.rglob("*")):
        if path.is_file() and not path.is_symlink() and not _NOTES.fullmatch(path.name):
            name = str(path.relative_to(home))
            if not name.isprintable() or _LINE.fullmatch(f"{'0' * 64}  fetched {name}") is None:
                raise UserError(f"{home.name}: {name!r} was fetched, a name that no lock can hold")
            found[name] = sha256(path)
    return found


def hold(file: Path, fetched: dict[str, str], locked: dict[str, str]) -> None:
    """Raise UserError where what was fetched is not what the lock lists."""
    differing = sorted(name for name in fetched.keys() | locked.keys() if fetched.get(name) != locked.get(name))
    if differing:
        name = differing[0]
        raise UserError(
            f"{file}: {name}: locked {locked.get(name, 'nothing')[:12]}, fetched {fetched.get(name, 'nothing')[:12]}"
            f"{f', and {len(differing) - 1} more' if len(differing) > 1 else ''}; put the lock back as it was, or remove it to "
            "take what there is now"
        )
