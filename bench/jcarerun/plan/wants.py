"""What a run's claims hang on: the cells that have to be measured together for a verdict, and which of them fit into a time.

In: checked experiments, planned rounds, seconds. Out: the forks that each cell gets.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from jcarerun.images.catalogue import Environment
from jcarerun.plan.plan import ROUND_S, Round
from jcarerun.plan.unmeasured import Names, meets, missing, named

# A cell as a plan names it: its round's place below the raw directory (without the number), and its id.
Key = tuple[str, str]
# Ranks: of what claims hang on, of a claim's further places and variants, and of the rest of what claims nothing.
CLAIMS, MORE_OF_A_CLAIM, REST = 1, 2, 3
PLACE_PARTS = {"system", "platform", "jdk", "environment"}


@dataclass(frozen=True)
class Want:
    """Forks that cells need so that something is decided: a claim in a place, or a part of what asks no claim.

    name: of a claim's its experiment, id, protocol, and then the rest of its place. rank: of those of a lower one as many as fit
    are chosen first. chance: how likely the forks decide it, above 0. protocol: that a claim is judged under.
    """

    name: str
    forks: dict[Key, int]
    rank: int = 0
    chance: float = 1
    protocol: str = ""


def place_of(one: Round) -> str:
    """What the paths of a place's rounds begin with."""
    return f"{one.experiment}/{one.environment}/{one.family}"


def costs(rounds: Iterable[Round]) -> dict[Key, float]:
    """Seconds that a fork of each cell is expected to take; under a place's own name what a round costs beside its forks."""
    found = {}
    for one in rounds:
        found[place_of(one), ""] = ROUND_S
        found.update({(place_of(one), cell.id): cell.expected_s for cell in one.cells})
    return found


def price(forks: dict[Key, int], costs: dict[Key, float], chosen: dict[Key, int] | None = None) -> float:
    """Seconds that forks are expected to take beside what is chosen already, with the rounds that they need."""
    there = chosen or {}
    return sum(costs[key] * max(n - there.get(key, 0), 0) for key, n in _with_rounds(forks).items())


def choose(
    wants: Iterable[Want], costs: dict[Key, float], seconds: float, chosen: dict[Key, int] | None = None
) -> dict[Key, int]:
    """The forks of as many wants as fit, by rank, and in one by what a decision costs: beside what is chosen, over its chance.

    What settles others on the way, whose cells are all among its own, is so much the cheaper.
    """
    chosen = _with_rounds(chosen or {})
    seconds -= price(chosen, costs)
    wants = list(wants)
    left, rank = {want.name: _with_rounds(want.forks) for want in wants}, {want.name: want.rank for want in wants}
    sharing: dict[Key, set[str]] = {}
    for name, forks in left.items():
        for key in forks:
            sharing.setdefault(key, set()).add(name)
    prices = {name: price(forks, costs, chosen) for name, forks in left.items()}
    chance = {want.name: want.chance for want in wants}
    settles = {name: _contained(left, rank, chance, name, sharing) for name in left}
    while prices:
        name = min(prices, key=lambda one: (rank[one], prices[one] / settles[one], one))
        paid = prices.pop(name)
        if paid > seconds:
            continue
        seconds -= paid
        chosen |= {key: max(n, chosen.get(key, 0)) for key, n in left[name].items()}
        touched = set().union(*(sharing[key] for key in left[name])) & prices.keys()
        prices |= {one: price(left[one], costs, chosen) for one in touched}
    return {key: n for key, n in chosen.items() if key[1]}


def _contained(
    left: dict[str, dict[Key, int]],
    rank: dict[str, int],
    chance: dict[str, float],
    name: str,
    sharing: dict[Key, set[str]],
) -> float:
    """How many wants of a want's rank that have no cell that it hasn't are likely to be decided, itself among them."""
    near = set().union(*(sharing[key] for key in left[name]))
    return sum(chance[one] for one in near if rank[one] == rank[name] and left[one].keys() <= left[name].keys())


def _with_rounds(forks: dict[Key, int]) -> dict[Key, int]:
    """Forks, and for each place the rounds that they need."""
    rounds: dict[Key, int] = {}
    for (place, _cell), n in forks.items():
        rounds[place, ""] = max(n, rounds.get((place, ""), 0))
    return forks | rounds


