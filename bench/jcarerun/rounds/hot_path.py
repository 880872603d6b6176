"""What the JVM had compiled of a fork's hot call path when its last iteration ended, and when: chain.csv and compilations.csv.

In: a round's `jit/NNN.log.gz` (HotSpot's log, compilation_log.py), `jit/NNN.stacks` (samples), iterations.csv. Out: a `Step` for
each method of the path, an `Event` for what happened to it, and the two tables. A fork without a log or samples (a native
program, a cold shot, another vendor's JVM) has no rows. The tables of long forks that nothing warms up say how long a program
waits for its compiled code.

HotSpot compiles in tiers (compilationPolicy.hpp): 0 is the interpreter; 1 to 3 are C1 (1 for what is trivial, for good; 2
and 3 count calls until C2 takes over); 4 is C2. A method that C2 inlined into its caller needs no code of its own, and an
intrinsic's fast code is used by a caller that C2 compiled alone: until then its slow body runs, at whatever tier. So a
method is followed from its caller.
"""

import csv
import gzip
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from jcarerun.errors import UserError
from jcarerun.rounds import compilation_log, tables, tree
from jcarerun.rounds.compilation_log import C1, C2, INLINED, INTERPRETED, INTRINSIC, NATIVE, TRIVIAL, Call, Code
from jcarerun.rounds.tree import name_errors
from jcarerun.support.files import confined, where

SETTLED = frozenset({C2, TRIVIAL, INLINED, INTRINSIC, NATIVE})

# Classes whose frames the JVM hides: those that it makes for lambdas and method handles.
_HIDDEN = re.compile(r"\$\$Lambda|^java\.lang\.invoke\.")
# Whose calls all go through hidden frames: reflection by method handles, from JDK 18 on.
_BY_HANDLE = re.compile(r"^jdk\.internal\.reflect\.Direct\w+HandleAccessor::")

# Part of the samples that a method must be in to be of the chain.
LEAST_SHARE = 0.02


class Step(NamedTuple):
    """A method of the hot call path at the end of a fork's last iteration, in the columns of chain.csv.

    `share`: of the samples it is in. `state`: one of the above. `within`: the method into whose code it is inlined, empty for its
    own. `since_ms`: uptime at which the code that runs it took over; None without code.
    """

    depth: int
    method: str
    share: float
    state: str
    within: str
    since_ms: int | None


class Event(NamedTuple):
    """What happened to code that runs the chain, in the columns of compilations.csv.

    It was begun (`compiled`), took over (`ready`) or was thrown away (`discarded`), at an uptime.
    """

    ms: int
    method: str
    tier: int
    what: str


