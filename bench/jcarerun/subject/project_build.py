"""Builds a project of benchmarks to its jar: what it needs is fetched and locked, then it is built offline.

In: a Project. Out: the jar in bench/target/subjects, and the lock beside the experiment. Both commands run in containers as an
ordinary user, on copies: `fetch` with network and a home directory that it fills, `command` without, and with what of that home
the lock lists. Nothing is run where this was built before.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import catalogue, image
from jcarerun.subject import build_lock, jars, sources
from jcarerun.subject.build_lock import BuildLock
from jcarerun.subject.projects import Project, kept
from jcarerun.support import engine as engines
from jcarerun.support import trust
from jcarerun.support.files import held, sha256, write_json
from jcarerun.support.textfile import where

LOGS = Path("data/logs/build")
JDKS = Path("envs/cache/jdks")

_MOST_BYTES = 1 << 30
_LONGEST_S = 3600


def build(project: Project, engine: str) -> str:
    """SHA-256 of the project's jar, built if it isn't there. Raises UserError with the last words of what failed."""
    with held(jars.FOLDER):
        if found := kept(project):
            return found
        if engine == engines.HOST:
            raise UserError(f"{project.what}: projects are built in containers; choose engine docker or podman")
        engines.require(engine)
        locked = build_lock.read(project.lock)
        with tempfile.TemporaryDirectory(dir=jars.FOLDER, prefix=".building-", ignore_cleanup_errors=True) as scratch:
            return _Building(project, engine, _image(engine), Path(scratch), locked).jar()


def _image(engine: str) -> str:
    """The toolchain's image, made if it isn't there."""
    toolchain = catalogue.read().projects
    if not image.record_path(toolchain.id).exists():
        argv = [sys.executable, "-m", "jcarerun.images", "ready", "--engine", engine, toolchain.id]
        if subprocess.run(argv, stdin=subprocess.DEVNULL).returncode != 0:
            raise UserError("the image that projects are built in can't be made; the reason is above")
    return image.ensure(engine, toolchain, JDKS)


@dataclass(frozen=True)
class _Building:
    """One build. scratch: an empty directory of ours; locked: the lock as it was before."""

    project: Project
    engine: str
    image_id: str
    scratch: Path
    locked: BuildLock | None

    def jar(self) -> str:
        before = self.locked
        home = self._fetched(before.fetched if before else None)
        fetched = build_lock.sums(home)
        folder = self._folder("made")
        shutil.copytree(home, folder / "home")
        self._run("command", folder)
        jar = self._taken(folder / "project" / self.project.recipe["jar"])
        self._say_of_jar(jar)
        build_lock.write(self.project.lock, BuildLock(self.project.sources, jar, fetched))
        write_json(self.project.record(fetched), {"jar": jar, "image_id": self.image_id})
        return jar

    def _folder(self, name: str) -> Path:
        folder = self.scratch / name
        sources.copy(self.project.root, folder / "project", engines.user(self.engine), self.project.but)
        return folder

    def _fetched(self, locked: dict[str, str] | None) -> Path:
        """A home directory with exactly what the lock lists, kept by its content; with what is fetched where there is no lock."""
        if "fetch" not in self.project.recipe:
            empty = self.scratch / "nothing"
            empty.mkdir()
            build_lock.hold(self.project.lock, {}, locked or {})
            return empty
        if locked and (there := _cache(locked)).is_dir() and build_lock.sums(there) == locked:
            return there
        folder = self._folder("fetching")
        (folder / "home").mkdir()
        self._run("fetch", folder)
        found = build_lock.sums(folder / "home")
        if locked is not None:
            build_lock.hold(self.project.lock, found, locked)
        else:
            size = sum((folder / "home" / name).stat().st_size for name in found)
            self._say(
                f"{len(found)} files ({size / 1e6:.0f} MB) fetched; their SHA-256 go into {where(self.project.lock)}"
            )
        there = self._cached(folder / "home", found)
        if locked is None:  # at once: a command that fails is tried again without fetching
            build_lock.write(self.project.lock, BuildLock("", "", found))
        return there

    def _cached(self, home: Path, names: dict[str, str]) -> Path:
        """Keep these files of a home directory, and no others."""
        target, part = _cache(names), self.scratch / "cache"
        part.mkdir()
        for name in names:
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(home / name, part / name)
            (part / name).chmod(0o755 if (home / name).stat().st_mode & 0o100 else 0o644)
        shutil.rmtree(target, ignore_errors=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        part.rename(target)
        return target

    def _run(self, key: str, folder: Path) -> None:
        line = self.project.recipe[key]
        sources.give(folder, engines.user(self.engine))
        log = LOGS / f"{self.project.experiment.stem}-{key}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        self._say(f"{line!r} runs in a container {'with' if key == 'fetch' else 'without'} network ({log})")
        name = f"jca-rerun-{os.getpid()}-build"
        fetching = key == "fetch"
        store = trust.for_java() if fetching else None
        argv = engines.building_command(self.engine, self.image_id, name, folder, line, fetching, store)
        with log.open("w") as said:
            try:
                run = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=said, stderr=said, timeout=_LONGEST_S)
            except subprocess.TimeoutExpired:
                raise UserError(
                    f"{self.project.what}.{key}: takes more than {_LONGEST_S // 60} minutes; see {log}"
                ) from None
            finally:
                engines.kill(self.engine, name)
        if run.returncode != 0:
            remedy = (
                f"; where it needs other files than {self.project.lock.name} lists, remove that" if self.locked else ""
            )
            raise UserError(
                f"{self.project.what}.{key}: failed (status {run.returncode}): {_last(log)}; all it said is in {log}{remedy}"
            )

    def _taken(self, made: Path) -> str:
        """Keep the jar that was built, which is a plain file in the copied project; what its build left is not trusted."""
        asked = self.project.recipe["jar"]
        if made.is_symlink() or made.resolve() != made.parent.resolve() / made.name or not made.is_file():
            raise UserError(f"{self.project.what}.jar: the build left no file {asked}; correct the path or the command")
        if not made.resolve().is_relative_to(self.scratch.resolve()):
            raise UserError(
                f"{self.project.what}.jar: {asked} leads out of the project by a link; give the file itself"
            )
        if made.stat().st_size > _MOST_BYTES:
            raise UserError(f"{self.project.what}.jar: {asked} has more than {_MOST_BYTES >> 20} MiB; name another")
        digest = sha256(made)
        part = jars.FOLDER / f"{digest}.{os.getpid()}.part"
        shutil.copyfile(made, part)
        part.rename(jars.file_of(digest))
        return digest

    def _say_of_jar(self, jar: str) -> None:
        before = self.locked
        if before and before.sources == self.project.sources and before.jar != jar:
            self._say(
                f"the same sources gave another jar than the lock has ({before.jar[:12]}, now {jar[:12]}): what was measured of "
                "that one is not this one's. -Dproject.build.outputTimestamp=1 makes Maven's jars the same bytes each time"
            )
        elif before and before.jar and before.sources != self.project.sources:
            self._say("the sources are others than those in the lock: built anew, and measured anew")

    def _say(self, words: str) -> None:
        print(f"{self.project.what}: {words}", file=sys.stderr)


def _cache(fetched: dict[str, str]) -> Path:
    name = hashlib.sha256(json.dumps(fetched, sort_keys=True).encode()).hexdigest()
    return jars.FOLDER / "fetched" / name


def _last(log: Path) -> str:
    """The line that says most of why it failed: the first that is called an error, else the last."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"\[ERROR\]|\berror:", line, re.IGNORECASE)]
    return (errors or lines[-1:] or ["no message"])[0][:300]
