"""The verdicts of a run as lines for the terminal, each with its number, and one line of remedy.

In: verdicts.csv, contrasts.csv and forks.csv of the tidy directory. Out: text.
"""

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from jcarerun.errors import count
from jcarerun.explorer.tidy import OF_VERDICT, read
from jcarerun.support.files import load_json

# Verdicts that are answers, with their words; the others may become one, and are read as they are written.
DECIDED = {
    "holds": "holds", "other-size": "right direction, other size", "opposite": "opposite direction",
    "does-not-hold": "does not hold",
}  # fmt: skip
UNDECIDED = "undecided"
# The cause of one whose times are not proven to be of compiled code.
UNPROVEN = "warm-up unproven"
# Above these forks a cell a remedy would take hours, and none is named.
MOST_FORKS = 1000

Row = dict[str, str]


def read_rows(file: Path) -> list[Row]:
    """The rows of a table; none where it is not there."""
    if not file.is_file():
        return []
    with file.open(newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def significant(text: str, digits: int = 3) -> str:
    """A number of a table with three significant figures; a dash where there is none."""
    try:
        value = float(text)
    except ValueError:
        return "-"
    if not math.isfinite(value):
        return "-"
    if value == 0:
        return "0"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{value:,.{max(places, 0)}f}" if places >= 0 else f"{round(value, places):,.0f}"


def interval(row: Row, value: str, lower: str, upper: str) -> str:
    """`1.23 [1.20, 1.26]`, or the number alone."""
    ends = [significant(row[lower]), significant(row[upper])]
    return significant(row[value]) + (f" [{', '.join(ends)}]" if "-" not in ends else "")


@dataclass(frozen=True)
class Verdict:
    """A row of verdicts.csv with the contrast that decides it, which may be missing."""

    row: Row
    contrast: Row

    @property
    def decided(self) -> bool:
        """Whether it is an answer."""
        return self.row["verdict"] in DECIDED

    @property
    def more_forks(self) -> int | None:
        """Forks of each cell that it still needs, if its estimate stays; None where forks alone do not help."""
        needed, there = self.row["forks_needed"], self.row["forks_min"]
        if self.decided or not needed or float(needed) > MOST_FORKS:
            return None
        return max(math.ceil(float(needed)) - int(float(there or 0)), 1)


def verdicts(tidy: Path, experiments: Iterable[str]) -> list[Verdict]:
    """The verdicts of some experiments, as far as they are about something that can be judged here."""
    contrasts = {row["contrast"]: row for row in read_rows(tidy / "contrasts.csv")}
    rows = [row for row in read_rows(tidy / "verdicts.csv") if row["experiment"] in set(experiments)]
    return [Verdict(row, contrasts.get(row["contrast"], {})) for row in rows]


def more_minutes(found: Iterable[Verdict], tidy: Path) -> tuple[int, int]:
    """How many undecided verdicts more forks would decide, and the minutes that these take."""
    seconds: dict[tuple[str, str], list[float]] = {}
    for row in read_rows(tidy / "forks.csv"):
        if row["elapsed_ms"]:
            seconds.setdefault((row["environment"], row["cell"]), []).append(float(row["elapsed_ms"]) / 1000)
    more: dict[tuple[str, str], int] = {}
    helped = 0
    for verdict in found:
        if (forks := verdict.more_forks) is None or not verdict.contrast:
            continue
        helped += 1
        for side in ("numerator", "denominator"):
            key = verdict.contrast[f"{side}_environment"], verdict.contrast[f"{side}_cell"]
            more[key] = max(more.get(key, 0), forks)
    total = sum(forks * sum(seconds[key]) / len(seconds[key]) for key, forks in more.items() if key in seconds)
    return helped, math.ceil(1.2 * total / 60)


def summary(tidy: Path, experiments: dict[str, dict], minutes: float, reference_forks: str) -> list[str]:
    """A line for each verdict of the run's experiments, and what to do about those that are undecided.

    reference_forks: the command that measures how long the run's benchmarks take until they are compiled.
    """
    found = verdicts(tidy, experiments)
    lines = [_line(verdict, experiments[verdict.row["experiment"]]) for verdict in found]
    return [*not_offered(tidy), *lines, *remedy(found, tidy, minutes, reference_forks)]


def _line(verdict: Verdict, experiment: dict) -> str:
    row = verdict.row
    claim = experiment["claims"][row["claim"]]
    where = ", ".join(filter(None, (row["variant"], row["environment"])))
    number = f": {interval(row, 'estimate', 'lower', 'upper')}" if row["estimate"] else ""
    why = f" ({row['cause'] or row['reason'][:120]})" if not verdict.decided and (row["cause"] or row["reason"]) else ""
    words = DECIDED.get(row["verdict"], row["verdict"].replace("-", " "))
    return f"{row['claim']} {words}{number}{why}: {claim['text']}{f' ({where})' if where else ''}"


def remedy(found: list[Verdict], tidy: Path, minutes: float, reference_forks: str = "") -> list[str]:
    """One line: what would decide the verdicts that are no answers yet; none where all are decided."""
    undecided = [verdict for verdict in found if verdict.row["verdict"] == UNDECIDED or not verdict.row["estimate"]]
    if not undecided:
        return []
    forks = read_rows(tidy / "forks.csv")
    disturbed = sum(row["valid"] != "TRUE" for row in forks)
    if disturbed > len(forks) / 2:
        return [
            f"{disturbed} of {len(forks)} JVM runs were disturbed by other work on this machine: end other programs, or wait for "
            "quiet (wait=10), and run the same command again; it measures them anew"
        ]
    undecided = [verdict for verdict in undecided if verdict.row["verdict"] == UNDECIDED]
    lacking = _without_time(tidy)
    if minutes and lacking and len(undecided) < len(found):
        more = f"the same command with more minutes continues: minutes={2 * math.ceil(minutes)}"
        return [f"{count(lacking, 'benchmark')} had no time; {more}"]
    if not undecided:
        return []
    helped, more = more_minutes(undecided, tidy)
    words = f"{len(undecided)} of {len(found)} verdicts are undecided"
    if helped:
        total = f": minutes={math.ceil(minutes) + more}" if minutes else ""
        return [f"{words}; about {count(more, 'more minute')} would decide {helped}{total}"]
    if any("too few" in f"{verdict.row['cause']} {verdict.row['reason']}" for verdict in undecided):
        if minutes:
            return [f"{words}; the same command with more minutes continues: minutes={2 * math.ceil(minutes)}"]
        return [
            f"{words}; a verdict needs five JVM runs of each benchmark: choose a tier of five rounds or more, such as tier=quick"
        ]
    if unproven := sum(verdict.row["cause"] == UNPROVEN for verdict in undecided):
        longer = "give the benchmarks longer JVM runs, by more iterations in the experiment file"
        measured = {
            (row["experiment"], row["environment"], row["cell"]) for row in read_rows(tidy / "reference_forks.csv")
        }
        if reference_forks and not waiting_cells(tidy) <= measured:
            longer = f"`{reference_forks}` measures how long they take to be compiled; then run the same command again"
        return [f"{words}, {unproven} of them because warm-up is unproven: {longer}"]
    return [f"{words}; more runs would not decide them: the page of each in the report says why"]


def waiting_cells(folder: Path) -> set[tuple[str, str, str]]:
    """Experiment, environment and id of each cell of a verdict that is undecided because times are not proven compiled.

    folder: a report's tidy tables. With reference forks of both sides of a ratio a verdict stands, if no time that they leave
    possible would turn it (docs/statistics.md). Raises UserError without tables.
    """

    def of_verdict(row: Row) -> tuple[str, ...]:
        return tuple(row[key] for key in OF_VERDICT)

    waiting = {of_verdict(row) for row in read(folder, "verdicts.csv") if row["cause"] == UNPROVEN}
    return {
        (row["experiment"], row[f"{side}_environment"], row[f"{side}_cell"])
        for row in read(folder, "contrasts.csv")
        if of_verdict(row) in waiting
        for side in ("numerator", "denominator")
        if row[f"{side}_cell"]
    }


def _without_time(tidy: Path) -> int:
    """Benchmarks of which no run had time."""
    file = tidy / "definitions.json"
    left_out = load_json(file, "run again").get("left_out", []) if file.is_file() else []
    return sum(each["none"] for each in left_out)


def not_offered(tidy: Path) -> list[str]:
    """A line for each benchmark that no run measured, with the provider's reason."""
    reasons: dict[str, set[str]] = {}
    for row in read_rows(tidy / "offers.csv"):
        if row["offered"] != "yes":
            words = f"{row['offered']}: {row['why'][:140]}" if row["why"] else row["offered"]
            reasons.setdefault(f"{row['cell'].rsplit(':', 2)[0]} ({words})", set()).add(row["environment"])
    return [f"Not measured: {cell} in {', '.join(sorted(places))}" for cell, places in sorted(reasons.items())]
