"""Which cells a stage measures: the first by expectation alone, later ones by what claims and widths still demand.

In: the rounds with every cell, checked experiments, minutes, the demands. Out: the forks of each cell, and what the plan says of
them. The same configuration gives the same first stage, which stays once a round is measured; with more minutes later stages
choose among the cells that it left out.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from jcarerun.errors import UserError
from jcarerun.plan import budget, claim_pairs, claim_resolver, demand, fixed_plan
from jcarerun.plan.cells import programme_cell
from jcarerun.plan.claim_rows import PairRow
from jcarerun.plan.claim_words import variant_order
from jcarerun.plan.definitions import Registry
from jcarerun.plan.demand import CLAIMS, FIRST, REST, CellDemand, Key
from jcarerun.plan.environments import EnvironmentWords, described
from jcarerun.plan.fixed_plan import FixedPlan
from jcarerun.plan.plan import Round
from jcarerun.plan.stages import PLANNED, Stage

# Cells left out, and claims, that the plan names.
MOST_NAMED = 12
# Minutes of which the plan says what they would decide.
MORE_MINUTES = 10
# Valid forks from which on a cell counts as measured: one has no spread, and no contrast that could demand more.
LEAST_FORKS = 2


def cell_forks(rounds: Iterable[Round]) -> dict[Key, int]:
    """Cell to its forks in the rounds."""
    found: dict[Key, int] = defaultdict(int)
    for round_ in rounds:
        for cell in round_.cells:
            found[round_.family_path, cell.id] += 1
    return dict(found)


@dataclass(frozen=True)
class Planner:
    """What the choice of cells rests on. rounds: of stage one with every cell."""

    rounds: list[Round]
    experiments: Mapping[str, dict]
    registry: Registry

    @cached_property
    def costs(self) -> dict[Key, float]:
        """Seconds of a fork of each cell, and of a round beside its forks."""
        return demand.costs(self.rounds)

    @cached_property
    def claim_demands(self) -> dict[str, tuple[CellDemand, list[PairRow]]]:
        """A demand for each claim of the rounds in each stratum and variant, with its rows of claim_pairs.csv."""
        return self._claim_demands(self.rounds)

    def demands(self, rounds: Iterable[Round] | None = None) -> list[CellDemand]:
        """The demands for a first look at every claim and at every cell that no claim needs, as far as rounds can meet them.

        Each cell gets as many forks as there are rounds of it. The first workload of an experiment without claims ranks first: of
        the calibration it has an A/A pair and an injected slowdown. Cells that no claim needs rank last.
        """
        rounds = self.rounds if rounds is None else list(rounds)
        forks = cell_forks(rounds)
        claims = self.claim_demands if rounds is self.rounds else self._claim_demands(rounds)
        found = {name: wanted for name, (wanted, _) in claims.items()}
        needed = {key for wanted in found.values() for key in wanted.forks}
        rest: dict[str, CellDemand] = {}
        for round_ in rounds:
            experiment = self.experiments[round_.experiment]
            workloads = list(experiment["workloads"])
            for cell in round_.cells:
                if (key := (round_.family_path, cell.id)) in needed:
                    continue
                claims = experiment.get("claims")
                name = " ".join((round_.experiment, cell.workload, *([round_.environment] if claims else [])))
                rank = REST if claims or cell.workload != workloads[0] else FIRST
                rest.setdefault(name, CellDemand(name, {}, rank)).forks[key] = forks[key]
        return [*found.values(), *rest.values()]

    def claim_minutes(self) -> list[dict]:
        """Minutes that each claim takes at the least under each protocol, as if its cells were measured for it alone."""
        found: dict[tuple[str, ...], float] = {}
        for wanted, _ in self.claim_demands.values():
            found[wanted.claim] = min(demand.price(wanted.forks, self.costs) / 60, found.get(wanted.claim, math.inf))
        return [
            {"experiment": experiment, "claim": claim, "protocol": protocol, "minutes": round(minutes, 1)}
            for (experiment, claim, protocol), minutes in found.items()
        ]

    def _claim_demands(self, rounds: list[Round]) -> dict[str, tuple[CellDemand, list[PairRow]]]:
        """A demand for each claim in each stratum and variant that has all the pairs that a verdict needs, with their rows.

        What is only shown, because it is not comparable with the study, ranks behind all that is judged.
        """
        forks, words = cell_forks(rounds), EnvironmentWords(described(self.registry.catalogue))
        cells = claim_pairs.planned_cells(rounds, words)
        families = {(round_.experiment, round_.environment): round_.family_path for round_ in rounds}
        found: dict[str, tuple[CellDemand, list[PairRow]]] = {}
        for row in claim_resolver.resolve(self.experiments.values(), self.registry.forms, words, cells):
            if row.lacking:
                continue
            stratum = (row.stratum.environment, row.stratum.cpu_profile)
            name = " ".join(filter(None, (row.experiment, row.claim, row.stratum.protocol, *stratum, row.variant)))
            wanted, rows = found.get(name) or (CellDemand(name, {}, REST, protocol=row.stratum.protocol), [])
            rows.append(row)
            found[name] = (wanted if row.excluded else replace(wanted, rank=CLAIMS), rows)
            for environment, cell in row.cells:
                key = families[row.experiment, environment], cell
                key = key if key in forks else (key[0], programme_cell(cell))
                wanted.forks[key] = forks[key]

        # An experiment file lists the study's own levels first.
        def in_file(name: str) -> tuple[list[int], str]:
            _, (row, *_) = found[name]
            return variant_order(row.variant, self.experiments[row.experiment])

        return {name: found[name] for name in sorted(found, key=in_file)}

    @cached_property
    def fixed_plans(self) -> list[FixedPlan]:
        """The fixed plan of each experiment with claims."""
        found = self.claim_demands
        plans = []
        for name, experiment in self.experiments.items():
            own = {key: pair for key, pair in found.items() if pair[0].claim[0] == name}
            if own:
                tier = experiment["tiers"][self.rounds[0].tier]
                here = {round_.environment for round_ in self.rounds if round_.experiment == name}
                known = (*tier["environments"], *self.registry.catalogue.environments)
                reference = next((each for each in known if each in here), min(here))
                plans.append(fixed_plan.plan(name, tier, own, self.costs, reference))
        return plans

    def fixed_cells(self) -> dict[str, dict[str, int]]:
        """The forks of each cell of the fixed plans; of an experiment without claims every cell in each of its tier's rounds."""
        planned = {plan.experiment for plan in self.fixed_plans}
        forks = {key: n for plan in self.fixed_plans for key, n in plan.forks.items()}
        for round_ in self.rounds:
            if round_.experiment not in planned:
                rounds = self.experiments[round_.experiment]["tiers"][round_.tier]["rounds"]
                forks |= {(round_.family_path, cell.id): rounds for cell in round_.cells}
        return _by_family(forks, {round_.family_path for round_ in self.rounds})

    @cached_property
    def first_demands(self) -> list[CellDemand]:
        """The same with the ranks of stage one: each study first, then each claim once, then the rest."""
        studies = {name: experiment["study"]["id"] for name, experiment in self.experiments.items()}
        return demand.each_claim_first(demand.each_study_first(self.demands(), studies, self.costs), self.costs)

    def first_cells(self, stage: Stage, minutes: float) -> dict[str, dict[str, int]]:
        """What stage one has of the families that are not begun, where that is not all of it, or not what a file says."""
        begun = {family for family in stage.full_plan if stage.is_begun(family)}
        written = {family for family in stage.full_plan if stage.file(family).is_file()}
        kept = begun | written if begun else set()
        open_ = stage.full_plan.keys() - kept
        every, costs = cell_forks(self.rounds), self.costs
        known = cell_forks(round_ for family in kept for round_ in stage.family_rounds(family))
        limit = budget.limit_s(minutes)
        seconds = limit * budget.FIRST_PART
        if demand.price({key: n for key, n in every.items() if key[0] in open_} | known, costs) <= seconds:
            return _by_family(every, open_ & written)
        if not open_:
            return {}
        # A claim whose other side is in a family that is begun without it stays out: its pairs would not be whole.
        demands = [
            wanted
            for wanted in self.first_demands
            if all(family in open_ or (family, cell) in known for family, cell in wanted.forks)
        ]
        deciding = [wanted for wanted in demands if wanted.rank < REST] or demands
        claims = [wanted for wanted in deciding if self.experiments[wanted.claim[0]].get("claims")]
        chosen = demand.choose(deciding, costs, seconds, known)
        if claims and not any(wanted.forks.keys() <= chosen.keys() for wanted in claims):
            # No claim fits into a part of the minutes. Later stages have less: one that fits into all of them is measured now.
            chosen = demand.choose(deciding, costs, limit, known)
        if not chosen:
            least = min(demand.price(wanted.forks, costs) for wanted in deciding) / limit * minutes
            raise UserError(
                f"--config minutes={minutes:g}: too few for a first stage of any claim; give {math.ceil(least)} or more"
            )
        chosen = demand.choose(demands, costs, seconds, chosen)
        return _by_family(chosen, open_)

    def unmeasured(self, forks: Mapping[Key, int], able: Iterable[Round], states: list[dict[str, str]]) -> list:
        """Demands of claims and cells that some cell lacks valid forks for, with all cells of the demand.

        forks: valid ones of each cell so far. able: rounds of stage one that could be measured now. states: of the claims.
        """
        return [
            replace(wanted, chance=demand.chance(wanted, states) if wanted.rank < REST else 1)
            for wanted in self.demands(able)
            if any(forks.get(key, 0) < min(LEAST_FORKS, n) for key, n in wanted.forks.items())
        ]

    def lacking(self, forks: Mapping[Key, int]) -> list[CellDemand]:
        """Demands of a fixed plan: a cell that was disturbed gets as many forks more as it lacks. forks: valid ones so far."""
        planned = {(family, cell): n for family, cells in self.fixed_cells().items() for cell, n in cells.items()}
        return [
            CellDemand(" ".join(key), {key: n - forks.get(key, 0)})
            for key, n in planned.items()
            if forks.get(key, 0) < n
        ]

    def summary(self, stages: list[Stage], minutes: float, left_s: float, factor: float = 1.0) -> list[str]:
        """What the plan says of the minutes: cells of stage one, those left out by name, later stages, and more minutes."""
        first, every = cell_forks(stages[0].rounds()), cell_forks(self.rounds)
        done = cell_forks(round_ for stage in stages for round_ in stage.rounds())
        if stages[0].is_fixed:
            return [line for plan in self.fixed_plans for line in plan.summary()]
        lines = []
        if minutes:
            begun = any(map(stages[0].is_begun, stages[0].full_plan))
            fit = "are in stage one, which is begun; later stages choose anew" if begun else "fit into stage one"
            lines.append(
                f"  {budget.format_duration(max(left_s, 0))} of {minutes:g} minutes of measuring left (MINUTES=, or --config "
                f"minutes=): {len(first)} of {len(every)} cells {fit}, those first on which most claims depend"
            )
        left_out = [key for key in every if key not in done]
        lines += _left_out(left_out, every)
        if len(stages) > 1:
            lines += self._later(stages, minutes, left_s / factor, bool(left_out))
        if minutes:
            lines += self._more_minutes(done, left_s, minutes)
        return lines

    def _later(self, stages: list[Stage], minutes: float, left_s: float, left_out: bool) -> list[str]:
        """How much later stages may add, as an estimate; no line once none of them is to be planned."""
        if any(stage.stands(minutes) and stage.words != PLANNED for stage in stages[1:]):
            return []
        why = "as undecided claims and wide intervals demand" + (", and cells left out" if left_out else "")
        planned = [round_ for stage in stages for round_ in stage.rounds()]
        seconds = left_s - sum(round_.expected_s for round_ in budget.Budget(stages[0].raw, planned).missing())
        if math.isinf(seconds):
            seconds = sum(self.costs[key] * most for key, (_, most) in stages[0].widths.items())
            if not seconds:
                return [f"  then later stages, {why}"]
        mean = sum(round_.expected_s for round_ in self.rounds) / len(self.rounds)
        rounds = max(round(seconds / mean), 0)
        return [
            f"  then later stages (estimate): up to {rounds} rounds, {budget.format_duration(max(seconds, 0))}, {why}"
        ]

    def _more_minutes(self, chosen: dict[Key, int], left_s: float, minutes: float) -> list[str]:
        """The claims whose cells ten more minutes would measure too, by name."""
        demands, costs = [wanted for wanted in self.first_demands if wanted.rank < REST], self.costs
        claims = {wanted.claim[:2] for wanted in demands if wanted.protocol}
        met = _claims_met(demands, chosen)
        part = budget.FIRST_PART if left_s > 0 else 1
        more = demand.choose(demands, costs, demand.price(chosen, costs) + part * MORE_MINUTES * 60, chosen)
        new = sorted(_claims_met(demands, more) - met)
        if not claims or len(met) == len(claims):
            return []
        names = [f"{experiment} {claim}" for experiment, claim in new[:MOST_NAMED]]
        beyond = f" and {len(new) - MOST_NAMED} more" if len(new) > MOST_NAMED else ""
        words = f"; {MORE_MINUTES} more minutes would add {', '.join(names)}{beyond}" if new else ""
        return [f"  cells are planned for {len(met)} of {len(claims)} claims that this tier can judge{words}"]


