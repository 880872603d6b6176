"""Resolves claims: each claim becomes rows that name the cells to compare, the table claim_pairs.csv.

In: experiments with their claims, the forms, environments, and cells that a plan has or that rounds have measured. Out: rows.
The plan, the interim analyses, the verdicts and the report all use these rows; nothing else matches cells with claims.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from jcarerun.plan.cells import PROGRAMME, operation_cell, operation_levels
from jcarerun.plan.claim_comparisons import Comparisons, cell_order, grouped
from jcarerun.plan.claim_rows import DIMENSION, MeasuredCell, PairRow, claim_parts, matches, sides
from jcarerun.plan.claim_words import SECURITY_LEVEL, filter_words, level_words, listing, variant_label, variant_order
from jcarerun.plan.environments import EnvironmentWords
from jcarerun.plan.forms import Form
from jcarerun.support.yamlfile import listed

NO_CALLS = "no benchmark of this run times single calls"


def resolve(
    experiments: Iterable[dict],
    forms: dict[str, Form],
    words: EnvironmentWords,
    cells: dict[str, list[MeasuredCell]],
    cpu_features: dict[str, dict] | None = None,
) -> list[PairRow]:
    """The rows of every claim of some experiments, in the order of the files, each with the number of its verdict.

    cells: experiment to its cells. cpu_features: provider to algorithm to features.
    """
    rows, verdicts = [], 0
    for experiment in experiments:
        own = [each for cell in cells.get(experiment["id"], []) for each in _operations(experiment, cell)]
        for name, claim in experiment.get("claims", {}).items():
            for part in claim_parts(experiment, claim):
                found = _Claim(experiment, name, part, forms[claim["form"]], words, cpu_features or {}).rows(own)
                for row in found:
                    row.verdict += verdicts
                verdicts = max((row.verdict for row in found), default=verdicts)
                rows += found
    return rows


class _Claim(Comparisons):
    """One claim of an experiment, whose cells become rows with verdicts: one for each stratum and variant."""

    def rows(self, cells: list[MeasuredCell]) -> list[PairRow]:
        """The claim's rows in the order of their strata and variants, with verdicts numbered from 1 on."""
        if self.form.compares == "nothing":
            return [self.without_stratum(self.claim["reason"])]
        on, off = self.claim.get("on_platform"), self.claim.get("off_platform")
        cells = [cell for cell in cells if on in (None, cell.levels["platform"]) and off != cell.levels["platform"]]
        if not cells:
            return [] if on else [self.without_stratum("no round of this experiment was measured")]
        # A claim about some environments or CPU profiles alone has no verdict elsewhere.
        places = {name: levels for name, levels in self.claim.get("among", {}).items() if name in DIMENSION}
        cells = [cell for cell in cells if matches(cell.levels, places)] or cells
        cells = sorted(cells, key=lambda cell: (self.stratum(cell), *cell_order(cell)))
        return self.with_verdicts(self.pairs(self.among(cells)), cells)

    def among(self, cells: list[MeasuredCell]) -> list[MeasuredCell]:
        """The cells that the claim is about."""
        return [cell for cell in cells if matches(cell.levels, self.claim.get("among", {}))]

    def with_verdicts(self, pairs: list[PairRow], cells: list[MeasuredCell]) -> list[PairRow]:
        """Rows with the number of their verdict, and a row for each verdict that has no pair."""
        here = grouped(cells, self.stratum)
        by_verdict = grouped(pairs, lambda row: (row.stratum, row.variant))
        if self.is_joint:
            keys = list(by_verdict)
        else:
            protocols, there = self.protocols(), {stratum for stratum, _ in by_verdict}
            strata = [stratum for stratum in here if stratum.protocol in protocols or not protocols]
            strata = [stratum for stratum in strata if stratum in there or not self.compared]
            keys = list(itertools.product(strata, self.variants(pairs, cells)))
        # What is measured nowhere by intention has no verdict; the plan says so.
        is_limited = "only" in self.experiment
        keys = [key for key in keys if key in by_verdict or not is_limited]
        if not keys and (self.is_joint or self.compared or is_limited):
            return [self.without_stratum(self.nowhere_reason(cells))]
        numbers = {key: number for number, key in enumerate(keys, 1)}
        lacking = {key: self.lacking(key[1], here[key[0]]) for key in keys if not _complete(by_verdict.get(key, []))}
        rows = [row for row in pairs if (row.stratum, row.variant) in numbers]
        for stratum, variant in keys:
            if (stratum, variant) not in by_verdict:
                some = [cell.environment for cell in here[stratum] if self.is_of_variant(cell, variant)]
                environments = ";".join(dict.fromkeys(some))
                rows.append(replace(self.empty, stratum=stratum, variant=variant, environments=environments))
        for row in rows:
            key = row.stratum, row.variant
            row.verdict, row.lacking = numbers[key], lacking.get(key, "")
        return rows

    def without_stratum(self, reason: str) -> PairRow:
        """The one row of a claim that can be judged nowhere."""
        return replace(self.empty, verdict=1, lacking=reason)

    def protocols(self) -> set[str]:
        """The protocols under which all of the claim's workloads are measured; empty where any will do."""
        if "only" in self.experiment:
            return set()
        found = set(self.experiment.get("protocols", {}))
        for wanted in (self.claim.get("among", {}), *sides(self.claim)):
            for name in listed(wanted.get("workload", [])):
                found &= set(self.experiment["workloads"].get(name, {}).get("protocols", found))
        return found

    def variants(self, pairs: list[PairRow], cells: list[MeasuredCell]) -> list[str]:
        """The variants that the cells have anywhere, in the order of the experiment file; one without a name if none."""
        found = {row.variant for row in pairs}
        if "compare" in self.claim:
            compared = {self.claim["compare"]["factor"]: self.claim["compare"]["levels"], **self.claim.get("among", {})}
            found |= {variant_label(self.each, cell.levels) for cell in cells if matches(cell.levels, compared)}
        return sorted(found, key=lambda variant: variant_order(variant, self.experiment)) or [""]

    def is_of_variant(self, cell: MeasuredCell, variant: str) -> bool:
        """Whether a cell has a variant's level of everything that the claim is judged separately by, or lacks the factor."""
        levels = variant.split(", ")
        return not variant or all(
            name not in cell.levels or f"{name}={cell.levels[name]}" in levels for name in self.each
        )

    def absent(self, cells: list[MeasuredCell]) -> list[str]:
        """The filters of a claim's sides that keep no cell, in words."""
        cells, wanted = self.among(cells), sides(self.claim)
        absent = [side for n, side in enumerate(wanted) if side not in wanted[:n]]
        return [filter_words(side) for side in absent if not any(matches(cell.levels, side) for cell in cells)]

    def lacking(self, variant: str, cells: list[MeasuredCell]) -> str:
        """Why a variant in a stratum has no pairs enough."""
        cells = [cell for cell in cells if self.is_of_variant(cell, variant)]
        if "compare" in self.claim:
            factor, levels = self.claim["compare"]["factor"], map(str, self.claim["compare"]["levels"])
            there = {cell.levels.get(factor) for cell in self.among(cells)}
            absent = [level_words(factor, level) for level in levels if level not in there]
        else:
            absent = self.absent(cells)
        if absent:
            return f"not measured here in this tier: {listing(absent, most=2)}"
        return "no setting has all the cells that the claim compares"

    def nowhere_reason(self, cells: list[MeasuredCell]) -> str:
        """Why a claim can be judged nowhere, of which other claims would have a row for each stratum."""
        if self.form.compares == "calls":
            return NO_CALLS
        if self.form.compares == "counts":
            return f"{filter_words(self.claim['values'])} was not measured"
        if absent := self.absent(cells):
            return f"no environment of this run has {absent[0]}"
        compared = self.claim.get("across") or self.claim.get("compare")
        if not compared:
            return "no two cells of one machine differ only in what the claim compares; both sides must name what may differ"
        factor = compared["factor"]
        there = {cell.levels.get(factor) for cell in cells}
        found = [str(level) for level in compared["levels"] if str(level) in there]
        what = {"cpu-profile": "CPU profile", "jdk": "JDK"}.get(factor, factor)
        if len(found) < 2:
            seen = f"only {self.words.level(factor, found[0])}" if found else f"no {what}"
            return f"{seen} of those that the claim compares was measured"
        return f"no two of the claim's levels of {factor} were measured with all else alike"


