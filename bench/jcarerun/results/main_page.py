"""The page of the published results, report/results/README.md: one row for each claim.

In: the tables beside the page, the experiment files for the names of studies and claims. Out: at most 80 lines.
"""

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
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
# A result that stands for too many rows is shown by its range.
_SHORT = 150


@dataclass(frozen=True)
class Claim:
    """A claim with its parts, in the order of the experiment files. parts: experiment and id."""

    study: str
    id: str
    text: str
    parts: tuple[tuple[str, str], ...]


def ledger_id(part: str) -> str:
    """`P7` of `P7a`."""
    return re.sub(r"[a-z]$", "", part)


def claims(experiments: Iterable[Path]) -> tuple[dict[str, str], list[Claim]]:
    """The title of each study, and the claims of experiment files."""
    titles: dict[str, str] = {}
    found: dict[tuple[str, str], list[tuple[str, str, str]]] = defaultdict(list)
    for file in experiments:
        content = load(file)
        study = content["study"]["id"]
        if study not in titles or file.stem == study:
            titles[study] = content["title"]
        for part, claim in content.get("claims", {}).items():
            found[study, ledger_id(part)].append((file.stem, part, claim["text"]))
    made = [
        Claim(study, id, " / ".join(dict.fromkeys(text for _, _, text in parts)), tuple(part[:2] for part in parts))
        for (study, id), parts in found.items()
    ]
    return titles, sorted(made, key=lambda claim: (claim.study, int(claim.id[1:])))


class Page:
    """The tables of a run, by claim."""

    def __init__(self, tables: Path, experiments: list[Path], repeats: list[Row], sample: bool):
        self.rounds = tidy.read(tables, "rounds.csv")
        self.titles, self.claims = claims(experiments)
        self.published = {
            (row["experiment"], row["claim"]): row["published"] for row in tidy.read(tables, "claim_list.csv")
        }
        self.verdicts: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in tidy.read(tables, "verdicts.csv"):
            self.verdicts[row["experiment"], row["claim"]].append(row)
        self.repeats, self.sample = repeats, sample

    def rows(self, claim: Claim, protocol: str = "") -> list[Row]:
        """The verdicts of a claim's parts, of one protocol or of all."""
        every = (row for part in claim.parts for row in self.verdicts[part])
        return [row for row in every if not protocol or row["protocol"] == protocol]

    def judged(self, claim: Claim) -> bool:
        """Whether some row of the claim has a verdict."""
        return any(row["verdict"] not in UNTESTED for row in self.rows(claim))

    def lines(self) -> list[str]:
        """The page."""
        shown = {
            study: [one for one in self.claims if one.study == study and self.judged(one)] for study in self.titles
        }
        shown = {study: some for study, some in shown.items() if some}
        lines = [
            NOTICE,
            f"# {count(len(shown), 'published study').replace('studys', 'studies')}, rerun",
            "",
            self.extent(),
        ]
        lines += [
            "[report.pdf](report.pdf) is the whole report, [report.html](report.html) shows its [tables](tables).",
            "",
        ]
        lines += [f"- {self.conclusion(study, some)}" for study, some in shown.items()]
        for study, some in shown.items():
            head = [f"{self.titles[study]} ({study})", "published", *PROTOCOLS.values()]
            lines += ["", *table(head, (self.claim_row(claim) for claim in some))]
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

    def result(self, rows: list[Row]) -> str:
        """What rows say together: how many have which verdict, and the estimate, or the range of the estimates."""
        kinds = Counter(verdict(row["verdict"]) for row in rows)
        values = sorted((float(row["estimate"]), index) for index, row in enumerate(rows) if row["estimate"])
        if len(rows) == 1:
            return f"{verdict(rows[0]['verdict'])}; {interval(rows[0])}".removesuffix("; ")
        words = (
            ", ".join(f"{n} {kind}" for kind, n in kinds.most_common())
            if len(kinds) > 1
            else f"{next(iter(kinds))} ({len(rows)})"
        )
        ends = f"; {number(values[0][0])} to {number(values[-1][0])}" if values else ""
        return words + ends

    def protocol_cell(self, claim: Claim, protocol: str) -> str:
        """A claim under a protocol: each part with its verdict; of many parts only the counts."""
        parts = []
        for part in dict.fromkeys(part for _, part in claim.parts):
            rows = [
                row for row in self.rows(claim, protocol) if row["claim"] == part and row["verdict"] not in UNTESTED
            ]
            if rows:
                parts.append((part, self.result(rows)))
        if not parts:
            return "not measured"
        several = len({part for _, part in claim.parts}) > 1
        text = "; ".join(f"{part} {words}" if several else words for part, words in parts)
        return text

    def claim_row(self, claim: Claim) -> list[str]:
        """The row of a claim."""
        published = (
            listing(dict.fromkeys(text for part in claim.parts if (text := self.published.get(part, ""))))
            if any(self.published.get(part) for part in claim.parts)
            else "in words"
        )
        return [
            f"{claim.id}: {claim.text}",
            published,
            *(self.protocol_cell(claim, protocol) for protocol in PROTOCOLS),
        ]

    def conclusion(self, study: str, some: list[Claim]) -> str:
        """A study's question, and how many of its claims came out how."""
        with QUESTIONS.open(newline="", encoding="utf-8") as file:
            question = next(
                (row["question"] for row in csv.DictReader(file) if row["study"] == study), self.titles[study]
            )
        said = []
        for protocol, words in PROTOCOLS.items():
            kinds = Counter()
            for claim in some:
                rows = {verdict(row["verdict"]) for row in self.rows(claim, protocol) if row["verdict"] not in UNTESTED}
                if rows:
                    kinds[next(iter(rows)) if len(rows) == 1 else "mixed"] += 1
            if kinds:
                said.append(f"{words}: {', '.join(f'{n} {kind}' for kind, n in kinds.most_common())}")
        return f"{question} Of {count(len(some), 'claim')}, {'; '.join(said)}."

    def repeated(self) -> list[str]:
        """How often a second measurement agreed with the first."""
        if not self.repeats:
            return ["**Measured once.** No study of this run was measured a second time."]
        lines = []
        for name in sorted({row["experiment"] for row in self.repeats}):
            own = [row for row in self.repeats if row["experiment"] == name]
            same = {
                kind: [row["same"] == "yes" for row in own if row["kind"] == kind]
                for kind in ("mean", "ratio", "verdict")
            }
            words = [
                f"{sum(some)} of {count(len(some), noun)}"
                for (_, some), noun in zip(same.items(), ("mean", "ratio", "verdict"), strict=True)
            ]
            lines.append(f"**{name} measured twice:** {listing(words)} agree ([repeat.csv](repeat.csv)).")
        return lines

    def unmeasured(self) -> list[str]:
        """The claims without a verdict, each with its reason."""
        words = []
        for claim in (one for one in self.claims if not self.judged(one) and self.rows(one)):
            reasons = Counter(row["reason"] for row in self.rows(claim))
            words.append(f"{claim.id} ({reasons.most_common(1)[0][0]})")
        return [f"**Not measured:** {'; '.join(words)}."] if words else []

    def limits(self) -> list[str]:
        """What the results do not say. No number here is measured."""
        return [
            "**Limits:** one kind of machine, a virtual one. Wine stands for Windows. Only ratios compare with other machines."
        ]


def write(tables: Path, experiments: list[Path], target: Path, repeats: list[Row] = (), sample: bool = False) -> None:
    """Write the page."""
    page = Page(tables, experiments, list(repeats), sample)
    target.write_text("\n".join(page.lines()) + "\n", encoding="utf-8")
