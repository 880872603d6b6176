"""What the page holds of a run: its tables in blocks, of which the first is read at once and the others when asked for."""

from __future__ import annotations

import json
import re
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.explorer import tidy
from jcarerun.support.files import load_json

AT_ONCE = ("rounds", "cells", "contrasts", "verdicts", "ratios", "notes", "observed_means")
# Of an iteration, what its fork's mean is made of; the rest is in the raw files.
ITERATION = (
    *("fork_row", "iteration", "start_uptime_ms", "duration_ns", "operations", "all_operations", "worker_cpu_ns"),
    *("gc_ms", "jit_ms", "pause_ms", "segment", "measured"),
)
COMMAND = re.compile(r"(\d+): (.+)")


def blocks(folder: Path, definitions: Path, raw: Path) -> dict[str, str]:
    """Name of a block to its JSON, an object of tables; `main` has `run` too, what the run is in words.

    Raises UserError for tables that are missing, damaged, or of two runs.
    """
    forks = tidy.read(folder, "forks.csv")
    rounds = tidy.read(folder, "rounds.csv")
    main = {name: tidy.pack(tidy.read(folder, f"{name}.csv")) for name in AT_ONCE}
    main["forks"] = tidy.pack(forks)
    main["run"] = json.dumps(_run(load_json(definitions, "make the report again"), rounds))
    iterations = tidy.beside_forks(tidy.read(folder, "iterations.csv.gz"), forks, "iterations.csv.gz")
    inside = {
        "iterations": [{key: row.get(key, "") for key in ITERATION} for row in iterations],
        "commands": _commands(rounds, forks, raw),
        "observed": tidy.beside_forks(tidy.read(folder, "observed.csv"), forks, "observed.csv"),
    }
    for name in ("chain", "compilations"):
        inside[name] = tidy.beside_forks(tidy.read(folder, f"{name}.csv.gz"), forks, f"{name}.csv.gz")
    pauses = tidy.beside_forks(tidy.read(folder, "pauses.csv.gz"), forks, "pauses.csv.gz")
    return {
        "main": _object(main),
        "inside": _object({name: tidy.pack(rows) for name, rows in inside.items()}),
        "pauses": _object({"pauses": tidy.pack(pauses)}),
    }


def _object(parts: dict[str, str]) -> str:
    return "{" + ",\n".join(f"{json.dumps(name)}: {part}" for name, part in parts.items()) + "}"


def _run(definitions: dict, rounds: list[tidy.Row]) -> dict:
    """Settings, experiments with their claims, and environments, as far as the page shows them."""
    kept = {"id": str, "label": str, "system": str, "os": str, "jdk": str, "jdk_id": str, "caveat": str}
    return {
        "settings": {key: definitions["settings"][key] for key in ("tier", "seed", "engine", "alpha", "confidence")},
        "experiments": [
            {
                "id": each["id"],
                "title": each["title"],
                "measure": each["measure"],
                "claims": {
                    name: {key: claim.get(key) for key in ("text", "place", "form")}
                    for name, claim in (each.get("claims") or {}).items()
                },
            }
            for each in definitions["experiments"]
        ],
        "environments": [{key: each.get(key) for key in kept} for each in definitions["environments"]],
        "measured": sorted({row["started_at"] for row in rounds} | {row["finished_at"] for row in rounds})[
            :: max(1, 2 * len(rounds) - 1)
        ],
    }


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
            fork = {**{key: each[key] for key in tidy.FORK[:3]}, "fork": str(int(line[1]))}
            found.append({**fork, "command": line[2]})
    ran = {tuple(fork[key] for key in tidy.FORK) for fork in forks}
    return tidy.beside_forks(
        [row for row in found if tuple(row[key] for key in tidy.FORK) in ran], forks, "commands.txt"
    )
