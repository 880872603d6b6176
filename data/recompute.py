"""Recomputes published ratios from the raw rounds, with Python's standard library and nothing of this project.

    python3 data/recompute.py J1a J3a

For each claim it takes the first row of contrasts.csv in report/results that compares two benchmarks as the study measured, in
one look at the data. It reads the iterations of both from data/runs, and prints the ratio and its 95 % interval next to those of
the table. The status is 1 where they differ. Steps: the time per operation of a JVM run's counted iterations, its logarithm, and
Welch's interval of the difference.
"""

import csv
import io
import math
import statistics
import sys
import tarfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLOCKS = {"wall": "duration_ns", "cpu": "worker_cpu_ns"}


def t_quantile(p, df):
    """Student's t: the bisection of its distribution function, which Simpson's rule integrates."""
    constant = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)

    def density(x):
        return constant * (1 + x * x / df) ** (-(df + 1) / 2)

    def area(x, steps=2000):
        inner = sum((4 if step % 2 else 2) * density(x * step / steps) for step in range(1, steps))
        return x / steps / 3 * (density(0) + inner + density(x))

    low, high = 0.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 0.5 + area(middle) < p else (low, middle)
    return low


def contrast_of(claim):
    """The first row of a claim in any published table that is Welch's interval of two times as published."""
    for table in sorted((ROOT / "report/results").glob("**/tables/contrasts.csv")):
        with table.open(newline="") as text:
            for row in csv.DictReader(text):
                is_plain = row["method"] == "Welch" and row["welch_lower"]
                if (row["claim"], row["protocol"]) == (claim, "as-published") and row["measure"] in CLOCKS and is_plain:
                    return row
    sys.exit(f"{claim}: no published row compares two times in this way; name another claim, such as J1a")


def rounds_of(experiment):
    """The CSV tables of each round: round to file name to rows."""
    archive = max((ROOT / "data/runs").glob(f"{experiment}-[0-9]*.tar.xz"))
    found = defaultdict(dict)
    with tarfile.open(archive) as packed:
        for member in packed:
            folder, _, name = member.name.rpartition("/")
            if name in ("cells.csv", "interference.csv", "iterations.csv") and member.name.startswith(f"{experiment}/"):
                text = packed.extractfile(member).read().decode()
                found[folder][name] = list(csv.DictReader(io.StringIO(text)))
    return found


def log_means(rounds, environment, cell, measure):
    """The logarithm of each undisturbed JVM run's mean time per operation."""
    found = []
    for folder, tables in rounds.items():
        if folder.split("/")[1] != environment:
            continue
        planned = {row["fork"]: row for row in tables["cells.csv"]}
        for run in tables["interference.csv"]:
            # A JVM run that was disturbed is repeated under a new number, which cells.csv does not have.
            fork = planned[run["rerun_of"] or run["fork"]]
            if fork["cell"] == cell and not run["broken"]:
                own = [row for row in tables["iterations.csv"] if row["fork"] == run["fork"]]
                counted = own[int(fork["warmup"]) :]
                time, operations = (sum(float(row[key]) for row in counted) for key in (CLOCKS[measure], "operations"))
                found.append(math.log(time / operations))
    return found


def welch(one, two, confidence=0.95):
    """The ratio of two geometric means with its interval (Welch 1947), from logarithms."""
    errors = [statistics.variance(logs) / len(logs) for logs in (one, two)]
    degrees = sum(errors) ** 2 / sum(error**2 / (len(logs) - 1) for error, logs in zip(errors, (one, two), strict=True))
    half = t_quantile((1 + confidence) / 2, degrees) * math.sqrt(sum(errors))
    middle = statistics.fmean(one) - statistics.fmean(two)
    return [math.exp(value) for value in (middle, middle - half, middle + half)]


def main(claims):
    """Print a line for each claim; return whether all agree with the tables to six digits."""
    same = True
    for claim in claims:
        row = contrast_of(claim)
        rounds = rounds_of(row["experiment"])
        sides = [
            log_means(rounds, row[f"{side}_environment"], row[f"{side}_cell"], row["measure"])
            for side in ("numerator", "denominator")
        ]
        found, published = welch(*sides), [float(row[key]) for key in ("ratio", "lower", "upper")]
        agrees = all(math.isclose(ours, theirs, rel_tol=1e-6) for ours, theirs in zip(found, published, strict=True))
        same &= agrees
        print(claim, *(f"{value:.6g}" for value in found), "table", *(f"{value:.6g}" for value in published), sep="\t")
    return same


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:] or ["J1a", "J3a", "J8", "J13a", "J13b"]) else 1)