def of_claims(experiments: dict[str, dict], first: list[Round], environments: dict[str, Environment]) -> list[Want]:
    """A want for each claim in each place and variant that the rounds measure; one for each workload where nothing is claimed.

    Each cell gets as many forks as there are rounds of it. First comes the first workload of what claims nothing: of the
    calibration a pair of twins and an effect; then claims under any protocol, then the rest of what claims nothing.
    """
    found = []
    for name, experiment in experiments.items():
        own = [one for one in first if one.experiment == name]
        cells = {}
        for one in own:
            for cell in one.cells:
                key = (place_of(one), cell.id)
                place = {"environment": one.environment, "protocol": cell.protocol}
                cells.setdefault(key, [named(cell, environments.get(one.environment)) | place, 0])[1] += 1
        claims = {id: claim for id, claim in experiment.get("claims", {}).items() if claim["form"] != "not-testable"}
        for id, claim in claims.items():
            for place, keys in _of_claim(claim, {key: names for key, (names, _) in cells.items()}):
                forks = {key: cells[key][1] for key in keys}
                found.append(Want(f"{name} {id} {place}", forks, CLAIMS, protocol=place.split()[0]))
        if not claims:
            there = {names["workload"] for names, _ in cells.values()}
            for rank, workload in enumerate(one for one in experiment["workloads"] if one in there):
                forks = {key: n for key, (names, n) in cells.items() if names["workload"] == workload}
                found.append(Want(f"{name} {workload}", forks, REST if rank else 0))
    return found


def each_claim_first(wants: list[Want], costs: dict[Key, float]) -> list[Want]:
    """The wants, the cheapest of each claim under each protocol before its other places and variants.

    None is left with nothing while another is judged in its tenth environment.
    """
    cheapest: dict[tuple[str, ...], tuple[float, str]] = {}
    for want in wants:
        if want.rank == CLAIMS:
            claim, found = tuple(want.name.split()[:3]), (price(want.forks, costs), want.name)
            cheapest[claim] = min(found, cheapest.get(claim, found))
    first = {name for _, name in cheapest.values()}
    return [
        replace(want, rank=MORE_OF_A_CLAIM) if want.rank == CLAIMS and want.name not in first else want
        for want in wants
    ]


def each_study_first(wants: list[Want], studies: dict[str, str], costs: dict[Key, float]) -> list[Want]:
    """The wants, the one first of each study that settles most of that study's claims for its cost: none is left with nothing.

    studies: by experiment, which the name of a want of a claim begins with.
    """
    found = {want.name: want for want in wants}
    own: dict[str, list[Want]] = {}
    for want in wants:
        if want.rank == CLAIMS:
            own.setdefault(studies[want.name.split()[0]], []).append(want)
    for some in own.values():
        settled = {one.name: sum(other.forks.keys() <= one.forks.keys() for other in some) for one in some}
        best = min(some, key=lambda one: (price(one.forks, costs) / settled[one.name], one.name))
        found[best.name] = replace(best, rank=0)
    return list(found.values())


def _sides(claim: dict) -> list[dict]:
    """The filters of a claim's sides; one that keeps all where it names none."""
    compared = [{one["factor"]: one["levels"]} for one in (claim.get("compare"), claim.get("across")) if one]
    # A cell is on a side if it has the levels of both.
    joint = [{key: levels for one in compared for key, levels in one.items()}] if compared else []
    ratios = [side for pair in claim.get("ratios", []) for side in pair.values()]
    return joint + ratios + ([claim["values"]] if "values" in claim else []) or [{}]


def _freed(claim: dict) -> set[str]:
    """What the two sides of a claim differ in, so that no place is of one of them alone."""
    both = [pair["numerator"].keys() & pair["denominator"].keys() for pair in claim.get("ratios", [])]
    return set().union(*both, {one["factor"] for key in ("compare", "across") if (one := claim.get(key))})


def _of_claim(claim: dict, cells: dict[Key, Names]) -> Iterator[tuple[str, list[Key]]]:
    """Each place and variant in which the cells for a claim are there, in words, and these cells."""
    among = claim.get("among", {})
    own = {
        key: names
        for key, names in cells.items()
        if meets(names, among) and any(meets(names, side) for side in _sides(claim))
    }
    freed = _freed(claim)
    held = ["protocol", *([] if freed & PLACE_PARTS else ["environment"]), *({"cpu-profile"} - freed)]

    def place(item: tuple[Key, Names]) -> list[str]:
        return [item[1].get(part, "") for part in held]

    each = claim.get("each", [])
    for where, group in groupby(sorted(own.items(), key=place), key=place):
        here = dict(group)
        variants = {tuple(names.get(part) for part in each) for names in here.values()}
        # A cell without a level of a variant's factor is of every variant.
        whole = sorted(variant for variant in variants if None not in variant) or [()]
        for variant in whole:
            levels = dict(zip(each, variant, strict=False))
            keys = [key for key, names in here.items() if all(names.get(k) in (None, v) for k, v in levels.items())]
            if keys and not any(missing(claim, [here[key] for key in keys])):
                yield " ".join([*where, *variant]), keys
