"""Writes a first experiment file from a jar of JMH benchmarks: `jca-rerun study JAR`.

In: the jar, of which nothing is run. Out: a file that is accepted as it is: every benchmark with its parameters and their values,
tiers whose quick one is short, and no claims but an example in a comment.
"""

import argparse
import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from jcarerun.errors import UserError, one_line
from jcarerun.images.catalogue import Catalogue
from jcarerun.plan import budget, definitions, plan, settings
from jcarerun.plan.cells import slug
from jcarerun.plan.settings import heap_mib
from jcarerun.plan.subjects import can_be_given
from jcarerun.subject import jars
from jcarerun.subject.benchmark_list import Benchmark
from jcarerun.support.files import sha256
from jcarerun.support.yamlfile import MOST_ENTRIES

# What every cell has already, so that no factor can have that name.
RESERVED = ("workload", "provider", "system", "platform", "jdk", "cpu-profile")

# Cells of the quick tier: some 25 s of measuring each, over its five rounds. All fit into its minutes.
MOST_CELLS = 16
# What Maven, Gradle and others make anew and delete.
BUILD_DIRECTORIES = ("target", "build")
# What the schema takes for a benchmark.
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+")
CLAIMS = """\
# Claims get verdicts. `make forms` lists what a claim can say; a ratio is one of times, above 1 the numerator takes longer.
# claims:
"""
CLAIM = """\
#   A1:
#     text: {first} takes less time than {second}
#     place: where it is said
#     form: ratio-below
#     parameters: {{limit: 1}}
#     ratios:
#       - {{numerator: {{workload: {first}}}, denominator: {{workload: {second}}}}}
"""
JDK_CLAIM = """\
#   J1:
#     text: {first} takes less time on the newer JDK
#     place: where it is said
#     form: ratio-below
#     parameters: {{limit: 1}}
#     ratios:
#       - {{numerator: {{workload: {first}, jdk: {newer}}}, denominator: {{workload: {first}, jdk: {older}}}}}
"""


def _id(text: str) -> str:
    """`AesGcm.oneShot` as `aes-gcm-one-shot`."""
    return slug(re.sub(r"(?<=[a-z])(?=[A-Z])|[.]", "-", text))


def workload_names(benchmarks: Iterable[str]) -> dict[str, str]:
    """Benchmark to a workload's name: class and method, with as much of the package as tells them apart."""
    every = list(benchmarks)
    found = {}
    for each in every:
        parts = each.split(".")
        for length in range(2, len(parts) + 1):
            short = _id(".".join(parts[-length:]))
            if sum(_id(".".join(other.split(".")[-length:])) == short for other in every) == 1:
                break
        found[each] = short
    taken = Counter(found.values())
    return {
        each: short if taken[short] == 1 else f"{short}-{number}"
        for number, (each, short) in enumerate(found.items(), 1)
    }


def _value(text: str) -> object:
    """A parameter's value as the file has it: a whole number as one."""
    return int(text) if re.fullmatch(r"0|[1-9][0-9]{0,8}", text) else text


def factors_of(benchmarks: Iterable[Benchmark]) -> tuple[dict[str, tuple[str, tuple[str, ...]]], dict[str, list[str]]]:
    """Factor to its parameter and values, for every parameter of several values; and benchmark to its factors."""
    made: dict[str, tuple[str, tuple[str, ...]]] = {}
    own: dict[str, list[str]] = {}
    for each in benchmarks:
        for parameter, values in each.params.items():
            good = tuple(dict.fromkeys(value for value in values if can_be_given(value)))
            if len(values) < 2 or not good:
                continue
            short = re.sub(r"^[^a-z]+", "", _id(parameter)) or "parameter"
            short = f"own-{short}" if short in RESERVED else short
            known = (name for name, content in made.items() if content == (parameter, good))
            free = (name for n in range(1, 1000) if (name := short if n == 1 else f"{short}-{n}") not in made)
            name = next(known, None) or next(free)
            made[name] = (parameter, good)
            own.setdefault(each.name, []).append(name)
    return made, own


def _left_out(benchmark: Benchmark) -> str | None:
    """Why a benchmark can't be in the file as it is, or None."""
    if not _NAME.fullmatch(benchmark.name):
        return "its name has other characters than ASCII letters, digits, dots and underscores"
    for name, values in benchmark.params.items():
        if len(values) != 1 and not any(map(can_be_given, values)):
            return f"its parameter {name} has no value; add it with one"
    return None


def _single(benchmark: Benchmark) -> bool:
    return set(benchmark.modes) == {"SingleShotTime"}


