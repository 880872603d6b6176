"""Providers: what each is by providers.yaml, how the benchmark jar loads it, and what it offers, as it says itself.

What they offer is asked in an environment's image, and kept.
"""

import json
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import image
from jcarerun.images.catalogue import HOST
from jcarerun.rounds import forks
from jcarerun.rounds.forks import NATIVE
from jcarerun.run.container import JAR, JARS
from jcarerun.support import engine as engines
from jcarerun.support.files import write_file
from jcarerun.support.yamlfile import load_checked

FILE = Path("bench/providers.yaml")
SCHEMA = Path("bench/schemas/providers.schema.yaml")

# Where forks see the native programs of their system.
PROGRAMS = "/bench/native"

# Where a user puts the jars that no registry has.
DROP_IN = Path("bench/providers")

OFFERS = Path("bench/target/algorithms")
# Of the class that asks: another version of it asks again.
ASKING_CLASS = Path("bench/jmh/src/main/java/jcarerun/AlgorithmList.java")
LOAD_ERROR = "error"


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


@dataclass(frozen=True)
class Offer:
    """An algorithm of a provider. service: the JCA's name for its kind. jca: the JCA provider that has it."""

    provider: str
    service: str
    algorithm: str
    jca: str


def offers(engine: str, environment: str, providers: Iterable[Provider]) -> list[Offer]:
    """What providers offer in an environment. A provider that cannot be loaded there offers nothing. Needs jar and image."""
    asked = [each for each in providers if not each.native]
    image_id = "" if engine == engines.HOST or environment == HOST else image.read_record(environment)["image_id"]
    identity = [image_id, ASKING_CLASS.read_text(), *([each.id, each.sha256] for each in asked)]
    digest = sha256(json.dumps(identity).encode()).hexdigest()[:16]
    file = OFFERS / f"{environment}-{digest}.tsv"
    if not file.is_file() or not image_id:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, _ask(engine, image_id, asked))
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    return [Offer(*row) for row in rows if len(row) == 4 and row[1] != LOAD_ERROR]


def _ask(engine: str, image_id: str, providers: list[Provider]) -> str:
    found = [each.jvm_argument(str(JARS.resolve())) for each in providers]
    argv = [
        "java",
        *filter(None, found),
        "-cp",
        str(JAR.resolve()),
        "jcarerun.AlgorithmList",
        *(p.id for p in providers),
    ]
    run = subprocess.run(
        engines.analysis_command(engine, image_id, argv), capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    if run.returncode != 0:
        last = (run.stderr or run.stdout).strip().splitlines() or ["no message"]
        raise UserError(f"the providers could not be asked what they offer: {last[-1]}; run `jca-rerun check-machine`")
    return run.stdout
