"""What the JVM had compiled of a fork's hot chain when its last iteration ended, and when.

In: the code that a fork's compilation log tells of (bench/rounds/compilation_log.py), and its execution samples. Out: a
`Step` for each method of the hot chain, an `Event` for what happened to it.

HotSpot compiles in tiers (compilationPolicy.hpp): 0 is the interpreter; 1 to 3 are C1 (1 for what is trivial, for good; 2
and 3 count calls until C2 takes over); 4 is C2. A method that C2 inlined into its caller needs no code of its own, and an
intrinsic's fast code is used by a caller that C2 compiled alone: until then its slow body runs, at whatever tier. So a
method is followed from its caller.

A method that is called once an operation may stay with C1 for good, and its own bytecodes be nothing of the operation's time.
So a sample counts as slow by what runs: code that is not settled, or what such code calls where HotSpot may have an intrinsic.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from bench.rounds.compilation_log import INLINED, INTRINSIC, Call, Code

C2, C1, INTERPRETED, TRIVIAL, NATIVE = "c2", "c1", "interpreted", "trivial", "native"
SETTLED = frozenset({C2, TRIVIAL, INLINED, INTRINSIC, NATIVE})

# Part of the samples that a method must be in to be of the chain.
LEAST_SHARE = 0.02

# Part of the samples that may be slow where times are those of compiled code (`slow_most` in analysis/R/steady/settled.R).
SLOW_MOST = 0.05

# What JMH makes around a benchmark's method: the loop, which HotSpot compiles once it went round 60,000 times.
STUB = "_jmhStub"

# What C1 makes part of its caller's code, in bytes (C1MaxInlineSize).
_C1_INLINES = 35

# Methods that HotSpot may have code of its own for (vmIntrinsics.hpp). A JVM doesn't list them: all of the packages where they
# are common, and the JDK's others by their names.
_MAY_BE_INTRINSIC = re.compile(
    r"(java\.lang|java\.util|jdk\.internal|com\.sun\.crypto\.provider|sun\.security\.provider|sun\.misc)\."
    r"|(java|javax|sun|com\.sun|jdk)\..*::"
    r"(impl[A-Z]\w*|\w+ImplWorker|multiplyToLen|squareToLen|mulAdd|montgomery\w*|mult\w*|square\w*|conditional\w*)$"
)


# A method, how it runs, in whose code, and since when.
_Key = tuple[str, str, str, int | None]


@dataclass(frozen=True)
class Step:
    """A method of the hot chain at the end of a fork's last iteration.

    `share`: of the samples it is in. `state`: one of the above. `within`: the method into whose code it is inlined, empty for
    its own. `since_ms`: uptime at which the code that runs it took over; None without code. `slow_share`: of the samples that it
    makes slow, by its own code or by what it calls.
    """

    depth: int
    method: str
    share: float
    state: str
    within: str
    since_ms: int | None
    slow_share: float


@dataclass(frozen=True)
class Event:
    """Code that runs the chain was begun (`compiled`), took over (`ready`) or was thrown away (`discarded`), at an uptime."""

    ms: int
    method: str
    tier: int
    what: str


class Chain:
    """A fork's hot chain, followed from the benchmark method through its samples at an uptime."""

    def __init__(self, codes: Iterable[Code], samples: Iterable[tuple[int, list[str]]], benchmark: str, ms: float):
        """Follow the chain from `benchmark` on.

        `samples`: how often a stack was seen, and its methods, outermost first, as `package.Class::method`.
        """
        self._ms = ms
        self._codes: dict[str, list[Code]] = {}
        for code in codes:
            self._codes.setdefault(code.method, []).append(code)
        self._used: dict[int, Code] = {}
        self.steps = self._steps([(n, stack) for n, stack in samples if benchmark in stack], benchmark)

    def _steps(self, samples: list[tuple[int, list[str]]], benchmark: str) -> list[Step]:
        total = sum(n for n, _ in samples)
        seen: Counter[_Key] = Counter()
        slow: Counter[_Key] = Counter()
        depths: dict[_Key, int] = {}
        for n, stack in samples:
            met: dict[_Key, int] = {}
            path = list(self._follow(stack[stack.index(benchmark) :]))
            for depth, key in enumerate(path):
                met.setdefault(key, depth)
            for key, depth in met.items():
                seen[key] += n
                depths[key] = min(depth, depths.get(key, depth))
            if slowing := _slowing(path):
                slow[slowing] += n
        steps = [
            Step(depths[key], key[0], round(n / total, 4), *key[1:], round(slow[key] / total, 4))
            for key, n in seen.items()
        ]
        kept = [step for step in steps if step.share >= LEAST_SHARE or step.slow_share > 0]
        return sorted(kept, key=lambda step: (step.depth, -step.share, step.method))

    def _follow(self, path: list[str]) -> Iterator[_Key]:
        """For each method of a stack: how it runs, in whose code, and since when."""
        around: Code | None = None
        first: Code | None = None
        calls: list[Call] = []
        for method in path:
            found = [call for call in calls if call.method == method]
            here = [call for call in found if call.kind]
            if around and here:
                yield method, here[0].kind, around.method, around.ready_ms
                calls = [inner for call in here for inner in call.calls]
                continue
            own = self._own(method, {call.size for call in found})
            if own and first and 0 < own.size <= _C1_INLINES:
                yield method, C1, first.method, first.ready_ms
                continue
            first = own if own and _state(own) == C1 and not method.endswith(STUB) else None
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


def _slowing(path: list[_Key]) -> _Key | None:
    """Which method makes a stack slow: the innermost, or one that calls what may be an intrinsic; None if none does.

    A native method may wait for others' work, of which nothing is known here but that it is done as often: the outermost of its
    callers that is not settled makes it slow.
    """
    if path[-1][1] not in SETTLED:
        return path[-1]
    if path[-1][1] == NATIVE:
        return next((step for step in path if step[1] not in SETTLED), None)
    for caller, called in pairwise(path):
        if caller[1] not in SETTLED and called[1] in SETTLED and _MAY_BE_INTRINSIC.match(called[0]):
            return caller
    return None


def _state(code: Code | None) -> str:
    if code is None:
        return INTERPRETED
    if code.size == 0:
        return NATIVE
    return {4: C2, 1: TRIVIAL}.get(code.tier, C1)
