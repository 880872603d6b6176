"""Holds the claims of an experiment file against their forms, its factors, and the environments and CPU profiles there are."""

from pathlib import Path

from bench.plan import measures, workloads
from bench.plan.checker import Checker, listed

_TESTS = {
    "positive": (lambda value: value > 0, "a number above 0"),
    "above-one": (lambda value: value > 1, "a number above 1"),
    "number": (lambda value: True, "a number"),
}


def check(path: Path, data: dict, axes: dict[str, list[str]], forms: dict[str, dict]) -> None:
    """Check every claim of an experiment. Raises UserError for the first thing wrong.

    `axes`: what cells differ in beside the experiment's factors, with its levels. `forms`: claim form to its header.
    """
    checker = _Claims(path, data, axes, forms)
    for name, claim in data.get("claims", {}).items():
        checker.claim(f"claims.{name}", claim)


class _Claims(Checker):
    """An experiment's claims under examination."""

    def __init__(self, path: Path, data: dict, axes: dict[str, list[str]], forms: dict[str, dict]):
        super().__init__(path)
        self.forms = forms
        self.measures = sorted(
            {
                name
                for one in data["workloads"].values()
                for name in measures.known(workloads.declared(one["benchmark"]))
            }
        )
        # Everything that a claim may name, with its levels.
        self.named = {
            **axes, "workload": list(data["workloads"]), "provider": data["providers"], **data.get("factors", {}),
        }  # fmt: skip

    def claim(self, place: str, claim: dict) -> None:
        self.known(f"{place}.form", [claim["form"]], self.forms, "file of analysis/forms")
        form = self.forms[claim["form"]]
        self.known(
            f"{place}.measure", [claim.get("measure", "wall")], self.measures, "measure of this file's workloads"
        )
        self.parameters(f"{place}.parameters", claim.get("parameters", {}), form.get("parameters") or {})
        if (needed := form["needs"]) not in claim:
            raise self.refuse(f"{place}.{needed}", f"missing; the form {claim['form']} needs it")
        self.filter(f"{place}.among", claim.get("among", {}))
        self.filter(f"{place}.values", claim.get("values", {}))
        for number, pair in enumerate(claim.get("ratios", [])):
            for side, chosen in pair.items():
                self.filter(f"{place}.ratios[{number}].{side}", chosen)
        self.known(f"{place}.each", claim.get("each", []), self.named, "factor of this file")
        if "compare" in claim:
            self.levels(f"{place}.compare", claim["compare"])
            if form.get("sizes"):
                self.sizes(f"{place}.compare", claim["compare"])
        if ("across" in claim) != bool(form.get("across")):
            remedy = "needs it" if form.get("across") else "does not take it; remove it"
            raise self.refuse(f"{place}.across", f"the form {claim['form']} {remedy}")
        if "across" in claim:
            self.levels(f"{place}.across", claim["across"])

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

    def parameters(self, place: str, given: dict, wanted: dict) -> None:
        self.known(place, given, wanted, "parameter of this form")
        for name, kind in wanted.items():
            if name not in given:
                raise self.refuse(f"{place}.{name}", "missing; add it")
            test, words = _TESTS[kind]
            if not test(given[name]):
                raise self.refuse(f"{place}.{name}", f"{given[name]} must be {words}")

    def filter(self, place: str, chosen: dict) -> None:
        self.known(place, chosen, self.named, "factor of this file")
        for key, names in chosen.items():
            self.known(f"{place}.{key}", listed(names), self.named[key], f"level of {key}")
