"""The page of the published results, report/results/README.md: one row for each claim.

In: the tables beside the page, the experiment files for the titles of studies. Out: at most 80 lines.
"""

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from jcarerun.explorer import tidy
from jcarerun.explorer.tidy import Row
from jcarerun.plan import calibration
from jcarerun.results.markdown import NOTICE, UNTESTED, count, interval, listing, number, table, verdict
from jcarerun.support.yamlfile import load

QUESTIONS = Path("data/published/layout/studies.csv")
MOST_LINES = 80
# The columns of the page, and the protocols that they show.
PROTOCOLS = {"as-published": "as published, today", "steady-state": "warmed up"}
# Studies whose claims have a page of their own.
ELSEWHERE = {"jdk-claims": "today/README.md"}
# Columns of claim_summary.csv that count variants, in the order of a reader's interest, and the verdicts that they count.
COUNTS = {
    "holds": "holds", "other_size": "other-size", "opposite": "opposite", "does_not_hold": "does-not-hold", "differs": "differs",
    "undecided": "undecided", "not_comparable": "not-comparable",
}  # fmt: skip


def ledger_id(part: str) -> str:
    """`P7` of `P7a`."""
    return re.sub(r"[a-z]$", "", part)


def titles(experiments: Iterable[Path]) -> dict[str, str]:
    """The title of each study, in the order of the experiment files: that of the file which is called as it is."""
    found: dict[str, str] = {}
    for file in experiments:
        content = load(file)
        study = content["study"]["id"]
        if study not in found or file.stem == study:
            found[study] = content["title"]
    return found


def _order(part: str) -> tuple[int, str]:
    return int(re.sub(r"[^0-9]", "", part) or 0), part


class Page:
    """The rows of claim_summary.csv by study and claim, and what the run was; of some experiments where these are named."""

    def __init__(
        self,
        tables: Path,
        files: Iterable[Path],
        repeats: Iterable[Row] = (),
        sample: bool = False,
        experiments: Iterable[str] = (),
    ):
        only = set(experiments)
        self.rounds, self.repeats, self.sample = tidy.read(tables, "rounds.csv"), list(repeats), sample
        self.titles = titles(files)
        self.claims: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
        for row in sorted(tidy.read(tables, "claim_summary.csv"), key=lambda row: _order(row["claim"])):
            if not only or row["experiment"] in only:
                self.claims[row["study"]][ledger_id(row["claim"])].append(row)
        if only:
            self.rounds = [row for row in self.rounds if row["experiment"] in only]

    def judged(self) -> dict[str, dict[str, list[Row]]]:
        """Study to its claims that have a verdict, each with its rows."""
        shown = {
            study: {
                claim: rows for claim, rows in claims.items() if any(row["verdict"] not in UNTESTED for row in rows)
            }
            for study, claims in self.claims.items()
        }
        return {study: claims for study, claims in shown.items() if claims}

    def lines(self) -> list[str]:
        """The page."""
        shown = self.judged()
        studies = f"{len(shown)} published {'study' if len(shown) == 1 else 'studies'}"
        lines = [NOTICE, f"# {studies}, rerun", "", self.extent()]
        lines += [
            "[report.pdf](report.pdf) is the whole report, [report.html](report.html) shows its [tables](tables).",
            "",
        ]
        lines += [f"- {self.conclusion(study, claims)}" for study, claims in shown.items()]
        for study, claims in shown.items():
            if study in ELSEWHERE:
                continue
            head = [f"{self.titles.get(study, study)} ({study})", "published", *PROTOCOLS.values()]
            lines += ["", *table(head, (claim_row(claim, rows) for claim, rows in claims.items()))]
        return [*lines, "", *self.repeated(), *self.unmeasured(), *self.limits()]

    def extent(self) -> str:
        """What was measured, where and when."""
        own = [row for row in self.rounds if row["experiment"] != calibration.NAME]
        days = sorted({row["started_at"][:10] for row in own})
        forks = sum(int(row["forks"]) for row in own)
        minutes = sum(float(row["elapsed_s"]) for row in own) / 60
        where = count(len({row["environment"] for row in own}), "environment")
        machines = count(len({row["machine_id"] for row in own}), "machine")
        tiers = listing(sorted({row["tier"] for row in own}))
        dates = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
        text = (
            f"{count(len(own), 'round')} of {count(forks, 'JVM run')} of the {tiers} tier in {where} on {machines}, {dates}, "
            f"{number(minutes)} minutes of measuring."
        )
        return f"**A sample, not the full run:** {text}" if self.sample else text

    def conclusion(self, study: str, claims: dict[str, list[Row]]) -> str:
        """A study's question, and how its claims came out under each protocol; a claim of several parts counts each of them."""
        with QUESTIONS.open(newline="", encoding="utf-8") as file:
            question = next(
                (row["question"] for row in csv.DictReader(file) if row["study"] == study),
                f"{self.titles.get(study, study)}:",
            )
        said = []
        for protocol, words in PROTOCOLS.items():
            own = [row["verdict"] for rows in claims.values() for row in rows if row["protocol"] == protocol]
            kinds = Counter(verdict(each) for each in own if each not in UNTESTED)
            if kinds:
                said.append(f"{words}: {', '.join(f'{n} {kind}' for kind, n in kinds.most_common())}")
        more = f" Claim by claim: [{ELSEWHERE[study]}]({ELSEWHERE[study]})." if study in ELSEWHERE else ""
        return f"{question} {'; '.join(said).capitalize()}.{more}"

    def repeated(self) -> list[str]:
        """How often a second measurement agreed with the first."""
        if not self.repeats:
            return ["**Measured once.** No study of this run was measured a second time."]
        lines = []
        for name in sorted({row["experiment"] for row in self.repeats}):
            words = []
            for kind in ("mean", "ratio", "verdict"):
                same = [
                    row["same"] == "yes" for row in self.repeats if (row["experiment"], row["kind"]) == (name, kind)
                ]
                words.append(f"{sum(same)} of {count(len(same), kind)}")
            lines.append(f"**{name} measured twice:** {listing(words)} agree ([repeat.csv](repeat.csv)).")
        return lines

    def unmeasured(self) -> list[str]:
        """The claims without a verdict, each with its reason."""
        judged = self.judged()
        words = [
            f"{claim} ({rows[0]['reason'].rstrip('.')})"
            for study, claims in self.claims.items()
            for claim, rows in claims.items()
            if claim not in judged.get(study, {})
        ]
        return [f"**Not measured:** {'; '.join(words)}."] if words else []

    def limits(self) -> list[str]:
        """What the results do not say. No number here is measured."""
        return [
            "**Limits:** one kind of machine, a virtual one. Wine stands for Windows. Only ratios compare with other machines."
        ]


