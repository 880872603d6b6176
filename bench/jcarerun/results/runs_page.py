"""The page data/runs/README.md: what each archive of raw rounds has, and how its measurement went.

In: unpacked rounds and the tidy tables made from them. Out: a row for each archive; the page.
"""

from collections.abc import Iterable
from pathlib import Path

from jcarerun.explorer import tidy
from jcarerun.plan.claim_words import listing
from jcarerun.results.markdown import NOTICE, number, table, whole
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
    "`trials` has rounds of [trials of the methods](../../report/results/trials/README.md).",
    "",
)


def _row(file: Path, experiment: str, build: Path) -> list[str]:
    rounds, forks = (
        [each for each in tidy.read(build / "tidy", name) if each["experiment"] == experiment]
        for name in ("rounds.csv", "forks.csv")
    )
    hosts = [record.read_object(build / "raw" / each["path"], record.AUDIT)["host"] for each in rounds]
    days = sorted({each["started_at"][:10] for each in rounds})
    return [
        file.name,
        *(listing(sorted(found)) for found in (
            {each["tier"] for each in rounds}, {days[0], days[-1]}, {host["machine_id"] for host in hosts},
            {host["cpu_model"] for host in hosts},
        )),
        str(len({each["environment"] for each in rounds})),
        str(len(rounds)), whole(len(forks)), str(sum(each["valid"] == "FALSE" for each in forks)),
        number(sum(float(each["elapsed_s"]) for each in rounds) / 60),
    ]  # fmt: skip


def write(runs: Path, archives: Iterable[tuple[Path, str, Path]]) -> None:
    """Write the page. archives: each with its experiment, and the directory that has its rounds in `raw` and tables in `tidy`."""
    lines = [*INTRODUCTION, *table(HEAD, sorted(_row(*each) for each in archives))]
    (runs / PAGE).write_text("\n".join(lines) + "\n", encoding="utf-8")
