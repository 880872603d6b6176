"""Forks that claims and widths demand, and which of them fit into a time.

In: demands, what a fork of each cell costs, seconds. Out: the forks that each cell gets. A demand is met as a whole or not at
all, so both sides of what a claim compares stay together.
"""

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from jcarerun.plan.plan import ROUND_S, Round

# A cell as the plan names it: the path that its rounds share (`Round.family_path`), and its id.
Key = tuple[str, str]
# Ranks: a study's first claim and the calibration; each claim once; its other environments and variants; what no claim needs.
FIRST, CLAIMS, MORE_OF_A_CLAIM, REST = range(4)
# What the analysis says of a claim in a stratum.
STATES = DECIDED, UNDECIDED, GIVEN_UP = "decided", "undecided", "given up"
# Part of a later stage that is kept for claims on warmed-up code: they cost more than those on cold calls.
WARM_PART = 0.5


@dataclass(frozen=True)
class CellDemand:
    """Forks that cells need together: until a claim is decided, or until an interval is narrow enough.

    name: of a claim's demand its experiment, id, protocol, then the rest of its stratum. rank: demands of a lower one are chosen
    first. chance: how likely the forks are enough, above 0. protocol: the one that a claim is judged under.
    """

    name: str
    forks: dict[Key, int]
    rank: int = FIRST
    chance: float = 1
    protocol: str = ""

    @property
    def claim(self) -> tuple[str, ...]:
        """Experiment, claim and protocol of a claim's demand."""
        return tuple(self.name.split()[:3])


def costs(rounds: Iterable[Round]) -> dict[Key, float]:
    """Seconds that a fork of each cell is expected to take; under a family's path alone what a round costs beside its forks."""
    found = {}
    for round_ in rounds:
        found[round_.family_path, ""] = ROUND_S
        found.update({(round_.family_path, cell.id): cell.expected_s for cell in round_.cells})
    return found


def price(forks: dict[Key, int], costs: dict[Key, float], chosen: dict[Key, int] | None = None) -> float:
    """Seconds that forks and their rounds are expected to take beside those that are chosen already."""
    there = chosen or {}
    return sum(costs[key] * max(n - there.get(key, 0), 0) for key, n in _with_rounds(forks).items())


def choose(
    demands: Iterable[CellDemand], costs: dict[Key, float], seconds: float, chosen: dict[Key, int] | None = None
) -> dict[Key, int]:
    """The forks of as many demands as fit beside those that are chosen: by rank, then by seconds per expected decision.

    A demand that contains all cells of others decides those too, which makes it cheaper per decision.
    """
    chosen = _with_rounds(chosen or {})
    seconds -= price(chosen, costs)
    demands = {demand.name: demand for demand in demands}
    left = {name: _with_rounds(demand.forks) for name, demand in demands.items()}
    sharing: dict[Key, list[str]] = {}
    for name, forks in left.items():
        for key in forks:
            sharing.setdefault(key, []).append(name)
    decisions = {
        name: sum(other.chance for other in others if other.rank == demands[name].rank)
        for name, others in _contained(demands.values()).items()
    }
    prices = {name: price(forks, costs, chosen) for name, forks in left.items()}

    def entry(name: str) -> tuple[int, float, str]:
        return demands[name].rank, prices[name] / decisions[name], name

    queue = [entry(name) for name in prices]
    heapq.heapify(queue)
    while queue:
        cheapest = heapq.heappop(queue)
        name = cheapest[-1]
        # A demand whose price fell has a later entry.
        if name not in prices or cheapest != entry(name):
            continue
        paid = prices.pop(name)
        if paid > seconds:
            continue
        seconds -= paid
        more = {key: n for key, n in left[name].items() if n > chosen.get(key, 0)}
        chosen |= more
        for other in {other for key in more for other in sharing[key]} & prices.keys():
            prices[other] = price(left[other], costs, chosen)
            heapq.heappush(queue, entry(other))
    return {key: n for key, n in chosen.items() if key[1]}


