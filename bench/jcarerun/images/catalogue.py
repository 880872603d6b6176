"""Reads environments.yaml into environments: what each is to be made of, before anything is built.

In: envs/environments.yaml. Out: a Catalogue. Refuses what can't be built, with file, key, value and remedy. The flags that a
JDK's JVM knows are in envs/jvm_flags.json: a plan knows what an environment lacks before anything is built.
"""

import json
import platform as machines
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.support.yamlfile import load_checked, nearest

ENVS = Path("envs")
FILE = ENVS / "environments.yaml"
HOST = "host"
IMAGE = "image"
TOOLCHAIN = "toolchain-"
SOURCES = ("wheel", "package", "tarball")

FLAGS_FILE = ENVS / "jvm_flags.json"
# Flags whose presence is recorded: the intrinsics', and the switches above them.
RECORDED_FLAGS = re.compile(r"Use\w+Intrinsics?|Use(AES|SHA|CLMUL|SSE|AVX)")
_FLAG_OPTION = re.compile(r"-XX:[+-]?(\w+)(=.*)?")

# What Debian calls the processors that Python names so; AMD64 is the first of them for both.
AMD64 = "amd64"
_ARCHITECTURES = {"x86_64": AMD64, "AMD64": AMD64, "aarch64": "arm64"}


def here() -> str:
    """The architecture of this machine, as Debian calls it."""
    return _ARCHITECTURES.get(machines.machine(), machines.machine())


@dataclass(frozen=True)
class Jdk:
    """A JDK for one platform, from one source.

    wheel: `name`, `version` and `platform`. package: a Debian package, whose directory in the image is `home`. tarball: an
    address or a path. sha256: of the wheel or the tarball. An image of a registry brings its own and has none of them.
    """

    id: str
    label: str
    java: int
    wheel: dict | None = None
    sha256: str | None = None
    package: str | None = None
    home: str | None = None
    tarball: str | None = None


@dataclass(frozen=True)
class Environment:
    """An operating system with a JDK, or an image of a registry (`image`: name@sha256:...).

    platform: what the JDK is built for, linux or windows. architecture: the processor's, as Debian calls it. caveat: what must be
    said beside every result, or None. rootfs: id of the root file system that it shares with its sisters; none for an image.
    jvm_options: of every fork there.
    """

    id: str
    label: str
    system: str
    system_label: str
    suite: str | None
    check_valid_until: bool
    jdk: Jdk | None
    packages: tuple[str, ...]
    tags: tuple[str, ...]
    platform: str = "linux"
    caveat: str | None = None
    image: str | None = None
    rootfs: str | None = None
    jvm_options: tuple[str, ...] = ()
    architecture: str = AMD64

    @property
    def elsewhere(self) -> bool:
        """Whether it is for other processors than this machine's: it can be locked here, and no more.

        An image of a registry is for whatever it was made for, which the engine says when it is pulled.
        """
        return self.image is None and self.architecture != here()


@dataclass(frozen=True)
class Catalogue:
    """Every environment by id, in file order, and the images where nothing is measured: compilers by system, and R."""

    environments: dict[str, Environment]
    toolchains: dict[str, Environment]
    analysis: Environment

    def every(self) -> list[Environment]:
        """All environments, the analysis image last."""
        return [*self.environments.values(), *self.toolchains.values(), self.analysis]

    def find(self, name: str) -> Environment:
        """The environment, toolchain or analysis image of that id. Raises UserError if there is none."""
        for environment in (*self.toolchains.values(), self.analysis):
            if name == environment.id:
                return environment
        if name not in self.environments:
            raise UserError(f"{FILE}: environments.{name}: no such entry; {nearest(name, self.environments)}")
        return self.environments[name]

    def on_rootfs(self, name: str) -> list[Environment]:
        """The environments that lie on the root file system of that id. Raises UserError if there is none."""
        found = [environment for environment in self.every() if environment.rootfs == name]
        if not found:
            raise UserError(f"{FILE}: no environment has the root file system {name!r}")
        return found

    def rootfs(self, name: str) -> Environment:
        """Some environment that lies on the root file system of that id."""
        return self.on_rootfs(name)[0]


