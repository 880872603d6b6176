"""The explorer's page: a run's tables in blocks, with markup, styles, libraries and code, in one file that asks for nothing else.

The page reads the block `main` at once and the others when a view needs them. A column is a list of numbers (JSON's, digit for
digit as the table has them; null where it is empty), or of texts: the texts that occur and, for each row, which.

Libraries are taken from `vendor` only where their bytes are those of `vendor.json`. The page's policy lets no script
run but those, by their hash, and lets nothing be loaded or sent.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import html
import json
import re
from pathlib import Path

from jcarerun.errors import UserError, entry_point
from jcarerun.explorer import tidy
from jcarerun.explorer.tidy import Row, values
from jcarerun.support.files import load_json, write_file

HERE = Path(__file__).resolve().parents[3] / "report/explorer"
VENDOR = HERE / "vendor"
# In the order in which they need each other.
APP = (
    *("words", "run", "address", "pictures", "grid", "claims"),
    *("details", "choose", "compare", "trends", "data", "main"),
)

# Table of the block `main` to its file, for those that the page holds with all their columns.
MAIN = {"claims": "claim_list", **{name: name for name in ("claim_summary", "departures", "verdicts", "rounds")}}
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
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
# Names, also where they look like numbers.
NAMES = {*tidy.FORK[:3], "image_id", "machine_id", "cell", "workload", "protocol", "provider", "cpu_profile", "variant"}


def blocks(folder: Path, definitions: Path, raw: Path) -> dict[str, str]:
    """Name of a block to its JSON, an object of tables; `main` has `run` too, what the run is in words.

    Raises UserError for tables that are missing, damaged, or of two runs.
    """
    main = {name: tidy.read(folder, f"{file}.csv") for name, file in MAIN.items()}
    cells, forks = tidy.read(folder, "cells.csv"), tidy.read(folder, "forks.csv")
    verdict_rows = {values(row, tidy.OF_VERDICT): str(place) for place, row in enumerate(main["verdicts"])}
    contrasts = with_cell_rows(tidy.read(folder, "contrasts.csv"), cells)
    contrasts = [{**row, "verdict_row": verdict_rows.get(values(row, tidy.OF_VERDICT), "")} for row in contrasts]
    pairs = with_cell_rows(tidy.read(folder, "pairs.csv"), cells)
    of_forks = {}
    for file in ("iterations.csv.gz", "observed.csv", "chain.csv.gz", "compilations.csv.gz", "pauses.csv.gz"):
        name = file.partition(".")[0]
        of_forks[name] = _rounded(with_fork_rows(tidy.read(folder, file), forks, file), ROUNDED.get(name, {}))
    commands = _commands(main["rounds"], forks, raw)
    iterations = [{key: row.get(key, "") for key in ITERATION} for row in of_forks.pop("iterations")]
    pauses = of_forks.pop("pauses")
    found = {
        "main": {**main, "contrasts": [{key: row[key] for key in CONTRAST} for row in contrasts]},
        "cells": {"cells": cells, "pairs": [{key: row[key] for key in PAIR} for row in pairs]},
        "forks": {"forks": forks},
        "inside": {"iterations": iterations, "commands": commands, **of_forks},
        "pauses": {"pauses": pauses},
    }
    packed = {name: {table: pack(rows) for table, rows in tables.items()} for name, tables in found.items()}
    packed["main"]["run"] = json.dumps(_run(load_json(definitions, "make the report again"), main["rounds"], forks))
    return {
        name: "{" + ",\n".join(f"{json.dumps(key)}: {part}" for key, part in parts.items()) + "}"
        for name, parts in packed.items()
    }


def _rounded(rows: list[Row], formats: dict[str, str]) -> list[Row]:
    """Rows as exact as the page has them. Zeros at a number's end are shorter, once packed, than an exponent."""

    def short(text: str, form: str) -> str:
        return f"{float(format(float(text), form)):.15g}"

    return [row | {key: short(row[key], form) for key, form in formats.items() if row.get(key)} for row in rows]


def _run(definitions: dict, rounds: list[Row], forks: list[Row]) -> dict:
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
        "cells": len({values(row, tidy.CELL) for row in forks}),
    }


def _labels(definitions: dict, name: str) -> dict[str, str]:
    return {id: each["label"] for id, each in (definitions.get(name) or {}).items()}


def _commands(rounds: list[Row], forks: list[Row], raw: Path) -> list[Row]:
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
    ran = {values(fork, tidy.FORK) for fork in forks}
    return with_fork_rows([row for row in found if values(row, tidy.FORK) in ran], forks, "commands.txt")


def pack(rows: list[Row]) -> str:
    """JSON of a table: `rows`, their number, and `columns` in the table's order."""
    names = rows[0] if rows else ()
    columns = ", ".join(f"{json.dumps(name)}: {_column(name, [row[name] for row in rows])}" for name in names)
    return f'{{"rows": {len(rows)}, "columns": {{{columns}}}}}'


