"""The plan of the full tier: a fixed list of cells and forks, the same on every machine, chosen before anything is measured.

A cell is in it if a claim compares it. It gets as many forks as a simulation says that the claim takes at the spreads seen in
earlier runs. First comes each claim under each protocol, at first with the least forks; then its other variants, then other
environments and CPU profiles, as far as the minutes of the experiment's tier go. What is not comparable anyway is
shown under the first protocol, and comes last under others.
In: the rounds with every cell, data/spreads.csv, analysis/forks_needed.csv. Out: the forks of each cell; the plan claim by claim.
"""

import bisect
import csv
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from jcarerun.plan import budget, demand
from jcarerun.plan.claim_rows import PairRow
from jcarerun.plan.cpu_profiles import NATIVE
from jcarerun.plan.demand import CLAIMS, REST, CellDemand, Key
from jcarerun.plan.settings import MOST_FORKS

SPREADS, FORKS_NEEDED = Path("data/spreads.csv"), Path("analysis/forks_needed.csv")
LEAST_FORKS = 5
# Forks, above which a number is of no use to anybody.
FEASIBLE = 1000
# A rank above those of demand.py: for environments and CPU profiles that a claim does not compare.
ELSEWHERE = REST + 1

# Mean and relative standard deviation of a cell's forks, by experiment, environment, cell and measure. Without an environment: of
# the cell in any.
Spreads = Mapping[tuple[str, str, str, str], tuple[float, float]]


@dataclass(frozen=True)
class PlannedClaim:
    """What the plan has of a claim in a stratum and variant.

    needed: forks that it is expected to take, None where nothing is known of its cells. comparable: whether any of its ratios
    may decide it. planned: forks that its cells get, 0 where it has no room.
    """

    demand: CellDemand
    needed: int | None
    comparable: bool = True
    planned: int = 0

    @property
    def is_beyond(self) -> bool:
        """Whether the most forks of a cell are not expected to decide it."""
        return self.comparable and self.needed is not None and self.needed > MOST_FORKS


@cache
def read_spreads() -> Spreads:
    """What earlier runs have measured of each cell."""
    found: dict[tuple[str, str, str, str], tuple[float, float]] = {}
    with SPREADS.open(newline="") as file:
        for row in csv.DictReader(file):
            values = float(row["mean"]), float(row["spread"])
            for environment in (row["environment"], ""):
                found.setdefault((row["experiment"], environment, row["cell"], row["measure"]), values)
    return found


@cache
def _distances() -> list[tuple[float, int]]:
    """Distance from a limit, as a multiple of the spread, and the forks that decide it; from near to far."""
    with FORKS_NEEDED.open(newline="") as file:
        return sorted((float(row["distance"]), int(row["forks"])) for row in csv.DictReader(file))


def forks_needed(distance: float, spread: float) -> int:
    """Forks that decide a log ratio so far from its limit in nine runs of ten; beyond the table by its last row."""
    known = _distances()
    relative = distance / spread
    if relative >= known[-1][0]:
        return LEAST_FORKS
    if relative < known[0][0]:
        forks = known[0][1] * (known[0][0] / relative) ** 2 if relative > 0 else math.inf
        return math.ceil(min(forks, FEASIBLE + 1))
    return known[bisect.bisect_right(known, (relative, MOST_FORKS)) - 1][1]


def _mean(row: PairRow, side: str, measure: str, spreads: Spreads) -> tuple[float, float] | None:
    cell, environment = getattr(row, f"{side}_cell"), getattr(row, f"{side}_environment")
    if not cell:
        return 1.0, 0.0
    return spreads.get((row.experiment, environment, cell, measure)) or spreads.get((row.experiment, "", cell, measure))


def _of_pair(row: PairRow, spreads: Spreads) -> tuple[bool, int] | None:
    """Whether a pair is expected to lie within its target, and the forks that show it; None where nothing is known."""
    measure = row.measure or row.measures.split(";")[0]
    sides = [_mean(row, side, measure, spreads) for side in ("numerator", "denominator")]
    if row.series or None in sides or not all(mean > 0 for mean, _ in sides):
        return None
    (first, first_spread), (second, second_spread) = sides
    log_ratio, spread = math.log(first / second), math.hypot(first_spread, second_spread)
    limits = [math.log(limit) for limit in (row.target_lower, row.target_upper) if 0 < limit < math.inf]
    if not limits or not spread:
        return None
    within = max(row.target_lower, 0) <= first / second <= row.target_upper
    return within, forks_needed(min(abs(log_ratio - limit) for limit in limits), spread)


def of_claim(rows: Iterable[PairRow], spreads: Spreads) -> int | None:
    """Forks that a claim takes in a stratum: to be broken by its nearest pair, or else to be held by all."""
    found = [_of_pair(row, spreads) for row in rows]
    outside = [each[1] for each in found if each and not each[0]]
    if outside:
        return min(outside)
    return None if None in found or not found else max(each[1] for each in found)


