"""What a claim may be judged on: what each workload has, what its class declares, and what the analysis derives from that.

In: bench/measures.yaml, and the measures that a workload's class declares (@Measures). Out: names, as in observed.csv.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from envs.support.yamlfile import load_checked

FILE = Path("bench/measures.yaml")


@dataclass(frozen=True)
class _Rule:
    """A pattern of declared names, whether claims are judged on these themselves, and what is derived, as format strings."""

    pattern: re.Pattern
    judged: bool
    gives: tuple[str, ...]


@cache
def _read() -> tuple[frozenset[str], tuple[_Rule, ...]]:
    data = load_checked(FILE, FILE.with_suffix(".schema.yaml"))
    rules = []
    for rule in data["derived"]:
        pattern = re.sub(r"<(\w+)>", r"(?P<\1>[a-z0-9-]+)", re.escape(rule["from"]).replace(r"\-", "-"))
        gives = tuple(re.sub(r"<(\w+)>", r"{\1}", name) for name in rule["gives"])
        rules.append(_Rule(re.compile(pattern), rule.get("judged", True), gives))
    return frozenset(data["always"]), tuple(rules)


def known(declared: Iterable[str]) -> set[str]:
    """Every measure of a workload that declares those."""
    always, rules = _read()
    found = set(always)
    for name in declared:
        matches = [(rule, match) for rule in rules if (match := rule.pattern.fullmatch(name))]
        if all(rule.judged for rule, _ in matches):
            found.add(name)
        for rule, match in matches:
            found |= {one.format(**match.groupdict()) for one in rule.gives}
    return found
