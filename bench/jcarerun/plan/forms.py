"""Reads bench/forms.yaml, the one table of what a claim may say, and gives the targets of a claim's comparisons."""

import math
import operator
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.support.yamlfile import load_checked

FILE = Path("bench/forms.yaml")
SCHEMA = Path("bench/schemas/forms.schema.yaml")

# Kinds of parameters: the test of a value, and what it must be in words.
KINDS = {
    "positive": (lambda value: value > 0, "a number above 0"),
    "above-one": (lambda value: value > 1, "a number above 1"),
    "number": (lambda value: True, "a number"),
}
_OPERATORS = {"*": operator.mul, "/": operator.truediv, "+": operator.add, "-": operator.sub}
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


@dataclass(frozen=True)
class Form:
    """A form of claims: an entry of bench/forms.yaml, whose head explains the fields."""

    name: str
    meaning: str
    compares: str
    needs: list[str]
    parameters: dict[str, str]
    lower: str
    upper: str
    example: dict
    one_of: dict[str, str] = field(default_factory=dict)
    pairs: str = ""
    partial: bool = False
    across: bool = False
    reversed: bool = False
    judged: bool = True
    cpu_features: bool = False

    def kinds(self) -> Iterator[tuple[str, str, bool]]:
        """Each parameter with its kind, and whether a claim may leave it out."""
        for name, kind in {**self.parameters, **self.one_of}.items():
            yield name, kind.removesuffix("?"), kind.endswith("?") or name in self.one_of

    def target(self, claim: dict) -> tuple[float, float]:
        """The interval in which a ratio or value of the claim must lie; infinite where it is open."""
        parameters = dict(claim.get("parameters", {}))
        if isinstance(claim.get("equals"), int | float):
            parameters["equals"] = claim["equals"]
        return _limit(self.lower, parameters), _limit(self.upper, parameters)

    def level_pairs(self, count: int) -> list[tuple[int, int]]:
        """Positions of the numerator and the denominator in the claim's list of levels, for each pair that is compared."""
        every = range(count)
        return {
            "first-to-each": [(0, other) for other in every[1:]],
            "each-to-first": [(other, 0) for other in every[1:]],
            "neighbours": [(one, one + 1) for one in every[:-1]],
            "each-once": [(one, other) for one in every for other in every[one + 1 :]],
        }[self.pairs]

    def targets(self, claim: dict) -> list[dict]:
        """The target of every comparison that the claim names, for each pair of levels with their positions from 1 on."""
        lower, upper = self.target(claim)
        limits = {"lower": lower, "upper": upper if math.isfinite(upper) else None}
        if self.compares == "levels":
            pairs = self.level_pairs(len(claim["compare"]["levels"]))
            return [{"numerator": one + 1, "denominator": other + 1, **limits} for one, other in pairs]
        return [limits] * max(1, len(claim.get("ratios", [])))


def _limit(text: str, parameters: dict[str, float]) -> float:
    """The value of the first alternative (behind `|`) whose parameters are all given."""
    for alternative in text.split("|"):
        words = alternative.split()
        if words == ["open"]:
            return math.inf
        values = [float(word) if _NUMBER.fullmatch(word) else parameters.get(word) for word in words[::2]]
        if None not in values:
            return float(_OPERATORS[words[1]](*values) if len(words) == 3 else values[0])
    raise ValueError(f"{text}: no alternative has all its parameters")


def read(path: Path = FILE) -> dict[str, Form]:
    """Name to form. Raises UserError for an entry that can't be used."""
    forms = {name: Form(name, **entry) for name, entry in load_checked(path, SCHEMA).items()}
    for name, form in forms.items():
        _check(path, name, form)
    return forms


def _check(path: Path, name: str, form: Form) -> None:
    if (form.compares == "levels") != bool(form.pairs):
        raise UserError(
            f"{path}: {name}.pairs: goes with `compares: levels`; {'add' if not form.pairs else 'remove'} it"
        )
    known = {*form.parameters, *form.one_of, *(["equals"] if "equals" in form.needs else [])}
    for key in ("lower", "upper"):
        for alternative in getattr(form, key).split("|"):
            words = alternative.split()
            terms = [word for word in words[::2] if word != "open" and not _NUMBER.fullmatch(word)]
            if len(words) not in (1, 3) or any(word not in _OPERATORS for word in words[1::2]):
                raise UserError(
                    f"{path}: {name}.{key}: {alternative.strip()!r} is no term; write one such as value / within"
                )
            if unknown := [word for word in terms if word not in known]:
                raise UserError(
                    f"{path}: {name}.{key}: {unknown[0]!r} is no parameter of this form; known: {', '.join(known)}"
                )
