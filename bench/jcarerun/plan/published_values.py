"""The numbers that an experiment file itself brings of its study: `published` of a claim, and the author's own JMH results.

In: an experiment file. Out: the same with `published` as rows like those of data/published, and each claim's `published` in the
form that names such a row: a quantity, or a table of two.
"""

import itertools
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jcarerun.errors import shown
from jcarerun.support.files import MOST_JSON_BYTES, below, confined, parse_json, read_text
from jcarerun.support.yamlfile import Checker, listed

_NS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "hr": 3600e9, "day": 86400e9}
_ROW = {"said": "exact", "kind": "result", "words": "", "note": ""}


def complete(path: Path, data: dict) -> dict:
    """The experiment with its study's numbers as rows. Raises UserError for results that can't be read or are of nothing here."""
    return _PublishedValues(path, data).complete()


class _PublishedValues(Checker):
    """An experiment under examination that brings numbers of its own."""

    def __init__(self, path: Path, data: dict):
        super().__init__(path)
        self.data = data
        self.study = data["study"].get("id", path.stem)
        self.quantities: dict[str, dict[str, str]] = {}

    def complete(self) -> dict:
        rows = list(self.results()) if "published" in self.data else []
        claims = {name: self.claim(name, claim, rows) for name, claim in self.data.get("claims", {}).items()}
        if not rows:
            return self.data
        return {**self.data, "published": rows, "claims": claims} if claims else {**self.data, "published": rows}

    def claim(self, name: str, claim: dict, rows: list[dict]) -> dict:
        """A claim whose number, if any, is a row's."""
        own = claim.get("published", {})
        if "value" in own:
            others = [key for key in own if key not in ("value", "unit", "source", "expect")]
            if others:
                raise self.refuse(
                    f"claims.{name}.published.{others[0]}",
                    "stands beside `value`; a number is given in one way: remove one",
                )
            quantity = f"{name}: {claim['text']}"
            rows.append({
                **_ROW, "study": self.study, "quantity": quantity, "value": own["value"], "unit": own.get("unit", "times"),
                "place": own["source"], "claims": name,
            })  # fmt: skip
            published = {
                "quantity": quantity,
                "reading": "value",
                **({"expect": own["expect"]} if "expect" in own else {}),
            }
            return {**claim, "published": published}
        if own or not self.quantities or len(claim.get("ratios", [])) != 1:
            return claim
        among = claim.get("among", {})
        sides = {key: self.matching({**among, **side}) for key, side in claim["ratios"][0].items()}
        if any(len(found) != 1 for found in sides.values()):
            return claim
        table = {key: found[0] for key, found in sides.items()}
        for row in rows:
            if row["quantity"] in table.values():
                row["claims"] = ";".join(filter(None, (row["claims"], name)))
        return {**claim, "published": {"table": table}}

    def matching(self, wanted: dict) -> list[str]:
        """The quantities whose cell is of a filter, whose places and providers the author's results don't tell."""
        return [
            quantity
            for quantity, cell in self.quantities.items()
            if all(cell.get(key) in map(str, listed(values)) for key, values in wanted.items())
        ]

    def _every_result(self, text: str, place: str, file: Path) -> list[dict]:
        try:
            return [_result(each) for each in parse_json(text)]
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise self.refuse(
                place, f"{file}: no results of JMH ({type(error).__name__}: {error}); give what -rf json wrote"
            ) from None

    def results(self) -> Iterator[dict]:
        """A row for each cell of the experiment that the author's JMH results have."""
        source = self.data["published"]["jmh"]
        place = "published.jmh"
        file = below(self.path.parent, source, f"{self.path}: {place}")
        text = read_text(file, MOST_JSON_BYTES)
        every = confined(lambda: self._every_result(text, place, file), file, len(text))
        for workload, own in self.data["workloads"].items():
            names = own.get("factors", [])
            for levels in itertools.product(*(self.data["factors"][name] for name in names)):
                factors = dict(zip(names, levels, strict=True))
                params = dict(own.get("params", {}))
                for factor, level in factors.items():
                    params |= self.data["factors"][factor][level]
                match = [each for each in every if _is_of(each, own["benchmark"], params)]
                if len(match) != 1:
                    continue
                quantity = " ".join([workload, *(f"{factor}={level}" for factor, level in factors.items())])
                self.quantities[quantity] = {"workload": workload, **factors}
                yield {
                    **_ROW,
                    "study": self.study,
                    "quantity": quantity,
                    "place": source,
                    "claims": "",
                    **match[0]["row"],
                }
        if not self.quantities:
            raise self.refuse(place, f"{file} has none of this file's benchmarks with these parameters; correct either")


def _result(result: dict) -> dict[str, Any]:
    """A result of JMH's: what it is of, and its score as a time in ns. Raises for what is none."""
    metric, mode = result["primaryMetric"], result["mode"]
    score, error = float(metric["score"]), float(metric["scoreError"])
    if not 0 < score < math.inf or error < 0 or error == math.inf or not isinstance(result["benchmark"], str):
        raise ValueError(f"no benchmark's name or time: {shown(result['benchmark'])}, {score} +- {error}")
    top, _, bottom = metric["scoreUnit"].partition("/")
    ns = score * _NS[top] if mode in ("avgt", "sample", "ss") else _NS[bottom] / score
    row = {"value": ns, "unit": "ns/op"}
    if error == error:  # NaN where a single value has none
        row |= {"error": ns * error / score, "error_kind": "JMH 99.9 % half-width"}
        values = sum(len(fork) for fork in metric.get("rawData", []))
        row["n"] = values or int(result["forks"]) * int(result["measurementIterations"])
    return {"benchmark": result["benchmark"], "params": dict(result.get("params") or {}), "row": row}


def _is_of(each: dict, benchmark: str, params: dict) -> bool:
    """Whether a result is of a benchmark with these parameters; those that the file doesn't give are the benchmark's own."""
    own = each["benchmark"]
    named = own == benchmark or ("." not in benchmark.partition(".")[2] and own.endswith(f".{benchmark}"))
    return named and all(each["params"].get(key, str(value)) == str(value) for key, value in params.items())
