"""Numbers as they are printed: an estimate with its interval, `30.0 ms [29.4, 30.6]`, and whether it is that of a row."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

NUMBER = r"(?<![\w.])-?\d+(?: \d{3})*(?:\.\d+)?(?:e-?\d+)?"
_TRIPLE = re.compile(rf"({NUMBER})( [a-zµ/%]{{1,6}})? ?\[({NUMBER}), ?({NUMBER})( ?[a-zµ/%]{{1,6}})?\]")
# From the tables' unit to the printed one. A share may be printed as such or in per cent; without a unit beside it, a
# time has its unit in the head of its column.
SCALES = {
    **{"ns": (1,), "µs": (1e-3,), "us": (1e-3,), "ms": (1e-6,), "s": (1e-9, 1)},
    **{"%": (100, 1), "": (1, 100, 1e-3, 1e-6, 1e-9)},
}
Numbers = tuple[float, float, float]


@dataclass(frozen=True)
class Triple:
    """An estimate and the ends of its interval as texts, and their unit."""

    texts: tuple[str, str, str]
    unit: str

    def halves(self) -> tuple[float, ...]:
        """Half of each number's last digit. Three whole numbers are told to the same place, which may be tens or more."""
        texts = [text.replace(" ", "") for text in self.texts]
        whole = all(text.lstrip("-").isdigit() for text in texts)
        zeros = min(len(text) - len(text.rstrip("0")) if int(text) else 9 for text in texts) if whole else 0
        return tuple(0.5 * 10.0 ** (zeros or _place(text)) for text in texts)

    def numbers(self) -> Numbers:
        """The printed numbers."""
        return tuple(float(text.replace(" ", "")) for text in self.texts)

    def shorter(self) -> Triple | None:
        """The same without what stands before the estimate's last thousand: `128 131` may be `AES-128` and 131."""
        first, space, rest = self.texts[0].partition(" ")
        return Triple((rest, *self.texts[1:]), self.unit) if space and first else None

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.texts[0]}{unit} [{self.texts[1]}, {self.texts[2]}]"


def _place(text: str) -> int:
    """The power of ten of a number's last digit."""
    digits, _, power = text.partition("e")
    return int(power or 0) - len(digits.partition(".")[2])


def plain(text: str) -> str:
    """The text with one kind of space and of minus."""
    return re.sub(r"\s+", " ", text).replace("\u2212", "-")


def followed(text: str) -> list[tuple[Triple, str]]:
    """Every estimate with an interval in a plain text, in its order, and the text behind it."""
    return [
        (Triple((match[1], match[3], match[4]), (match[2] or match[5] or "").strip()), text[match.end() :])
        for match in _TRIPLE.finditer(text)
    ]


def triples(text: str) -> list[Triple]:
    """Every estimate with an interval in a text, in its order."""
    return [triple for triple, _ in followed(plain(text))]


class Rows:
    """The estimates that the tables have, to be asked whether a printed one is among them."""

    def __init__(self, rows: Iterable[Numbers]):
        self._rows = sorted(set(rows))

    def __len__(self) -> int:
        return len(self._rows)

    def have(self, triple: Triple) -> bool:
        """Whether some row is printed so, to the last digit."""
        return any(self._near(triple, scale) for scale in SCALES.get(triple.unit, (1,))) or (
            bool(shorter := triple.shorter()) and self.have(shorter)
        )

    def _near(self, triple: Triple, scale: float) -> bool:
        wanted = triple.numbers()
        # Rows have 15 digits, and R and Python round a five at the end to different sides.
        halves = [half * (1 + 1e-6) for half in triple.halves()]
        first = bisect_left(self._rows, ((wanted[0] - halves[0]) / scale * (1 - 1e-12),))
        for row in self._rows[first:]:
            if row[0] * scale > wanted[0] + halves[0]:
                return False
            if all(abs(own * scale - told) <= half for own, told, half in zip(row, wanted, halves, strict=True)):
                return True
        return False
