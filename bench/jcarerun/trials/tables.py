"""Puts a table into a page of results: one section of a Markdown file, between its heading and the next, is made anew."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from jcarerun.errors import one_line

FAULTS = Path("report/results/faults.md")


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(one_line(str(word)) for word in line)} |\n" for line in lines)


def write(file: Path, title: str, text: str) -> None:
    """Put `text` below the heading `## title`, in the place of what stood there, or at the end."""
    page = file.read_text() if file.exists() else ""
    section = f"## {title}\n\n{text.strip()}\n"
    found = re.search(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    before, after = (page[: found.start()], page[found.end() :]) if found else (f"{page.rstrip()}\n\n", "")
    file.write_text(f"{before}{section}\n{after}".strip() + "\n")