def _workload(name: str, each: Benchmark, factors: list[str], both: bool) -> str:
    keys = {"benchmark": each.name}
    if factors:
        keys["factors"] = factors
    if both:
        keys["protocols"] = ["as-published" if _single(each) else "steady-state"]
    if each.threads is not None and each.threads < 1:
        keys["threads"] = 2
    remark = ""
    if heap_mib(each.jvm_args) > settings.defaults()["memory"]:
        heap = [option for option in each.jvm_args if option.startswith("-Xm")]
        keys["jvm_args"] = [option for option in each.jvm_args if option not in heap]
        remark = f"  # without its own {' '.join(heap)}, which needs --config memory=..."
    words = ", ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in keys.items())
    return f"  {name}: {{{words}}}{remark}"


def _environments(known: Catalogue, java: int) -> tuple[str, list[str]]:
    """The newest environment of the quick tier that the classes can be loaded in, and one for each Java of the series."""
    series = [
        name
        for name, environment in known.environments.items()
        if "jdk-series" in environment.tags and environment.jdk.java >= java
    ]
    if not series:
        raise UserError(
            f"the jar is for Java {java}, which no environment of tag jdk-series has; add one: docs/environments.md"
        )
    quick = [name for name in series if "quick" in known.environments[name].tags]
    return (quick or series)[0], series


def _levels(
    kept: list[str], own: dict[str, list[str]], factors: dict, most: int
) -> tuple[list[str], dict[str, list[str]]]:
    """The quick tier's workloads and levels: all where these are few, else the first and last levels of the first workloads."""
    chosen = {name: list(values) for name, (_, values) in factors.items()}

    def cells(each: str) -> int:
        count = 1
        for name in own.get(each, []):
            count *= len(chosen[name])
        return count

    if sum(map(cells, kept)) > most:
        chosen = {name: list(dict.fromkeys((values[0], values[-1]))) for name, values in chosen.items()}
    fit, total = [], 0
    for each in kept:
        total += cells(each)
        if fit and total > most:
            break
        fit.append(each)
    return fit, chosen


def _beside(jar: Path, folder: Path) -> Path:
    """The jar where an experiment file in `folder` may name it: in that directory or below, copied there if it is elsewhere."""
    if not jar.is_file():
        raise UserError(f"{jar}: there is no such file; give a jar of JMH benchmarks")
    if jar.is_relative_to(folder):
        return jar
    copy = folder / jar.name
    if copy.exists() and sha256(copy) != sha256(jar):
        raise UserError(f"{copy}: is there already, and is another jar than {jar}; remove it, or give another OUT=")
    shutil.copyfile(jar, copy)
    return copy


def _entry(jar: Path, folder: Path) -> dict:
    return {"path": str(jar.relative_to(folder)), "sha256": sha256(jar)}


def _chosen(subject: jars.Subject, jar: Path, pattern: str) -> dict[str, Benchmark]:
    """The benchmarks that match, by name. Raises UserError if there are none, or more than a file may have."""
    try:
        found = {name: each for name, each in subject.benchmarks.items() if re.search(pattern, name)}
    except re.error as error:
        raise UserError(f"BENCHMARKS={pattern}: is no regular expression ({error}); correct it") from None
    if not found:
        names = ", ".join(islice(subject.benchmarks, 3))
        raise UserError(f"BENCHMARKS={pattern}: no benchmark of {jar} matches; its first are {names}")
    if len(found) > MOST_ENTRIES:
        raise UserError(
            f"{jar}: has {len(found)} benchmarks, an experiment {MOST_ENTRIES} at most; choose with BENCHMARKS=, a regular "
            "expression such as crypto"
        )
    return found


