"""The words of claims' rows: what the cells of a pair share, what sets them apart, and what a run has no cell of."""

import re
from collections.abc import Iterable

# What claims call the security level that an operation's length reaches, where an experiment has `security_levels`.
SECURITY_LEVEL = "security-level"

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
