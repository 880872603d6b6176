"""Which texts the report's PDF can show: those whose characters the fonts of the typst package have.

PDF/UA demands a glyph for every character, so a single one that is missing would end a run after all is measured.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from jcarerun.errors import UserError

# A character with the marks, joiners and selectors that follow it.
_CLUSTER = re.compile(r"[^\x00-\xff][\u0300-\u036f\u200c\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]*")
_MOST_SHOWN = 3
# Of a text: several paragraphs, where a claim has a sentence or two.
MOST_CHARS = 3_000


@cache
def _can_show(clusters: tuple[str, ...]) -> bool:
    import typst

    escaped = ("".join(f"\\u{{{ord(char):x}}}" for char in each) for each in clusters)
    texts = "".join(f'#text("{each}")\n' for each in escaped)
    source = f'#set document(title: "x")\n#set text(font: "Libertinus Serif", lang: "en")\n{texts}'
    try:
        typst.compile(source.encode(), format="pdf", ignore_system_fonts=True, pdf_standards=["ua-1"])
    except typst.TypstError:
        return False
    return True


def missing(texts: Iterable[str], most: int = 10_000) -> list[str]:
    """The characters of some texts that the PDF can't show, of many those that are found first."""
    left, found = [tuple(sorted({each for text in texts for each in _CLUSTER.findall(text)}))], []
    while left and len(found) < most:
        some = left.pop()
        if not some or _can_show(some):
            continue
        if len(some) == 1:
            found += some
        else:
            left += [some[: len(some) // 2], some[len(some) // 2 :]]
    return sorted(found)


def name(cluster: str) -> str:
    """A character by its number, as Unicode writes it: U+4E2D."""
    return " ".join(f"U+{ord(char):04X}" for char in cluster)


def substitute(text: str, wanting: Iterable[str]) -> str:
    """The text with the numbers of characters in their place."""
    for each in sorted(wanting, key=len, reverse=True):
        text = text.replace(each, f"[{name(each)}]")
    return text


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, dict):
        for key, inside in value.items():
            yield from (str(key), *_texts(inside))
    elif isinstance(value, list):
        for inside in value:
            yield from _texts(inside)
    elif isinstance(value, str):
        yield value


def check(path: Path, data: Any) -> None:
    """Raise UserError where a text of a file is over-long, or has a character that the report's PDF can't show."""
    for text in _texts(data):
        if len(text) > MOST_CHARS:
            raise UserError(f"{path}: {text[:60]!r}... has {len(text)} characters, {MOST_CHARS} at most; shorten it")
    wanting = missing(_texts(data), _MOST_SHOWN + 1)
    if not wanting:
        return
    text = next(text for text in _texts(data) if wanting[0] in text)
    words = ", ".join(f"{each} ({unicodedata.name(each[0], name(each))})" for each in wanting[:_MOST_SHOWN])
    raise UserError(
        f"{path}: {text[:60]!r} has {words}{' and others' if wanting[_MOST_SHOWN:] else ''}, which the fonts of the report "
        "lack; write Latin, Greek, Cyrillic or Hebrew letters"
    )
