"""What a first experiment file calls a jar's benchmarks and their parameters: workloads and factors.

In: benchmarks as a jar lists them. Out: names that an experiment file takes, each once.
"""

import re
from collections import Counter
from collections.abc import Iterable

from jcarerun.subject.benchmark_list import Benchmark

# What every cell has already, so that no factor can have that name.
RESERVED = ("workload", "provider", "system", "platform", "jdk", "cpu-profile")


def slug(text: str) -> str:
    """`AesGcm.oneShot` as `aes-gcm-one-shot`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", text)
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def names(benchmarks: Iterable[str]) -> dict[str, str]:
    """Benchmark to a workload's name: class and method, with as much of the package as tells them apart."""
    every = list(benchmarks)
    found = {}
    for each in every:
        parts = each.split(".")
        for length in range(2, len(parts) + 1):
            short = slug(".".join(parts[-length:]))
            if sum(slug(".".join(other.split(".")[-length:])) == short for other in every) == 1:
                break
        found[each] = short
    taken = Counter(found.values())
    return {
        each: short if taken[short] == 1 else f"{short}-{number}"
        for number, (each, short) in enumerate(found.items(), 1)
    }


def value(text: str) -> object:
    """A parameter's value as the file has it: a whole number as one."""
    return int(text) if re.fullmatch(r"0|[1-9][0-9]{0,8}", text) else text


def factors(benchmarks: Iterable[Benchmark]) -> tuple[dict[str, tuple[str, tuple[str, ...]]], dict[str, list[str]]]:
    """Factor to its parameter and values, for every parameter of several values; and benchmark to its factors."""
    made: dict[str, tuple[str, tuple[str, ...]]] = {}
    own: dict[str, list[str]] = {}
    for each in benchmarks:
        for parameter, values in each.params.items():
            good = tuple(dict.fromkeys(each_value for each_value in values if can_be_given(each_value)))
            if len(values) < 2 or not good:
                continue
            short = re.sub(r"^[^a-z]+", "", slug(parameter)) or "parameter"
            short = f"own-{short}" if short in RESERVED else short
            known = (name for name, content in made.items() if content == (parameter, good))
            free = (name for n in range(1, 1000) if (name := short if n == 1 else f"{short}-{n}") not in made)
            name = next(known, None) or next(free)
            made[name] = (parameter, good)
            own.setdefault(each.name, []).append(name)
    return made, own


def can_be_given(value: str) -> bool:
    """Whether JMH's command line takes a parameter's value: it parts values at commas, a round's table its columns at tabs."""
    return value != "" and not set(value) & {",", "\t"}