def text(jar: Path, folder: Path, known: Catalogue, needs: Iterable[Path] = (), pattern: str = "") -> str:
    """The experiment file for a jar and those that it `needs`, to lie in `folder`. Raises UserError where it can't be.

    pattern: a regular expression, found anywhere in the names of the benchmarks that the file has; as JMH takes it.
    """
    entry = _entry(jar, folder)
    if more := [_entry(each, folder) for each in needs]:
        entry["needs"] = more
    subject = jars.read(entry, folder, str(jar))
    found = _chosen(subject, jar, pattern)
    kept = {name: each for name, each in found.items() if not _left_out(each)}
    if not kept:
        raise UserError(
            f"{jar}: every benchmark has a parameter without a value, or a name with other characters than ASCII letters, "
            "digits, dots and underscores; write the file by hand: docs/own-jar.md"
        )
    factors, own = factors_of(kept.values())
    called = workload_names(kept)
    single = [name for name, each in kept.items() if _single(each)]
    both = bool(single) and len(single) < len(kept)
    quick, series = _environments(known, subject.java(kept, str(jar)))
    several = list(dict.fromkeys((quick, max(series, key=lambda name: known.environments[name].jdk.java))))
    fit, chosen = _levels(list(kept), own, factors, MOST_CELLS // len(several))
    javas = [known.environments[name].jdk.java for name in several]
    dump = json.dumps
    lines = [
        f"# {jar.name}: {len(kept)} benchmarks of JMH {subject.jmh}. docs/own-jar.md says what each key means.",
        f"title: {dump(jar.stem)}",
        f"study: {{id: {_id(jar.stem)}, authors: you, where: {dump(jar.name)}, then: Nothing was published.}}",
        f"jar: {dump(entry, ensure_ascii=False)}",
        "measure: wall",
        "",
        "workloads:",
        *(_workload(called[name], each, own.get(name, []), both) for name, each in kept.items()),
        *(f"  # {one_line(each.name)}: {one_line(why)}" for each in found.values() if (why := _left_out(each))),
        "",
    ]
    if factors:
        lines.append("factors:")
        for name, (parameter, values) in factors.items():
            levels = ", ".join(
                f"{dump(value, ensure_ascii=False)}: {{{dump(parameter)}: {dump(_value(value), ensure_ascii=False)}}}"
                for value in values
            )
            lines.append(f"  {name}: {{{levels}}}")
        lines.append("")
    steady = "steady-state: {mode: average-time, warmup: steady-state, iterations: 20, iteration_ms: 200}"
    shots = "as-published: {mode: single-shot, warmup: 0, iterations: 10}"
    narrowed = [f"workloads: {dump([called[name] for name in fit])}"] if len(fit) < len(kept) else []
    used = {name for each in fit for name in own.get(each, [])}
    fewer = {name: levels for name, levels in chosen.items() if name in used and len(levels) < len(factors[name][1])}
    narrowed += [f"levels: {dump(fewer, ensure_ascii=False)}"] if fewer else []
    lines += [
        "protocols:",
        *([f"  {steady}"] if len(single) < len(kept) else []),
        *([f"  {shots}"] if single else []),
        "",
        "tiers:",
        "  smoke: {" + ", ".join(["rounds: 1", f"environments: [{quick}]", *narrowed]) + "}",
        "  quick: {" + ", ".join(["rounds: 5", f"environments: [{', '.join(several)}]", *narrowed]) + "}",
        f"  standard: {{rounds: 10, environments: [{', '.join(series)}]}}",
        f"  full: {{rounds: 30, environments: [{', '.join(series)}]}}",
        "",
        _claims(called[fit[0]], called[fit[-1]], javas),
    ]
    return "\n".join(lines)


def _claims(first: str, last: str, javas: list[int]) -> str:
    """Claims in comments, as examples: of one workload against another, and of one JDK against another, where there are two."""
    found = [CLAIM.format(first=first, second=last)] if first != last else []
    if len(javas) > 1:
        found.append(JDK_CLAIM.format(first=first, newer=max(javas), older=min(javas)))
    return "".join([CLAIMS, *found]) if found else ""


def _build_directory(path: Path) -> Path | None:
    """The directory of a build tool that a path lies in, if it does."""
    found = [each for each in path.absolute().parents if each.name in BUILD_DIRECTORIES]
    return found[-1] if found else None


def _folder(jar: Path) -> Path:
    """Where a jar's experiment file goes: beside it, or in `studies` beside the directory of the build that made it."""
    build = _build_directory(jar)
    return build.parent / "studies" if build else jar.parent


def main(arguments: argparse.Namespace) -> None:
    """Write the file, read it back as every run does, and say what it plans."""
    jar = arguments.jar
    out = arguments.out or _folder(jar) / f"{_id(jar.stem)}.yaml"
    if build := _build_directory(out):
        raise UserError(f"{out}: {build} is removed by the next clean build; give another OUT=")
    if out.exists():
        raise UserError(f"{out}: is there already; remove it, or give another OUT=")
    registry = definitions.registry()
    out.parent.mkdir(parents=True, exist_ok=True)
    folder = out.parent.resolve()
    jar, *needs = (_beside(each.resolve(), folder) for each in (jar, *arguments.needs))
    content = text(jar, folder, registry.catalogue, needs, arguments.benchmarks)
    out.write_text(content, encoding="utf-8")
    experiment = definitions.read(out, registry)
    for tier in ("smoke", "quick", "standard"):
        planned = plan.rounds({experiment["id"]: experiment}, settings.read({"tier": tier}), registry)
        print(f"{tier}:", *budget.Budget(Path("data/raw"), planned).summary(), sep="\n", file=sys.stderr)
    print(
        f"{out}: written. Next: snakemake --cores 2 --config experiment_dir={out.parent} experiments=[{out.stem}] tier=smoke"
    )