def _operations(experiment: dict, cell: MeasuredCell) -> Iterator[MeasuredCell]:
    """A cell for each operation of a programme's cell, or the cell itself; with the security level that its length reaches."""
    if cell.levels["workload"] != PROGRAMME:
        yield _with_security_level(experiment, cell)
    for name in cell.operations:
        if found := operation_levels(experiment, name):
            levels = {**cell.levels, "workload": found[0], **found[1]}
            made = replace(cell, cell=operation_cell(cell.cell, name), levels=levels, operations=())
            yield _with_security_level(experiment, made)


def _with_security_level(experiment: dict, cell: MeasuredCell) -> MeasuredCell:
    """The cell with the security level that its factors' levels say, where the experiment has such levels."""
    if "security_levels" not in experiment:
        return cell
    chosen = (experiment["factors"].get(name, {}).get(level, {}) for name, level in cell.levels.items())
    reached = [str(each["level"]) for each in chosen if "level" in each]
    return replace(cell, levels={**cell.levels, SECURITY_LEVEL: reached[0]}) if reached else cell


def _complete(rows: list[PairRow]) -> bool:
    """Whether some group of rows has all the pairs that it needs."""
    groups = grouped(rows, lambda row: row.group).values()
    return any(len({row.item for row in group}) == group[0].needed for group in groups)
