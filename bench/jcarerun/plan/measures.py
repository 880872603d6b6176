"""What a claim may be judged on: what each workload has, what its class declares, and what the analysis derives from that.

In: bench/measures.yaml, and the measures that a workload's class declares (@Measures). Out: names, as in observed.csv.
"""

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.plan.checker import listed
from jcarerun.support.yamlfile import load_checked

FILE = Path("bench/measures.yaml")

_WORD = re.compile(r"<([a-z]\w*)>")


@dataclass(frozen=True)
class _Rule:
    """What is derived of declared names: a pattern for each, whether claims are judged on them, and format strings."""

    patterns: tuple[re.Pattern, ...]
    judged: bool
    gives: tuple[str, ...]


@cache
def _rules() -> tuple[frozenset[str], tuple[_Rule, ...]]:
    return read()


def read(path: Path = FILE) -> tuple[frozenset[str], tuple[_Rule, ...]]:
    """Measures of every workload, and what is derived. Raises UserError for what can't be used."""
    data = load_checked(path, path.with_suffix(".schema.yaml"))
    rules = []
    for number, rule in enumerate(data["derived"]):
        words = [word for name in listed(rule["from"]) for word in _WORD.findall(name)]
        if len(set(words)) < len(words) or not {word for name in rule["gives"] for word in _WORD.findall(name)} <= set(
            words
        ):
            raise UserError(f"{path}: derived[{number}]: write each <word> of `gives` into `from`, and only once")
        patterns = tuple(
            re.compile(_WORD.sub(r"(?P<\1>[a-z0-9-]+)", re.escape(name).replace(r"\-", "-")))
            for name in listed(rule["from"])
        )
        gives = tuple(_WORD.sub(r"{\1}", name) for name in rule["gives"])
        rules.append(_Rule(patterns, rule.get("judged", True), gives))
    return frozenset(data["always"]), tuple(rules)


def known(declared: Iterable[str]) -> set[str]:
    """Every measure of a workload that declares those."""
    always, rules = _rules()
    found, declared = set(always), set(declared)
    hidden = {name for rule in rules if not rule.judged for name in declared if rule.patterns[0].fullmatch(name)}
    for rule in rules:
        for names in itertools.permutations(declared, len(rule.patterns)):
            matches = [pattern.fullmatch(name) for pattern, name in zip(rule.patterns, names, strict=True)]
            if all(matches):
                words = {word: value for match in matches for word, value in match.groupdict().items()}
                found |= {one.format(**words) for one in rule.gives}
    return found | declared - hidden
