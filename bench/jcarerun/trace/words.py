"""A trace in words."""

from __future__ import annotations

from jcarerun.trace.again import TIMES, ForkValue
from jcarerun.trace.raw import Counted
from jcarerun.trace.tables import Row, Side

UNITS = (("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1.0))


def time(ns: float) -> str:
    """A time with a unit, four digits of it."""
    unit, factor = next((each for each in UNITS if abs(ns) >= each[1]), UNITS[-1])
    return f"{ns / factor:.4g} {unit}"


def value(number: float, measure: str) -> str:
    """A value of a measure."""
    return time(number) if measure in TIMES else f"{number:.6g}"


def interval(row: Row) -> str:
    """What stands between the brackets; empty where there is no interval."""
    return f" [{float(row['lower']):.6g}, {float(row['upper']):.6g}]" if row["lower"] and row["upper"] else ""


def of_verdict(verdict: Row, claim: str) -> list[str]:
    """The verdict, its claim, and why."""
    where = ", ".join(
        filter(None, (verdict[name] for name in ("variant", "environment", "cpu_profile", "protocol", "measure")))
    )
    lines = [
        f"verdict {verdict['verdict_id']}: {verdict['experiment']} {verdict['claim']} is {verdict['verdict']}",
        f"  claim:    {claim}",
        f"  where:    {where}",
        f"  reason:   {verdict['reason']}",
    ]
    lines += [f"  cause:    {verdict['cause']}"] if verdict["cause"] else []
    lines += [f"  settled:  {verdict['settled']}"] if verdict["settled"] else []
    lines += [f"  p:        {verdict['p']}, after Holm {verdict['p_holm']}"] if verdict["p"] else []
    return lines


def of_row(row: Row) -> list[str]:
    """The row with the ratio: its cells in words, its interval and method, and what the claim wants."""
    name = row.get("contrast") or row.get("ratio_id")
    table = "contrasts.csv" if "contrast" in row else "ratios.csv"
    method = f", {row['method']}" if row["method"] else ""
    lines = ["", f"{name} of {table}: {float(row['ratio']):.6g}{interval(row)}{method}, measure {row['measure']}"]
    if "scope" in row:
        pair = " over ".join(filter(None, (row["numerator"], row["denominator"])))
        lines.append(f"  of:       {', '.join(filter(None, (pair, row['scope'])))}")
        lines.append(f"  wanted:   {row['target_lower'] or 'open'} to {row['target_upper'] or 'open'}")
    return lines


def of_side(side: Side, values: list[ForkValue], paths: dict[int, str], measure: str, every: bool) -> list[str]:
    """A cell with its forks, a line each; with `every`, a line for each iteration too."""
    lines = [
        "",
        f"{side.name}: {side.cell}",
        f"  in {side.environment} ({side.image_id or 'no image'}) on machine {side.machine_id}",
    ]
    left_out = len(side.forks) - len(values)
    lines.append(f"  {len(values)} forks count" + (f", {left_out} left out by a gate:" if left_out else ":"))
    for each in values:
        fork = each.fork
        shown = "not from sums alone" if each.value is None else value(each.value, measure)
        lines.append(
            f"  round {fork['number']}, fork {fork['fork']}: {shown}; {_which(each.iterations, int(fork['iterations']))};"
            f" {fork['settled']}; {paths[id(each)]}"
        )
        lines += _each(each.iterations) if every else []
    for fork in side.forks:
        if fork["valid"] != "TRUE":
            lines.append(f"  round {fork['number']}, fork {fork['fork']}: left out, broke {fork['invalid_cause']}")
    return lines


def _which(iterations: list[Counted], of: int) -> str:
    """Which iterations count, in runs of neighbours, and how much the lightest and the heaviest of them weigh."""
    numbers = sorted(each.iteration for each in iterations)
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    told = ", ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in runs) or "none"
    total = sum(each.operations for each in iterations)
    weights = [100 * each.weight(total) for each in iterations]
    span = f", {min(weights):.3g} to {max(weights):.3g} % each" if weights and max(weights) > min(weights) else ""
    span = span or (f", {weights[0]:.3g} % each" if weights else "")
    return f"iterations {told} of {of}{span}"


def _each(iterations: list[Counted]) -> list[str]:
    total = sum(each.operations for each in iterations)
    return [
        f"    iteration {each.iteration}: {each.time_ns:.0f} ns / {each.operations:.0f} operations"
        f" = {time(each.time_ns / each.operations)}, weight {100 * each.weight(total):.3g} %"
        for each in iterations
    ]
