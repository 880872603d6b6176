"""Reads META-INF/BenchmarkList, in which JMH keeps what a jar's annotations say: every benchmark, without running anything.

In: its text, as JMH 1.21 to 1.37 write it. Out: Benchmarks by name. A line is `JMH` and then fields, each a letter and what
belongs to it; a text is its length and then itself. `S`, `I`, `T` and `U` have a text each (`I 2 10`, `T 3 1 s`), `A` and `L` a
count of texts, `M` a count of parameters, each with a count of values; `E` is what the source doesn't say
(JMH's BenchmarkLineReader).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

FILE = "META-INF/BenchmarkList"

# What an @Param without values has: whoever runs it must give one.
_BLANK = "blank_blank_blank_2014"

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_ENCODED = re.compile(r"(?:[A-Za-z0-9+/]{8})*(?:[A-Za-z0-9+/]{3}={5}|[A-Za-z0-9+/]{6}==|[A-Za-z0-9+/]{8})")


@dataclass(frozen=True)
class Benchmark:
    """A benchmark as its annotations have it.

    params: name to values, none where the source gives none. threads: of all methods of a group together, -1 for as many as there
    are CPUs, None where it doesn't say. jvm_args: those of @Fork, but for those before all others, which JMH gives itself.
    generated: the class that JMH made of it. warmup_ms, measurement_ms: iterations, and how long each lasts.
    """

    name: str
    generated: str
    modes: tuple[str, ...]
    params: dict[str, tuple[str, ...]]
    threads: int | None
    grouped: bool
    jvm_args: tuple[str, ...]
    warmup_ms: tuple[int, int] | None
    measurement_ms: tuple[int, int] | None


class _Line:
    """The fields of a line, one after the other."""

    def __init__(self, text: str):
        self.rest = text.removeprefix("JMH ")
        if self.rest == text:
            raise ValueError(text)

    def _word(self) -> str:
        word, _, self.rest = self.rest.partition(" ")
        return word

    def _text(self, length: int) -> str:
        text, self.rest = self.rest[:length], self.rest[length + 1 :]
        return text

    def _texts(self, count: int) -> list[str]:
        return [self._text(int(self._word())) for _ in range(count)]

    def field(self) -> object:
        """The next field's value; None for one that the source doesn't set."""
        kind = self._word()
        if kind == "E":
            return None
        count = int(self._word())
        if kind in "SUIT":
            return self._text(count)
        if kind in "AL":
            return self._texts(count)
        if kind == "M":
            return {self._texts(1)[0]: self._texts(int(self._word())) for _ in range(count)}
        raise ValueError(kind)


_MS = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3, "min": 6e4, "hr": 3.6e6, "day": 8.64e7}


def _length(iterations: str | None, time: str | None) -> tuple[int, int] | None:
    """Iterations, and how long each lasts in ms; None where the source doesn't say both."""
    if iterations is None or time is None:
        return None
    number, unit = time.split(" ")
    return int(iterations), max(1, round(int(number) * _MS[unit]))


def _decoded(text: str) -> str | None:
    """A value as later versions of JMH pack it (UTF-16 in groups of six bits, the lowest first), or None if it is none."""
    if text == "":
        return text
    if not _ENCODED.fullmatch(text):
        return None
    bits = "".join(f"{_ALPHABET.index(char):06b}"[::-1] for char in text.rstrip("="))
    codes = [int(bits[at : at + 16][::-1], 2) for at in range(0, len(bits) - 15, 16)]
    try:
        found = b"".join(code.to_bytes(2, "little") for code in codes).decode("utf-16-le")
    except UnicodeDecodeError:
        return None
    return found if found.isprintable() else None


def _values(own: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    """Parameters with their values; earlier versions of JMH wrote them as they are."""
    decoded = {name: [_decoded(value) for value in values] for name, values in own.items()}
    packed = all(value is not None for values in decoded.values() for value in values)
    chosen = decoded if packed else own
    return {name: tuple(value for value in values if value != _BLANK) for name, values in chosen.items()}


def _benchmark(text: str) -> Benchmark:
    line = _Line(text)
    user, generated, method, mode, threads, groups, _ = (line.field() for _ in range(7))
    warm_n, warm_time, _, n, time, _, _, _, _, args, _, appended, params = (line.field() for _ in range(13))
    sizes, asked = [int(size) for size in groups], None if threads is None else int(threads)
    grouped = len(sizes) > 1
    return Benchmark(
        f"{user}.{method}", str(generated), (str(mode),), _values(params or {}),
        max(sum(sizes), asked or 0) if grouped else asked, grouped, (*(args or ()), *(appended or ())),
        _length(warm_n, warm_time), _length(n, time),
    )  # fmt: skip


def _lines(text: str) -> Iterator[Benchmark]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield _benchmark(line)
            except (KeyError, ValueError, TypeError, AttributeError) as error:
                raise ValueError(f"line {number} is none of JMH 1.21 or later") from error


def read(text: str) -> dict[str, Benchmark]:
    """Name to Benchmark, by name; one that has several modes has several lines. Raises ValueError for another text."""
    found: dict[str, Benchmark] = {}
    for each in _lines(text):
        if each.name in found:
            each = Benchmark(**{**vars(each), "modes": (*found[each.name].modes, *each.modes)})
        found[each.name] = each
    return dict(sorted(found.items()))