class Chain:
    """A fork's hot call path, followed from the benchmark method through its samples at an uptime."""

    def __init__(self, codes: Iterable[Code], samples: Iterable[tuple[int, list[str]]], benchmark: str, ms: float):
        """Follow the chain from `benchmark` on.

        `samples`: how often a stack was seen, and its methods, outermost first, as `package.Class::method`.
        """
        codes = list(codes)
        self._ms = ms
        self._codes: dict[str, list[Code]] = {}
        for code in codes:
            self._codes.setdefault(code.method, []).append(code)
        hidden = [code for code in codes if code.tier == 4 and _HIDDEN.search(code.method) and code.lives(ms)]
        self._handles = sorted(hidden, key=lambda code: code.ready_ms, reverse=True)
        self._used: dict[int, Code] = {}
        self.steps = self._steps([(n, stack) for n, stack in samples if benchmark in stack], benchmark)

    def _steps(self, samples: list[tuple[int, list[str]]], benchmark: str) -> list[Step]:
        total = sum(n for n, _ in samples)
        seen: Counter[tuple[str, str, str, int | None]] = Counter()
        depths: dict[tuple, int] = {}
        for n, stack in samples:
            met = {}
            for depth, key in enumerate(self._follow(stack[stack.index(benchmark) :])):
                met.setdefault(key, depth)
            for key, depth in met.items():
                seen[key] += n
                depths[key] = min(depth, depths.get(key, depth))
        steps = [Step(depths[key], key[0], round(n / total, 4), *key[1:]) for key, n in seen.items()]
        kept = [step for step in steps if step.share >= LEAST_SHARE]
        return sorted(kept, key=lambda step: (step.depth, -step.share, step.method))

    def _follow(self, path: list[str]) -> Iterator[tuple[str, str, str, int | None]]:
        """For each method of a stack: how it runs, in whose code, and since when."""
        around: Code | None = None
        calls: list[Call] = []
        for caller, method, called in zip(["", *path], path, [*path[1:], None], strict=False):
            found = [call for call in _seen(calls) if call.method == method]
            here = [call for call in found if call.kind]
            if here and called and len(here) < len(found) and not _calls(here, called):
                # Of two overloads, whose frames look alike, it is the one that is not inlined.
                found, here = [call for call in found if not call.kind], []
            if not found and _BY_HANDLE.search(caller) and (hidden := self._hidden_around(method)):
                around, here = hidden
                self._used[id(around)] = around
            if around and here:
                yield method, here[0].kind, around.method, around.ready_ms
                calls = [inner for call in here for inner in call.calls]
                continue
            own = self._own(method, {call.size for call in found})
            around = own if own and own.tier == 4 else None
            calls = around.calls if around else []
            if own:
                self._used[id(own)] = own
            yield method, _state(own), "", own.ready_ms if own else None

    def _own(self, method: str, sizes: set[int]) -> Code | None:
        """The code that runs a method that is called: the highest tier's, of the whole method before that of a loop."""
        alive = [
            code for code in self._codes.get(method, ()) if code.lives(self._ms) and (not sizes or code.size in sizes)
        ]
        return max(alive, key=lambda code: (code.tier == 1, code.tier, not code.osr, code.ready_ms), default=None)

    def _hidden_around(self, method: str) -> tuple[Code, list[Call]] | None:
        """C2's code of a method handle that a method is inlined into, and there: of several what took over last."""
        for code in self._handles:
            if here := [call for call in _seen(code.calls) if call.method == method and call.kind]:
                return code, here
        return None

    def leave_out(self, method: str) -> None:
        """Forget a method's own step, and what happened to its code; what is inlined into it stays."""
        self.steps = [step for step in self.steps if step.method != method]
        self._used = {key: code for key, code in self._used.items() if code.method != method}

    def events(self) -> list[Event]:
        """What happened to the code that runs the chain, in order; of its methods also what C2's earlier code came to."""
        used = list(self._used.values())
        before = {(code.method, code.size) for code in used}
        every = [code for method in {code.method for code in used} for code in self._codes[method]]
        found = []
        for code in every:
            if id(code) in self._used:
                found.append(Event(code.begun_ms, code.method, code.tier, "compiled"))
                if code.ready_ms != code.begun_ms:
                    found.append(Event(code.ready_ms, code.method, code.tier, "ready"))
            if code.until_ms is not None and code.tier == 4 and (code.method, code.size) in before:
                found.append(Event(code.until_ms, code.method, code.tier, "discarded"))
        return sorted(found, key=lambda event: (event.ms, event.method, event.what))


def _calls(here: Iterable[Call], method: str) -> bool:
    """Whether one of these inlined calls calls a method in turn."""
    return any(inner.method == method for call in here for inner in _seen(call.calls))


def _seen(calls: Iterable[Call]) -> Iterator[Call]:
    """The calls that a stack may tell of, also those in what is inlined of a lambda's class, which stacks leave out."""
    for call in calls:
        yield call
        if call.kind and _HIDDEN.search(call.method):
            yield from _seen(call.calls)


def _state(code: Code | None) -> str:
    if code is None:
        return INTERPRETED
    if code.size == 0:
        return NATIVE
    return {4: C2, 1: TRIVIAL}.get(code.tier, C1)


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


