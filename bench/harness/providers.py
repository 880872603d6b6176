"""Reads providers.yaml: what each JCA provider is, what it offers, and how the benchmark jar is told to load it."""

from dataclasses import dataclass
from pathlib import Path

from envs.builder.errors import UserError
from envs.builder.yamlfile import load_checked

FILE = Path("bench/providers.yaml")

# Where a user puts the jars that no registry has.
DROP_IN = Path("bench/providers")


@dataclass(frozen=True)
class Provider:
    """A JCA provider at a version.

    `installed` names one of the JDK's own; else `jar` (Maven coordinates) or `file` (a jar that no registry has, in DROP_IN),
    with `sha256` and `class_name`.
    """

    id: str
    label: str
    installed: str | None
    jar: str | None
    sha256: str | None
    class_name: str | None
    offers: frozenset[str]
    file: str | None = None
    remarks: str | None = None

    def jvm_argument(self, jars: str) -> str:
        """The system property by which the benchmark jar finds it; `jars` is the directory of provider jars."""
        target = self.installed or f"{self.class_name}@{jars}/{self.id}.jar"
        return f"-Djcarerun.provider.{self.id}={target}"


def read(path: Path = FILE) -> dict[str, Provider]:
    """Provider id to Provider. Raises UserError for an entry that is neither installed nor a hashed jar."""
    providers = {}
    for name, entry in load_checked(path, path.with_suffix(".schema.yaml")).items():
        if len({"installed", "jar", "file"} & entry.keys()) != 1:
            raise UserError(f"{path}: {name}: must have either installed or jar or file; give exactly one of the three")
        for key in ("sha256", "class"):
            if "installed" not in entry and key not in entry:
                raise UserError(f"{path}: {name}.{key}: missing; a jar needs its {key}")
        providers[name] = Provider(
            name, entry["label"], entry.get("installed"), entry.get("jar"), entry.get("sha256"), entry.get("class"),
            frozenset(entry["offers"]), entry.get("file"), entry.get("remarks"),
        )  # fmt: skip
    return providers
