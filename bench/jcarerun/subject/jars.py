"""Jars of benchmarks that others built: kept by their SHA-256, and looked into without running anything of them.

In: an experiment file's `jar`. Out: a Subject, whose jars lie in bench/target/subjects. Refused in one line: other bytes than the
file says, a file that is no jar, a jar without JMH, one of a JMH that is too old.
"""

import re
import shutil
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import maven
from jcarerun.subject import benchmark_list
from jcarerun.subject.benchmark_list import Benchmark
from jcarerun.support.files import atomic_file, below, confined, sha256

FOLDER = Path("bench/target/subjects")

# Of JMH: what runs benchmarks, and the file that names the version.
_RUNNER, _PROPERTIES = "org/openjdk/jmh/runner/Runner.class", "jmh.properties"
_OLDEST = (1, 21)
_MOST_BYTES = 16 << 20

# A class file begins with these, two bytes of a minor version and two of a major one, which is 44 more than Java's own number.
_MAGIC, _BEFORE_JAVA = b"\xca\xfe\xba\xbe", 44


@dataclass(frozen=True)
class Subject:
    """The class path of some benchmarks: SHA-256 of each jar, what JMH knows of them, and JMH's version."""

    sums: tuple[str, ...]
    benchmarks: dict[str, Benchmark]
    jmh: str

    @property
    def files(self) -> list[Path]:
        """Where the jars lie, in the order of the class path."""
        return [file_of(digest) for digest in self.sums]

    def java(self, benchmarks: Iterable[str], what: str) -> int:
        """The oldest Java that can load the classes of these benchmarks and what JMH made of them; 0 where none is found.

        Raises UserError for a damaged jar.
        """
        return confined(lambda: self._java(benchmarks), what, _size(self.sums))

    def _java(self, benchmarks: Iterable[str]) -> int:
        types = {type_ for name in benchmarks for type_ in (name.rpartition(".")[0], self.benchmarks[name].generated)}
        heads = _bytes(self.files, (f"{type_.replace('.', '/')}.class" for type_ in types), 8)
        versions = (int.from_bytes(head[6:8], "big") - _BEFORE_JAVA for head in heads if head.startswith(_MAGIC))
        return max(versions, default=0)


def file_of(digest: str) -> Path:
    """Where a jar of that SHA-256 is kept."""
    return FOLDER / f"{digest}.jar"


def read(entry: dict, base: Path, what: str, fetch: bool = False) -> Subject:
    """The subject of an experiment file's `jar`, whose paths begin at `base`; `what` names it in messages.

    fetch: one of Maven's that is not here may be fetched; otherwise it is refused.
    """
    parts = [entry, *entry.get("needs", [])]
    sums = tuple(_kept(part, base, what, fetch) for part in parts)
    return confined(lambda: _inside(sums, what), what, _size(sums))


def _size(sums: tuple[str, ...]) -> int:
    """How much of a class path may be read, in bytes."""
    return min(sum(file_of(digest).stat().st_size for digest in sums), _MOST_BYTES)


def _inside(sums: tuple[str, ...], what: str) -> Subject:
    """What the jars of a class path say."""
    files = [file_of(digest) for digest in sums]
    lists = list(_texts(files, benchmark_list.FILE))
    if not lists:
        raise UserError(
            f"{what}: holds no JMH benchmarks ({benchmark_list.FILE} is missing); give the jar that JMH's annotation "
            "processor wrote to"
        )
    if not any(_has(file, _RUNNER) for file in files):
        raise UserError(
            f"{what}: JMH itself is not in it; build a jar with its dependencies, or name them under `needs`"
        )
    try:
        benchmarks = benchmark_list.read("\n".join(lists))
    except ValueError as error:
        raise UserError(f"{what}: {benchmark_list.FILE}: {error}; build it with a later JMH") from None
    return Subject(sums, benchmarks, _version(files, what))


def _version(files: list[Path], what: str) -> str:
    texts = list(_texts(files, _PROPERTIES))
    found = re.search(r"^jmh\.version=(\d+)\.(\d+)", "\n".join(texts), re.MULTILINE)
    if found and tuple(map(int, found.groups())) < _OLDEST:
        raise UserError(
            f"{what}: is of JMH {found[1]}.{found[2]}; build it with JMH {_OLDEST[0]}.{_OLDEST[1]} or later"
        )
    return f"{found[1]}.{found[2]}" if found else "unknown"


def _coordinates(text: str) -> str:
    """`group:artifact:version:classifier` as Maven has it, which wants the packaging in between."""
    parts = text.split(":")
    return ":".join([*parts[:3], "jar", parts[3]]) if len(parts) == 4 else text


def _kept(part: dict, base: Path, what: str, fetch: bool) -> str:
    """Keep a jar under its SHA-256, which it returns."""
    digest = part["sha256"]
    target = file_of(digest)
    if "path" in part:
        source = below(base, part["path"], f"{what}.path")
        if (own := sha256(source)) != digest:
            raise UserError(
                f"{what}.sha256: {digest} expected, {source} has {own}; it was changed: correct one of the two"
            )
        if not target.is_file() or sha256(target) != digest:
            with atomic_file(target) as copy:
                shutil.copyfile(source, copy)
    if not target.is_file() or sha256(target) != digest:
        if not fetch:
            raise UserError(
                f"{what}: {part['maven']} is not here, and only a run that measures fetches it; measure with it first, or "
                f"put the jar of that SHA-256 at {target}"
            )
        maven.take_named(_coordinates(part["maven"]), digest, target, what)
    if not zipfile.is_zipfile(target):
        raise UserError(f"{what}: {part.get('path', part.get('maven'))} is no jar")
    return digest


def _has(file: Path, name: str) -> bool:
    with zipfile.ZipFile(file) as archive:
        return name in archive.NameToInfo


def _bytes(files: list[Path], names: Iterable[str], most: int) -> Iterator[bytes]:
    """The first bytes of every file of these names in some jars. Each jar is opened once: its list of files may be long."""
    names = list(names)
    for file in files:
        with zipfile.ZipFile(file) as archive:
            for name in names:
                if name in archive.NameToInfo:
                    with archive.open(name) as content:
                        yield content.read(most)


def _texts(files: list[Path], name: str) -> Iterator[str]:
    for content in _bytes(files, [name], _MOST_BYTES):
        yield content.decode("utf-8")
