"""The other pages of report/results, and data/runs/README.md.

Those of today, jdk-claims, tls, jdk-tables and trials are made from their directory's tables, departures.md from the experiment
files. The page of data/runs says what each archive of raw rounds has, and how its measurement went: from the unpacked rounds and
the tidy tables made from them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from jcarerun.errors import thousands
from jcarerun.explorer import tidy
from jcarerun.explorer.tidy import Row
from jcarerun.plan.claim_words import listing
from jcarerun.results import archive, main_page, today_page
from jcarerun.results.markdown import NOTICE, extent, interval, number, table, write_page
from jcarerun.rounds import record
from jcarerun.support.yamlfile import load

# Words for codes in the tables, also for those of earlier releases in tables that were not measured again.
_WORDS = {
    "inconclusive": "undecided", "open": "undecided", "modern": "steady-state", "supported": "holds", "refuted": "does not hold",
    "other-size": "right direction, other size", "opposite": "opposite direction", "does-not-hold": "does not hold",
    "not-comparable": "not comparable", "not-testable": "not testable",
}  # fmt: skip
TRIALS_FOLDER = Path("bench/jcarerun/trials/experiments")


def _read(folder: Path, name: str) -> list[Row]:
    return [{key: _WORDS.get(value, value) for key, value in row.items()} for row in tidy.read(folder, name)]


def _claims(verdicts: list[Row]) -> list[str]:
    """A row for each verdict, with the words of its claim in the experiment file."""
    texts: dict[tuple[str, str], str] = {}
    for name in {row["experiment"] for row in verdicts}:
        claims = load(TRIALS_FOLDER / f"{name}.yaml")["claims"]
        texts |= {(name, claim): content["text"] for claim, content in claims.items()}
    rows = (
        [
            f"{row['claim']}: {texts[row['experiment'], row['claim']]}",
            interval(row),
            f"{row['verdict']} ({row['cause']})" if row["cause"] else row["verdict"],
        ]
        for row in verdicts
    )
    return table(("claim", "estimate", "verdict"), rows)


def _of_claims(title: str, text: str) -> Callable[[Path], list[str]]:
    """A page of an experiment's verdicts."""

    def lines(folder: Path) -> list[str]:
        verdicts, rounds = (_read(folder / "tables", name) for name in ("verdicts.csv", "rounds.csv"))
        where = f"{main_page.REPORTS} The raw rounds are in [data/runs](../../../data/runs)."
        return [NOTICE, f"# {title}", "", f"{extent(rounds)} {where}", text, "", *_claims(verdicts)]

    return lines


def _shown(text: str) -> str:
    if text.isdigit():
        return text
    try:
        return number(text)
    except ValueError:
        # Of a benchmark's id, the operation and the provider: every trial is of warmed-up code on the machine's own CPU.
        return _WORDS.get(text, " ".join(text.split(":")[:-2]) if text.endswith(":native") else text)


def _row(row: Row, columns: Iterable[str]) -> list[str]:
    return [interval(row, key) if key == "ratio" else _shown(row[key]) for key in columns]


