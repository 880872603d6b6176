"""`jca-rerun choose A B`: compares algorithms, and prints which is faster with which provider on which JDK.

In: names of algorithms, providers and JDKs. Out: an experiment file and its results below data/choose/, the report, and a table.
"""

import argparse
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

from jcarerun.commands import comma_separated, snakemake_command
from jcarerun.errors import UserError, say
from jcarerun.explorer.tidy import PROVEN
from jcarerun.images import catalogue
from jcarerun.images.catalogue import HOST, Catalogue
from jcarerun.plan import providers, question
from jcarerun.plan.algorithms import Algorithm, find, named
from jcarerun.plan.environments import environment_of_jdk
from jcarerun.plan.providers import Provider
from jcarerun.plan.question import Question
from jcarerun.plan.settings import folders
from jcarerun.run import plan_stage, verdict_lines
from jcarerun.run.verdict_lines import Row, interval, significant
from jcarerun.support import engine as engines
from jcarerun.support.files import where, write_file

FOLDER = Path("data/choose")
WIDTH, LAYOUT = 120, {"initial_indent": "  ", "subsequent_indent": "    ", "break_on_hyphens": False}
DEFAULT_JDK = "21"
UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns"))


def _build(engine: str, environments: Iterable[str]) -> None:
    """Make what asking providers needs: the jars, and the images of environments."""
    images = [f"envs/build/{name}/environment.json" for name in environments if name != HOST]
    command = snakemake_command(
        {"engine": engine}, ["bench/target/benchmarks.jar", "bench/target/providers.sha256", *images]
    )
    # The plan of the studies is none of this question's; it is shown where something went wrong.
    run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if run.returncode:
        print(run.stderr, end="", file=sys.stderr)
        sys.exit(run.returncode)


def _environments(engine: str, words: list[str], known: Catalogue) -> tuple[str, ...]:
    if engine == engines.HOST:
        if words:
            raise UserError(
                f"--jdk {words[0]}: engine host has the machine's own JDK only; leave it out, or use docker"
            )
        return ()
    return tuple(dict.fromkeys(environment_of_jdk(known, word) for word in words or [DEFAULT_JDK]))


def _providers(words: list[str], known: dict[str, Provider], default: Iterable[str]) -> tuple[Provider, ...]:
    if words == ["all"]:
        words = [name for name, provider in known.items() if not provider.native and "TLS" not in provider.offers]
    return tuple(dict.fromkeys(question.find_provider(word, known) for word in words or default))


def list_algorithms(engine: str, provider_words: list[str], jdk_words: list[str]) -> str:
    """Every algorithm of providers, as these say themselves, with the JDKs that have it."""
    known, catalogued = providers.read(), catalogue.read()
    chosen = _providers(provider_words or ["all"], known, ())
    environments = _environments(engine, jdk_words, catalogued) or (HOST,)
    _build(engine, environments)
    found: dict[tuple[str, str], dict[str, set[str]]] = {}
    for name in environments:
        for offer in providers.offers(engine, name, chosen):
            found.setdefault((offer.provider, offer.service), {}).setdefault(offer.algorithm, set()).add(name)
    labels = _jdk_labels(environments)
    names = f"Names that `jca-rerun choose` takes beside those below: {', '.join(named())}"
    lines = textwrap.wrap(names, WIDTH, break_on_hyphens=False)
    for asked in chosen:
        lines += ["", f"{asked.id}: {asked.label}, on {', '.join(labels.values())}"]
        own = {service: names for (provider, service), names in found.items() if provider == asked.id}
        for service, names in sorted(own.items()):
            lines += textwrap.wrap(f"{service}: {_named(names, labels)}", WIDTH, **LAYOUT)
        lines += [] if own else ["  cannot be loaded there"]
    return "\n".join(lines)


def _named(names: dict[str, set[str]], labels: dict[str, str]) -> str:
    """Algorithms, with the JDKs where not all have one."""

    def named(name: str, there: set[str]) -> str:
        only = ", ".join(label for each, label in labels.items() if each in there)
        return name if len(there) == len(labels) else f"{name} ({only} only)"

    return ", ".join(named(name, there) for name, there in names.items())


