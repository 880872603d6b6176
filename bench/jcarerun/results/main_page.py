"""The pages of claims, report/results/README.md and jdk-claims/README.md: one row for each claim.

In: the tables of the report's first pages (answer.json, open.json), which have the words and numbers of each claim; rounds.csv;
the experiment files for the titles of studies. Out: at most 80 lines.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jcarerun.errors import count
from jcarerun.explorer import tidy
from jcarerun.explorer.tidy import Row
from jcarerun.plan import selection
from jcarerun.plan.claim_words import listing
from jcarerun.results.markdown import NOTICE, UNTESTED, extent, table, write_page
from jcarerun.support.files import load_json
from jcarerun.support.yamlfile import load

ANSWER, OPEN, REPEAT = "answer.json", "open.json", "repeat.csv"
MOST_LINES = 80
# Kinds of groups in open.json whose claims have no row in the table.
IMPOSSIBLE = "impossible"
NOT_JUDGED = {"unmeasured": "Not measured in this run", IMPOSSIBLE: "Not testable"}
# Studies that have a report of their own, in a directory of their name.
ELSEWHERE = ("jdk-claims",)
# What the results do not say. No number here is measured.
LIMITS = (
    "**Limits:** virtual machines, and one CPU for each experiment. Wine stands for Windows. "
    "Only ratios compare with other machines."
)
REPORTS = (
    "The whole report is [report.pdf](report.pdf). Its [tables](tables) can be searched in [report.html](report.html)."
)
OTHERS = (
    "More results: [which provider for what](today/README.md), [TLS after a minute of warm-up](tls/README.md), "
    "[tables of JDKs](jdk-tables/README.md). The methods: [trials](trials/README.md), "
    "[what is done otherwise than in the studies](departures.md), [raw rounds](../../data/runs/README.md)."
)
CHECKED = (
    "**Checked:** the OpenJDK's own microbenchmarks of J1 and J3 took turns with ours ([numbers](../trials/README.md))."
)
MEASURED_ONCE = "**Measured once.** No study of this run was measured a second time."
PROTOCOLS = ("as-published", "steady-state")
# Why a verdict on warmed-up code stands although HotSpot's log does not prove that all of the code was compiled.
BOUNDED = "unproven but bounded"
ABOUT_BOUNDED = (
    f"**{BOUNDED.capitalize()}:** HotSpot's log does not prove that all of the code was compiled. No error that the proven JVM "
    "runs or the reference forks allow turns the verdict."
)
# Of a part with one of them the row says why, where open.json does.
_PART = re.compile("[A-Z][0-9]+[a-z]?")
OPEN_VERDICTS = ("undecided", "not comparable")
# Times that differ by less count as the same.
SAME = 1.1
# Why the published protocol and warmed-up code give different results.
COMPILATION = "cold and compiled code differ"
ABOUT_COMPILATION = (
    f"**{COMPILATION.capitalize()}:** the two protocols differ by more than {100 * (SAME - 1):.0f} %. As published, calls count "
    "before HotSpot has compiled them."
)
REMEDY = "make the results again with `jca-rerun results`"


def titles(experiments: Iterable[Path]) -> dict[str, str]:
    """The title of each study, in the order of the experiment files: that of the file which is called as it is."""
    found: dict[str, str] = {}
    for file in experiments:
        content = load(file)
        study = content["study"]["id"]
        if study not in found or file.stem == study:
            found[study] = content["title"]
    return found


class Page:
    """The claims of a report, and what its run was. sample: whether it is the sample's, and no full run's."""

    def __init__(self, tables: Path, sample: bool = False):
        self.rounds = [row for row in tidy.read(tables, "rounds.csv") if row["experiment"] != selection.CALIBRATION]
        self.answer, self.open = (load_json(tables / name, REMEDY) for name in (ANSWER, OPEN))
        self.tables = tables
        self.sample = sample
        # What two measurements of an experiment have in common.
        self.repeats = tidy.read(tables.parent, REPEAT) if (tables.parent / REPEAT).is_file() else []

    def rows(self, study: str) -> list[dict[str, Any]]:
        """The claims of a study that have a verdict."""
        return [row for each in self.answer["studies"] if each["id"] == study for row in each["rows"] if row["judged"]]

    def table(self, study: str, title: str) -> list[str]:
        """A row for each claim of a study: published, each protocol, and what else there is to say of it."""
        verdicts = tidy.read(self.tables, "verdicts.csv")
        undecided = self.undecided(study)
        explained = {part for _, row in self.open_rows(study) for part in row["claims"].split(", ")}
        rows = []
        for row in self.rows(study):
            own = [each for each in verdicts if _group(each["claim"]) == row["claim"]]
            others = (
                f"{each['parts']}: {each['verdict']}"
                for each in row["others"]
                if each["verdict"] not in OPEN_VERDICTS or not explained.issuperset(_PART.findall(each["parts"]))
            )
            words = [_sentence(text) for text in (row["cases"], *others) if text]
            rows.append([*claim_row(row), " ".join(filter(None, (*words, undecided.get(row["claim"]), why(own))))])
        head = [title, "published", *self.answer["protocols"], "remarks"]
        if not any(row[-1] for row in rows):
            head, rows = head[:-1], [row[:-1] for row in rows]
        return table(head, rows)

    def open_rows(self, study: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """What open.json says of a study's claims without a verdict: rows, each with its group."""
        groups = (group for group in self.open["groups"] if group["kind"] not in NOT_JUDGED)
        return [(group, row) for group in groups for row in group["rows"] if row["study"] == study]

    def undecided(self, study: str) -> dict[str, str]:
        """Claim to why it or a part of it is undecided or not comparable, and what a verdict would take."""
        found: dict[str, list[str]] = {}
        for group, row in self.open_rows(study):
            names = row["claims"].split(", ")
            for claim in dict.fromkeys(map(_group, names)):
                parts = [name for name in names if _group(name) == claim]
                prefix = f"{', '.join(parts)}: " if parts != [claim] else ""
                found.setdefault(claim, []).append(prefix + _remark(group, row))
        return {claim: " ".join(texts) for claim, texts in found.items()}

    def lines(self, names: dict[str, str], elsewhere: Iterable["Page"] = ()) -> list[str]:
        """The page. names: study to its title. elsewhere: the studies with a report of their own."""
        shown = [each for each in self.answer["studies"] if self.rows(each["id"])]
        lines = [
            NOTICE,
            f"# {self.answer['title']}",
            "",
            f"{self.extent()} {self.answer['counts']} {REPORTS} {OTHERS}",
            "",
        ]
        lines += [f"- {self.conclusion(each)}" for each in shown]
        for page in elsewhere:
            lines += [
                f"- {page.conclusion(each)} [Claim by claim]({each['id']}/README.md)."
                for each in page.answer["studies"]
                if page.rows(each["id"])
            ]
        tables = [self.table(each["id"], f"{names.get(each['id'], each['id'])} ({each['id']})") for each in shown]
        for rows in tables:
            lines += ["", *rows]
        repeated = [
            *self.repeated(),
            *(line for page in elsewhere for line in page.repeated(f"{page.tables.parent.name}/")),
        ]
        notes = (*about(tables), *self.not_judged(), *(repeated or [MEASURED_ONCE]), LIMITS)
        return [*lines, "", *(f"- {line}" for line in notes)]

    def extent(self) -> str:
        """What was measured, where and when; that it is a sample, where it is one."""
        text = extent(self.rounds)
        return f"**A sample, not the full run:** {text}" if self.sample else text

    def conclusion(self, study: dict[str, Any]) -> str:
        """A study's sentence, and how its claims came out."""
        return f"**{study['name']}.** {study['sentence']['text']} {study['sentence']['tally']}"

    def repeated(self, folder: str = "") -> list[str]:
        """How often a second measurement agreed with the first. folder: of this page's tables, as another page names it."""
        lines = []
        for name in sorted({row["experiment"] for row in self.repeats}):
            words = []
            for kind in ("mean", "ratio", "verdict"):
                same = [
                    row["same"] == "yes" for row in self.repeats if (row["experiment"], row["kind"]) == (name, kind)
                ]
                words.append(f"{sum(same)} of {count(len(same), kind)}")
            lines.append(f"**{name} was measured twice:** {listing(words)} agree ([{REPEAT}]({folder}{REPEAT})).")
        return lines

    def not_judged(self) -> list[str]:
        """A line on the claims that were not measured, by study, and on those that nobody can test; none without any."""
        found: dict[str, dict[str, list[str]]] = {kind: {} for kind in NOT_JUDGED}
        for group in self.open["groups"]:
            for row in group["rows"] if group["kind"] in NOT_JUDGED else ():
                reason = f" ({row['reason']})" if group["kind"] == IMPOSSIBLE else ""
                found[group["kind"]].setdefault(row["name"], []).append(row["claims"] + reason)
        studies = {
            kind: "; ".join(f"{name}: {', '.join(claims)}" for name, claims in some.items())
            for kind, some in found.items()
        }
        line = " ".join(f"**{words}.** {studies[kind]}." for kind, words in NOT_JUDGED.items() if studies[kind])
        return [line] if line else []


