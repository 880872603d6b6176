"""The words of claims' rows: what the cells of a pair share, what sets them apart, and what a run has no cell of."""

import re
from collections.abc import Iterable, Sequence

_BARE_NUMBER = re.compile(r"[0-9.]+")
_PLATFORMS = {"linux": "Linux", "windows": "Windows"}


def listing(words: Iterable[str], last: str = "and") -> str:
    """Words in a sentence: `one`, `one and two`, `one, two and three`."""
    words = list(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def level_words(factor: str, level: str) -> str:
    """A level as it reads in a sentence: a bare number needs its factor's name."""
    return f"{factor} {level}" if _BARE_NUMBER.fullmatch(level) else level


def filter_words(wanted: dict) -> str:
    """A filter in a sentence: `the JDK temurin-17 or temurin-21`, or `a Windows JVM`."""
    said = []
    for name, values in wanted.items():
        values = [values] if isinstance(values, str) else values
        if name == "platform":
            said.append(f"a {' or '.join(_PLATFORMS.get(value, value) for value in values)} JVM")
        else:
            said.append(f"the {name.replace('cpu-profile', 'CPU profile')} {' or '.join(map(str, values))}")
    return listing(said)


def variant_label(names: Iterable[str], *cells: dict[str, str]) -> str:
    """`rsa-bits=1024`, from the names that a claim is judged separately by; the first cell that has a level gives it."""
    levels = {name: next((cell[name] for cell in cells if name in cell), None) for name in names}
    return ", ".join(f"{name}={level}" for name, level in levels.items() if level)


def variant_order(variant: str, experiment: dict) -> tuple[list[int], str]:
    """Sorts variants by where their levels stand in the experiment's lists, then by their text."""
    ranks = []
    for part in variant.split(", "):
        name, _, level = part.partition("=")
        levels = experiment["providers"] if name == "provider" else experiment.get("factors", {}).get(name, {})
        ranks.append(list(levels).index(level) + 1 if level in levels else 0)
    return ranks, variant


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

    def cell(self, environment: str, levels: dict[str, str], names: Sequence[str]) -> str:
        """The levels of some names in words, in the names' order; those that a cell does not have are left out."""
        words = [
            self.label(name, environment) if name in ("system", "jdk") else level_words(name, levels[name])
            for name in names
            if name in levels
        ]
        return ", ".join(words)

    def side(self, environment: str, levels: dict[str, str], names: Sequence[str]) -> str:
        """`decrypt with ECB, 100 KB`: the workload, where it is among the names, and the rest."""
        rest = self.cell(environment, levels, [name for name in names if name != "workload"])
        workload = levels["workload"] if "workload" in names else ""
        return f"{workload}{' with ' if workload and rest else ''}{rest}"
