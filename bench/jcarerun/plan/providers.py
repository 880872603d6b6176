"""Reads providers.yaml: what each JCA provider is, what it offers, and how the benchmark jar is told to load it."""

from dataclasses import dataclass, field
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.rounds import forks
from jcarerun.rounds.forks import NATIVE
from jcarerun.support.yamlfile import load_checked

FILE = Path("bench/providers.yaml")
SCHEMA = Path("bench/schemas/providers.schema.yaml")

# Where forks see the native programs of their system.
PROGRAMS = "/bench/native"

# Where a user puts the jars that no registry has.
DROP_IN = Path("bench/providers")


@dataclass(frozen=True)
class Jar:
    """A jar that a provider is loaded from. `coordinates`: Maven's, None for one in DROP_IN, whose name is `file`."""

    name: str
    sha256: str
    coordinates: str | None = None
    file: str | None = None


@dataclass(frozen=True)
class Provider:
    """A JCA provider at a version, or a native library.

    `installed` names one of the JDK's own; else `jar` (Maven coordinates) or `file` (a jar that no registry has, in DROP_IN),
    with `sha256` and `class_name`; or `native` names a library of bench/native. `needs`: coordinates and SHA-256 of jars that
    its own one can't be loaded without. `features`: of the CPU, beyond what a Core 2 had, by algorithm.
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
    native: str | None = None
    needs: tuple[tuple[str, str], ...] = ()
    features: dict[str, list[str]] = field(default_factory=dict, compare=False)

    @property
    def jars(self) -> list[Jar]:
        """What it is loaded from, its own jar first; nothing for one of the JDK's own or a native library."""
        if not self.sha256:
            return []
        more = [Jar(f"{self.id}.{n}.jar", digest, jar) for n, (jar, digest) in enumerate(self.needs, start=2)]
        return [Jar(f"{self.id}.jar", self.sha256, self.jar, self.file), *more]

    def jvm_argument(self, jars: str) -> str | None:
        """The system property by which the benchmark jar finds it.

        jars: the directory of the providers' jars. None for DEFAULT_PROVIDER.
        """
        if self.id == DEFAULT_PROVIDER.id:
            return None
        paths = ",".join(f"{jars}/{jar.name}" for jar in self.jars)
        program = f"{NATIVE}{PROGRAMS}/jca-native-{self.native}" if self.native else None
        target = program or self.installed or f"{self.class_name}@{paths}"
        return f"-Djcarerun.provider.{self.id}={target}"


# Of benchmarks that aren't ours, which find their providers themselves, if they use any.
DEFAULT_PROVIDER = Provider(forks.DEFAULT_PROVIDER, "its own", None, None, None, None, frozenset())


def read(path: Path = FILE) -> dict[str, Provider]:
    """Provider id to Provider. Raises UserError for an entry that is neither installed nor a hashed jar."""
    providers = {}
    for name, entry in load_checked(path, SCHEMA).items():
        if len({"installed", "jar", "file", "native"} & entry.keys()) != 1:
            raise UserError(f"{path}: {name}: must have installed, jar, file or native; give exactly one of the four")
        for key in ("sha256", "class"):
            if {"jar", "file"} & entry.keys() and key not in entry:
                raise UserError(f"{path}: {name}.{key}: missing; a jar needs its {key}")
        if ("native" in entry) == ("offers" in entry):
            remedy = "remove it: a native library is asked" if "native" in entry else "missing; name what it has"
            raise UserError(f"{path}: {name}.offers: {remedy}")
        providers[name] = Provider(
            name, entry["label"], entry.get("installed"), entry.get("jar"), entry.get("sha256"), entry.get("class"),
            frozenset(entry.get("offers", ())), entry.get("file"), entry.get("remarks"), entry.get("native"),
            tuple((jar["jar"], jar["sha256"]) for jar in entry.get("needs", ())), entry.get("features", {}),
        )  # fmt: skip
    return providers