def last_iterations(folder: Path) -> dict[int, tuple[float, float]]:
    """Fork to the uptime at which its last iteration ended, in ms, and to what an operation took in it, in ns."""
    with tree.open_file(folder, "iterations.csv", tables.MOST_TABLE_BYTES) as file:
        return {
            int(row["fork"]): (float(row["end_uptime_ms"]), int(row["duration_ns"]) / int(row["operations"]))
            for row in csv.DictReader(line.decode("ascii") for line in file)
        }


def chains(folder: Path) -> Iterator[tuple[int, Chain]]:
    """Each fork that left a log and samples, with its hot call path at the end of its last iteration."""
    ends = last_iterations(folder)
    for log in sorted((folder / "jit").glob("*.log.gz")):
        stacks, fork = log.with_name(log.name.replace(".log.gz", ".stacks")), int(log.name.split(".")[0])
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
) -> Chain:
    """A fork's chain at an uptime, by its code and samples: without JMH's loop, where that is none of its steps.

    An operation that C2 made one piece of code of is stopped where it returns, which is in the loop or in what that hands the
    result to: hardly a sample, or none, is in the operation. Then these few are the chain, or what the loop calls.
    """
    if not benchmark.endswith(STUB) or operation_ns <= SHORT_NS:
        return Chain(codes, samples, benchmark, end_ms)
    samples = [(count, stack[:1] if stack[1:] and stack[1].startswith(CONSUMER) else stack) for count, stack in samples]
    chain = Chain(codes, samples, benchmark, end_ms)
    chain.leave_out(benchmark)
    if not chain.steps:
        called = [(1, [benchmark, method]) for method in measured(benchmark, codes)]
        inside = [(count, stack) for count, stack in samples if len(stack) > 1] or called
        if inside:
            chain = Chain(codes, inside, benchmark, end_ms)
            chain.leave_out(benchmark)
    return chain


def measured(stub: str, codes: Iterable[compilation_log.Code]) -> set[str]:
    """The benchmark's method that JMH made a loop around, where it has code: JMH writes `_` for a nested class's `$`."""
    match = _STUB.match(stub)
    name = match and f"{match['package']}{match['type']}::{match['name']}"
    return {code.method for code in codes if code.method.replace("$", "_") == name}


def write(folder: Path) -> None:
    """Write both tables of a round, where any of its forks has a chain. Raises UserError for what can't be read."""
    confined(lambda: _write(folder), where(folder), tree.size(folder))


def _write(folder: Path) -> None:
    with name_errors(folder, ""):
        found = list(chains(folder))
    steps, events = [], []
    for fork, chain in found:
        steps += [(fork, *step) for step in chain.steps]
        events += [(fork, *event) for event in chain.events()]
    if not steps:
        return
    for name, columns, rows in ((CHAIN, tables.CHAIN, steps), (COMPILATIONS, tables.COMPILATIONS, events)):
        with (folder / name).open("x", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([list(columns), *rows])


# Last part of a fork in which nothing may happen to the code of its hot path: what its time needs (analysis/R/warm_up.R).
TAIL = 0.25


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def compiled_after_s(folder: Path) -> float | None:
    """Seconds from the first iteration until the last code of the hot path took over, of the slowest fork.

    None where a fork ended before that, or too soon after it to have a time; also without a record of what was compiled.
    """
    try:
        return _compiled_after_s(*(_rows(folder / name) for name in ("iterations.csv", CHAIN, COMPILATIONS)))
    except (OSError, ValueError, KeyError):
        return None  # not there; or damaged, which is said by those who check the round itself


def _compiled_after_s(iterations: list[dict], chain: list[dict], events: list[dict]) -> float | None:
    found = 0.0
    for fork in {row["fork"] for row in iterations}:
        own = [row for row in iterations if row["fork"] == fork]
        steps = [row["state"] for row in chain if row["fork"] == fork]
        begin, end = float(own[0]["start_uptime_ms"]), float(own[-1]["end_uptime_ms"])
        at = [float(row["uptime_ms"]) for row in events if row["fork"] == fork and float(row["uptime_ms"]) <= end]
        last = max(at, default=begin)
        if not steps or not SETTLED.issuperset(steps) or last > end - TAIL * (end - begin):
            return None
        found = max(found, (last - begin) / 1000)
    return found
