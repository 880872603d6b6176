"""What claims may say: the table bench/forms.yaml with the targets of comparisons, and the check of an experiment's claims.

Claims are held against their forms, and the experiment's factors, measures, environments and CPU profiles.
"""

import math
import operator
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from jcarerun.errors import Complaints, UserError
from jcarerun.plan import workloads
from jcarerun.plan.claim_words import SECURITY_LEVEL
from jcarerun.support.yamlfile import Checker, listed, load_checked

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


# What a study has once, in however many of its experiments a claim is measured.
_SAID_ONCE = ("text", "place", "form", "parameters", "published")


def check_claims(path: Path, data: dict, axes: dict[str, list[str]], forms: dict[str, Form]) -> None:
    """Check every claim of an experiment. Raises UserError with the first thing wrong in each.

    `axes`: what cells differ in beside the experiment's factors, with its levels. `forms`: of bench/forms.yaml.
    """
    checker, complaints = _Claims(path, data, axes, forms), Complaints()
    for name, claim in data.get("claims", {}).items():
        with complaints.part():
            checker.claim(f"claims.{name}", claim)
    complaints.report()


def check_studies(experiments: dict[Path, dict]) -> None:
    """Check that a claim which several experiments of a study measure is the same in all. Raises UserError where it is not."""
    first: dict[tuple[str, str], tuple[Path, dict]] = {}
    for path, data in experiments.items():
        for name, claim in data.get("claims", {}).items():
            other, known = first.setdefault((data["study"]["id"], name), (path, claim))
            for key in _SAID_ONCE:
                if claim.get(key) != known.get(key):
                    raise UserError(
                        f"{path}: claims.{name}.{key}: {claim.get(key)!r} differs from {other}, which is of the same study; "
                        "make both alike, or give one a letter of its own"
                    )


def _measures(data: dict, benchmark: str) -> set[str]:
    """What a benchmark's claims may be judged on; CPU time not for a jar's, which don't say where iterations begin and end."""
    if "subject" not in data:
        return workloads.known_measures(workloads.declared(benchmark))
    return workloads.known_measures(()) - {"cpu", "gc.alloc.rate.norm"}


class FilterChecker(Checker):
    """A file under examination whose parts name cells by filters."""

    def filter(self, place: str, chosen: dict, named: dict) -> None:
        """Raise unless a filter's names and their levels are among those of `named`."""
        self.known(place, chosen, named, "factor of this file")
        for key, names in chosen.items():
            self.known(f"{place}.{key}", listed(names), named[key], f"level of {key}")