def _contained(demands: Collection[CellDemand]) -> dict[str, list[CellDemand]]:
    """The demands that each demand meets too, itself among them: all their cells are among its own."""
    by_cell: dict[Key, list[CellDemand]] = {}
    for demand in demands:
        by_cell.setdefault(next(iter(demand.forks)), []).append(demand)
    return {
        demand.name: [
            other for key in demand.forks for other in by_cell.get(key, ()) if other.forks.keys() <= demand.forks.keys()
        ]
        for demand in demands
    }


def _with_rounds(forks: dict[Key, int]) -> dict[Key, int]:
    """Forks, and for each family the rounds that they need."""
    rounds: dict[Key, int] = {}
    for (family, _cell), n in forks.items():
        rounds[family, ""] = max(n, rounds.get((family, ""), 0))
    return forks | rounds


def expected_decisions(demands: Iterable[CellDemand], chosen: dict[Key, int]) -> float:
    """How many claims the chosen forks are likely to decide."""
    met = (demand for demand in demands if all(chosen.get(key, 0) >= n for key, n in demand.forks.items()))
    return sum(demand.chance for demand in met if demand.rank < REST)


def each_claim_first(demands: list[CellDemand], costs: dict[Key, float]) -> list[CellDemand]:
    """The demands; the cheapest of each claim under each protocol ranks before the claim's other environments and variants.

    Of equal ones it is the first.
    """
    cheapest: dict[tuple[str, ...], tuple[float, int]] = {}
    for position, demand in enumerate(demands):
        if demand.rank == CLAIMS:
            # Sums of the same seconds in another order differ in their last digits.
            found = (round(price(demand.forks, costs), 3), position)
            cheapest[demand.claim] = min(found, cheapest.get(demand.claim, found))
    first = {demands[position].name for _, position in cheapest.values()}
    return [
        replace(demand, rank=MORE_OF_A_CLAIM) if demand.rank == CLAIMS and demand.name not in first else demand
        for demand in demands
    ]


def each_study_first(
    demands: list[CellDemand], studies: Mapping[str, str], costs: dict[Key, float]
) -> list[CellDemand]:
    """The demands; the one of each study that decides most of its claims for its cost ranks first.

    studies: experiment to study.
    """
    found = {demand.name: demand for demand in demands}
    of_study: dict[str, list[CellDemand]] = {}
    for demand in demands:
        if demand.rank == CLAIMS:
            of_study.setdefault(studies[demand.claim[0]], []).append(demand)
    for some in of_study.values():
        decided = _contained(some)
        best = min(some, key=lambda demand: (price(demand.forks, costs) / len(decided[demand.name]), demand.name))
        found[best.name] = replace(best, rank=FIRST)
    return list(found.values())


def chance(demand: CellDemand, states: Iterable[dict[str, str]]) -> float:
    """How likely a claim is decided in one more stratum: as often as in others, by Laplace's rule of succession."""
    key = [*demand.claim[:2], demand.protocol]
    rows = [row for row in states if key == [row["experiment"], row["claim"], row["protocol"]]]
    count = Counter()
    for row in rows:
        count[row["state"]] += int(row["claims"])
    return (count[DECIDED] + 1) / (sum(count[state] for state in STATES) + 2)


def choose_later(
    demands: list[CellDemand],
    costs: dict[Key, float],
    stage_s: float,
    left_s: float,
    last_protocols: Mapping[str, str],
) -> dict[Key, int]:
    """The forks of a stage that may take `stage_s` of the `left_s` seconds left; more of them where nothing fits otherwise.

    last_protocols: experiment to the protocol that warms its code up.
    """
    warm = [demand for demand in demands if demand.protocol and demand.protocol == last_protocols.get(demand.claim[0])]
    return choose(demands, costs, stage_s, choose(warm, costs, stage_s * WARM_PART)) or choose(demands, costs, left_s)