def _group(claim: str) -> str:
    """The claim of the study that a part belongs to: `S4` of `S4a`."""
    return re.sub("[a-z]$", "", claim)


def _remark(group: dict[str, Any], row: dict[str, Any]) -> str:
    """Why a claim is undecided where its interval does not show it, and what a verdict would take."""
    texts = [] if group["kind"] == "too wide" and row["takes"] else [row["reason"] or group["cause"]]
    if row["takes"]:
        texts.append(f"deciding it takes {row['takes']}")
    return " ".join(map(_sentence, texts))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].rstrip('.')}."


def claim_row(row: dict[str, Any]) -> list[str]:
    """The row of a claim: its words, the published number, and its verdict with direction and size under each protocol."""
    results = [f"{now['verdict']}; {now['text']}".strip("; ") or "not measured" for now in row["now"]]
    return [f"{row['claim']}: {row['text']}", row["published"] or "in words", *results]


def why(verdicts: list[Row]) -> str:
    """Why the published protocol and warmed-up code give different results; empty where they do not."""
    published, warm = (
        {
            tuple(row[key] for key in ("claim", "variant", "environment", "machine_id", "cpu_profile")): row
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
    unproven = [row for row in apart if row["warm_up_state"] not in tidy.PROVEN]
    part = "" if len(unproven) == len(apart) else "partly "
    if any(row["verdict"] == "undecided" for row in unproven):
        return f"Warmed up: {part}not proven to be compiled."
    published = f"{COMPILATION.capitalize()}."
    return f"{published} Warmed up: {part}{BOUNDED}." if unproven else published


def about(tables: Iterable[list[str]]) -> list[str]:
    """What the words of some tables mean."""
    text = "\n".join(line for rows in tables for line in rows).lower()
    return [what for words, what in ((COMPILATION, ABOUT_COMPILATION), (BOUNDED, ABOUT_BOUNDED)) if words in text]


def _alike(one: str, two: str) -> bool:
    first, second = sorted((float(one), float(two)))
    return first > 0 and second / first <= SAME


def claims_lines(tables: Path, study: str) -> list[str]:
    """The page of the claims: each with its published figure, its result under both protocols, and why these differ."""
    page = Page(tables)
    head = [NOTICE, "# What developers claim of JDKs and providers", "", page.extent(), REPORTS, ""]
    conclusions = [page.conclusion(each) for each in page.answer["studies"]]
    rows = page.table(study, "claim")
    notes = (*about([rows]), *page.not_judged(), *page.repeated(), CHECKED)
    return [*head, *conclusions, "", *rows, "", *(f"- {line}" for line in notes)]


def write(results: Path, experiments: Iterable[Path], sample: bool = False) -> None:
    """Write README.md of the published results from their tables."""
    elsewhere = [
        Page(results / name / "tables") for name in ELSEWHERE if (results / name / "tables" / ANSWER).is_file()
    ]
    write_page(results / "README.md", Page(results / "tables", sample).lines(titles(experiments), elsewhere))
