"""What disturbed a round's forks, and which of them were run again, as the round's runner wrote it down.

In: interference.csv of a round, and its forks that could run. Out: every fork that ran; a line for the person who waits.
"""

from collections import Counter
from pathlib import Path
from typing import Any

from jcarerun.rounds import columns, gates, iterations, table
from jcarerun.rounds.damage import Damage
from jcarerun.rounds.forks import Fork

NAME = "interference.csv"

# Of numbers that are rounded to three decimals, per iteration.
_ROUNDING_MS = 0.002
_NEAR = 1e-6


def forks(folder: Path, ran: dict[int, Fork], planned: int) -> dict[int, Fork]:
    """Number of every fork that ran to what it is, the reruns after the planned ones.

    `ran`: the planned forks that could run; `planned`: how many there are in all. Raises Damage for a contradiction.
    """
    rows, found = table.read(folder, NAME, columns.INTERFERENCE), dict(ran)
    first, more = rows[: len(found)], rows[len(found) :]
    numbers = [*found, *range(planned + 1, planned + 1 + len(more))]
    if [row["fork"] for row in rows] != numbers:
        raise Damage(NAME, f"must have a row for each of {len(found)} forks and for those run again, in their order")
    if len(more) > (most := gates.read(folder).most_reruns(planned)):
        raise Damage(NAME, f"{len(more)} forks were run again, {most} of {planned} may be")
    again = {row["rerun_as"]: row for row in rows if row["rerun_as"]}
    for row in first:
        if row["rerun_of"] or (row["rerun_as"] and not row["broken"]):
            raise Damage(NAME, f"fork {row['fork']} is planned, and is run again only if it broke a gate")
    for row in more:
        repeated = again.pop(row["fork"], None)
        if repeated is None or repeated["fork"] != row["rerun_of"] or repeated["fork"] not in ran:
            raise Damage(
                NAME,
                f"fork {row['fork']}: rerun_of {row['rerun_of'] or 'empty'} is no planned fork that was run again so",
            )
        found[row["fork"]] = found[repeated["fork"]]
    if again:
        raise Damage(NAME, f"fork {next(iter(again))} is named in rerun_as and has no row")
    return found


def check(folder: Path, times: dict[int, list[dict[str, Any]]], planned: int) -> None:
    """Hold what is told of each fork against its iterations, and the gates that it broke against what is told.

    `times`: fork number to its rows of iterations.csv. Raises Damage for a contradiction.
    """
    rows, limits = table.read(folder, NAME, columns.INTERFERENCE), gates.read(folder)
    best = (
        min(min(row["spin_before_ns"], row["spin_after_ns"]) for row in rows if row["fork"] <= planned) if rows else 0
    )
    for row in rows:
        own, place = times[row["fork"]], f"fork {row['fork']}"
        if abs(row["window_ms"] - iterations.window_ms(own)) > _ROUNDING_MS * len(own):
            raise Damage(
                NAME, f"{place}: window_ms {row['window_ms']}, its iterations last {iterations.window_ms(own):.3f} ms"
            )
        for column in ("involuntary_switches", "gc_ms"):
            if row[column] != (total := iterations.total(own, column)):
                raise Damage(NAME, f"{place}: {column} {row[column]}, the sum over its iterations is {total}")
        if row["elapsed_ms"] + 1 < row["window_ms"]:
            raise Damage(NAME, f"{place}: took {row['elapsed_ms']} ms, less than its iterations")
        if row["spin_reference_ns"] != best:
            raise Damage(NAME, f"{place}: spin_reference_ns {row['spin_reference_ns']}, the round's best is {best}")
        _check_broken(row, limits, place)


def amounts(row: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Each gate's value for a fork, and the amount that it comes from, where the system tells (jcarerun.round.Interference)."""
    spin = max(row["spin_before_ns"], row["spin_after_ns"])
    parts = {
        "steal_share": (row["steal_ms"], row["cpu_ms"]),
        "others_share": (row["others_ms"], row["cpu_ms"]),
        "throttled": (row["throttled"], 1),
        "involuntary_per_s": (row["involuntary_switches"], row["window_ms"] / 1e3),
        "gc_share": (row["gc_ms"], row["window_ms"]),
        "spin_ratio": (spin, row["spin_reference_ns"]),
    }
    return {gate: (amount / whole, amount) for gate, (amount, whole) in parts.items() if amount is not None and whole}


def _check_broken(row: dict[str, Any], limits: gates.Gates, place: str) -> None:
    told = set(row["broken"].split(";")) - {""}
    for gate, (value, amount) in amounts(row).items():
        limit, least = limits.limits.get(gate, (float("inf"), 0.0))
        broke = value > limit and amount >= least
        # A workload with more threads than CPUs is not judged by how often they change places (jcarerun.probe.SharesItsCpus).
        exempt = gate == "involuntary_per_s" and broke
        if broke != (gate in told) and not exempt and abs(value - limit) > _NEAR * limit:
            verb = "is said to have kept" if broke else "is said to have broken"
            raise Damage(
                NAME, f"{place} {verb} {gate}, which is {value:.4g}, limit {limit:g}, of {amount:g}, least {least:g}"
            )
        told.discard(gate)
    if told:
        raise Damage(NAME, f"{place} is said to have broken {min(told)}, of which nothing is told")


def summary(folder: Path) -> str:
    """How many forks broke which gates, and which were run again as which, in a line; empty where none did."""
    rows = table.read(folder, NAME, columns.INTERFERENCE)
    first = [row for row in rows if not row["rerun_of"]]
    broken = [row for row in first if row["broken"]]
    if not broken:
        return ""
    causes = Counter(cause for row in broken for cause in row["broken"].split(";"))
    words = [
        f"{len(broken)} of {len(first)} forks disturbed ({', '.join(f'{n} {cause}' for cause, n in causes.most_common())})"
    ]
    if again := [f"{row['fork']} as {row['rerun_as']}" for row in broken if row["rerun_as"]]:
        words.append(f"run again: {', '.join(again)}")
    if twice := [str(row["fork"]) for row in rows if row["rerun_of"] and row["broken"]]:
        words.append(f"disturbed again: {', '.join(twice)}")
    return "; ".join(words)
