"""Reads environments.yaml into environments: what each is to be made of, before anything is built.

In: envs/environments.yaml. Out: a Catalogue. Refuses what can't be built, with file, key, value and mend.
"""

from dataclasses import dataclass
from pathlib import Path

from envs.builder.errors import UserError
from envs.builder.yamlfile import load_checked, nearest

ENVS = Path("envs")
HOST = "host"


@dataclass(frozen=True)
class Jdk:
    """A JDK: either the bytes of a wheel (`wheel`, `sha256`) or a Debian package (`package`, `home`)."""

    id: str
    label: str
    java: int
    wheel: dict | None
    sha256: str | None
    package: str | None
    home: str | None


@dataclass(frozen=True)
class Environment:
    """An operating system with a JDK. `rootfs` names the file system it shares with its sisters."""

    id: str
    label: str
    system: str
    system_label: str
    suite: str
    check_valid_until: bool
    jdk: Jdk | None
    packages: tuple[str, ...]
    tags: tuple[str, ...]

    @property
    def rootfs(self) -> str:
        """Id of the root file system: the system, and the packages put on top of it."""
        extra = self.jdk.package if self.jdk else self.id
        return f"{self.system}-{extra}" if extra else self.system


@dataclass(frozen=True)
class Catalogue:
    """Every environment by id, in file order, and the analysis image."""

    environments: dict[str, Environment]
    analysis: Environment

    def find(self, name: str) -> Environment:
        """The environment, or the analysis image, of that id. Raises UserError if there is none."""
        if name == self.analysis.id:
            return self.analysis
        if name not in self.environments:
            raise UserError(
                f"envs/environments.yaml: environments.{name}: no such entry; {nearest(name, self.environments)}"
            )
        return self.environments[name]

    def rootfs(self, name: str) -> Environment:
        """Some environment that lies on the root file system of that id."""
        for environment in (*self.environments.values(), self.analysis):
            if environment.rootfs == name:
                return environment
        raise UserError(f"envs/environments.yaml: no environment has the root file system {name!r}")


def _jdk(path: Path, name: str, entry: dict) -> Jdk:
    place = f"{path}: jdks.{name}"
    wheel, package = entry.get("wheel"), entry.get("package")
    if (wheel is None) == (package is None):
        raise UserError(f"{place}: must have either a wheel or a package; give exactly one of the two")
    if wheel and "sha256" not in entry:
        raise UserError(f"{place}.sha256: missing; add the wheel's SHA-256, without it no JDK is taken in")
    if package and "home" not in entry:
        raise UserError(f"{place}.home: missing; add the JDK's directory in the image")
    return Jdk(name, entry["label"], entry["java"], wheel, entry.get("sha256"), package, entry.get("home"))


def read(path: Path = ENVS / "environments.yaml") -> Catalogue:
    """Read and check the file. Raises UserError in one line for anything that can't be built."""
    data = load_checked(path, ENVS / "environments.schema.yaml")
    systems = data["systems"]
    jdks = {name: _jdk(path, name, entry) for name, entry in data["jdks"].items()}

    def system(place: str, name: str) -> dict:
        if name not in systems:
            raise UserError(f"{path}: {place}.system: {name!r} is no entry of systems; {nearest(name, systems)}")
        return systems[name]

    def environment(name: str, entry: dict) -> Environment:
        place = f"environments.{name}"
        if name in (HOST, "analysis"):
            raise UserError(f"{path}: {place}: the id {name!r} is taken by the pipeline; choose another")
        if entry["jdk"] not in jdks:
            raise UserError(f"{path}: {place}.jdk: {entry['jdk']!r} is no entry of jdks; {nearest(entry['jdk'], jdks)}")
        base, jdk = system(place, entry["system"]), jdks[entry["jdk"]]
        packages = (jdk.package,) if jdk.package else ()
        return Environment(
            name, f"{base['label']}, {jdk.label}", entry["system"], base["label"], base["suite"],
            base.get("check_valid_until", True), jdk, packages, tuple(entry["tags"]),
        )  # fmt: skip

    analysis = data["analysis"]
    base = system("analysis", analysis["system"])
    image = Environment(
        "analysis", f"{base['label']}, R", analysis["system"], base["label"], base["suite"],
        base.get("check_valid_until", True), None, tuple(analysis["packages"]), (),
    )  # fmt: skip
    return Catalogue({name: environment(name, entry) for name, entry in data["environments"].items()}, image)