def _column(name: str, values: list[str]) -> str:
    named = name in NAMES or name.startswith("factor.")
    if not named and any(values) and all(NUMBER.fullmatch(value) for value in values if value):
        return f"[{','.join(value or 'null' for value in values)}]"
    levels = {value: code for code, value in enumerate(dict.fromkeys(values))}
    codes = ",".join(str(levels[value]) for value in values)
    return f'{{"levels": {json.dumps(list(levels))}, "codes": [{codes}]}}'


def with_fork_rows(rows: list[Row], forks: list[Row], what: str) -> list[Row]:
    """Rows with `fork_row`, their fork's place in forks.csv, for the four columns that name it, in that table's order.

    Raises UserError for a row of no fork: then the tables are of two runs.
    """
    places = {values(fork, tidy.FORK): place for place, fork in enumerate(forks)}
    found = []
    for row in rows:
        place = places.get(values(row, tidy.FORK))
        if place is None:
            raise UserError(
                f"{what}: has a row of {'/'.join(values(row, tidy.FORK[:3]))}, fork {row['fork']}, which forks.csv lacks;"
                " remove data/tidy and make the report again"
            )
        rest = {key: value for key, value in row.items() if key not in tidy.FORK}
        found.append({"fork_row": str(place), **rest})
    return sorted(found, key=lambda row: int(row["fork_row"]))


def with_cell_rows(rows: list[Row], cells: list[Row]) -> list[Row]:
    """Contrasts or pairs with `numerator_row` and `denominator_row`: their cells' positions in cells.csv, or empty.

    A contrast of another measure than time leads to the wall-clock row of its cell.
    """
    positions = {values(cell, (*tidy.CELL, "measure")): str(place) for place, cell in enumerate(cells)}

    def position(row: Row, side: str) -> str:
        own = {key: row.get(f"{side}_{key}", row.get(key, "")) for key in tidy.CELL}
        keys = [(*own.values(), measure) for measure in (row["measure"], "wall")]
        return next((positions[key] for key in keys if key in positions), "")

    return [{**row, **{f"{side}_row": position(row, side) for side in ("numerator", "denominator")}} for row in rows]


def libraries() -> dict[str, str]:
    """File to text of every library, checked. Raises UserError for one that has other bytes than its pin."""
    found = {}
    for each in json.loads((VENDOR / "vendor.json").read_text(encoding="utf-8")):
        content = (VENDOR / each["file"]).read_bytes()
        if hashlib.sha256(content).hexdigest() != each["sha256"]:
            raise UserError(
                f"{VENDOR / each['file']}: has other bytes than {each['package']} {each['version']}; restore it"
            )
        found[each["file"]] = content.decode()
    return found


def scripts() -> list[str]:
    """The scripts of the page: the libraries, then its own code, whose files see each other and nobody else sees."""
    own = "\n".join((HERE / "app" / f"{name}.js").read_text(encoding="utf-8") for name in APP)
    theirs = [text for file, text in libraries().items() if file.endswith(".js")]
    return [*theirs, f'"use strict";\n(() => {{\n{own}\n}})();']


def make(blocks: dict[str, str], title: str) -> str:
    """The page with these blocks: `main` and the others packed, each in an element of its own."""
    code = scripts()
    styles = [text for file, text in libraries().items() if file.endswith(".css")]
    styles.append((HERE / "style.css").read_text(encoding="utf-8"))
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in code)
    hashes = " ".join(f"'sha256-{digest}'" for digest in digests)
    # Both libraries set styles on what they draw, so these can't be listed; a style can't send anything here.
    policy = f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:"
    policy += "; base-uri 'none'; form-action 'none'"
    packed = {name: base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode() for name, text in blocks.items()}
    parts = {
        "TITLE": html.escape(title),
        "POLICY": policy,
        "STYLES": "\n".join(f"<style>{text}</style>" for text in styles),
        "BLOCKS": "\n".join(
            f'<script type="application/gzip" data-block="{name}">{text}</script>' for name, text in packed.items()
        ),
        "SCRIPTS": "\n".join(f"<script>{text}</script>" for text in code),
    }
    page = (HERE / "page.html").read_text(encoding="utf-8")
    for name, text in parts.items():
        page = page.replace(f"@{name}@", text, 1)
    return page


def main(arguments: argparse.Namespace) -> None:
    """Write the page, whole or not at all."""
    tables = blocks(arguments.tidy, arguments.tidy / "definitions.json", arguments.raw)
    text = make(tables, "jca-rerun: explore")
    write_file(arguments.out, text)
    print(arguments.out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="jcarerun.explorer.page", description="Writes a run's tables as one page to explore."
    )
    parser.add_argument("--tidy", type=Path, required=True, help="directory of the tidy tables, data/tidy")
    parser.add_argument("--raw", type=Path, required=True, help="directory of the rounds that they are of")
    parser.add_argument("--out", type=Path, required=True, help="the page to write")
    entry_point(main, parser)
