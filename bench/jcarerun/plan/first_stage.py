"""The first stage, cut to fit into the minutes that a run may measure: the cells first on which most claims hang.

In: every round that the tier has, checked experiments, the settings; files of an earlier run. Out: the rounds of stage one.
The cut is by expectation alone, so that the same configuration always gives the same one; once a run has begun it stays, however
many minutes it is given later.
"""

import math
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images.catalogue import Environment
from jcarerun.plan import budget, stages, wants
from jcarerun.plan.plan import Round, in_order
from jcarerun.plan.settings import Settings


def rounds(
    whole: list[Round],
    experiments: dict[str, dict],
    environments: dict[str, Environment],
    settings: Settings,
    raw: Path,
) -> list[Round]:
    """The rounds of stage one, in the order they are to be run."""
    chosen = {place.path: place.forks(raw, 1) for place in stages.staged(whole)}
    if settings.minutes and None in chosen.values():
        chosen |= _cut(whole, chosen, experiments, environments, settings, raw)
    cut = []
    for place in stages.staged(whole):
        forks = chosen[place.path]
        cut += place.whole if forks is None else place.first(forks)
    return in_order(cut)


def keep(whole: list[Round], first: list[Round], raw: Path) -> None:
    """Write down which cells stage one has, where it has not all of them and nothing says so yet."""
    there = {place.path: place for place in stages.staged(first)}
    for place in stages.staged(whole):
        # A place of which nothing fits has nothing that a later run must go on with.
        if (own := there.get(place.path)) is None:
            continue
        cells = {cell.id for cell in own.whole[0].cells}
        if len(cells) < len(place.whole[0].cells) and place.forks(raw, 1) is None:
            place.write(raw, 1, dict.fromkeys(cells, len(place.whole)))


def _cut(whole, chosen, experiments, environments, settings, raw) -> dict[str, dict[str, int] | None]:
    """What each place without a file has of its cells; nothing is said of one that has all, or has begun with all."""
    places = stages.staged(whole)
    begun = {place.path for place in places if place.begun(raw)}
    open_ = [place for place in places if chosen[place.path] is None and place.path not in begun]
    costs = wants.costs(whole)
    seconds = budget.limit_s(settings.minutes) * budget.FIRST_PART
    known = {
        (path, cell.id): len(place.whole)
        for place in places
        if (path := place.path) in begun and chosen[path] is None
        for cell in place.whole[0].cells
    }
    known |= {(path, cell): n for path, forks in chosen.items() for cell, n in (forks or {}).items()}
    if sum(one.expected_s for place in open_ for one in place.whole) + wants.price(known, costs) <= seconds:
        return {}
    studies = {name: experiment["study"]["id"] for name, experiment in experiments.items()}
    wanted = wants.each_study_first(wants.of_claims(experiments, whole, environments), studies, costs)
    wanted = wants.each_claim_first(wanted, costs)
    picked = wants.choose(wanted, costs, seconds, known)
    if not picked:
        least = min(wants.price(want.forks, costs) for want in wanted) / seconds * settings.minutes
        raise UserError(
            f"--config minutes={settings.minutes:g}: too few for a first stage of any claim; give {math.ceil(least)} or more"
        )
    return {place.path: stages.of_place(picked, place) for place in open_}
