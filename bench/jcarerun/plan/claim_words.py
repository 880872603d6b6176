"""The words of claims' rows: what the cells of a pair share, what sets them apart, and what a run has no cell of.

In: bench/labels.yaml, and the labels of providers and CPU profiles. Out: ids in words.
"""

import functools
import re
from collections.abc import Iterable
from pathlib import Path

from jcarerun.plan import cpu_profiles, providers
from jcarerun.rounds import tables
from jcarerun.support.yamlfile import listed, load_checked

LABELS = Path("bench/labels.yaml")
SCHEMA = Path("bench/schemas/labels.schema.yaml")

# What claims call the security level that an operation's length reaches, where an experiment has `security_levels`.
SECURITY_LEVEL = "security-level"

_BARE_NUMBER = re.compile(r"[0-9.]+")
_PLATFORMS = {"linux": "Linux", "windows": "Windows"}


def listing(words: Iterable[str], most: int | None = None) -> str:
    """Words in a sentence: `one`, `one and two`, `one, two and three`; with `most`, and several beyond it, their number."""
    words = list(words)
    if most is not None and len(words) > most + 1:
        words[most:] = [f"{len(words) - most} more"]
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


@functools.cache
def labels() -> dict[str, dict]:
    """What workloads, and the levels of factors, providers and CPU profiles, are called where people read them."""
    labels = load_checked(LABELS, SCHEMA)
    return {
        "workloads": labels["workloads"],
        "levels": labels["levels"]
        | {"provider": {name: each.label for name, each in providers.read().items()}}
        | {"cpu-profile": {name: each.label for name, each in cpu_profiles.read().items()}},
    }


def level_words(factor: str, level: str) -> str:
    """A level as it reads in a sentence; a bare number without a label needs its factor's name. Empty: not worth a word."""
    if factor == "workload":
        return labels()["workloads"].get(level, level.replace("-", " "))
    known = labels()["levels"].get(factor, {})
    pattern = known if isinstance(known, str) else known.get(level, known.get("{}"))
    if pattern is not None:
        return pattern.replace("{}", level)
    return f"{factor.replace('-', ' ')} {level}" if _BARE_NUMBER.fullmatch(level) else level


def words_of(experiments: Iterable[dict]) -> dict[str, dict[str, str]]:
    """Factor to level to words, for all that experiments have: what R and the explorer show in place of ids.

    `workload`, `provider`, `cpu-profile`, `security-level` and `gate` are factors too. A level that reads as its id is left out.
    """
    known = labels()["levels"]
    levels = {"provider": set(known["provider"]), "cpu-profile": set(known["cpu-profile"])}
    for experiment in experiments:
        factors = experiment.get("factors", {})
        reached = {str(each["level"]) for own in factors.values() for each in own.values() if "level" in each}
        for name, own in {"workload": experiment["workloads"], **factors, SECURITY_LEVEL: reached}.items():
            levels.setdefault(name, set()).update(own)
    found = {name: {level: level_words(name, level) for level in sorted(own)} for name, own in levels.items()}
    found = {name: {level: words for level, words in own.items() if words != level} for name, own in found.items()}
    return {**found, "gate": tables.GATES}


def filter_words(wanted: dict) -> str:
    """A filter in a sentence: `encryption (AES, JDK temurin-17 or temurin-21)`, or `a Windows JVM`."""
    said = {}
    for name, values in wanted.items():
        levels = [str(value) for value in listed(values)]
        if name == "platform":
            said[name] = f"a {' or '.join(_PLATFORMS.get(level, level) for level in levels)} JVM"
        else:
            words = dict.fromkeys(level_words(name, level) or level for level in levels)
            said[name] = ("JDK " if name == "jdk" else "") + " or ".join(words)
    operation = said.pop("workload", "")
    others = ", ".join(said.values())
    return f"{operation} ({others})" if operation and others else operation or others


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
