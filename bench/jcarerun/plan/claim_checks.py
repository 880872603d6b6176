"""Checks the claims of an experiment file against their forms, its factors, measures, environments and CPU profiles."""

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from jcarerun.errors import Complaints, UserError
from jcarerun.plan import workloads
from jcarerun.plan.claim_words import SECURITY_LEVEL
from jcarerun.plan.forms import KINDS, Form
from jcarerun.support.yamlfile import Checker, listed, load_checked

# What a study has once, in however many of its experiments a claim is measured.
_SAID_ONCE = ("text", "place", "form", "parameters", "published")


def check(path: Path, data: dict, axes: dict[str, list[str]], forms: dict[str, Form]) -> None:
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


MEASURES = Path("bench/measures.yaml")
SCHEMA = Path("bench/schemas/measures.schema.yaml")

_WORD = re.compile(r"<([a-z]\w*)>")


@dataclass(frozen=True)
class _Rule:
    """What is derived of declared names: a pattern for each, whether claims are judged on them, and format strings with units."""

    patterns: tuple[re.Pattern, ...]
    judged: bool
    gives: dict[str, str]


@cache
def _rules() -> tuple[dict[str, str], tuple[_Rule, ...]]:
    return read_measures()


def read_measures(path: Path = MEASURES) -> tuple[dict[str, str], tuple[_Rule, ...]]:
    """Measures of every workload with their units, and what is derived. Raises UserError for what can't be used."""
    data = load_checked(path, SCHEMA)
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
        gives = {_WORD.sub(r"{\1}", name): what["unit"] for name, what in rule["gives"].items()}
        rules.append(_Rule(patterns, rule.get("judged", True), gives))
    return {name: what["unit"] for name, what in data["always"].items()}, tuple(rules)


def known_measures(declared: Iterable[str]) -> set[str]:
    """Every measure of a workload that declares those."""
    always, rules = _rules()
    found, declared = set(always), set(declared)
    hidden = {name for rule in rules if not rule.judged for name in declared if rule.patterns[0].fullmatch(name)}
    for rule in rules:
        for names in itertools.permutations(declared, len(rule.patterns)):
            matches = [pattern.fullmatch(name) for pattern, name in zip(rule.patterns, names, strict=True)]
            if all(matches):
                words = {word: value for match in matches for word, value in match.groupdict().items()}
                found |= {measure.format(**words) for measure in rule.gives}
    return found | declared - hidden


@cache
def unit_of(measure: str) -> str:
    """The unit of a measure of measures.yaml; empty for one that only a workload declares."""
    always, rules = _rules()
    known = {**always, **{name: unit for rule in rules for name, unit in rule.gives.items()}}
    for name, unit in known.items():
        if re.fullmatch(re.sub(r"\\{\w+\\}", "[a-z0-9-]+", re.escape(name)), measure):
            return unit
    return ""


def _measures(data: dict, benchmark: str) -> set[str]:
    """What a benchmark's claims may be judged on; CPU time not for a jar's, which don't say where iterations begin and end."""
    if "subject" not in data:
        return known_measures(workloads.declared(benchmark))
    return known_measures(()) - {"cpu", "gc.alloc.rate.norm"}


class _Claims(Checker):
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
        self.filter(f"{place}.among", claim.get("among", {}))
        self.filter(f"{place}.values", claim.get("values", {}))
        for number, pair in enumerate(claim.get("ratios", [])):
            for side, chosen in pair.items():
                self.filter(f"{place}.ratios[{number}].{side}", chosen)
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
                self.filter(f"{place}.not_comparable[{number}].where", condition["where"])
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
            self.filter(f"{place}.measure_where", {"platform": claim["measure_where"]["platform"]})
        if ("equals" in claim) != ("equals" in form.needs):
            raise self.refuse(f"{place}.equals", f"the form {claim['form']} does not take it; remove it")

    def published(self, place: str, published: dict) -> None:
        """A study's number is told in one way, with all that this way needs; a table may stand beside a number of the text."""
        for key, needed in (("reading", "quantity"), ("stands_for", "words")):
            if key in published and needed not in published:
                raise self.refuse(f"{place}.{needed}", f"missing, though there is `{key}`; add it")
        ways = [key for key in ("reading", "order", "direction", "stands_for") if key in published]
        if "quantity" in published and not ways and "words" not in published:
            raise self.refuse(f"{place}.reading", "missing, though there is `quantity`; add it")
        if len(ways) > 1:
            raise self.refuse(
                f"{place}.{ways[1]}", f"stands beside `{ways[0]}`; a study's number is told in one way: remove one"
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

    def filter(self, place: str, chosen: dict) -> None:
        self.known(place, chosen, self.named, "factor of this file")
        for key, names in chosen.items():
            self.known(f"{place}.{key}", listed(names), self.named[key], f"level of {key}")
