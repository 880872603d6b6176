"""Numbers without an interval of their own: cells' means, and how much providers do in a second.

A mean is held against the row of cells.csv or observed_means.csv that its entry names. What providers do in a second is in
no table; the quotients of two are the ratios that the entry names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from jcarerun.agreement.printed import NUMBER, SCALES, Rows, Triple, plain, triples
from jcarerun.explorer import tidy

_ALONE = re.compile(rf"({NUMBER})(?: ([a-zµ/%]{{1,6}}))?")
_SPEED = re.compile(rf"({NUMBER}) (MB/s|/s)")
_MEANS = (("mean_ns", "lower_ns", "upper_ns"),)
_SEEN = (("mean", "lower", "upper"), ("geometric_mean", "geometric_lower", "geometric_upper"))


class Means:
    """The means of a run's cells by the number of their row, those of what was observed by their id, and its ratios."""

    def __init__(self, folder: Path):
        numbered = {str(i): row for i, row in enumerate(tidy.read(folder, "cells.csv"), start=1)}
        seen = {row["observed_id"]: row for row in tidy.read(folder, "observed_means.csv")}
        self._rows = {
            key: [tuple(float(row[name] or "nan") for name in names) for names in columns if row[columns[0][0]]]
            for rows, columns in ((numbered, _MEANS), (seen, _SEEN))
            for key, row in rows.items()
        }
        self._ratios = {row["ratio_id"]: row["ratio"] for row in tidy.read(folder, "ratios.csv")}

    def wrong(self, entry: dict) -> Iterator[str | None]:
        """For each number that the entry prints so: None where it is its row's, else what is wrong with it."""
        key = entry.get("row", entry.get("id"))
        if isinstance(key, str) and ("mean" in entry or "number" in entry) and re.fullmatch(r"o?\d+", key):
            unit = f" {entry['unit']}" if "mean" in entry else ""
            said = f"{entry['mean']}{unit} {entry['interval']}" if "mean" in entry else entry["number"]
            yield None if self._is_mean(key, said) else f"row {key} is {said}, in the table {self._rows.get(key)}"
        if "speed" in entry and "ids" in entry:
            yield from self._speeds(entry)

    def _is_mean(self, key: str, said: str) -> bool:
        rows = self._rows.get(key, [])
        if found := triples(said):
            return Rows([row for row in rows if row[1] == row[1]]).have(found[0])
        alone = _ALONE.search(plain(said))
        if alone is None:
            return False
        number, unit = Triple((alone[1],) * 3, ""), alone[2] or ""
        return any(
            abs(row[0] * scale - number.numbers()[0]) <= number.halves()[0] * (1 + 1e-6)
            for row in rows
            for scale in SCALES.get(unit, (1,))
        )

    def _speeds(self, entry: dict) -> Iterator[str | None]:
        printed = [number for number, _ in _SPEED.findall(plain(f"{entry['speed']}; {entry['others']}"))]
        ids = entry["ids"].split()
        if len(printed) != len(ids):
            yield f"{entry['operation']}: {len(printed)} speeds for the ratios {entry['ids']}"
            return
        ends = [(x.numbers()[0], x.halves()[0]) for x in (Triple((number,) * 3, "") for number in printed)]
        (fastest, half), *others = ends
        for name, (speed, own) in zip(ids[1:], others, strict=True):
            ratio = float(self._ratios.get(name) or "nan")
            holds = (fastest - half) / (speed + own) <= ratio * (1 + 1e-6) and ratio <= (fastest + half) / (speed - own)
            yield (
                None if holds else f"{entry['operation']}: {fastest:g} over {speed:g} is not {name}, which is {ratio:g}"
            )