class _Claims(FilterChecker):
    """An experiment's claims under examination."""

    def __init__(self, path: Path, data: dict, axes: dict[str, list[str]], forms: dict[str, Form]):
        super().__init__(path)
        self.forms = forms
        self.measures = sorted(
            {name for workload in data["workloads"].values() for name in _measures(data, workload["benchmark"])}
        )
        # Everything that a claim may name, with its levels.
        self.named = {
            **axes,
            "workload": list(data["workloads"]),
            "provider": data["providers"],
            **data.get("factors", {}),
        }
        if "security_levels" in data:
            self.named[SECURITY_LEVEL] = ["0", *data["security_levels"]]

    def claim(self, place: str, claim: dict) -> None:
        self.known(f"{place}.form", [claim["form"]], self.forms, "form of claims (`make forms` lists them)")
        form = self.forms[claim["form"]]
        self.measured(place, claim, form)
        self.parameters(f"{place}.parameters", claim.get("parameters", {}), form)
        for needed in form.needs:
            if needed not in claim:
                raise self.refuse(f"{place}.{needed}", f"missing; the form {claim['form']} needs it")
        self.filter(f"{place}.among", claim.get("among", {}), self.named)
        self.filter(f"{place}.values", claim.get("values", {}), self.named)
        for number, pair in enumerate(claim.get("ratios", [])):
            for side, chosen in pair.items():
                self.filter(f"{place}.ratios[{number}].{side}", chosen, self.named)
            if pair["numerator"] == pair["denominator"]:
                raise self.refuse(
                    f"{place}.ratios[{number}]", "compares a thing with itself; make the two sides differ"
                )
        self.known(f"{place}.each", claim.get("each", []), self.named, "factor of this file")
        if "compare" in claim:
            self.levels(f"{place}.compare", claim["compare"])
            if form.compares == "series":
                self.sizes(f"{place}.compare", claim["compare"])
        if ("across" in claim) != form.across:
            remedy = "needs it" if form.across else "does not take it; remove it"
            raise self.refuse(f"{place}.across", f"the form {claim['form']} {remedy}")
        if "across" in claim:
            self.levels(f"{place}.across", claim["across"])
        if isinstance(excluded := claim.get("not_comparable", []), list):
            for number, condition in enumerate(excluded):
                self.filter(f"{place}.not_comparable[{number}].where", condition["where"], self.named)
        if "agree_across" in claim:
            self.known(f"{place}.agree_across", [claim["agree_across"]], self.named, "factor of this file")
            if claim["agree_across"] in {claim[key]["factor"] for key in ("compare", "across") if key in claim}:
                raise self.refuse(f"{place}.agree_across", "names what the claim compares; name another factor")
        self.published(f"{place}.published", claim.get("published", {}))

    def _known_measures(self, place: str, names: list[str]) -> None:
        """Raise unless each is a measure of the workloads; one that is declared as `average.*` stands for all that begin so."""
        families = [measure for measure in self.measures if measure.endswith("*")]
        others = [name for name in names if not any(fnmatchcase(name, family) for family in families)]
        self.known(place, others, self.measures, "measure of this file's workloads")

    def measured(self, place: str, claim: dict, form: Form) -> None:
        """Every measure that a claim names must be one that its workloads have."""
        if "measure" in claim and "measures" in claim:
            raise self.refuse(f"{place}.measures", "stands beside `measure`; remove one of the two")
        if "measure_where" in claim and "measures" in claim:
            raise self.refuse(f"{place}.measure_where", "takes the place of one measure; remove `measures`")
        named = {"measure": claim.get("measure", "wall")}
        for key in ("measure_where", "comparable_if"):
            if key in claim:
                named[f"{key}.measure"] = claim[key]["measure"]
        if isinstance(claim.get("equals"), str):
            named["equals"] = claim["equals"]
        for key, name in named.items():
            self._known_measures(f"{place}.{key}", [name])
        self._known_measures(f"{place}.measures", claim.get("measures", []))
        if "measure_where" in claim:
            self.filter(f"{place}.measure_where", {"platform": claim["measure_where"]["platform"]}, self.named)
        if ("equals" in claim) != ("equals" in form.needs):
            raise self.refuse(f"{place}.equals", f"the form {claim['form']} does not take it; remove it")

    def published(self, place: str, published: dict) -> None:
        """A study's number is given in one way, with all that this way needs; a table may stand beside a number of the text."""
        for key, needed in (("reading", "quantity"), ("stands_for", "words")):
            if key in published and needed not in published:
                raise self.refuse(f"{place}.{needed}", f"missing, though there is `{key}`; add it")
        ways = [key for key in ("reading", "order", "direction", "stands_for") if key in published]
        if "quantity" in published and not ways and "words" not in published:
            raise self.refuse(f"{place}.reading", "missing, though there is `quantity`; add it")
        if len(ways) > 1:
            raise self.refuse(
                f"{place}.{ways[1]}", f"stands beside `{ways[0]}`; a study's number is given in one way: remove one"
            )

    def levels(self, place: str, chosen: dict) -> None:
        factor, levels = chosen["factor"], chosen["levels"]
        self.known(f"{place}.factor", [factor], self.named, "factor of this file")
        self.known(f"{place}.levels", levels, self.named[factor], f"level of {factor}")
        if len(levels) < 2:
            raise self.refuse(f"{place}.levels", f"{levels} has nothing to compare; give two levels or more")

    def sizes(self, place: str, chosen: dict) -> None:
        """A series needs three sizes or more, each with its bytes."""
        levels = self.named[chosen["factor"]]
        if not isinstance(levels, dict) or not all("bytes" in levels[level] for level in chosen["levels"]):
            raise self.refuse(f"{place}.factor", f"{chosen['factor']!r} has levels without bytes; choose one of sizes")
        if len(chosen["levels"]) < 3:
            raise self.refuse(f"{place}.levels", f"{chosen['levels']} is no series; give three sizes or more")

    def parameters(self, place: str, given: dict, form: Form) -> None:
        kinds = list(form.kinds())
        self.known(place, given, [name for name, _, _ in kinds], "parameter of this form")
        for name, kind, optional in kinds:
            if name in given:
                test, words = KINDS[kind]
                if not test(given[name]):
                    raise self.refuse(f"{place}.{name}", f"{given[name]} must be {words}")
            elif not optional:
                raise self.refuse(f"{place}.{name}", "missing; add it")
        if form.one_of and len(found := [name for name in form.one_of if name in given]) != 1:
            problem = f"has {' and '.join(found)}" if found else "has none of them"
            raise self.refuse(
                place, f"{problem}, but the form takes exactly one of {', '.join(form.one_of)}; give that one"
            )