def claim_row(claim: str, rows: list[Row]) -> list[str]:
    """The row of a claim, whose parts share it."""
    texts = " / ".join(dict.fromkeys(row["text"] for row in rows))
    published = (
        listing(dict.fromkeys(row["published"] for row in rows if row["published"]))
        if any(row["published"] for row in rows)
        else "in words"
    )
    return [f"{claim}: {texts}", published, *(_protocol_cell(rows, protocol) for protocol in PROTOCOLS)]


def _protocol_cell(rows: list[Row], protocol: str) -> str:
    """A claim under a protocol: each part with its verdict."""
    here = [row for row in rows if row["protocol"] == protocol and row["verdict"] not in UNTESTED]
    if not here:
        return "not measured"
    named = len({row["claim"] for row in rows}) > 1
    several = len({row["experiment"] for row in here}) > 1
    words = []
    for row in here:
        name = f"{row['claim']} " if named else ""
        where = f" ({row['experiment']})" if several else ""
        words.append(f"{name}{_result(row)}{where}")
    return "; ".join(dict.fromkeys(words))


def _result(row: Row) -> str:
    """A claim's verdict with its size: the quoted estimate, or the range where several variants were estimated."""
    counts = {verdict(code): int(row[column]) for column, code in COUNTS.items() if row[column] and int(row[column])}
    words = verdict(row["verdict"])
    if row["verdict"] == "undecided" and row["cause"]:
        words += f", {row['cause']}"
    if len(counts) > 1:
        words += f" ({', '.join(f'{n} {kind}' for kind, n in counts.items())})"
    if row["estimate_least"] != row["estimate_most"]:
        return f"{words}; {number(row['estimate_least'])} to {number(row['estimate_most'])}"
    return f"{words}; {interval(row)}".removesuffix("; ")


def write(
    tables: Path, experiments: list[Path], target: Path, repeats: Iterable[Row] = (), sample: bool = False
) -> None:
    """Write the page."""
    target.write_text("\n".join(Page(tables, experiments, repeats, sample).lines()) + "\n", encoding="utf-8")
