"""Which command measures again what a verdict rests on, and what it costs: minutes and megabytes, as this run's rounds took them.

In: the tidy tables of a report, its settings. Out: the rows of claims.csv (docs/bundle.md says what each column is).
"""

import csv
import io
from collections import defaultdict
from pathlib import Path

from jcarerun.explorer import tidy
from jcarerun.explorer.tidy import Row
from jcarerun.plan import settings
from jcarerun.run import told

KEYS = ("verdict_id", "experiment", "claim", "variant", "environment", "cpu_profile", "protocol", "verdict")
COLUMNS = (*KEYS, "check", "command", "minutes", "megabytes", "cells_minutes")

_SIDES = ("numerator", "denominator")


def command(experiment: str, chosen: dict) -> str:
    """The command that measures an experiment as a run with these settings did; most keys at their defaults are left out."""
    usual = settings.defaults()
    # Of the machine, not of the run.
    keys = [key for key in told.KEYS if key not in ("cpuset", "engine", "strict")]
    words = [f"{key}={value(chosen[key])}" for key in keys if key in ("tier", "seed") or chosen[key] != usual[key]]
    return f"snakemake --cores all --config {' '.join([f'experiments=[{experiment}]', *words])}"


def value(given: object) -> str:
    """A setting as `--config` takes it."""
    return f"[{','.join(given)}]" if isinstance(given, list) else str(given)


def _megabytes(raw: Path, rounds: list[Row]) -> float:
    """Size of rounds in MB (10^6 bytes), as they lie on a disk."""
    files = [file for row in rounds for file in (raw / row["path"]).rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files) / 1e6


def _cells(contrasts: list[Row]) -> set[tuple[str, ...]]:
    """The cells that some contrasts are of: experiment, environment, image, machine, cell."""
    return {
        (row["experiment"], row[f"{side}_environment"], row[f"{side}_image_id"], row["machine_id"], row[f"{side}_cell"])
        for row in contrasts
        for side in _SIDES
        if row[f"{side}_cell"]
    }


def _number(value: float) -> str:
    return f"{value:.3g}"


def rows(folder: Path, raw: Path, chosen: dict) -> list[Row]:
    """A row for each verdict. `folder`: tidy tables; `chosen`: the settings as run.json has them."""
    rounds, contrasts, elapsed_ms = defaultdict(list), defaultdict(list), defaultdict(float)
    for row in tidy.read(folder, "rounds.csv"):
        rounds[row["experiment"]].append(row)
    for row in tidy.read(folder, "contrasts.csv"):
        contrasts[tuple(row[key] for key in tidy.OF_VERDICT)].append(row)
    for row in tidy.read(folder, "forks.csv"):
        cell = tuple(row[key] for key in ("experiment", "environment", "image_id", "machine_id", "cell"))
        elapsed_ms[cell] += float(row["elapsed_ms"] or 0)
    megabytes = {name: _megabytes(raw, own) for name, own in rounds.items()}
    found = []
    for verdict in tidy.read(folder, "verdicts.csv"):
        own, name = contrasts[tuple(verdict[key] for key in tidy.OF_VERDICT)], verdict["experiment"]
        cells = sum(elapsed_ms[cell] for cell in _cells(own)) / 60_000
        found.append({
            **{key: verdict[key] for key in KEYS},
            "check": f"make trace ID={verdict['verdict_id']} RESULTS=UNPACKED",
            "command": command(name, chosen),
            "minutes": _number(sum(float(row["elapsed_s"]) for row in rounds[name]) / 60),
            "megabytes": _number(megabytes.get(name, 0)),
            "cells_minutes": _number(cells) if own else "",
        })  # fmt: skip
    return found


def text(found: list[Row]) -> str:
    """The rows as CSV."""
    out = io.StringIO()
    table = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(found)
    return out.getvalue()
