"""The tally of the first page, counted from the marks that it prints.

A mark is a verdict's letter behind its claim's id, `C1 S`, or before its word, `S supported`. The legend's marks, with
commas or brackets behind them, are none.
"""

from __future__ import annotations

import re
from collections import Counter

from jcarerun.agreement.printed import plain

LETTERS = {"S": "supported", "R": "refuted", "I": "inconclusive", "N": "not comparable"}
_MARK = re.compile(
    r"(?<![\w(])[A-Z]\d{1,2}[a-z]? ([SRIN])(?![\w.])(?! (?:supported|refuted|inconclusive|not comparable))"
)
_WORD = re.compile(r"(?<!\w)([SRIN]) (?:supported|refuted|inconclusive|not comparable)(?![\w,])(?! \()")
_END = "A claim is supported where"
_SAID = re.compile(r"Under the protocol [\w-]+: ((?:\d+ [a-z ]+?(?:, | and )?)+)(?=[.;(]| \()")
_COUNT = re.compile(r"(\d+) (supported|refuted|inconclusive|not comparable)")


def marks(page: str) -> Counter:
    """How many marks of each verdict a page prints, over all protocols."""
    text = plain(page).partition(_END)[0]
    return Counter(LETTERS[letter] for pattern in (_MARK, _WORD) for letter in pattern.findall(text))


def said(page: str) -> Counter:
    """What the page's sentences say of the same, over all protocols."""
    found = Counter()
    for counts in _SAID.findall(plain(page)):
        for number, verdict in _COUNT.findall(counts):
            found[verdict] += int(number)
    return found
