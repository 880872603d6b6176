"""Environments as the analysis knows them, and environments and JDKs by what people call them: `25`, `temurin-25`, an id.

The entries of definitions.json: environments of the catalogue, then those that only rounds know (host, kit, somebody else's).
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images.catalogue import Catalogue, Environment
from jcarerun.plan.claim_rows import MeasuredCell
from jcarerun.plan.claim_words import level_words
from jcarerun.rounds import record
from jcarerun.rounds.tree import InvalidRound
from jcarerun.support.yamlfile import nearest

UNKNOWN = "not in the catalogue"
# What Temurin's JVMs say of their vendor.
TEMURIN = "Eclipse Adoptium"

# The environments that stand for a JDK where nobody says on which system.
SERIES = "jdk-series"
_JAVA = re.compile(r"(?:jdk-?|java-?)?([1-9][0-9]?)", re.IGNORECASE)


def _listed(name: str, entry: Environment) -> dict:
    jdk = entry.jdk
    return {
        "id": name, "label": entry.label, "os": entry.system_label, "system": entry.system, "platform": entry.platform,
        "caveat": entry.caveat, "jdk": jdk.label if jdk else UNKNOWN, "jdk_id": jdk.id if jdk else None,
        "java": jdk.java if jdk else None, "tags": list(entry.tags),
    }  # fmt: skip


def _record(raw: Path, paths: Iterable[str]) -> dict:
    """The first environment record of some rounds that can be read; rounds that are not whole are refused elsewhere."""
    for path in paths:
        try:
            return record.read_object(raw / path, "environment.json")
        except (UserError, InvalidRound):
            continue
    return {}


def _known_from_rounds(name: str, record: dict, catalogue: Catalogue) -> dict:
    jdk = record.get("jdk") if isinstance(record.get("jdk"), dict) else {}
    caveat = record.get("caveat")
    # Of no entry of systems: it stands for itself, so that it is no other one. Wine is Wine wherever it runs.
    known = catalogue.environments.values()
    system = next((each.system for each in known if caveat and each.caveat == caveat), name)
    return {
        "id": name, "label": record.get("label") or name, "os": record.get("system") or UNKNOWN,
        "system": system, "platform": record.get("platform"), "caveat": caveat,
        "jdk": jdk.get("label") or UNKNOWN, "jdk_id": _release(jdk, catalogue), "java": jdk.get("java"), "tags": [],
    }  # fmt: skip


def _release(jdk: dict, catalogue: Catalogue) -> str | None:
    """The catalogue's id of the same release of Temurin, whose builds differ by system alone; else the JDK's own id."""
    label, version = str(jdk.get("label")), str(jdk.get("id")).partition("+")[0]
    known = {environment.jdk.id for environment in catalogue.environments.values() if environment.jdk}
    return f"temurin-{version}" if label.startswith(TEMURIN) and f"temurin-{version}" in known else jdk.get("id")


def described(catalogue: Catalogue, raw: Path = Path(), paths: Iterable[str] = ()) -> list[dict]:
    """Every environment of the catalogue, and those that only the rounds at `paths` below `raw` know."""
    listed = [_listed(name, entry) for name, entry in catalogue.environments.items()]
    others: dict[str, list[str]] = {}
    for path in paths:
        if (name := path.split("/")[1]) not in catalogue.environments:
            others.setdefault(name, []).append(path)
    return listed + [_known_from_rounds(name, _record(raw, own), catalogue) for name, own in sorted(others.items())]


class EnvironmentWords:
    """System, platform and JDK of environments, with their labels, from the entries of definitions.json.

    An environment whose system or JDK is unknown is a system and a JDK of its own, so that it equals no other.
    """

    def __init__(self, entries: Iterable[dict]):
        self._entries = {entry["id"]: entry for entry in entries}

    def parts(self, environment: str) -> dict[str, str]:
        """Level by the name that a claim's filter has for it."""
        entry = self._entries.get(environment, {})
        known = {name: entry.get(key) for name, key in (("system", "system"), ("jdk", "jdk_id"))}
        own = {name: environment if value in (None, "image") else value for name, value in known.items()}
        return {"system": own["system"], "platform": entry.get("platform") or "", "jdk": own["jdk"]}

    def levels(
        self, environment: str, workload: str, provider: str, cpu_profile: str, factors: dict[str, str]
    ) -> dict[str, str]:
        """Every level of a cell in an environment, by the names that a claim's filters have."""
        fixed = {"workload": workload, "provider": provider, "cpu-profile": cpu_profile}
        return {**self.parts(environment), **fixed, **factors}

    def label(self, name: str, environment: str) -> str:
        """What an environment's `system` or `jdk` is called."""
        entry = self._entries.get(environment, {})
        id_key, label_key = ("system", "os") if name == "system" else ("jdk_id", "jdk")
        return environment if entry.get(id_key) is None else entry.get(label_key) or entry[id_key]

    def level(self, factor: str, level: str) -> str:
        """A level of any factor in words: the label of a system or JDK."""
        if factor not in ("system", "jdk"):
            return level_words(factor, level)
        named = (each for each in self._entries if self.parts(each)[factor] == level)
        return next((self.label(factor, each) for each in named), level)

    def of_cell(self, cell: MeasuredCell, name: str) -> str | None:
        """A cell's level of a factor in words; None where it has none."""
        if name in ("system", "jdk"):
            return self.label(name, cell.environment)
        return level_words(name, cell.levels[name]) if name in cell.levels else None

    def cell(self, cell: MeasuredCell, names: Iterable[str]) -> str:
        """A cell's levels of some factors in words, in the names' order; those that it does not have are left out."""
        return ", ".join(filter(None, (self.of_cell(cell, name) for name in names)))

    def side(self, cell: MeasuredCell, names: Sequence[str]) -> str:
        """`decryption (ECB, 100 KB)`: the workload, where it is among the names, and the rest."""
        rest = self.cell(cell, [name for name in names if name != "workload"])
        if "workload" not in names:
            return rest
        workload = level_words("workload", cell.levels["workload"])
        return f"{workload} ({rest})" if rest else workload


