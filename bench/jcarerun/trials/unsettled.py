"""The cells that verdicts wait for which are open because times are not settled.

In: a report's tidy tables. Out: the cells whose pilots may decide them: where both sides of a ratio have one, its verdict stands
if what the pilots leave possible would not turn it (docs/statistics.md).
"""

from pathlib import Path

from jcarerun.explorer import tidy

CAUSE = "not settled"


def cells(folder: Path) -> set[tuple[str, str, str]]:
    """Experiment, environment and id of each such cell, on both sides of its ratios. Raises UserError without tables."""
    waiting = {_verdict(row) for row in tidy.read(folder, "verdicts.csv") if row["cause"] == CAUSE}
    return {
        (row["experiment"], row[f"{side}_environment"], row[f"{side}_cell"])
        for row in tidy.read(folder, "contrasts.csv")
        if _verdict(row) in waiting
        for side in ("numerator", "denominator")
        if row[f"{side}_cell"]
    }


def _verdict(row: tidy.Row) -> tuple[str, ...]:
    return tuple(row[key] for key in tidy.OF_VERDICT)