def _is_elsewhere(wanted: CellDemand, reference: str) -> bool:
    """Whether all cells of a demand are in another environment than the reference, or in another CPU class than the machine."""
    environments = {family.split("/")[1] for family, _ in wanted.forks}
    profiles = {cell.rpartition(":")[2] for _, cell in wanted.forks}
    return (len(environments) == 1 and reference not in environments) or (len(profiles) == 1 and NATIVE not in profiles)


@dataclass(frozen=True)
class FixedPlan:
    """The plan of one experiment. minutes: those that its tier has, 0 for no end. costs: seconds, as `demand.costs` has them."""

    experiment: str
    claims: tuple[PlannedClaim, ...]
    forks: dict[Key, int]
    costs: dict[Key, float]
    minutes: float

    @property
    def seconds(self) -> float:
        """How long all its rounds are expected to take."""
        return demand.price(self.forks, self.costs)

    def summary(self) -> list[str]:
        """The plan claim by claim."""
        of = f" of {self.minutes:g} minutes" if self.minutes else ""
        cells = f"{len(self.forks)} cells, {sum(self.forks.values())} forks"
        lines = [f"  {self.experiment}: {cells}, {budget.format_duration(self.seconds)}{of}"]
        groups: dict[tuple[str, ...], list[PlannedClaim]] = defaultdict(list)
        for claim in self.claims:
            groups[claim.demand.claim[1:]].append(claim)
        for (claim, protocol), some in sorted(groups.items()):
            lines.append(f"    {claim:<6}{protocol:<14}{self._words(some)}")
        return lines

    def _words(self, some: list[PlannedClaim]) -> str:
        """What the plan has of a claim under a protocol, and what it takes: minutes as if no other claim shared its cells."""
        planned = [claim for claim in some if claim.planned]
        if not planned:
            least = min(demand.price(claim.demand.forks, self.costs) for claim in some)
            return f"no room: {budget.format_duration(least)} at least"
        forks = sorted({n for claim in planned for n in (min(claim.planned, MOST_FORKS),)})
        cells: dict[Key, int] = {}
        for claim in planned:
            cells |= {key: max(claim.planned, cells.get(key, 0)) for key in claim.demand.forks}
        words = [
            f"{len(planned)} of {len(some)} rows, {len(cells)} cells, {forks[0]}{f' to {forks[-1]}' if forks[1:] else ''} forks, "
            f"{budget.format_duration(demand.price(cells, self.costs))}"
        ]
        if beyond := [claim.needed for claim in planned if claim.is_beyond]:
            most = f"more than {FEASIBLE}" if max(beyond) > FEASIBLE else str(max(beyond))
            words.append(f"{len(beyond)} not decided by {MOST_FORKS} forks (up to {most} needed)")
        if not_comparable := sum(not claim.comparable for claim in planned):
            words.append(f"{not_comparable} not comparable")
        if unknown := sum(claim.comparable and claim.needed is None for claim in planned):
            words.append(f"{unknown} without a known spread")
        return "; ".join(words)


def plan(
    name: str,
    tier: dict,
    demands: Mapping[str, tuple[CellDemand, list[PairRow]]],
    costs: dict[Key, float],
    reference: str,
) -> FixedPlan:
    """The fixed plan of an experiment.

    demands: the experiment's, each with its rows of claim_pairs.csv. reference: the environment of claims that compare none.
    """
    here = {
        wanted.claim for wanted, _ in demands.values() if wanted.rank < REST and not _is_elsewhere(wanted, reference)
    }
    claims = []
    first_protocol = next((wanted.protocol for wanted, _ in demands.values() if wanted.protocol), "")
    for wanted, rows in demands.values():
        needed, comparable = of_claim(rows, read_spreads()), not all(row.excluded for row in rows)
        # Rows that no number of forks decides still get an interval.
        is_open = not comparable or needed is None or needed > MOST_FORKS
        forks = tier["rounds"] if is_open else max(needed, LEAST_FORKS)
        is_more = wanted.claim in here and _is_elsewhere(wanted, reference)
        # What is not comparable always has the rank REST: no run decides it.
        is_rest = wanted.rank == REST if comparable else wanted.protocol != first_protocol
        rank = ELSEWHERE if is_rest or is_more else CLAIMS
        wanted = replace(wanted, forks=dict.fromkeys(wanted.forks, forks), rank=rank)
        claims.append(PlannedClaim(wanted, needed, comparable=comparable))
    ranked = demand.each_claim_first([claim.demand for claim in claims], costs)
    seconds = tier["minutes"] * 60 if "minutes" in tier else math.inf
    # Each claim gets an interval before any gets all the forks that its verdict takes.
    least = [
        replace(each, forks={key: min(n, tier["rounds"]) for key, n in each.forks.items()})
        for each in ranked
        if each.rank == CLAIMS
    ]
    chosen = demand.choose(ranked, costs, seconds, demand.choose(least, costs, seconds))
    known = {claim.demand.name: claim for claim in claims}
    planned = [
        replace(known[wanted.name], planned=min(max(wanted.forks.values()), *(chosen.get(key, 0) for key in wanted.forks)))
        for wanted in ranked
    ]  # fmt: skip
    return FixedPlan(name, tuple(planned), chosen, costs, tier.get("minutes", 0))
