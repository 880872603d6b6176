"""HotSpot's compilation log, read: every piece of code that was compiled, and what C2 made of the calls in it.

In: the lines of a log (`-XX:+PrintCompilation -XX:+PrintInlining` through `-XX:+LogVMOutput`), which are the same from JDK 8
on, but that JDK 24 and later name all receivers of a call in one line. Out: `Code`, with its tree of `Call`.
"""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

# A method is CLASS::NAME. A check after the match looks for the colons, since a pattern with them takes a time that grows with
# the square of the line's length.
# 1298  774  %  b 4   jcarerun.workload.BulkCipher::decrypt @ 28 (41 bytes)   made not entrant
_COMPILED = re.compile(
    r"^\s*(?P<ms>\d+)\s+(?P<id>\d+)\s(?P<flags>[%sbn! ]{5,6})\s*(?P<tier>[0-4-])\s{2,}"
    r"(?P<method>\S+)(?P<osr> @ -?\d+)?\s+\((?P<size>\d+ bytes|native)\)(?P<rest>.*)$"
)
#                  @ 21   com.sun.crypto.provider.CipherCore::init (326 bytes)   hot method too big
_CALL = re.compile(r"^(?P<indent>[\s!sm]*)@ (?P<place>-?\d+)\s+(?P<callees>\S+ \(\d+ bytes\).*)$")
_CALLEE = re.compile(r"^\s*(?P<method>\S+) \((?P<size>\d+) bytes\)\s*(?P<words>.*)$")
# JDK 24 and later have one line for a call, with each of its receivers and, in the same words, where the profile is from.
_NEXT_CALLEE, _OF_PROFILE = "callee changed to", "\\-&gt;"
_WRITER = re.compile(r"^<writer thread='(\d+)'/>$")
_DISCARDED = ("made not entrant", "made zombie")

# What C2 makes of a call that does not stay one.
INLINED, INTRINSIC = "inlined", "intrinsic"
# How a method runs otherwise.
C2, C1, INTERPRETED, TRIVIAL, NATIVE = "c2", "c1", "interpreted", "trivial", "native"


@dataclass
class Call:
    """A call in the tree of what C2 made of a method's calls. `kind`: inlined, intrinsic; None for one that stays a call.

    `calls`: what it calls in turn. The log does not tell which of a call's receivers they are of: these share one list.
    """

    method: str
    size: int
    kind: str | None
    calls: list["Call"] = field(default_factory=list)


@dataclass
class Code:
    """A piece of compiled code: of a whole method, or of a loop in it that was entered while running (`osr`).

    `begun_ms`: when its compilation began. `ready_ms`: when it took over, as far as the log tells: what it replaces is
    thrown away then; else when it began. `until_ms`: when it was thrown away, or None. `calls`: what C2 made of its calls.
    """

    id: int
    method: str
    size: int
    tier: int
    osr: bool
    begun_ms: int
    ready_ms: int
    until_ms: int | None = None
    calls: list[Call] = field(default_factory=list)

    def lives(self, ms: float) -> bool:
        """Whether it ran at that uptime."""
        return self.ready_ms <= ms and (self.until_ms is None or self.until_ms > ms)


def _kind(words: str) -> str | None:
    """What C2 did with a call in the end: "virtual call   late inline succeeded", "native method   (intrinsic)".

    Where JDK 24 and later say it for each of two receivers, the last is the one that is met more often.
    """
    said = [word for word in re.split(r"\s{3,}", words.strip()) if not word.startswith(_OF_PROFILE)]
    if said[-1:] and said[-1].startswith(("(intrinsic", "intrinsic")):
        return INTRINSIC
    if said[-1:] and said[-1].startswith(("inline", "accessor", "force inline", "late inline succeeded")):
        return INLINED
    return None


def _callees(text: str, calls: list[Call]) -> Iterator[Call]:
    """The receivers that a line names, all with the same calls of their own."""
    for part in text.split(_NEXT_CALLEE):
        match = _CALLEE.match(part)
        if match and "::" in match["method"] and not match["words"].startswith(_OF_PROFILE):
            yield Call(html.unescape(match["method"]), int(match["size"]), _kind(match["words"]), calls)


class _Reader:
    """Puts the lines of a log together: several threads write it, each marked by a line of its own.

    C2's tree of calls follows when its compilation is done, and belongs to what the same thread last began: but not to the
    wrapper of a native method, which C2 makes in the middle of a compilation that needs it. A call with two receivers
    has a line for each, at the same place, and what both call follows behind the second, in either order.
    """

    def __init__(self) -> None:
        self.made: list[Code] = []
        self._by_id: dict[tuple[int, bool], Code] = {}
        self._open: dict[str, list[tuple[int, str, list[Call]]]] = {}
        self._thread = ""

    def line(self, text: str) -> None:
        if match := _WRITER.match(text):
            self._thread = match[1]
        elif (match := _COMPILED.match(text)) and "::" in match["method"]:
            self._code(match)
        elif (
            (match := _CALL.match(text))
            and "::" in match["callees"].split(" ", 1)[0]
            and (levels := self._open.get(self._thread))
        ):
            depth, calls = len(match["indent"]), []
            while levels[-1][0] >= depth:
                before = levels.pop()
                if before[:2] == (depth, match["place"]):
                    calls = before[2]
            levels[-1][2].extend(_callees(match["callees"], calls))
            levels.append((depth, match["place"], calls))

    def _code(self, match: re.Match) -> None:
        key, ms = (int(match["id"]), match["osr"] is not None), int(match["ms"])
        if match["rest"].strip().startswith(_DISCARDED):
            if (code := self._by_id.get(key)) and code.until_ms is None:
                code.until_ms = ms
                self._replaced(code, ms)
            return
        size = 0 if match["size"] == "native" else int(match["size"].split()[0])
        code = Code(key[0], html.unescape(match["method"]), size, int(match["tier"]), key[1], ms, ms)
        self.made.append(code)
        self._by_id[key] = code
        if match["size"] != "native":
            self._open[self._thread] = [(-1, "", code.calls)]

    def _replaced(self, old: Code, ms: int) -> None:
        """What replaces code takes over when the old one is thrown away."""
        for new in reversed(self.made):
            if new.tier > old.tier and (new.method, new.size, new.osr) == (old.method, old.size, old.osr):
                if new.ready_ms == new.begun_ms:
                    new.ready_ms = ms
                return


def read(lines: Iterable[str]) -> list[Code]:
    """Every piece of code that was compiled, in the order of the log."""
    reader = _Reader()
    for line in lines:
        reader.line(line.rstrip("\n"))
    return reader.made