def _algorithms(
    words: list[str], engine: str, environments: tuple[str, ...], asked: tuple[Provider, ...]
) -> list[Algorithm]:
    """The algorithms of some names; the providers are asked only for a name that bench/algorithms.yaml lacks."""
    found = [find(word) for word in words]
    if None in found:
        places = environments or (HOST,)
        _build(engine, places)
        offered = [each for name in places for each in providers.offers(engine, name, asked)]
        services = [(each.service, each.algorithm) for each in offered]
        found = [algorithm or find(word, services) for algorithm, word in zip(found, words, strict=True)]
    return found


def _question(arguments: argparse.Namespace) -> Question:
    known = providers.read()
    environments = _environments(arguments.engine, comma_separated(arguments.jdk), catalogue.read())
    asked = _providers(comma_separated(arguments.provider), known, question.DEFAULT_PROVIDERS)
    algorithms = question.algorithms_of_one_kind(
        _algorithms(arguments.algorithms, arguments.engine, environments, asked)
    )
    kind = algorithms[0].kind
    operations = tuple(comma_separated(arguments.operation)) or kind.usual
    if unknown := [name for name in operations if name not in kind.operations]:
        raise UserError(f"--operation {unknown[0]}: {algorithms[0].name} has {', '.join(kind.operations)}")
    if arguments.bytes is not None and not (kind.bytes and 1 <= arguments.bytes <= 1 << 30):
        what = "a number from 1 to 1073741824" if kind.bytes else f"left out: {algorithms[0].name} works on no text"
        raise UserError(f"--bytes {arguments.bytes}: must be {what}")
    words = ["jca-rerun choose", *(algorithm.name for algorithm in algorithms)]
    words += [
        f"--{name} {value}" for name in ("jdk", "provider", "operation", "bytes") if (value := getattr(arguments, name))
    ]
    length = (arguments.bytes or kind.bytes) if kind.bytes else None
    return Question(algorithms, operations, asked, environments, length, " ".join(words))


def _write(asked: Question) -> Path:
    """Write the experiment file. One that was edited stays as it is."""
    folder = FOLDER / asked.id
    file = folder / f"{asked.id}.yaml"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_file(file, question.text(asked, catalogue.read()))
    say(f"experiment: {where(file)}; edit it to ask more, and run the same command again")
    return file


def main(arguments: argparse.Namespace) -> None:
    """Measure, write the report, print the table and what is decided."""
    if arguments.minutes < 1:
        raise UserError(f"--minutes {arguments.minutes}: must be a number from 1 on")
    asked = _question(arguments)
    for line in question.notes(asked):
        say(line)
    file = _write(asked)
    settings = {
        "experiment_dir": file.parent, "results": file.parent / "results", "tier": "quick", "engine": arguments.engine,
        "minutes": arguments.minutes, "wait": arguments.wait, "calibration": "false",
    }  # fmt: skip
    # Its last words are the verdicts, which come below in other words.
    if status := subprocess.run(snakemake_command(settings), stdout=subprocess.DEVNULL).returncode:
        sys.exit(status)
    here = folders((file.parent / "results").resolve())
    ranking = here.tidy / "ranking.csv"
    program = ["Rscript", "analysis/run.R", "rank_cells", "--tidy", str(here.tidy), "--out", str(ranking)]
    plan_stage.analyse(arguments.engine, program, here.raw, here.tidy)
    for line in answer(here.tidy, asked, arguments.minutes):
        say(line)
    say(f"report: {where(here.report / 'report.pdf')}, and report.html beside it")


def answer(tidy: Path, asked: Question, minutes: float) -> list[str]:
    """The table of a question, the differences that are real, and what is undecided."""
    rows = verdict_lines.read_rows(tidy / "ranking.csv")
    if not rows:
        return ["no run was measured: more minutes are needed, or no provider offers it; the report says which"]
    jdk_of = _jdk_labels({row["environment"] for row in rows})
    labels = {provider.id: provider.label for provider in asked.providers}
    for row in rows:
        row |= {"jdk": jdk_of[row["environment"]], "provider": labels.get(row["provider"], row["provider"])}
    cells = {(row["environment"], row["cell"]): row for row in rows}
    lines = ["", *_table(rows), *_marks(rows), ""]
    found = verdict_lines.verdicts(tidy, {row["experiment"] for row in rows})
    said = [(verdict, f"  {_difference(verdict.contrast, cells)}") for verdict in found if verdict.contrast]
    real = [line for verdict, line in said if verdict.decided]
    undecided = [
        f"{line} ({verdict.row['cause'] or verdict.row['verdict']})" for verdict, line in said if not verdict.decided
    ]
    head = (
        f"Differences that are real ({len(real)} of {len(said)} comparisons; all hold together with 95 % confidence):"
    )
    lines += [head if said else "No comparison has enough runs yet."] if found else []
    lines += [*real, *(["Undecided:", *undecided] if undecided else [])]
    return [*lines, *verdict_lines.not_offered(tidy), *map(_as_options, verdict_lines.remedy(found, tidy, minutes))]


