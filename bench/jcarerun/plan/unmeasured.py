"""Which claims a run can't judge, since it measures nothing on one of their sides: said with the plan.

In: checked experiments and the rounds of a plan. Out: claims and what is missing. Whether the cells that are there suffice for a
verdict is the analysis's to say.
"""

from collections.abc import Iterable, Iterator

from jcarerun.images.catalogue import Environment
from jcarerun.plan.cells import Cell
from jcarerun.plan.plan import Round
from jcarerun.support.yamlfile import listed

Names = dict[str, str]

# The part of a place that a name in a claim is about: what a claim compares differs in those alone that it names on both sides.
PLACE = {"system": "system", "platform": "system", "jdk": "jdk", "cpu-profile": "cpu-profile"}


def named_cells(rounds: Iterable[Round], environments: dict[str, Environment]) -> list[Names]:
    """Every planned cell as claims name it: factors, workload, provider, CPU profile, and the parts of its environment."""
    every = {(one.environment, cell.id): cell for one in rounds for cell in one.cells}
    return [named(cell, environments.get(environment)) for (environment, _), cell in every.items()]


def named(cell: Cell, place: Environment | None) -> Names:
    """A cell as claims name it; one of an environment that nobody knows has no parts of it."""
    parts = (
        {"system": place.system, "platform": place.platform, "jdk": place.jdk.id if place.jdk else ""} if place else {}
    )
    own = {"workload": cell.workload, "provider": cell.provider, "cpu-profile": cell.cpu_profile}
    return {**parts, **own, **cell.factors}


def meets(cell: Names, wanted: dict) -> bool:
    """Whether a filter of a claim keeps a cell."""
    return all(cell.get(name) in [str(each) for each in listed(values)] for name, values in wanted.items())


def _words(wanted: dict) -> str:
    return ", ".join(f"{name} {'/'.join(str(each) for each in listed(values))}" for name, values in wanted.items())


def missing(claim: dict, cells: list[Names]) -> Iterator[str]:
    """What a claim speaks of and no cell is."""
    cells = [cell for cell in cells if meets(cell, claim.get("among", {}))]
    if not cells:
        yield _words(claim.get("among", {})) or "any cell"
        return
    for wanted in [side for pair in claim.get("ratios", []) for side in pair.values()] + [claim.get("values", {})]:
        if not any(meets(cell, wanted) for cell in cells):
            yield _words(wanted)
    for pair in claim.get("ratios", []):
        yield from _apart(pair["numerator"], pair["denominator"], cells)
    for key in ("compare", "across"):
        if chosen := claim.get(key):
            there = {cell.get(chosen["factor"]) for cell in cells} & {str(level) for level in chosen["levels"]}
            if len(there) < 2:
                yield f"two of {_words({chosen['factor']: chosen['levels']})}"


def _apart(one: dict, other: dict, cells: list[Names]) -> Iterator[str]:
    """That no two cells of a ratio's sides are of one place, but for the parts of it that both sides name."""
    freed = {PLACE.get(name) for name in one.keys() & other.keys()}
    held = [part for part in dict.fromkeys(PLACE.values()) if part not in freed]
    ones, others = ([cell for cell in cells if meets(cell, side)] for side in (one, other))

    def shared(parts: list[str]) -> set[tuple]:
        here, there = ({tuple(cell.get(part) for part in parts) for cell in some} for some in (ones, others))
        return here & there

    if ones and others and not shared(held):
        parts = " or ".join([part for part in held if not shared([part])] or held)
        yield f"{_words(one)} and {_words(other)} with the same {parts}, which both sides must name to differ in it"


def summary(experiments: dict[str, dict], rounds: Iterable[Round], environments: dict[str, Environment]) -> list[str]:
    """A line for each study that has claims of which no experiment of the run measures both sides.

    Where there is one study it says what is missing.
    """
    rounds, studies = list(rounds), {}
    for name, experiment in experiments.items():
        own = claims(experiment, named_cells([one for one in rounds if one.experiment == name], environments))
        for claim in experiment.get("claims", {}):
            studies.setdefault(experiment["study"]["id"], {}).setdefault(claim, []).append(own.get(claim))
    lines = []
    for study, found in studies.items():
        open_ = {claim: lacking[0] for claim, lacking in found.items() if all(lacking)}
        words = open_ if len(studies) > 1 else [f"{claim} ({lacking})" for claim, lacking in open_.items()]
        if open_:
            lines.append(f"  {study}: no verdict on {', '.join(words)}, of which this run doesn't measure both sides")
    return lines


def claims(experiment: dict, cells: list[Names]) -> dict[str, str]:
    """Claim to what of it the run doesn't measure, in words; claims that can't be tested at all are not among them."""
    found = {}
    for name, claim in experiment.get("claims", {}).items():
        if claim["form"] != "not-testable" and (lacking := list(dict.fromkeys(missing(claim, cells)))):
            found[name] = "; ".join(lacking)
    return found
