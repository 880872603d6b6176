"""Resolves claims: each claim becomes rows that name the cells to compare, the table claim_pairs.csv.

In: experiments with their claims, the forms, environments, and cells that a plan has or that rounds have measured. Out: rows.
The plan, the interim analyses, the verdicts and the report all use these rows; nothing else matches cells with claims.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from jcarerun.plan import workloads
from jcarerun.plan.cells import PROGRAMME, operation_cell, operation_levels
from jcarerun.plan.claim_rows import (
    DIMENSION,
    MeasuredCell,
    PairRow,
    Stratum,
    claim_parts,
    compared_dimensions,
    each_names,
    matches,
    sides,
)
from jcarerun.plan.claim_words import SECURITY_LEVEL, filter_words, level_words, listing, variant_label, variant_order
from jcarerun.plan.environments import EnvironmentWords
from jcarerun.plan.forms import Form
from jcarerun.support.yamlfile import listed

NO_CALLS = "no benchmark of this run times single calls"


def resolve(
    experiments: Iterable[dict],
    forms: dict[str, Form],
    environments: Iterable[dict],
    cells: dict[str, list[MeasuredCell]],
    cpu_features: dict[str, dict] | None = None,
) -> list[PairRow]:
    """The rows of every claim of some experiments, in the order of the files, each with the number of its verdict.

    environments: entries of definitions.json. cells: experiment to its cells. cpu_features: provider to algorithm to features.
    """
    words, rows, verdicts = EnvironmentWords(environments), [], 0
    for experiment in experiments:
        own = [each for cell in cells.get(experiment["id"], []) for each in _operations(experiment, cell)]
        for name, claim in experiment.get("claims", {}).items():
            for part in claim_parts(experiment, claim):
                resolver = _Claim(experiment, name, part, forms[claim["form"]], words, cpu_features or {})
                found = resolver.rows(own)
                for row in found:
                    row.verdict += verdicts
                verdicts = max((row.verdict for row in found), default=verdicts)
                rows += found
    return rows


class _Claim:
    """One claim of an experiment, whose cells become rows."""

    def __init__(
        self,
        experiment: dict,
        name: str,
        claim: dict,
        form: Form,
        words: EnvironmentWords,
        cpu_features: dict[str, dict],
    ):
        self.experiment, self.claim, self.form, self.words = experiment, claim, form, words
        self.cpu_features = cpu_features
        self.compared = compared_dimensions(claim)
        self.each = each_names(claim)
        self.lower, self.upper = form.target(claim)
        self._strata: dict[int, Stratum] = {}
        self.empty = PairRow(
            experiment["id"], name, claim["form"], ";".join(claim["measures"]), "", Stratum("", "", "", "", "")
        )  # fmt: skip

    def rows(self, cells: list[MeasuredCell]) -> list[PairRow]:
        """The claim's rows in the order of their strata and variants, with verdicts numbered from 1 on."""
        if self.form.compares == "nothing":
            return [self.without_stratum(self.claim["reason"])]
        platform = {key: self.claim.get(key) for key in ("on_platform", "off_platform")}
        cells = [cell for cell in cells if platform["on_platform"] in (None, cell.levels["platform"])]
        cells = [cell for cell in cells if platform["off_platform"] != cell.levels["platform"]]
        if not cells:
            return [] if platform["on_platform"] else [self.without_stratum("no round of this experiment was measured")]
        # A claim about some environments or CPU profiles alone has no verdict elsewhere.
        places = {name: levels for name, levels in self.claim.get("among", {}).items() if name in DIMENSION}
        cells = [cell for cell in cells if matches(cell.levels, places)] or cells
        cells = sorted(cells, key=lambda cell: (self.stratum(cell), *_sort_key(cell)))
        among = [cell for cell in cells if matches(cell.levels, self.claim.get("among", {}))]
        pairs = list(getattr(self, f"{self.form.compares}_rows")(among))
        pairs = sorted(self.by_measure(self.numbered(pairs)), key=_row_key)
        return self.with_verdicts(pairs, cells)

    def stratum(self, cell: MeasuredCell) -> Stratum:
        """What a cell must share with another one to be compared with it by this claim."""
        if found := self._strata.get(id(cell)):
            return found
        freed = self.compared & {"system", "jdk"}
        found = Stratum(
            self.shared_environment(cell, freed) if freed else cell.environment,
            "" if freed else cell.image_id, cell.machine_id, cell.protocol,
            "" if "cpu-profile" in self.compared else cell.levels["cpu-profile"],
        )  # fmt: skip
        return self._strata.setdefault(id(cell), found)

    @staticmethod
    def shared_environment(cell: MeasuredCell, freed: set[str]) -> str:
        """`*-temurin-21.0.8`, `debian-13-*` or `*`."""
        if len(freed) == 2:
            return "*"
        return f"*-{cell.levels['jdk']}" if "system" in freed else f"{cell.levels['system']}-*"

    def factors(self, cells: list[MeasuredCell]) -> list[str]:
        """Names of the cells' factors, in the order of the experiment file, after those that only old rounds have."""
        fixed = {"workload", "provider", SECURITY_LEVEL, *DIMENSION}
        known = list(self.experiment.get("factors", {}))
        return sorted({name for cell in cells for name in cell.levels} - fixed - set(known)) + known

    def shown(self, cells: list[MeasuredCell]) -> list[str]:
        """The names that the words of these cells need, in the order of a sentence."""
        environment = ["system", "jdk"] if self.compared & {"system", "jdk"} else []
        profile = ["cpu-profile"] if len({cell.levels["cpu-profile"] for cell in cells}) > 1 else []
        return ["workload", *self.factors(cells), "provider", *environment, *profile]

    def pair(self, one: MeasuredCell, two: MeasuredCell | None, **values: Any) -> PairRow:
        """A row for two cells, or for one cell's own measure."""
        other = two or one
        values = {
            "own_profile": one.levels["cpu-profile"],
            "target_lower": self.lower,
            "target_upper": self.upper,
        } | values
        return replace(
            self.empty, stratum=self.stratum(one), excluded=self.exclusion(one, other),
            variant=variant_label(self.each, one.levels, other.levels),
            numerator_environment=one.environment, numerator_image_id=one.image_id, numerator_cell=one.cell,
            denominator_environment=other.environment, denominator_image_id=other.image_id,
            denominator_cell=two.cell if two else "", **values,
        )  # fmt: skip

    def exclusion(self, *cells: MeasuredCell) -> str:
        """Why the claim can't be compared with the study's number by these cells; empty where it can."""
        excluded = self.claim.get("not_comparable", [])
        if isinstance(excluded, str):
            return excluded
        hit = (each["reason"] for each in excluded if any(matches(cell.levels, each["where"]) for cell in cells))
        return next(hit, "") or self.missing_flags(*cells)

    def missing_flags(self, *cells: MeasuredCell) -> str:
        """Which instructions that the claim is about some cell's CPU lacks; empty where it has all, and in a plan."""
        for cell in cells:
            if cell.cpu_flags is not None:
                absent = [flag for flag in self.claim.get("needs_cpu_flags", []) if flag not in cell.cpu_flags]
                if absent:
                    profile = cell.levels["cpu-profile"]
                    who = "the machine's CPU" if profile == "native" else f"the CPU profile {profile}"
                    known = "does not have" if cell.cpu_flags else "is not known to have"
                    return f"{who} {known} {listing(absent)}, which the claim is about"
        return ""

    def ratios_rows(self, cells: list[MeasuredCell]) -> Iterator[PairRow]:
        """Cells of the same stratum, workload and provider that agree in every factor both have.

        A factor that only one cell has gives several pairs; so does a name that both filters set.
        """
        shown = self.shown(cells)
        for ratio in self.claim["ratios"]:
            free = ratio["numerator"].keys() & ratio["denominator"].keys()
            shared = [name for name in ("workload", "provider") if name not in free]
            others: dict[tuple, list[MeasuredCell]] = {}
            for cell in cells:
                if matches(cell.levels, ratio["denominator"]):
                    others.setdefault((self.stratum(cell), *map(cell.levels.get, shared)), []).append(cell)
            for one in (cell for cell in cells if matches(cell.levels, ratio["numerator"])):
                for two in others.get((self.stratum(one), *map(one.levels.get, shared)), []):
                    factors = [name for name in self.factors([one, two]) if name not in free]
                    if _sort_key(one) == _sort_key(two) or not _agree(one, two, factors):
                        continue
                    same = [name for name in shown if self.level(one, name) == self.level(two, name)]
                    apart = [name for name in shown if name not in same]
                    scope = self.words.cell(one.environment, one.levels, same)
                    yield self.pair(
                        one, two, scope=scope, joint_scope=scope,
                        numerator=self.words.side(one.environment, one.levels, apart),
                        denominator=self.words.side(two.environment, two.levels, apart),
                    )  # fmt: skip

    differences_rows = ratios_rows

    def level(self, cell: MeasuredCell, name: str) -> str | None:
        """A cell's level of a factor in words; None where it has none."""
        if name in ("system", "jdk"):
            return self.words.label(name, cell.environment)
        return level_words(name, cell.levels[name]) if name in cell.levels else None

    def levels_rows(self, cells: list[MeasuredCell]) -> Iterator[PairRow]:
        """Pairs of levels, within every combination of all else."""
        compare, across = self.claim["compare"], self.claim.get("across")
        if across:
            cells = [cell for cell in cells if matches(cell.levels, {across["factor"]: across["levels"]})]
        levels = [str(level) for level in compare["levels"]]
        if not self.form.partial:
            yield from self.level_rows(cells, levels)
            return
        by_levels: dict[tuple[str, ...], list[MeasuredCell]] = {}
        # Each variant has its own levels: one that a provider lacks is judged on the other providers.
        variants = _grouped(cells, lambda cell: (self.stratum(cell), variant_label(self.each, cell.levels)))
        for here in variants.values():
            there = tuple(
                level for level in levels if any(cell.levels.get(compare["factor"]) == level for cell in here)
            )
            by_levels.setdefault(there, []).extend(here)
        for there, some in by_levels.items():
            # What is said of the first level needs it; any other form takes the first that is there.
            if len(there) > 1 and (self.form.pairs != "first-to-each" or there[0] == levels[0]):
                yield from self.level_rows(some, list(there))

    def level_rows(self, cells: list[MeasuredCell], levels: list[str]) -> list[PairRow]:
        """Pairs of these levels in cells that are alike in all else; with `across`, in each of its levels."""
        factor, across = self.claim["compare"]["factor"], self.claim.get("across", {}).get("factor")
        settings = ["", *(str(level) for level in self.claim.get("across", {}).get("levels", []))]
        named = [name for name in (across, *self.each) if name in DIMENSION]
        alike = [
            name for name in ("workload", "provider", *self.factors(cells), *named) if name not in (factor, across)
        ]
        called = {"system": "system", "platform": "system", "jdk": "jdk"}.get(factor, factor)
        shown = [name for name in self.shown(cells) if name not in (factor, called)]

        def context(cell: MeasuredCell) -> tuple:
            return (self.stratum(cell), cell.levels.get(across), *map(cell.levels.get, alike))

        places: dict[tuple, dict[str, list[MeasuredCell]]] = {}
        for cell in cells:
            places.setdefault(context(cell), {}).setdefault(cell.levels.get(factor), []).append(cell)
        pairs, made = self.form.level_pairs(len(levels)), []
        for key, by_level in places.items():
            setting = key[1] if across else ""
            group = (key[0], *key[2:])
            for number, (first, second) in enumerate(pairs, 1):
                for one, two in itertools.product(by_level.get(levels[first], []), by_level.get(levels[second], [])):
                    made.append(self.pair(
                        one, two, setting=self.words.level(across, setting) if across else "",
                        group=group, pair=(*group, number) if across else None,
                        item=number + (settings.index(setting) + 1) / 1000,
                        own_profile="" if factor == "cpu-profile" else one.levels["cpu-profile"],
                        numerator=self.level(one, called), denominator=self.level(two, called),
                        scope=self.words.cell(one.environment, one.levels, shown),
                        joint_scope=self.words.cell(one.environment, one.levels, [name for name in shown if name != across]),
                        featured=self.features(one, two) if self.form.cpu_features else "",
                    ))  # fmt: skip
        if not across:
            for row in made:
                row.needed = len(pairs)
            return made
        # A pair that is there in a single setting can't be compared with another one. A level that is missing in some setting
        # leaves the other pairs as they are.
        settings_of = {
            key: len({row.setting for row in rows})
            for key, rows in _grouped(made, lambda row: (row.variant, row.pair)).items()
        }
        made = [row for row in made if settings_of[row.variant, row.pair] > 1]
        for rows in _grouped(made, lambda row: (row.variant, row.group)).values():
            for row in rows:
                row.needed = len({each.item for each in rows})
        return made

    def values_rows(self, cells: list[MeasuredCell]) -> Iterator[PairRow]:
        """A row for each cell of the claim's `values`."""
        shown = self.shown(cells)
        for cell in cells:
            if matches(cell.levels, self.claim["values"]):
                yield self.pair(cell, None, numerator=self.words.side(cell.environment, cell.levels, shown))

    counts_rows = values_rows

    def calls_rows(self, cells: list[MeasuredCell]) -> Iterator[PairRow]:
        """A row for each stratum, with all its cells that time single calls: the typical one is judged."""
        known = self.experiment["workloads"].items()
        timing = {name for name, each in known if "calls" in workloads.declared(each["benchmark"])}
        timed = [cell for cell in cells if cell.levels["workload"] in timing]
        for series in _grouped(timed, self.stratum).values():
            row = self.pair(series[0], None, series=";".join(cell.cell for cell in series))
            row.variant = ""
            yield row

    def steps_rows(self, cells: list[MeasuredCell]) -> list[PairRow]:
        """A row for each cell; those of a pair are alike but for the level of `across`, their setting."""
        factor, levels = self.claim["across"]["factor"], [str(level) for level in self.claim["across"]["levels"]]
        cells = [cell for cell in cells if cell.levels.get(factor) in levels]
        alike = [name for name in ("workload", "provider", *self.factors(cells), "cpu-profile") if name != factor]
        shown = [name for name in self.shown(cells) if name != factor]
        made = []
        for cell in cells:
            group = (self.stratum(cell), *map(cell.levels.get, alike))
            made.append(self.pair(
                cell, None, group=group, pair=group, setting=self.words.level(factor, cell.levels[factor]),
                item=levels.index(cell.levels[factor]) + 1,
                numerator=self.words.side(cell.environment, cell.levels, shown),
            ))  # fmt: skip
        counts = {
            key: len({row.setting for row in rows}) for key, rows in _grouped(made, lambda row: row.stratum).items()
        }
        for row in made:
            row.needed = counts[row.stratum]
        return [row for row in made if row.needed > 1]

    def series_rows(self, cells: list[MeasuredCell]) -> Iterator[PairRow]:
        """A row for each series of cells that differ in the size alone, where all sizes are there."""
        factor = self.claim["compare"]["factor"]
        sizes = {
            str(level): self.experiment["factors"][factor][level]["bytes"] for level in self.claim["compare"]["levels"]
        }
        cells = [cell for cell in cells if cell.levels.get(factor) in sizes]
        alike = [name for name in ("workload", "provider", "cpu-profile", *self.factors(cells)) if name != factor]
        shown = [name for name in self.shown(cells) if name != factor]
        ends = max(sizes, key=sizes.get), min(sizes, key=sizes.get)

        def context(cell: MeasuredCell) -> tuple:
            return (self.stratum(cell), cell.environment, cell.image_id, *map(cell.levels.get, alike))

        for series in _grouped(cells, context).values():
            series = sorted(series, key=lambda cell: sizes[cell.levels[factor]])
            if len(series) != len(sizes):
                continue
            first, last = series[0], series[-1]
            yield self.pair(
                last, first, scope=self.words.cell(first.environment, first.levels, shown),
                numerator=ends[0], denominator=ends[1], series=";".join(cell.cell for cell in series),
                sizes=";".join(str(sizes[cell.levels[factor]]) for cell in series),
            )  # fmt: skip

    def features(self, *cells: MeasuredCell) -> str:
        """The features of the CPU that providers use for a pair's algorithm: `SunJCE: AES-NI`; empty where none does."""
        names, used = self.algorithms(cells[0]), []
        for cell in cells:
            provider = cell.levels["provider"]
            known = self.cpu_features.get(provider, {})
            if found := list(dict.fromkeys(each for name, own in known.items() if name in names for each in own)):
                used.append(f"{level_words('provider', provider)}: {listing(found)}")
        return "; ".join(used)

    def algorithms(self, cell: MeasuredCell) -> set[str]:
        """The names of a cell's algorithm: the levels of its factors, and the parameters that they and its workload have."""
        levels = {name: cell.levels[name] for name in self.experiment.get("factors", {}) if name in cell.levels}
        parameters = [self.experiment["factors"][name].get(level, {}) for name, level in levels.items()]
        parameters.append(self.experiment["workloads"].get(cell.levels["workload"], {}).get("params", {}))
        names = [
            *levels.values(),
            *(each[key] for each in parameters for key in ("algorithm", "transformation") if key in each),
        ]
        return {part for name in map(str, names) for part in (name, name.partition("/")[0])}

    def numbered(self, rows: list[PairRow]) -> list[PairRow]:
        """Rows with numbers in place of what makes a group or a pair; a row without a pair is one by itself."""
        numbers: dict[Any, int] = {}
        for row in rows:
            row.group = numbers.setdefault((row.variant, row.group or object()), len(numbers) + 1)
            row.pair = numbers.setdefault((row.variant, row.pair or object(), "pair"), len(numbers) + 1)
        return rows

    def by_measure(self, rows: list[PairRow]) -> list[PairRow]:
        """Rows for every measure; each has groups and pairs of its own."""
        if self.form.compares in ("calls", "counts"):
            for row in rows:
                row.measure = row.measures
            return rows
        last = max((max(row.group, row.pair) for row in rows), default=0)
        return [
            replace(row, measure=measure, group=row.group + number * last, pair=row.pair + number * last)
            for number, measure in enumerate(self.claim["measures"])
            for row in rows
        ]

    def with_verdicts(self, pairs: list[PairRow], cells: list[MeasuredCell]) -> list[PairRow]:
        """Rows with the number of their verdict, and a row for each verdict that has no pair."""
        protocols = self.protocols()
        here = _grouped(cells, self.stratum)
        strata = [stratum for stratum in here if stratum.protocol in protocols or not protocols]
        by_verdict = _grouped(pairs, lambda row: (row.stratum, row.variant))
        if self.form.compares in ("calls", "counts"):
            keys = list(by_verdict)
            if not keys:
                is_of_calls = self.form.compares == "calls"
                reason = NO_CALLS if is_of_calls else f"{filter_words(self.claim['values'])} was not measured"
                return [self.without_stratum(reason)]
        else:
            if self.compared:
                there = {stratum for stratum, _ in by_verdict}
                strata = [stratum for stratum in strata if stratum in there]
                if not strata:
                    return [self.without_stratum(self.nowhere_reason(cells))]
            keys = list(itertools.product(strata, self.variants(pairs, cells)))
        if "only" in self.experiment:  # what is measured nowhere by intention has no verdict; the plan says so
            keys = [key for key in keys if key in by_verdict]
            if not keys:
                return [self.without_stratum(self.nowhere_reason(cells))]
        numbers = {key: number for number, key in enumerate(keys, 1)}
        lacking = {key: self.lacking(key[1], here[key[0]]) for key in keys if not _complete(by_verdict.get(key, []))}
        rows = [row for row in pairs if (row.stratum, row.variant) in numbers]
        for row in rows:
            key = row.stratum, row.variant
            row.verdict, row.lacking = numbers[key], lacking.get(key, "")
        for key in keys:
            if key not in by_verdict:
                some = [cell.environment for cell in here[key[0]] if self.is_of_variant(cell, key[1])]
                rows.append(replace(
                    self.empty, stratum=key[0], variant=key[1], verdict=numbers[key], lacking=lacking[key],
                    environments=";".join(dict.fromkeys(some)),
                ))  # fmt: skip
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
        found = [row.variant for row in pairs]
        if "compare" in self.claim:
            compared = {self.claim["compare"]["factor"]: self.claim["compare"]["levels"], **self.claim.get("among", {})}
            found += [variant_label(self.each, cell.levels) for cell in cells if matches(cell.levels, compared)]
        return sorted(set(found), key=lambda variant: variant_order(variant, self.experiment)) or [""]

    def is_of_variant(self, cell: MeasuredCell, variant: str) -> bool:
        """Whether a cell has a variant's level of everything that the claim is judged separately by, or lacks the factor."""
        levels = variant.split(", ")
        return not variant or all(
            name not in cell.levels or f"{name}={cell.levels[name]}" in levels for name in self.each
        )

    def absent(self, cells: list[MeasuredCell]) -> list[dict]:
        """The filters of a claim's sides that keep no cell."""
        cells = [cell for cell in cells if matches(cell.levels, self.claim.get("among", {}))]
        found = [side for side in sides(self.claim) if not any(matches(cell.levels, side) for cell in cells)]
        return [side for number, side in enumerate(found) if side not in found[:number]]

    def lacking(self, variant: str, cells: list[MeasuredCell]) -> str:
        """Why a variant in a stratum has no pairs enough."""
        cells = [cell for cell in cells if self.is_of_variant(cell, variant)]
        if "compare" in self.claim:
            factor, levels = self.claim["compare"]["factor"], self.claim["compare"]["levels"]
            among = [cell for cell in cells if matches(cell.levels, self.claim.get("among", {}))]
            there = {cell.levels.get(factor) for cell in among}
            absent = [level_words(factor, str(level)) for level in levels if str(level) not in there]
        else:
            absent = [filter_words(side) for side in self.absent(cells)]
        if absent:
            return f"not measured here in this tier: {listing(absent, most=2)}"
        return "no setting has all the cells that the claim compares"

    def nowhere_reason(self, cells: list[MeasuredCell]) -> str:
        """Why a claim that compares environments or CPU profiles can be judged nowhere."""
        if absent := self.absent(cells):
            return f"no environment of this run has {filter_words(absent[0])}"
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


def _sort_key(cell: MeasuredCell) -> tuple[str, ...]:
    return cell.environment, cell.image_id, cell.levels["cpu-profile"], cell.cell


def _row_key(row: PairRow) -> tuple:
    ends = row.numerator_environment, row.denominator_environment, row.numerator_cell, row.denominator_cell
    return row.stratum, row.variant, row.joint_scope, row.item, row.scope, *ends


def _agree(one: MeasuredCell, two: MeasuredCell, factors: Iterable[str]) -> bool:
    shared = (name for name in factors if name in one.levels and name in two.levels)
    return all(one.levels[name] == two.levels[name] for name in shared)


def _grouped(items: Iterable[Any], key: Any) -> dict[Any, list[Any]]:
    groups: dict[Any, list[Any]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _complete(rows: list[PairRow]) -> bool:
    """Whether some group of rows has all the pairs that it needs."""
    groups = _grouped(rows, lambda row: row.group).values()
    return any(len({row.item for row in group}) == group[0].needed for group in groups)