def _as_options(line: str) -> str:
    """A line of remedy with the options of this command in place of Snakemake's settings."""
    return re.sub(r"\b(wait|minutes)=(?=\d)", r"--\1 ", line)


def _jdk_labels(environments: Iterable[str]) -> dict[str, str]:
    known = catalogue.read().environments
    return {name: f"JDK {known[name].jdk.java}" if name in known and known[name].jdk else name for name in environments}


def _time(row: Row) -> str:
    """`12.3 µs [12.1, 12.5]`, all in the unit of the time."""
    scale, unit = next((each for each in UNITS if float(row["time_ns"]) >= each[0]), UNITS[-1])
    scaled = {key: str(float(row[key]) / scale) if row[key] else "" for key in ("time_ns", "lower_ns", "upper_ns")}
    number, _, ends = interval(scaled, "time_ns", "lower_ns", "upper_ns").partition(" ")
    return f"{number} {unit}{f' {ends}' if ends else ''}"


def _table(rows: list[Row]) -> list[str]:
    head = ["operation", "algorithm", "provider", "JDK", "time [95 %]", "times the fastest", "bytes allocated", ""]
    table = [head]
    for row in sorted(rows, key=lambda row: (row["workload"], int(row["rank"]))):
        mark = "*" if row["disturbed"] == "TRUE" else "" if row["warm_up_state"] in PROVEN else "?"
        table.append([
            row["workload"], row["factor.algorithm"], row["provider"], row["jdk"].removeprefix("JDK "), _time(row),
            "1 (fastest)" if row["rank"] == "1" else interval(row, "ratio", "ratio_lower", "ratio_upper"),
            significant(row["allocated_bytes"]), mark,
        ])  # fmt: skip
    widths = [max(len(line[i]) for line in table) for i in range(len(head))]
    return ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in table]


def _marks(rows: list[Row]) -> list[str]:
    lines = []
    if any(row["disturbed"] == "TRUE" for row in rows):
        lines.append("*: all its runs were disturbed by other work on this machine; the number decides nothing")
    if any(row["warm_up_state"] not in PROVEN and row["disturbed"] != "TRUE" for row in rows):
        lines.append("?: not proven that the measured code was compiled; the number decides nothing")
    return lines


def _difference(contrast: Row, cells: dict[tuple[str, str], Row]) -> str:
    """`encrypt, JDK 21, SunJCE: AES-GCM is 2.75 times as fast as ChaCha20-Poly1305`."""
    sides = []
    for side in ("numerator", "denominator"):
        environment, cell = contrast[f"{side}_environment"], contrast[f"{side}_cell"]
        row = {"jdk": environment, **cells.get((environment, cell), {})}
        sides.append({key: row.get(key, "") for key in ("workload", "jdk", "provider", "factor.algorithm")})
    one, other = sides
    common = ", ".join(value for key, value in one.items() if value and value == other[key])
    differing = [key for key, value in one.items() if value != other[key]]
    first, second = (", ".join(side[key] for key in differing) for side in sides)
    ratio = float(contrast["ratio"])
    faster, slower, times = (first, second, 1 / ratio) if ratio < 1 else (second, first, ratio)
    ends = sorted(float(contrast[key]) ** (-1 if ratio < 1 else 1) for key in ("lower", "upper") if contrast[key])
    limits = f" [{significant(str(ends[0]))}, {significant(str(ends[1]))}]" if len(ends) == 2 else ""
    return f"{common}: {faster} is {significant(str(times))}{limits} times as fast as {slower}"
