"""How long the rounds that are missing will take: the plan's guess, corrected by the rounds this machine has finished."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from jcarerun.rounds import manifest

if TYPE_CHECKING:
    from jcarerun.plan.fork_plan import Place
    from jcarerun.plan.plan import Round


def _taken(raw: Path, planned: "Round") -> tuple[float, float] | None:
    """Seconds expected and taken by a finished round, or None."""
    try:
        record = json.loads((raw / planned.path / "round.json").read_text())
        return float(record["expected_s"]), float(record["elapsed_s"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def missing(raw: Path, rounds: Iterable["Round"]) -> list["Round"]:
    """The rounds that are not there yet, but for those left out for want of time."""
    return [one for one in rounds if not (raw / one.path).is_dir() and not manifest.is_left_out(raw / one.path)]


def finished(raw: Path, rounds: Iterable["Round"]) -> list[tuple[float, float]]:
    """Seconds expected and taken by each round that is there."""
    return [taken for one in rounds if (taken := _taken(raw, one))]


def correction(raw: Path, rounds: Iterable["Round"]) -> float:
    """Seconds that a second of the plan's guess takes here."""
    done = finished(raw, rounds)
    expected, elapsed = sum(d[0] for d in done), sum(d[1] for d in done)
    return elapsed / expected if expected > 0 else 1.0


def remaining_s(raw: Path, rounds: list["Round"]) -> float:
    """Seconds that the missing rounds are expected to take."""
    return correction(raw, rounds) * sum(one.expected_s for one in missing(raw, rounds))


def clock(seconds: float) -> str:
    """`95` as `1:35 min`, `4000` as `1:06 h`."""
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02d} h"


def _by_profile(planned: "Round") -> str:
    """How many cells each CPU profile has, in brackets; nothing where there is none but the machine's own CPU."""
    count = Counter(cell.cpu_profile for cell in planned.cells)
    words = ", ".join(f"{number} {profile}" for profile, number in sorted(count.items(), reverse=True))
    return f" ({words})" if set(count) != {"native"} else ""


def _spent(rounds: list["Round"]) -> str:
    """What the time of rounds goes to beside iterations, in brackets; nothing where there are none."""
    cells = [cell for one in rounds for cell in one.cells]
    whole = sum(one.expected_s for one in rounds)
    if not whole:
        return ""
    measured, warm = sum(cell.measured_s for cell in cells) / whole, sum(cell.warm_s for cell in cells) / whole
    return f" ({measured:.0%} iterations, {warm:.0%} warm-up by count, {1 - measured - warm:.0%} starts)"


def _second_stage(raw: Path, rounds: list["Round"], places: Iterable["Place"]) -> list[str]:
    """What stage two may add where it isn't planned yet, in a line; no line where there is nothing to add."""
    open_places = [place for place in places if not place.file(raw).is_file()]
    if not open_places:
        return []
    wanted = sum(bool(cell.half_width) for place in open_places for cell in place.first[0].cells)
    most = sum(place.most - len(place.first) for place in open_places)
    seconds = correction(raw, rounds) * sum(place.most_s() for place in open_places)
    return [
        f"  then, as far as their spread asks for it, more forks of {wanted} cells: at most {most} rounds, {clock(seconds)} more"
    ]


def summary(raw: Path, rounds: list["Round"], places: Iterable["Place"] = ()) -> str:
    """The plan in a few lines: cells, rounds, forks and the expected time; what stage two may add in `places`."""
    lines = []
    for name in sorted({one.experiment for one in rounds if one.stage == 1}):
        own = [one for one in rounds if one.experiment == name and one.stage == 1]
        environments = sorted({one.environment for one in own})
        lines.append(
            f"  {name}: {len(own[0].cells)} cells{_by_profile(own[0])} in {len(environments)} environments "
            f"({', '.join(environments)}), {len(own) // len(environments)} rounds each"
        )
    left = missing(raw, rounds)
    lines.append(
        f"  {len(rounds)} rounds, {sum(len(one.cells) for one in rounds)} forks; to run: {len(left)} rounds, "
        f"{sum(len(one.cells) for one in left)} forks; expected time {clock(remaining_s(raw, rounds))}"
        f"{_spent(left)}"
    )
    return "\n".join([*lines, *_second_stage(raw, rounds, places)])
