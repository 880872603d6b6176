"""What the page holds of a run: its tables in blocks. The page reads `main` at once and the others when a view needs them."""

from __future__ import annotations

import json
import re
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.explorer import tidy
from jcarerun.support.files import load_json

# Table to its block, for tables that the page holds with all their columns.
FILES = {"claims": "claim_list", "claim_summary": "claim_summary", "departures": "departures"}
TABLES = {**dict.fromkeys(FILES, "main"), "verdicts": "main", "rounds": "main", "cells": "cells", "forks": "forks"}
CONTRAST = (
    *("contrast", "verdict_row", "measure", "scope", "numerator", "denominator", "method", "warm_up_state"),
    *("numerator_row", "denominator_row", "ratio", "lower", "upper", "target_lower", "target_upper"),
)
PAIR = (
    *("pair_id", "dimension", "numerator_row", "denominator_row"),
    *("forks_min", "ratio", "lower", "upper", "method", "warm_up_state"),
)
# Of an iteration, what its fork's mean is made of; the rest is in the raw files.
ITERATION = (
    *("fork_row", "iteration", "duration_ns", "operations", "worker_cpu_ns"),
    *("gc_ms", "jit_ms", "pause_ms", "segment", "measured"),
)
# How exact some numbers are: more than a view shows, and less than the tables are. Pauses begin at a microsecond. An iteration's
# duration has all its digits, since a number of the report leads to it.
ROUNDED = {
    "iterations": {"worker_cpu_ns": ".5g"},
    "observed": {"value": ".5g", "sd": ".5g"},
    "pauses": {"uptime_ms": ".3f", "pause_ms": ".5g"},
}
# `<command> # fork 001`; rounds of version 1.0 have `001: <command>`.
COMMAND = re.compile(r"(?:(?P<old>\d+): )?(?P<command>.+?)(?: # fork (?P<fork>\d+))?")


def blocks(folder: Path, definitions: Path, raw: Path) -> dict[str, str]:
    """Name of a block to its JSON, an object of tables; `main` has `run` too, what the run is in words.

    Raises UserError for tables that are missing, damaged, or of two runs.
    """
    tables = {name: tidy.read(folder, f"{FILES.get(name, name)}.csv") for name in TABLES}
    forks, cells, rounds = (tables[name] for name in ("forks", "cells", "rounds"))
    found: dict[str, dict[str, str]] = {"main": {}, "cells": {}, "forks": {}}
    for name, block in TABLES.items():
        found[block][name] = tidy.pack(tables[name])
    contrasts = _with_verdict_row(tidy.beside_cells(tidy.read(folder, "contrasts.csv"), cells), tables["verdicts"])
    found["main"]["contrasts"] = tidy.pack([{key: row[key] for key in CONTRAST} for row in contrasts])
    found["main"]["run"] = json.dumps(_run(load_json(definitions, "make the report again"), rounds, forks))
    pairs = tidy.beside_cells(tidy.read(folder, "pairs.csv"), cells)
    found["cells"]["pairs"] = tidy.pack([{key: row[key] for key in PAIR} for row in pairs])
    iterations = tidy.beside_forks(tidy.read(folder, "iterations.csv.gz"), forks, "iterations.csv.gz")
    inside = {
        "iterations": [{key: row.get(key, "") for key in ITERATION} for row in iterations],
        "commands": _commands(rounds, forks, raw),
    }
    for name in ("observed.csv", "chain.csv.gz", "compilations.csv.gz"):
        inside[name.split(".")[0]] = tidy.beside_forks(tidy.read(folder, name), forks, name)
    for name in ("iterations", "observed"):
        inside[name] = _rounded(inside[name], name)
    found["inside"] = {name: tidy.pack(rows) for name, rows in inside.items()}
    pauses = tidy.beside_forks(tidy.read(folder, "pauses.csv.gz"), forks, "pauses.csv.gz")
    found["pauses"] = {"pauses": tidy.pack(_rounded(pauses, "pauses"))}
    return {
        name: "{" + ",\n".join(f"{json.dumps(key)}: {part}" for key, part in parts.items()) + "}"
        for name, parts in found.items()
    }


def _rounded(rows: list[tidy.Row], table: str) -> list[tidy.Row]:
    """Rows as exact as the page has them. Zeros at a number's end are shorter, once packed, than an exponent."""

    def short(text: str, form: str) -> str:
        return f"{float(format(float(text), form)):.15g}"

    return [row | {key: short(row[key], form) for key, form in ROUNDED[table].items() if row[key]} for row in rows]


def _with_verdict_row(contrasts: list[tidy.Row], verdicts: list[tidy.Row]) -> list[tidy.Row]:
    """Contrasts with the position of their verdict in verdicts.csv; empty where none has their keys."""
    positions = {tuple(row[key] for key in tidy.OF_VERDICT): str(place) for place, row in enumerate(verdicts)}
    return [{**row, "verdict_row": positions.get(tuple(row[key] for key in tidy.OF_VERDICT), "")} for row in contrasts]


def _run(definitions: dict, rounds: list[tidy.Row], forks: list[tidy.Row]) -> dict:
    """Settings, experiments, environments, and names of providers and CPU profiles, as far as the page shows them."""
    environment = ("id", "label", "system", "os", "jdk", "jdk_id", "java", "caveat")
    times = sorted({row["started_at"] for row in rounds} | {row["finished_at"] for row in rounds})
    return {
        "settings": {key: definitions["settings"][key] for key in ("tier", "seed", "engine", "alpha", "confidence")},
        "experiments": [
            {key: each.get(key) for key in ("id", "title", "measure")}
            | {key: (each.get("study") or {}).get(key) for key in ("authors", "year")}
            | {"study": (each.get("study") or {}).get("id", each["id"]), "protocols": list(each.get("protocols") or {})}
            for each in definitions["experiments"]
        ],
        "environments": [{key: each.get(key) for key in environment} for each in definitions["environments"]],
        "words": definitions.get("words"),
        "providers": _labels(definitions, "providers"),
        "cpu_profiles": _labels(definitions, "cpu_profiles"),
        "measured": [times[0], times[-1]] if times else [],
        "forks": len(forks),
        "cells": len({tuple(row[key] for key in tidy.CELL) for row in forks}),
    }


def _labels(definitions: dict, name: str) -> dict[str, str]:
    return {id: each["label"] for id, each in (definitions.get(name) or {}).items()}


def _commands(rounds: list[tidy.Row], forks: list[tidy.Row], raw: Path) -> list[tidy.Row]:
    """The command line of every fork, as its round wrote it down."""
    found = []
    for each in rounds:
        path = raw / each["path"] / "commands.txt"
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError) as error:
            raise UserError(
                f"{path}: can't be read ({error}); put it back, or name the rounds' directory with --raw"
            ) from error
        for line in filter(None, map(COMMAND.fullmatch, lines)):
            fork = {**{key: each[key] for key in tidy.FORK[:3]}, "fork": str(int(line["old"] or line["fork"] or 0))}
            found.append({**fork, "command": line["command"]})
    ran = {tuple(fork[key] for key in tidy.FORK) for fork in forks}
    return tidy.beside_forks(
        [row for row in found if tuple(row[key] for key in tidy.FORK) in ran], forks, "commands.txt"
    )