# Each trial's table: what it asks, and which columns answer.
_ALIKE = {"ratio": "ours over theirs", "alike": "alike"}
_WARM_UPS = {"our_warm_up": "our warm-up", "their_warm_up": "their warm-up"}
_BESIDE = {"workload": "operation", "our_forks": "forks"} | _ALIKE | _WARM_UPS
TRIAL_TABLES = {
    "fidelity.csv": ("**Means against plain JMH, forks of equal length.**", {"cell": "cell", "our_forks": "forks"} | _ALIKE),
    "fidelity-minute.csv": (
        "**Means against plain JMH's forks of a minute, which nothing warms up.**",
        {"cell": "cell", "warm_up_state": "our warm-up", "plain_compiled_s": "theirs compiled after s"} | _ALIKE,
    ),
    "micros.csv": (
        "**Six operations by the OpenJDK's microbenchmarks.** Both sides took turns. Their ciphers and their digest go through "
        "128 texts of 16 KB. Ours repeat one text, which stays in the CPU's cache. "
        "Means are alike where they differ by less than 3 %.",
        _BESIDE,
    ),
    "micros-rsa.csv": (
        "**RSA again, in JVM runs of 20 seconds.** RSA changes between two speeds every few seconds, on either side. Nothing "
        "else runs in this virtual machine. The likely cause is a neighbour on the same processor core. The mean of a short JVM "
        "run depends on which speed it meets.",
        _BESIDE,
    ),
    "claims.csv": (
        "**Two claims of developers (J1, J3) by the OpenJDK's own microbenchmarks.**",
        {"workload": "operation and environment", "our_forks": "forks"} | _ALIKE,
    ),
    "claims-environments.csv": (
        "**The same two claims: how many times as long an operation takes on the first JDK as on the second.** "
        "After a minute and a half of 30 MB calls, the second compiler of JDK 21 has not compiled what calls the cipher. "
        "HotSpot's log shows it in either benchmark. J1 has a result for compiled code.",
        {"workload": "operation", "side": "whose", "first": "first", "second": "second", "forks": "forks", "ratio": "ratio"},
    ),
    "efficiency.csv": (
        "**Cost of an interval of the same width, against plain JMH.**",
        {"cell": "cell", "half_width_pct": "half-width %", "our_s": "ours s", "plain_s": "theirs s", "times_less": "times less"},
    ),
    "replay.csv": (
        "**Stages by open claims, against equal forks of every cell.**",
        {"plan": "forks a cell", "fork_s": "fork time s", "decided": "decided", "judged": "of verdicts"},
    ),
    "live.csv": (
        "**A run that asks after each stage what is undecided.**",
        {"stage": "stage", "minutes": "minutes", "decided": "decided", "open": "undecided", "given_up": "given up"},
    ),
}  # fmt: skip
# What runs before this release showed; their tables are in the history.
EARLIER = (
    "**Earlier CPUs.** Before release 1.1 the studies were measured on three CPUs of two vendors. No verdict that two of these "
    "runs had decided was reversed. But many ratios differed by more than their intervals: an interval says nothing about "
    "another CPU. These runs are in the repository's history; their raw rounds were not kept."
)
# Tables of false plateaus. They have many rows; the page counts them.
PLATEAUS = ("plateaus.csv", "plateaus-slow.csv", "plateaus-cbc.csv", "plateaus-elsewhere.csv")


def _plateaus(folder: Path) -> Iterator[list[str]]:
    for name in PLATEAUS:
        by_way: dict[tuple[str, str], list[float]] = defaultdict(list)
        for row in _read(folder, name):
            if row["ratio"]:
                by_way[row["way"], row["warm_up_state"]].append(float(row["ratio"]))
        for (way, warm_up_state), ratios in sorted(by_way.items()):
            yield [f"[{name}]({name})", way, warm_up_state, str(len(ratios)), number(min(ratios)), number(max(ratios))]


def trials(folder: Path) -> list[str]:
    """The pipeline against plain JMH, and against itself."""
    kept = listing(f"`{name}.csv`" for name in archive.by_name(archive.RUNS / archive.TRIALS))
    lines = [NOTICE, "# The pipeline against plain JMH, and against itself", ""]
    lines += [
        "Each table was measured once, by `jca-rerun trial`. "
        f"The raw rounds of {kept} are in [data/runs/trials](../../../data/runs/trials). "
        "Those of the other tables were not kept. "
        "[docs/statistics.md](../../../docs/statistics.md) has the methods."
    ]
    lines += ["", "**False plateaus.** Short JVM runs against long ones: how much longer a call takes than in the end."]
    lines += [
        "JVM runs that end early can be flat at many times what the call takes in the end: nothing in their times shows it."
    ]
    lines += ["Where HotSpot's log proves the warm-up, the ratio must be near 1.", ""]
    head = ("table", "JVM runs", "warm-up", "rows", "least", "most")
    lines += [*table(head, _plateaus(folder)), "", EARLIER]
    for name, (words, columns) in TRIAL_TABLES.items():
        rows = tidy.read(folder, name)
        lines += [
            "",
            f"{words} [{name}]({name})",
            "",
            *table(columns.values(), (_row(row, columns) for row in rows)),
        ]
    return lines


