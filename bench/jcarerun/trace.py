"""The look-up of a verdict or ratio: `jca-rerun trace v10` prints the formula, the table rows and the raw files.

The value of a ratio of times is computed again from the files that are printed. Which iterations count is read from
iterations.csv.gz: changepoints, plans and protocols decide that.
"""

import argparse
import csv
import math
import re
import sys
from pathlib import Path
from statistics import fmean

from jcarerun.errors import UserError, say
from jcarerun.explorer import tidy
from jcarerun.explorer.tidy import Row, values
from jcarerun.plan.cells import programme_cell
from jcarerun.rounds import tree

# Tables whose rows have an id, with its column.
TABLES = {"verdicts.csv": "verdict_id", "contrasts.csv": "contrast", "ratios.csv": "ratio_id"}
# Measure of a time: the columns of a round's iterations.csv whose sums give it, in ns and in operations (data/README.md).
TIMES = {"wall": ("duration_ns", "operations"), "cpu": ("worker_cpu_ns", "all_operations")}
CELL = ("experiment", "environment", "image_id", "machine_id", "cell")
# Raw times are whole nanoseconds, and tables have 15 digits.
MOST_APART = 1e-9


def find(folder: Path, wanted: str) -> list[tuple[str, Row]]:
    """The rows that an id leads to, each with its table: a verdict's own and its contrast's, or a ratio's alone.

    Raises UserError for an id of no row.
    """
    rows = {name: {row[key]: row for row in tidy.read(folder, name)} for name, key in TABLES.items()}
    found = [(name, own[wanted]) for name, own in rows.items() if wanted in own]
    if not found:
        known = [f"{name} has {_ends(list(own))}" for name, own in rows.items() if own]
        raise UserError(f"{wanted}: {folder} has no row of that id; {'; '.join(known) or 'its tables have no rows'}")
    name, row = found[0]
    if name == "verdicts.csv" and row["contrast"] in rows["contrasts.csv"]:
        found.append(("contrasts.csv", rows["contrasts.csv"][row["contrast"]]))
    return found


def _ends(ids: list[str]) -> str:
    ids = sorted(ids, key=lambda text: int(re.sub(r"\D", "", text)))
    return ids[0] if len(ids) == 1 else f"{ids[0]} to {ids[-1]}"


def cells(row: Row) -> list[tuple[str, tuple[str, ...]]]:
    """The cells of a ratio, the numerator's first; one alone where a cell's own value is judged."""
    return [
        (side, (row["experiment"], row[f"{side}_environment"], row[f"{side}_image_id"], row["machine_id"], name))
        for side in ("numerator", "denominator")
        if (name := row[f"{side}_cell"])
    ]


def fork_value(folder: Path, fork: int, measured: set[int], measure: str) -> float:
    """Time per operation of a fork in ns: the sum of the times of its measured iterations, over that of their operations."""
    if not (folder / "iterations.csv").is_file():
        raise UserError(f"{folder}/iterations.csv: there is no such file; name the directory of the rounds with RAW=")
    time, operations = TIMES[measure]
    every = csv.DictReader(tree.read(folder, "iterations.csv").decode().splitlines())
    rows = [row for row in every if int(row["fork"]) == fork and int(row["iteration"]) in measured]
    return sum(float(row[time]) for row in rows) / sum(float(row[operations]) for row in rows)


def formula(row: Row, of_difference: bool) -> str:
    """How a row's number is made of its forks' values."""
    where = "the rounds' means of the forks' values" if row["method"] == "paired" else "the forks' values"
    if of_difference:
        return f"mean(numerator) - mean(denominator), of {where}"
    return f"exp(mean(ln numerator) - mean(ln denominator)), of {where}"


