"""The pages report/results/today (which provider to take for what on each JDK) and jdk-claims (what developers claim).

In: the tables of a published report (today.csv, answer.json, verdicts.csv, rounds.csv).
Out: the lines of the page.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from jcarerun.explorer import tidy
from jcarerun.explorer.tidy import Row
from jcarerun.plan import providers
from jcarerun.results import main_page
from jcarerun.results.markdown import NOTICE, UNTESTED, interval, number, table

CLAIMS = "jdk-claims"
PROTOCOLS = ("as-published", "steady-state")
# Providers that every JDK brings.
_OF_THE_JDK = ("sunjce", "sunjsse")
# Results of two protocols that differ by less are the same.
_SAME = 1.1


def is_measured(tables: Path) -> bool:
    """Whether tables have rows of the experiment of providers; else they are of release 1.0."""
    return (tables / "today.csv").is_file() and bool(tidy.read(tables, "today.csv"))


def providers_lines(tables: Path) -> list[str]:
    """The page of the providers."""
    rows = tidy.read(tables, "today.csv")
    made = [NOTICE, "# Which provider for what", "", main_page.Page(tables).extent(), ""]
    made += [
        "Times are of warmed-up code; intervals are of 95 %. Each row has the fastest provider, its speed and what it",
        "allocates; then the others' times as multiples of its time, and what they allocate. A `~` marks those that are",
        "statistically indistinguishable from the fastest, a star those whose warm-up is unproven.",
    ]
    environments = list(dict.fromkeys(row["environment"] for row in sorted(rows, key=_release)))
    for environment in environments:
        here = [row for row in rows if row["environment"] == environment]
        made += ["", f"## {_jdk(environment)}", "", *_choices(here)]
    return [*made, *_changes(rows, environments)]


def _release(row: Row) -> int:
    last = row["environment"].rpartition("-")[2]
    return int(last) if last.isdigit() else 0


def _jdk(environment: str) -> str:
    system, _, release = environment.rpartition("-")
    return f"JDK {release} ({system})"


def _label(provider: str) -> str:
    return "JDK" if provider in _OF_THE_JDK else providers.read()[provider].label


def _named(row: Row) -> str:
    return _label(row["provider"]) + ("" if row["warm_up_state"] in tidy.PROVEN else "\\*")


def speed(row: Row) -> str:
    """What a provider does in a second: megabytes of 10^6 bytes, or operations where a call works on no text."""
    ns = float(row["mean_ns"])
    return f"{number(1e3 * float(row['bytes']) / ns)} MB/s" if row["bytes"] else f"{number(1e9 / ns)} /s"


def _allocated(row: Row) -> str:
    return f"{number(row['allocated_bytes'])} B" if row["allocated_bytes"] else ""


def _other(row: Row) -> str:
    if not row["ratio"]:
        return _named(row)
    tied = row["ratio_lower"] and float(row["ratio_lower"]) <= 1
    ratio = interval(row, "ratio", "ratio_lower", "ratio_upper")
    return f"{'~ ' if tied else ''}{_named(row)} {ratio}, {_allocated(row)}".removesuffix(", ")


def _choices(rows: Iterable[Row]) -> list[str]:
    """A row for each operation of a JDK."""
    operations: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        operations[row["operation"]].append(row)
    made = []
    for operation, some in operations.items():
        measured = sorted((row for row in some if row["offered"] == "yes"), key=lambda row: float(row["rank"]))
        lacking = ", ".join(dict.fromkeys(_label(row["provider"]) for row in some if row["offered"] != "yes"))
        if measured:
            first, *others = measured
            made.append([
                operation, _named(first), speed(first), _allocated(first), "; ".join(map(_other, others)), lacking,
            ])  # fmt: skip
    return table(("operation", "fastest", "speed", "allocates", "the others", "not offered by"), made)


def _changes(rows: list[Row], environments: list[str]) -> list[str]:
    """What the JDK's own provider does on each JDK."""
    own: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        if row["provider"] in _OF_THE_JDK and row["offered"] == "yes":
            own[row["operation"]][row["environment"]] = speed(row)
    cells = ([operation, *(by_jdk.get(name, "") for name in environments)] for operation, by_jdk in own.items())
    head = ("operation", *map(_jdk, environments))
    return ["", "## The JDK's own provider on each JDK", "", *table(head, cells)]


def claims_lines(tables: Path) -> list[str]:
    """The page of the claims: each with its published figure, its result under both protocols, and why these differ."""
    page = main_page.Page(tables)
    verdicts = tidy.read(tables, "verdicts.csv")
    rows = [
        [*main_page.claim_row(row), why([each for each in verdicts if _ledger_id(each["claim"]) == row["claim"]])]
        for row in page.rows(CLAIMS)
    ]
    head = ("claim", "published", *page.protocols, "why they differ")
    conclusions = [page.conclusion(each) for each in page.answer["studies"]]
    made = [
        NOTICE,
        "# What developers claim of JDKs and providers",
        "",
        page.extent(),
        main_page.REPORTS,
        "",
        *conclusions,
        "",
    ]
    return [*made, *table(head, rows), "", *(f"- {line}" for line in page.left_open())]


def _ledger_id(part: str) -> str:
    """`J1` of `J1a`."""
    return re.sub(r"[a-z]$", "", part)


def why(verdicts: list[Row]) -> str:
    """Why the published protocol and warmed-up code give different results; empty where they do not."""
    published, warm = (
        {
            (row["claim"], row["variant"]): row
            for row in verdicts
            if row["protocol"] == protocol and row["estimate"] and row["verdict"] not in (*UNTESTED, "not-comparable")
        }
        for protocol in PROTOCOLS
    )
    apart = [
        warm[key]
        for key, row in published.items()
        if key in warm and not _alike(row["estimate"], warm[key]["estimate"])
    ]
    if not apart:
        return ""
    if any(row["warm_up_state"] not in tidy.PROVEN for row in apart):
        return "The warmed-up code is not proven to be compiled."
    return (
        "The published protocol counts after a fixed warm-up, whatever HotSpot has compiled by then. "
        "Warmed up, all code is proven to be compiled."
    )


def _alike(one: str, two: str) -> bool:
    first, second = sorted((float(one), float(two)))
    return first > 0 and second / first <= _SAME