def departures(experiments: Iterable[Path]) -> list[str]:
    """What is done otherwise than in each study, and what was chosen where a study is silent: the experiment files' `choices`."""
    by_study: dict[str, list[dict]] = defaultdict(list)
    for content in map(load, experiments):
        by_study[content["study"]["id"]].append(content)
    lines = [
        NOTICE,
        "# What is done otherwise than in the studies",
        "",
        "Each table compares a study's way with ours, and names the likely effect of the difference.",
        "Each list has our choices where a study is silent.",
    ]
    for study, contents in by_study.items():
        choices = [choice for content in contents for choice in content["choices"] if isinstance(choice, dict)]
        lines += ["", f"## {study}"]
        if choices:
            rows = ([choice[key] for key in ("study", "here", "effect")] for choice in choices)
            lines += ["", *table(("the study", "here", "likely effect"), rows)]
        for content in contents:
            texts = [" ".join(choice.split()) for choice in content["choices"] if isinstance(choice, str)]
            lines += ["", f"{content['title']}:", "", *(f"- {text}" for text in texts)] if texts else []
    return lines


PAGES: dict[str, Callable[[Path], list[str]]] = {
    "today": lambda folder: today_page.providers_lines(folder / "tables"),
    "jdk-claims": lambda folder: main_page.claims_lines(folder / "tables", "jdk-claims"),
    "tls": _of_claims(
        "TLS log-ons after a minute of warm-up",
        "Each JVM logs on for a minute of CPU time, and measures only then.",
    ),
    "jdk-tables": _of_claims(
        "What two projects' tables say of a newer JDK",
        "Each claim is a ratio that the project's published table has for two JDKs "
        "([the experiment](../../../bench/jcarerun/trials/experiments/jdk-tables.yaml)).",
    ),
    "trials": trials,
}


def write(results: Path, experiments: Iterable[Path]) -> None:
    """Write the pages whose tables are there, and departures.md."""
    for name, lines in PAGES.items():
        if (results / name).is_dir():
            write_page(results / name / "README.md", lines(results / name))
    write_page(results / "departures.md", departures(experiments))


RUNS_HEAD = (
    "archive", "tier", "day", "machine", "CPU", "environments", "rounds", "JVM runs", "disturbed", "minutes",
)  # fmt: skip
RUNS_INTRODUCTION = (
    NOTICE,
    "# Raw rounds of the published results",
    "",
    "Each archive has the raw rounds of one experiment. [docs/results.md](../../docs/results.md) says how to unpack them.",
    "A gate refuses a disturbed JVM run, which is measured again at the end of its round.",
    "`trials` has rounds of [trials of the methods](../../report/results/trials/README.md).",
    "",
)


def _runs_row(file: Path, experiment: str, build: Path) -> list[str]:
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
        str(len(rounds)), f"{len(forks):{thousands(len(forks))}}", str(sum(each["valid"] == "FALSE" for each in forks)),
        number(sum(float(each["elapsed_s"]) for each in rounds) / 60),
    ]  # fmt: skip


def write_runs(runs: Path, archives: Iterable[tuple[Path, str, Path]]) -> None:
    """Write the page of the archives.

    archives: each with its experiment, and the directory that has its rounds in `raw` and its tables in `tidy`.
    """
    rows = sorted(_runs_row(*each) for each in archives)
    write_page(runs / "README.md", [*RUNS_INTRODUCTION, *table(RUNS_HEAD, rows)])
