"""The page report/results/today: which provider to take for what on each JDK.

In: the tables of a published report (today.csv, ratios.csv, rounds.csv). Out: the lines of the page.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from jcarerun.explorer import tidy
from jcarerun.explorer.tidy import Row
from jcarerun.plan import providers
from jcarerun.plan.claim_words import listing
from jcarerun.results import main_page
from jcarerun.results.markdown import NOTICE, interval, number, table

# Providers that every JDK brings.
_OF_THE_JDK = ("sunjce", "sunjsse")
_SHORT = {"Amazon Corretto Crypto Provider": "ACCP"}


def providers_lines(tables: Path) -> list[str]:
    """The page of the providers: what to take on each JDK, all providers by JDK, and the JDK's own provider over time."""
    rows = tidy.read(tables, "today.csv")
    environments = list(dict.fromkeys(row["environment"] for row in sorted(rows, key=_release)))
    # In the order of the newest JDK, which has the most operations.
    newest = [row for row in rows if row["environment"] == environments[-1]]
    order = dict.fromkeys(row["operation"] for row in [*newest, *rows])
    by_operation = {operation: [row for row in rows if row["operation"] == operation] for operation in order}
    made = [NOTICE, "# Which provider for what", "", main_page.Page(tables).extent(), main_page.REPORTS, ""]
    made += [*_advice(by_operation, environments), "", *_algorithms(rows, environments[-1]), "", "## All providers", ""]
    made += [
        "Each row has the fastest provider, its speed and what an operation allocates. The others follow, with their",
        "times as multiples of its time and what they allocate. A `~` marks those that are statistically indistinguishable",
        "from the fastest.",
    ]
    for environment in environments:
        here = {name: [row for row in some if row["environment"] == environment] for name, some in by_operation.items()}
        made += ["", f"### {jdk(environment)} ({environment})", "", *_choices(here)]
    return [*made, *_changes(by_operation, environments, tidy.read(tables, "ratios.csv"))]


def _advice(by_operation: dict[str, list[Row]], environments: list[str]) -> list[str]:
    """The first answer: an operation's provider on each JDK, where there is a choice."""
    others = {row["provider"] for rows in by_operation.values() for row in rows} - set(_OF_THE_JDK)
    chosen = {
        operation: [_take(row for row in rows if row["environment"] == name) for name in environments]
        for operation, rows in by_operation.items()
        if any(row["provider"] not in _OF_THE_JDK for row in rows)
    }
    own = []
    for place, environment in enumerate(environments):
        column = [texts[place] for texts in chosen.values() if texts[place]]
        own.append(f"{sum(text.startswith('JDK') for text in column)} of {len(column)} on {jdk(environment)}")
    margin = round((main_page.SAME - 1) * 100)
    compared = ["the JDK's own provider", *map(_with_version, sorted(others))]
    return [
        f"Compared are {listing(compared)}.",
        f"The JDK's own is the fastest for many operations: {listing(own)}.",
        f"It counts as the fastest where it is at most {margin} % slower, or statistically indistinguishable from the fastest.",
        "The table names it there, and elsewhere the fastest provider and how many times as fast as the JDK's own it is.",
        "Times are of warmed-up code, and intervals are of 95 %. A star marks a time whose warm-up is unproven.",
        "[How it is measured](../departures.md#jdk-claims-today) has the lengths of texts and the rounds of PBKDF2.",
        "",
        *table(("operation", *map(jdk, environments)), ([operation, *texts] for operation, texts in chosen.items())),
    ]


def _take(rows: Iterable[Row]) -> str:
    """Which provider to take, of an operation's rows on one JDK; empty where none was measured."""
    measured = sorted((row for row in rows if row["offered"] == "yes"), key=lambda row: float(row["rank"]))
    if not measured:
        return ""
    first = measured[0]
    own = next((row for row in measured if row["provider"] in _OF_THE_JDK), None)
    if own is None:
        return f"{_named(first)}; the JDK has none"
    if own is first or float(own["ratio"]) <= main_page.SAME or float(own["ratio_lower"] or "inf") <= 1:
        return _named(own)
    return f"{_named(first)}, {interval(own, 'ratio', 'ratio_lower', 'ratio_upper')}"


def _algorithms(rows: Iterable[Row], environment: str) -> list[str]:
    """The algorithms of each kind on the newest JDK, each with its fastest provider."""
    kinds: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row["environment"] == environment and row["offered"] == "yes" and float(row["rank"]) == 1:
            kinds[row["operation"].partition(": ")[0]].append(row)
    lines = []
    for kind, some in kinds.items():
        ordered = sorted(some, key=lambda row: float(row["mean_ns"]))
        texts = (f"{row['operation'].partition(': ')[2]} {speed(row)} ({_named(row)})" for row in ordered)
        if len(ordered) > 1:
            lines.append([kind, "; ".join(texts)])
    text = f"On {jdk(environment)}, each with its fastest provider, the fastest algorithm first. A MB is 10^6 bytes."
    return ["## Algorithms", "", text, "", *table(("operation", "algorithms"), lines)]