def _by_family(forks: Mapping[Key, int], families: Iterable[str]) -> dict[str, dict[str, int]]:
    return {family: {cell: n for (path, cell), n in forks.items() if path == family} for family in families}


def _claims_met(demands: Iterable[CellDemand], chosen: Mapping[Key, int]) -> set[tuple[str, ...]]:
    """Experiment and id of each claim of which some stratum has all its cells."""
    return {wanted.claim[:2] for wanted in demands if wanted.protocol and wanted.forks.keys() <= chosen.keys()}


def _left_out(keys: Iterable[Key], every: Iterable[Key]) -> list[str]:
    """A line for each experiment that names the cells which no stage has yet."""
    out: dict[str, list[str]] = defaultdict(list)
    environments = Counter(family.split("/")[0] for family in {family for family, _ in every})
    total = Counter(family.split("/")[0] for family, _ in every)
    for family, cell in keys:
        experiment, environment, _ = family.split("/")
        out[experiment].append(f"{cell} in {environment}" if environments[experiment] > 1 else cell)
    most = max(MOST_NAMED // max(len(out), 1), 2)
    lines = []
    for experiment, cells in sorted(out.items()):
        beyond = f" and {len(cells) - most} more" if len(cells) > most else ""
        names = "all cells" if len(cells) == total[experiment] else f"{', '.join(sorted(cells)[:most])}{beyond}"
        lines.append(f"  left out of stage one of {experiment}: {names}")
    return lines


def expected_message(demands: list[CellDemand], costs: dict[Key, float], left_s: float) -> str:
    """How many verdicts ten more minutes would decide; empty where no demand is left."""
    now, more = (
        demand.expected_decisions(demands, demand.choose(demands, costs, max(seconds, 0)))
        for seconds in (left_s, left_s + MORE_MINUTES * 60)
    )
    return f"; {MORE_MINUTES} more minutes would decide about {more - now:.0f} verdicts" if more - now >= 0.5 else ""


def keep_first(stage: Stage) -> None:
    """Write which cells stage one has, where it has not all of them: a run that goes on reads the same choice."""
    if stage.chosen:
        stage.write(
            {(family, cell): {"forks": n} for family, cells in stage.chosen.items() for cell, n in cells.items()},
            everywhere=stage.chosen.keys(),
        )
