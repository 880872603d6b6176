"""The page data/runs/README.md: what each archive of raw rounds has, and how its measurement went.

In: unpacked rounds and the tidy tables made from them. Out: a row for each archive; the page.
"""

from collections.abc import Iterable
from pathlib import Path

from jcarerun.explorer import tidy
from jcarerun.plan.claim_words import listing
from jcarerun.results.markdown import NOTICE, number, table
from jcarerun.rounds import record

PAGE = "README.md"
HEAD = (
    "archive", "tier", "day", "machine", "CPU", "environments", "rounds", "JVM runs", "disturbed", "minutes",
)  # fmt: skip
INTRODUCTION = (
    NOTICE,
    "# Raw rounds of the published results",
    "",
    "Each archive has the raw rounds of one experiment. [docs/results.md](../../docs/results.md) says how to unpack them.",
    "A gate refuses a disturbed JVM run, which is measured again at the end of its round.",
    "",
)


def row(file: Path, experiment: str, raw: Path, tables: Path) -> list[str]:
    """The row of an archive, from its rounds in `raw` and from tidy tables that have them."""
    rounds, forks = (
        [each for each in tidy.read(tables, name) if each["experiment"] == experiment]
        for name in ("rounds.csv", "forks.csv")
    )
    hosts = [record.read_object(raw / each["path"], record.AUDIT)["host"] for each in rounds]
    days = sorted({each["started_at"][:10] for each in rounds})
    return [
        file.name,
        *(listing(sorted(found)) for found in (
            {each["tier"] for each in rounds}, {days[0], days[-1]}, {host["machine_id"] for host in hosts},
            {host["cpu_model"] for host in hosts},
        )),
        str(len({each["environment"] for each in rounds})),
        str(len(rounds)), f"{len(forks):,}", str(sum(each["valid"] == "FALSE" for each in forks)),
        number(sum(float(each["elapsed_s"]) for each in rounds) / 60),
    ]  # fmt: skip


def write(runs: Path, rows: Iterable[list[str]]) -> None:
    """Write the page."""
    lines = [*INTRODUCTION, *table(HEAD, sorted(rows))]
    (runs / PAGE).write_text("\n".join(lines) + "\n", encoding="utf-8")