class _Reader:
    """Turns the parsed file into environments; `path` is named in every refusal."""

    def __init__(self, path: Path, data: dict):
        self.path, self.systems, self.jdks = path, data["systems"], data["jdks"]
        for name, entry in self.jdks.items():
            self._check_jdk(f"jdks.{name}", entry)

    def _refuse(self, place: str, words: str) -> UserError:
        return UserError(f"{self.path}: {place}: {words}")

    def _check_jdk(self, place: str, entry: dict) -> None:
        given = [source for source in SOURCES if source in entry]
        if len(given) != 1:
            raise self._refuse(
                place,
                f"must have one of wheel, package or tarball, has {' and '.join(given) or 'none'}; give exactly one",
            )
        for key, source in (("files", "wheel"), ("home", "package")):
            if source in entry and key not in entry:
                remedy = "add platform and SHA-256, without it no JDK is taken in" if key == "files" else "add it"
                raise self._refuse(f"{place}.{key}", f"missing; {remedy}")
            if key in entry and source not in entry:
                raise self._refuse(f"{place}.{key}", f"goes with a {source} only; remove it")

    def _system(self, place: str, name: str) -> dict:
        if name not in self.systems:
            raise self._refuse(f"{place}.system", f"{name!r} is no entry of systems; {nearest(name, self.systems)}")
        return self.systems[name]

    def _jdk(self, place: str, name: str, base: dict) -> Jdk:
        platform, architecture = base.get("platform", "linux"), base.get("architecture", AMD64)
        platform += "" if architecture == AMD64 else f"-{architecture}"
        if name not in self.jdks:
            raise self._refuse(f"{place}.jdk", f"{name!r} is no entry of jdks; {nearest(name, self.jdks)}")
        entry = self.jdks[name]
        if "wheel" in entry:
            if platform not in entry["files"]:
                raise self._refuse(
                    f"{place}.jdk", f"{name!r} has no file for {platform}; add jdks.{name}.files.{platform}"
                )
            file = entry["files"][platform]
            wheel = {**entry["wheel"], "platform": file["platform"]}
            return Jdk(name, entry["label"], entry["java"], wheel=wheel, sha256=file["sha256"])
        if platform != "linux":
            raise self._refuse(
                f"{place}.jdk", f"{name!r} is no wheel, {platform} needs one; choose a jdk with files.{platform}"
            )
        if "tarball" in entry:
            ball = entry["tarball"]
            return Jdk(name, entry["label"], entry["java"], tarball=ball["url"], sha256=ball["sha256"])
        return Jdk(name, entry["label"], entry["java"], package=entry["package"], home=entry["home"])

    def _of_image(self, name: str, place: str, entry: dict) -> Environment:
        for key in ("system", "jdk"):
            if key in entry:
                raise self._refuse(f"{place}.{key}", "an image brings its own; remove this or image")
        for key in ("label", "java"):
            if key not in entry:
                raise self._refuse(f"{place}.{key}", "missing; an image needs it")
        jdk = Jdk(name, f"Java {entry['java']} of {entry['label']}", entry["java"])
        return Environment(
            name, entry["label"], IMAGE, entry["label"], None, True, jdk, (), tuple(entry["tags"]), image=entry["image"]
        )

    def environment(self, name: str, entry: dict) -> Environment:
        place = f"environments.{name}"
        if name in (HOST, "analysis") or name.startswith(("kit-", TOOLCHAIN)):
            raise self._refuse(place, f"the id {name!r} is taken by the pipeline; choose another")
        if "image" in entry:
            return self._of_image(name, place, entry)
        for key in ("label", "java"):
            if key in entry:
                raise self._refuse(f"{place}.{key}", "goes with an image only; remove it")
        for key in ("system", "jdk"):
            if key not in entry:
                raise self._refuse(f"{place}.{key}", "missing; give a system and a jdk, or an image")
        jdk = self._jdk(place, entry["jdk"], self._system(place, entry["system"]))
        return self._on_system(
            name, entry["system"], [jdk.package] if jdk.package else [], jdk.label, jdk, entry["tags"]
        )

    def analysis(self, entry: dict) -> Environment:
        self._system("analysis", entry["system"])
        return self._on_system("analysis", entry["system"], entry["packages"], "R")

    def toolchain(self, system: str, packages: list) -> Environment:
        self._system(f"toolchains.{system}", system)
        return self._on_system(f"{TOOLCHAIN}{system}", system, packages, "compilers")

    def _on_system(
        self, name: str, system: str, extra: list, what: str, jdk: Jdk | None = None, tags: Iterable[str] = ()
    ) -> Environment:
        base = self.systems[system]
        rootfs = f"{system}-{jdk.package if jdk else name.removesuffix(f'-{system}')}" if extra else system
        return Environment(
            id=name, label=f"{base['label']}, {what}", system=system, system_label=base["label"],
            suite=base["suite"], check_valid_until=base.get("check_valid_until", True), jdk=jdk,
            packages=(*base.get("packages", ()), *extra), tags=tuple(tags), platform=base.get("platform", "linux"),
            caveat=base.get("caveat"), rootfs=rootfs, jvm_options=tuple(base.get("jvm_options", ())),
            architecture=base.get("architecture", AMD64),
        )  # fmt: skip


def read(path: Path = FILE) -> Catalogue:
    """Read and check the file. Raises UserError in one line for anything that can't be built."""
    data = load_checked(path, Path("bench/schemas/environments.schema.yaml"))
    reader = _Reader(path, data)
    environments = {name: reader.environment(name, entry) for name, entry in data["environments"].items()}
    toolchains = {system: reader.toolchain(system, packages) for system, packages in data["toolchains"].items()}
    return Catalogue(environments, toolchains, reader.analysis(data["analysis"]))


def flag_names(options: Iterable[str]) -> list[str]:
    """The names of HotSpot's flags among some JVM options: `UseAVX` of `-XX:UseAVX=2`."""
    return [match[1] for option in options if (match := _FLAG_OPTION.fullmatch(option))]


@cache
def recorded_flags() -> dict[str, frozenset[str]]:
    """JDK to its recorded flags; a JDK that was never asked is not among them."""
    return {jdk: frozenset(names) for jdk, names in json.loads(FLAGS_FILE.read_text()).items()}
