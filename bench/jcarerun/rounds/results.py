"""JMH's result of each fork: of the planned benchmark and parameters, in nanoseconds, and telling the same as iterations.csv."""

from pathlib import Path
from typing import Any

from jcarerun.rounds import documents
from jcarerun.rounds.damage import Damage
from jcarerun.rounds.forks import Fork

# JMH rounds to three decimals, a native program to ten digits.
_TOLERANCE = 1e-6


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def check(folder: Path, number: int, fork: Fork, rows: list[dict[str, Any]]) -> str | None:
    """Hold a fork's result against its plan and its iterations; return its JVM's version. Raises Damage for a contradiction."""
    name = f"jmh/{number:03d}.json"
    found = documents.read(folder, name)
    try:
        (result,) = found
        metric = result["primaryMetric"]
        (values,) = metric["rawData"]
        # JMH writes none for a benchmark that has none.
        params, unit, score = result["params"] if fork.params else {}, metric["scoreUnit"], metric["score"]
        told = {key: result[key] for key in ("benchmark", "mode", "threads", "forks", "measurementIterations")}
    except (LookupError, TypeError, ValueError) as error:
        raise Damage(name, f"no JMH result of one fork of {fork.cell} ({type(error).__name__}: {error})") from None
    expected = {
        "benchmark": fork.benchmark,
        "mode": fork.mode,
        "threads": fork.threads,
        "forks": 1,
        "measurementIterations": fork.iterations + fork.sampled,
    }
    for key, value in expected.items():
        if told[key] != value or isinstance(told[key], bool):
            raise Damage(name, f"is of {key} {told[key]}, not {value}, as {fork.cell} is")
    _check_params(name, fork, params)
    if unit != "ns/op":
        raise Damage(name, f"is in {unit}, ns/op expected")
    _check_values(name, fork, values, score, rows)
    version = result.get("vmVersion")
    return version if isinstance(version, str) else None


def _check_params(name: str, fork: Fork, params: Any) -> None:
    if not isinstance(params, dict):
        raise Damage(name, "has no params")
    for key, value in fork.params.items():
        # A native program tells its own words for some parameters, and not those that it need not know.
        if params.get(key, value if fork.native else None) != value:
            raise Damage(name, f"is of {key}={params.get(key)}, not of {key}={value}, as {fork.cell} is")


def _check_values(name: str, fork: Fork, values: Any, score: Any, rows: list[dict[str, Any]]) -> None:
    expected = len(rows) + fork.sampled
    if not isinstance(values, list) or len(values) != expected:
        count = len(values) if isinstance(values, list) else "no"
        raise Damage(name, f"{count} iterations of {fork.cell}, {expected} expected")
    for row, theirs in zip(rows, values[: len(rows)], strict=True):
        ours = row["duration_ns"] / row["operations"]
        # duration_ns is a whole number: of few operations that are short, half a nanosecond is more than the tolerance.
        allowed = _TOLERANCE * ours + 0.5 / row["operations"]
        if not _number(theirs) or not abs(ours - theirs) <= allowed:
            raise Damage(name, f"iteration {row['iteration']} took {theirs} ns/op, {ours} in iterations.csv")
    if not all(map(_number, values)):
        raise Damage(name, "has an iteration without a number")
    mean = sum(values) / len(values)
    if not _number(score) or not abs(score - mean) <= _TOLERANCE * mean:
        raise Damage(name, f"has score {score}, the mean of its iterations is {mean}")