def _release(row: Row) -> int:
    last = row["environment"].rpartition("-")[2]
    return int(last) if last.isdigit() else 0


def jdk(environment: str) -> str:
    """`JDK 25` of an environment's id."""
    return f"JDK {environment.rpartition('-')[2]}"


@cache
def _labels() -> dict[str, str]:
    return {name: provider.label for name, provider in providers.read().items()}


def _label(provider: str) -> str:
    """The provider's short name; its version is said once on the page."""
    name = "JDK" if provider in _OF_THE_JDK else re.sub(r" [0-9.]+$", "", _labels()[provider])
    return _SHORT.get(name, name)


def _with_version(provider: str) -> str:
    """The provider's name and version, with the short name where it has one."""
    name = _labels()[provider]
    return name if name.startswith(_label(provider)) else f"{name} ({_label(provider)})"


def _named(row: Row) -> str:
    return _label(row["provider"]) + ("" if row["warm_up_state"] in tidy.PROVEN else "\\*")


def speed(row: Row) -> str:
    """What a provider does in a second: megabytes of 10^6 bytes, or operations where a call works on no text.

    With its interval, where the row has one.
    """
    scale, unit = (1e3 * float(row["bytes"]), "MB/s") if row["bytes"] else (1e9, "/s")
    per_second = {
        name: str(scale / float(row[key])) if row[key] else ""
        for name, key in (("estimate", "mean_ns"), ("lower", "upper_ns"), ("upper", "lower_ns"))
    }
    return f"{interval(per_second)} {unit}"


def _allocated(row: Row) -> str:
    """What an operation allocates, in units of 1,000; less than half a byte is what JMH itself allocates now and then."""
    if not row["allocated_bytes"]:
        return ""
    found = float(row["allocated_bytes"])
    scale, unit = next((pair for pair in ((1e6, "MB"), (1e3, "kB")) if found >= pair[0]), (1, "B"))
    return f"{number(found / scale) if scale > 1 else round(found)} {unit}"


def _other(row: Row) -> str:
    if not row["ratio"]:
        return _named(row)
    tied = row["ratio_lower"] and float(row["ratio_lower"]) <= 1
    ratio = interval(row, "ratio", "ratio_lower", "ratio_upper")
    return f"{'~ ' if tied else ''}{_named(row)} {ratio}, {_allocated(row)}".removesuffix(", ")


def _choices(by_operation: dict[str, list[Row]]) -> list[str]:
    """A row for each operation of a JDK."""
    made = []
    for operation, some in by_operation.items():
        measured = sorted((row for row in some if row["offered"] == "yes"), key=lambda row: float(row["rank"]))
        lacking = ", ".join(dict.fromkeys(_label(row["provider"]) for row in some if row["offered"] != "yes"))
        if measured:
            first, *others = measured
            made.append([
                operation, _named(first), speed(first), _allocated(first), "; ".join(map(_other, others)), lacking,
            ])  # fmt: skip
    return table(("operation", "fastest", "speed", "allocates", "the others", "not offered by"), made)


def _changes(by_operation: dict[str, list[Row]], environments: list[str], ratios: list[Row]) -> list[str]:
    """What the JDK's own provider does on each JDK, and how that compares with one of them."""
    own = {
        operation: {
            row["environment"]: row for row in rows if row["provider"] in _OF_THE_JDK and row["offered"] == "yes"
        }
        for operation, rows in by_operation.items()
    }
    of_first = {
        (row["numerator_environment"], row["numerator_cell"]): row for row in ratios if row["kind"] == "reference"
    }
    cells = [
        [operation, *(_speed_and_gain(by_jdk.get(name), of_first) for name in environments)]
        for operation, by_jdk in own.items()
        if len(by_jdk) > 1
    ]
    head = ("operation", *map(jdk, environments))
    bases = listing(sorted({jdk(row["denominator_environment"]) for row in of_first.values()})) if of_first else ""
    text = f"In brackets: how many times as fast as on {bases}, and the interval of 95 %." if bases else ""
    return ["", "## The JDK's own provider on each JDK", "", text, "", *table(head, cells)]


def _speed_and_gain(row: Row | None, of_first: dict[tuple[str, str], Row]) -> str:
    if row is None:
        return ""
    time = of_first.get((row["environment"], row["cell"]))
    if time is None or not time["lower"] or row["environment"] == time["denominator_environment"]:
        return speed(row)
    gain, low, high = (number(1 / float(time[key])) for key in ("ratio", "upper", "lower"))
    return f"{speed(row)} ({gain}, {low} to {high})"