def ratio(row: Row, sides: list[list[tuple[Row, float]]], of_difference: bool) -> float:
    """The number of a row from (fork, value) of each cell, by `formula`."""
    between = any(row[f"numerator_{key}"] != row[f"denominator_{key}"] for key in ("environment", "image_id"))
    means = []
    for side in sides:
        groups: dict[str, list[float]] = {}
        for number, (fork, value) in enumerate(side):
            block = fork["number" if between else "round"] if row["method"] == "paired" else number
            groups.setdefault(block, []).append(value if of_difference else math.log(value))
        means.append(fmean(fmean(group) for group in groups.values()))
    difference = means[0] - sum(means[1:])
    return difference if of_difference else math.exp(difference)


def _print_row(name: str, row: Row) -> None:
    say(f"{name}:")
    for column, value in row.items():
        if value:
            say(f"  {column:24} {value}")


def trace(folder: Path, raw: Path, wanted: str, every: bool = False) -> bool:
    """Print what an id rests on, with `every` each measured iteration's number too; whether the number comes out again."""
    found = find(folder, wanted)
    for name, row in found:
        _print_row(name, row)
    row, form = found[-1][1], found[0][1].get("form", "")
    if "ratio" not in row or not row["ratio"]:
        say("no estimate: the reason above says why")
        return True
    forks, measure = tidy.read(folder, "forks.csv"), row["measure"]
    paths = {values(each, tidy.FORK[:3]): raw / each["path"] for each in tidy.read(folder, "rounds.csv")}
    measured: dict[tuple[str, ...], set[int]] = {}
    for each in tidy.read(folder, "iterations.csv.gz"):
        if each["measured"] == "TRUE":
            measured.setdefault(values(each, tidy.FORK), set()).add(int(each["iteration"]))
    time = measure in TIMES
    file = "iterations.csv" if time else "observations.csv"
    value = (
        f"sum({TIMES[measure][0]}) / sum({TIMES[measure][1]})" if time else f"{measure} (data/README.md, observed.csv)"
    )
    say(
        f"formula: {formula(row, form == 'difference-between')}",
        f"value of a fork: {value}, of its measured iterations",
    )
    sides = []
    for side, cell in cells(row):
        say(f"{side}: {', '.join(cell)}")
        sides.append([])
        own_forks = [each for each in forks if values(each, CELL) == cell]
        if not own_forks:
            base = programme_cell(cell[-1])
            own_forks = [each for each in forks if values(each, CELL) == (*cell[:-1], base)]
            say(f"  an operation of {base}: its average in observations.csv is the value of a fork")
        for fork in own_forks:
            round_folder = paths[values(fork, tidy.FORK[:3])]
            place = f"{round_folder}/{file}, rows with fork {fork['fork']}"
            if fork["valid"] != "TRUE":
                say(f"  {place}: left out, {fork['invalid_cause']}")
                continue
            own = measured.get(values(fork, tidy.FORK), set())
            which = ", ".join(map(str, sorted(own))) if every else f"{len(own)} of {fork['iterations']}"
            if time and fork["cell"] == cell[-1]:
                sides[-1].append((fork, fork_value(round_folder, int(fork["fork"]), own, measure)))
            shown = f": {sides[-1][-1][1]:.6g} ns" if sides[-1] else ""
            say(f"  {place}, iterations {which}{shown}")
    if not time or form == "linear" or not all(sides):
        say("not computed again: it takes more than sums over these rows")
        return True
    again, there = ratio(row, sides, form == "difference-between"), float(row["ratio"])
    same = math.isclose(again, there, rel_tol=MOST_APART, abs_tol=MOST_APART)
    say(f"from the raw files: {again:.15g}; in the table: {there:.15g}; {'the same' if same else 'NOT THE SAME'}")
    return same


def main(arguments: argparse.Namespace) -> None:
    """Trace what the command line names; exit status 1 where another number comes out."""
    tables = arguments.results / "tidy" if arguments.results else Path("data/tidy")
    raw = arguments.raw or (arguments.results / "raw" if arguments.results else Path("data/raw"))
    if not trace(tables, raw, arguments.id, arguments.every):
        sys.exit(1)
