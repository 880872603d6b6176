"""Writes down, for every fork of a round, what runs its hot chain: chain.csv and compilations.csv (data/README.md).

In: a round's `jit/NNN.log.gz` (HotSpot's log), `jit/NNN.stacks` (samples) and iterations.csv. Out: the two tables, made once when
the round is put together; a fork without a log or samples (a native program, a cold shot, another vendor's JVM) has no rows.
"""

import csv
import gzip
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.rounds import columns, compilation, compilation_log
from jcarerun.support.files import where

CHAIN, COMPILATIONS = "chain.csv", "compilations.csv"

# A log of HotSpot's has a line of a hundred bytes for each of some thousand pieces of code.
MOST_BYTES = 64 << 20


def read_log(file: Path) -> list[compilation_log.Code]:
    """What a packed log tells. Raises UserError for one that is damaged or too large."""
    try:
        with gzip.open(file) as packed:
            text = packed.read(MOST_BYTES + 1)
    except (OSError, EOFError) as error:
        raise UserError(f"{where(file)}: not a packed compilation log ({error})") from None
    if len(text) > MOST_BYTES:
        raise UserError(
            f"{where(file)}: is over {MOST_BYTES >> 20} MiB unpacked, which no compilation log of a fork is"
        )
    return compilation_log.read(text.decode("latin-1").split("\n"))


def read_stacks(file: Path) -> tuple[str, list[tuple[int, list[str]]]]:
    """The benchmark method, and how often each stack was seen, outermost method first. Raises UserError for another file."""
    try:
        first, *lines = file.read_text(encoding="utf-8").splitlines()
        word, benchmark = first.split("\t")
        counts = [line.split("\t") for line in lines]
        samples = [(int(count), stack.split(";")) for count, stack in counts]
        if word != "benchmark" or any(count < 1 or stack[0] != benchmark for count, stack in samples):
            raise ValueError("a stack must have a count and begin with the benchmark method")
    except (OSError, ValueError) as error:
        raise UserError(f"{where(file)}: not a table of stacks ({error})") from None
    return benchmark, samples


# What JMH makes around a benchmark's method: the loop, which HotSpot compiles once it went round 60,000 times. Of an operation
# that takes longer than this it is a fiftieth at most even where it is interpreted (0.2 us a round): no step of the chain then.
STUB, SHORT_NS = "_jmhStub", 10_000
# What the loop hands each result to.
CONSUMER = "org.openjdk.jmh.infra.Blackhole::"
_STUB = re.compile(r"^(?P<package>.*\.)jmh_generated\.(?P<type>.+)_(?P<name>.+)_jmhTest::(?P=name)_[a-z]+_jmhStub$")


def last_iterations(folder: Path) -> dict[str, tuple[float, float]]:
    """Fork to the uptime at which its last iteration ended, in ms, and to what an operation took in it, in ns."""
    with (folder / "iterations.csv").open(newline="", encoding="ascii") as rows:
        return {
            row["fork"]: (float(row["end_uptime_ms"]), int(row["duration_ns"]) / int(row["operations"]))
            for row in csv.DictReader(rows)
        }


def chains(folder: Path) -> Iterator[tuple[str, compilation.Chain]]:
    """Each fork that left a log and samples, with its hot chain at the end of its last iteration."""
    ends = last_iterations(folder)
    for log in sorted((folder / "jit").glob("*.log.gz")):
        stacks, fork = log.with_name(log.name.replace(".log.gz", ".stacks")), str(int(log.name.split(".")[0]))
        if fork in ends and stacks.is_file():
            benchmark, samples = read_stacks(stacks)
            end_ms, operation_ns = ends[fork]
            yield fork, chain_of(read_log(log), samples, benchmark, end_ms, operation_ns)


def chain_of(
    codes: list[compilation_log.Code],
    samples: list[tuple[int, list[str]]],
    benchmark: str,
    end_ms: float,
    operation_ns: float,
) -> compilation.Chain:
    """A fork's chain at an uptime, by its code and samples: without JMH's loop, where that is none of its steps.

    An operation that C2 made one piece of code of is stopped where it returns, which is in the loop or in what that hands the
    result to: hardly a sample, or none, is in the operation. Then these few are the chain, or what the loop calls.
    """
    if not benchmark.endswith(STUB) or operation_ns <= SHORT_NS:
        return compilation.Chain(codes, samples, benchmark, end_ms)
    samples = [(count, stack[:1] if stack[1:] and stack[1].startswith(CONSUMER) else stack) for count, stack in samples]
    chain = compilation.Chain(codes, samples, benchmark, end_ms)
    chain.leave_out(benchmark)
    if not chain.steps:
        called = [(1, [benchmark, method]) for method in measured(benchmark, codes)]
        inside = [(count, stack) for count, stack in samples if len(stack) > 1] or called
        if inside:
            chain = compilation.Chain(codes, inside, benchmark, end_ms)
            chain.leave_out(benchmark)
    return chain


def measured(stub: str, codes: Iterable[compilation_log.Code]) -> set[str]:
    """The benchmark's method that JMH made a loop around, where it has code: JMH writes `_` for a nested class's `$`."""
    match = _STUB.match(stub)
    name = match and f"{match['package']}{match['type']}::{match['name']}"
    return {code.method for code in codes if code.method.replace("$", "_") == name}


def write(folder: Path) -> None:
    """Write both tables of a round, where any of its forks has a chain."""
    steps, events = [], []
    for fork, chain in chains(folder):
        steps += [
            (fork, s.depth, s.method, s.share, s.state, s.within, "" if s.since_ms is None else s.since_ms)
            for s in chain.steps
        ]
        events += [(fork, event.ms, event.method, event.tier, event.what) for event in chain.events()]
    if not steps:
        return
    for name, own, rows in (
        (CHAIN, columns.CHAIN, steps),
        (COMPILATIONS, columns.COMPILATIONS, events),
    ):
        with (folder / name).open("x", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([list(own), *rows])
