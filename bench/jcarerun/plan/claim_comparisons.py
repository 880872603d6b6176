"""The cells that a claim compares, in the way of its form: a row of claim_pairs.csv for each pair, without its verdict yet.

In: a claim of an experiment, cells. Out: rows, whose verdicts claim_resolver.py numbers.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from jcarerun.plan import workloads
from jcarerun.plan.claim_rows import DIMENSION, MeasuredCell, PairRow, Stratum, compared_dimensions, each_names, matches
from jcarerun.plan.claim_words import SECURITY_LEVEL, level_words, listing, variant_label
from jcarerun.plan.environments import EnvironmentWords
from jcarerun.plan.forms import Form


def grouped(items: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    """Items by their keys, both in the items' order."""
    groups: dict[Any, list[Any]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def cell_order(cell: MeasuredCell) -> tuple[str, ...]:
    """Sorts cells of a stratum."""
    return cell.environment, cell.image_id, cell.levels["cpu-profile"], cell.cell


class Comparisons:
    """A claim of an experiment, whose cells become rows."""

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
        # Rows of all cells together, whatever the measure.
        self.is_joint = form.compares in ("calls", "counts")
        self.empty = PairRow(
            experiment["id"], name, claim["form"], ";".join(claim["measures"]), "", Stratum("", "", "", "", "")
        )
        self._strata: dict[int, Stratum] = {}

    def pairs(self, cells: list[MeasuredCell]) -> list[PairRow]:
        """The rows of some cells in their order, for every measure; groups and pairs have numbers."""
        rows_of = {
            "ratios": self.ratios, "differences": self.ratios, "levels": self.levels, "values": self.values,
            "counts": self.values, "calls": self.calls, "steps": self.steps, "series": self.series,
        }[self.form.compares]  # fmt: skip
        rows, numbers = list(rows_of(cells)), {}
        for row in rows:
            # A row without a group or a pair is one by itself.
            row.group = numbers.setdefault((row.variant, row.group or object()), len(numbers) + 1)
            row.pair = numbers.setdefault((row.variant, row.pair or object(), "pair"), len(numbers) + 1)
            row.measure = row.measures
        if not self.is_joint:
            rows = [
                replace(row, measure=measure, group=row.group + n * len(numbers), pair=row.pair + n * len(numbers))
                for n, measure in enumerate(self.claim["measures"])
                for row in rows
            ]
        return sorted(rows, key=_row_order)

    def stratum(self, cell: MeasuredCell) -> Stratum:
        """What a cell must share with another one to be compared with it by this claim."""
        if found := self._strata.get(id(cell)):
            return found
        freed = self.compared & {"system", "jdk"}
        # `*-temurin-21.0.8`, `debian-13-*` or `*`.
        shared = "-".join("*" if name in freed else cell.levels[name] for name in ("system", "jdk"))
        found = Stratum(
            ("*" if len(freed) == 2 else shared) if freed else cell.environment,
            "" if freed else cell.image_id, cell.machine_id, cell.protocol,
            "" if "cpu-profile" in self.compared else cell.levels["cpu-profile"],
        )  # fmt: skip
        return self._strata.setdefault(id(cell), found)

    def context(self, cell: MeasuredCell, names: Iterable[str]) -> tuple:
        """What a cell must share with another one, with its levels of some factors."""
        return (self.stratum(cell), *map(cell.levels.get, names))

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

    def pair(self, cell: MeasuredCell, other: MeasuredCell | None, **values: Any) -> PairRow:
        """A row for a cell over another one, or for a cell's own measure."""
        below = other or cell
        values = {"own_profile": cell.levels["cpu-profile"], **values}
        return replace(
            self.empty, stratum=self.stratum(cell), excluded=self.exclusion(cell, below),
            variant=variant_label(self.each, cell.levels, below.levels),
            numerator_environment=cell.environment, numerator_image_id=cell.image_id, numerator_cell=cell.cell,
            denominator_environment=below.environment, denominator_image_id=below.image_id,
            denominator_cell=other.cell if other else "", target_lower=self.lower, target_upper=self.upper, **values,
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

    def ratios(self, cells: list[MeasuredCell]) -> Iterator[PairRow]:
        """Cells of the same stratum, workload and provider that agree in every factor both have.

        A factor that only one cell has gives several pairs; so does a name that both filters set.
        """
        shown = self.shown(cells)
        for ratio in self.claim["ratios"]:
            free = ratio["numerator"].keys() & ratio["denominator"].keys()
            shared = [name for name in ("workload", "provider") if name not in free]
            factors = [name for name in self.factors(cells) if name not in free]
            others = grouped(
                (cell for cell in cells if matches(cell.levels, ratio["denominator"])),
                partial(self.context, names=shared),
            )
            for cell in (each for each in cells if matches(each.levels, ratio["numerator"])):
                for other in others.get(self.context(cell, shared), []):
                    common = (name for name in factors if name in cell.levels and name in other.levels)
                    if cell_order(cell) == cell_order(other) or any(cell.levels[n] != other.levels[n] for n in common):
                        continue
                    same = [name for name in shown if self.words.of_cell(cell, name) == self.words.of_cell(other, name)]
                    apart = [name for name in shown if name not in same]
                    scope = self.words.cell(cell, same)
                    yield self.pair(
                        cell, other, scope=scope, joint_scope=scope,
                        numerator=self.words.side(cell, apart), denominator=self.words.side(other, apart),
                    )  # fmt: skip

    def levels(self, cells: list[MeasuredCell]) -> Iterator[PairRow]:
        """Pairs of levels, within every combination of all else.

        A partial form compares the levels that are there, in each variant by itself: one that a provider lacks is judged on the
        other providers. What is said of the first level needs it; any other form takes the first that is there.
        """
        compare, across = self.claim["compare"], self.claim.get("across")
        if across:
            cells = [cell for cell in cells if matches(cell.levels, {across["factor"]: across["levels"]})]
        levels = [str(level) for level in compare["levels"]]
        if not self.form.partial:
            yield from self.level_pairs(cells, levels)
            return
        by_levels: dict[tuple[str, ...], list[MeasuredCell]] = {}
        for variant in grouped(
            cells, lambda cell: (self.stratum(cell), variant_label(self.each, cell.levels))
        ).values():
            measured = {cell.levels.get(compare["factor"]) for cell in variant}
            by_levels.setdefault(tuple(level for level in levels if level in measured), []).extend(variant)
        for there, some in by_levels.items():
            if len(there) > 1 and (self.form.pairs != "first-to-each" or there[0] == levels[0]):
                yield from self.level_pairs(some, list(there))

    def level_pairs(self, cells: list[MeasuredCell], levels: list[str]) -> list[PairRow]:
        """Pairs of these levels in cells that are alike in all else; with `across`, in each of its levels, their setting."""
        factor, across = self.claim["compare"]["factor"], self.claim.get("across", {}).get("factor")
        settings = ["", *(str(level) for level in self.claim.get("across", {}).get("levels", []))]
        named = [name for name in (across, *self.each) if name in DIMENSION]
        alike = [
            name for name in ("workload", "provider", *self.factors(cells), *named) if name not in (factor, across)
        ]
        # A platform is called by its system.
        called = "system" if factor == "platform" else factor
        shown = [name for name in self.shown(cells) if name not in (factor, called)]
        positions, rows = self.form.level_pairs(len(levels)), []
        contexts = grouped(cells, lambda cell: (cell.levels[across] if across else "", self.context(cell, alike)))
        for (setting, group), some in contexts.items():
            by_level = grouped(some, lambda cell: cell.levels.get(factor))
            for number, (first, second) in enumerate(positions, 1):
                for cell, other in itertools.product(by_level.get(levels[first], []), by_level.get(levels[second], [])):
                    rows.append(self.pair(
                        cell, other, setting=self.words.level(across, setting) if across else "",
                        group=group, pair=(*group, number) if across else None,
                        item=number + (settings.index(setting) + 1) / 1000, needed=len(positions),
                        own_profile="" if factor == "cpu-profile" else cell.levels["cpu-profile"],
                        numerator=self.words.of_cell(cell, called), denominator=self.words.of_cell(other, called),
                        scope=self.words.cell(cell, shown),
                        joint_scope=self.words.cell(cell, [name for name in shown if name != across]),
                        featured=self.features(cell, other) if self.form.cpu_features else "",
                    ))  # fmt: skip
        return self.in_several_settings(rows) if across else rows

    @staticmethod
    def in_several_settings(rows: list[PairRow]) -> list[PairRow]:
        """The rows of pairs that several settings have: one of a single setting can't be compared with another one.

        A level that is missing in some setting leaves the other pairs as they are.
        """
        by_pair = grouped(rows, lambda row: (row.variant, row.pair)).values()
        several = {id(row) for some in by_pair if len({row.setting for row in some}) > 1 for row in some}
        rows = [row for row in rows if id(row) in several]
        for some in grouped(rows, lambda row: (row.variant, row.group)).values():
            for row in some:
                row.needed = len({each.item for each in some})
        return rows

    def values(self, cells: list[MeasuredCell]) -> Iterator[PairRow]:
        """A row for each cell of the claim's `values`."""
        shown = self.shown(cells)
        for cell in cells:
            if matches(cell.levels, self.claim["values"]):
                yield self.pair(cell, None, numerator=self.words.side(cell, shown))

    def calls(self, cells: list[MeasuredCell]) -> Iterator[PairRow]:
        """A row for each stratum, with all its cells that time single calls: the typical one is judged."""
        known = self.experiment["workloads"].items()
        timing = {name for name, each in known if "calls" in workloads.declared(each["benchmark"])}
        timed = [cell for cell in cells if cell.levels["workload"] in timing]
        for series in grouped(timed, self.stratum).values():
            yield replace(self.pair(series[0], None, series=";".join(cell.cell for cell in series)), variant="")

    def steps(self, cells: list[MeasuredCell]) -> list[PairRow]:
        """A row for each cell; those of a pair are alike but for the level of `across`, their setting."""
        factor, levels = self.claim["across"]["factor"], [str(level) for level in self.claim["across"]["levels"]]
        cells = [cell for cell in cells if cell.levels.get(factor) in levels]
        alike = [name for name in ("workload", "provider", *self.factors(cells), "cpu-profile") if name != factor]
        shown = [name for name in self.shown(cells) if name != factor]
        rows = []
        for some in grouped(cells, self.stratum).values():
            settings = {cell.levels[factor] for cell in some}
            for cell in some if len(settings) > 1 else ():
                group = self.context(cell, alike)
                rows.append(self.pair(
                    cell, None, group=group, pair=group, setting=self.words.level(factor, cell.levels[factor]),
                    item=levels.index(cell.levels[factor]) + 1, needed=len(settings),
                    numerator=self.words.side(cell, shown),
                ))  # fmt: skip
        return rows

    def series(self, cells: list[MeasuredCell]) -> Iterator[PairRow]:
        """A row for each series of cells that differ in the size alone, where all sizes are there."""
        factor, levels = self.claim["compare"]["factor"], self.claim["compare"]["levels"]
        sizes = {str(level): self.experiment["factors"][factor][level]["bytes"] for level in levels}
        cells = [cell for cell in cells if cell.levels.get(factor) in sizes]
        alike = [name for name in ("workload", "provider", "cpu-profile", *self.factors(cells)) if name != factor]
        shown = [name for name in self.shown(cells) if name != factor]
        contexts = grouped(cells, lambda cell: (cell.environment, cell.image_id, *self.context(cell, alike)))
        for series in contexts.values():
            series = sorted(series, key=lambda cell: sizes[cell.levels[factor]])
            if len(series) == len(sizes):
                first, last = series[0], series[-1]
                yield self.pair(
                    last, first, scope=self.words.cell(first, shown),
                    numerator=last.levels[factor], denominator=first.levels[factor],
                    series=";".join(cell.cell for cell in series),
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
        keys = ("algorithm", "transformation")
        names = [*levels.values(), *(str(each[key]) for each in parameters for key in keys if key in each)]
        return {part for name in names for part in (name, name.partition("/")[0])}


def _row_order(row: PairRow) -> tuple:
    ends = row.numerator_environment, row.denominator_environment, row.numerator_cell, row.denominator_cell
    return row.stratum, row.variant, row.joint_scope, row.item, row.scope, *ends
