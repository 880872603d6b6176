"""Projects of benchmarks that others wrote, and the jars that they were built to; nothing of them is run here.

In: an experiment file's `build`, and the lock beside it. Out: which jar in bench/target/subjects is what that builds now
(project_build.py makes it).
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import catalogue, lock
from jcarerun.subject import build_lock, jars, sources
from jcarerun.support.files import sha256
from jcarerun.support.textfile import where


@dataclass(frozen=True)
class Project:
    """A project and its recipe. experiment: the file that names them, whose directory paths begin at."""

    experiment: Path
    recipe: dict

    @property
    def what(self) -> str:
        """What messages call it."""
        return f"{where(self.experiment)}: build"

    @cached_property
    def root(self) -> Path:
        """The project's directory. Raises UserError where there is none, or where its jar would lie elsewhere."""
        found = self.experiment.parent / self.recipe["directory"]
        if not found.is_dir():
            raise UserError(
                f"{self.what}.directory: there is no directory {found}; correct the path, which begins at the experiment file's "
                "directory"
            )
        jar = Path(self.recipe["jar"])
        if jar.is_absolute() or ".." in jar.parts:
            raise UserError(f"{self.what}.jar: {jar} is outside the project; give the path from its directory on")
        return found.resolve()

    @cached_property
    def but(self) -> frozenset[Path]:
        """What is a study's own, where it lies in the project."""
        folder = self.experiment.parent.resolve()
        studies = {file.stem for file in folder.glob("*.lock")} | {self.experiment.stem}
        return frozenset(
            {folder / "results", *(folder / f"{name}{end}" for name in studies for end in (".yaml", ".lock"))}
        )

    @cached_property
    def sources(self) -> str:
        """SHA-256 of what it is built from."""
        return sources.digest(self.root, self.but)

    @property
    def lock(self) -> Path:
        """Where its lock is, or will be."""
        return build_lock.path_of(self.experiment)

    def record(self, fetched: dict[str, str]) -> Path:
        """Where it is written down which jar came of these sources, this recipe, these files and the toolchain."""
        toolchain = (lock.read(catalogue.PROJECTS) or {}).get("image_id")
        parts = [self.sources, *(self.recipe.get(key) for key in ("fetch", "command", "jar")), toolchain, fetched]
        name = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
        return jars.FOLDER / "built" / f"{name}.json"


def kept(project: Project) -> str | None:
    """SHA-256 of the project's jar as it was built from what is there now, or None. Raises UserError for another lock."""
    project.root  # noqa: B018  before anything is hashed: is there a project?
    locked = build_lock.read(project.lock)
    if locked is None or locked.sources != project.sources:
        return None
    try:
        jar = json.loads(project.record(locked.fetched).read_text())["jar"]
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return jar if jar == locked.jar and jars.file_of(jar).is_file() and sha256(jars.file_of(jar)) == jar else None


def jar_of(project: Project) -> str:
    """SHA-256 of the project's jar. Raises UserError where it is not built: reading an experiment runs nobody's code."""
    found = kept(project)
    if found is None:
        fetch = f"{project.recipe['fetch']!r} with network, then " if "fetch" in project.recipe else ""
        raise UserError(
            f"{project.what}: {project.root.name} is not built as it is now, and the plan needs its jar: in a container it takes "
            f"{fetch}{project.recipe['command']!r} without. Leave out -n, or `make build STUDY={where(project.experiment)}`"
        )
    return found