def jdk_ids(catalogue: Catalogue, word: object, among: Iterable[str] = ()) -> list[str]:
    """The JDKs that a word may stand for: an id itself, a Java version such as 25, or the beginning of an id such as temurin-25.

    among: environments whose JDKs are preferred, those of an experiment. Empty where no JDK is called so.
    """
    word = str(word)
    known = {each.jdk.id: each.jdk for each in catalogue.environments.values() if each.jdk}
    if word in known:
        return [word]
    java = _JAVA.fullmatch(word)
    found = [
        name
        for name, jdk in known.items()
        if (java and str(jdk.java) == java[1]) or name.startswith((f"{word}.", f"{word}-"))
    ]
    used = {each.jdk.id for name in among if (each := catalogue.environments.get(name)) and each.jdk}
    preferred = [name for name in found if name in used]
    return preferred or found


def environment_of_jdk(catalogue: Catalogue, word: object) -> str:
    """The environment that stands for a JDK: preferably of the series on one system. Raises UserError without any."""
    word = str(word)
    if word in catalogue.environments:
        return word
    names = jdk_ids(catalogue, word)
    here = [
        (name, each)
        for name, each in catalogue.environments.items()
        if each.jdk and each.jdk.id in names and not each.elsewhere
    ]
    if not here:
        versions = sorted({each.jdk.java for each in catalogue.environments.values() if each.jdk})
        raise UserError(
            f"jdk {word}: there is none; choose from {', '.join(map(str, versions))}, or name an environment; "
            f"{nearest(word, catalogue.environments)}"
        )
    # Windows' JVM and a system with native libraries come after a plain Linux.
    return min(
        here, key=lambda pair: (SERIES not in pair[1].tags, pair[1].platform != "linux" or bool(pair[1].packages))
    )[0]
