"""The plan: from experiments and environments to cells and rounds. Pure: no file is written, nothing is measured.

In: checked experiments, the catalogue, the settings. Out: every round of the run, each with its forks in the order they will run.
"""

import hashlib
import itertools
import json
import random
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.harness.definitions import World
from bench.harness.settings import Settings
from bench.harness.workloads import SOURCES, qualified
from envs.builder.catalogue import HOST
from envs.builder.engine import HOST as HOST_ENGINE

CPU_PROFILE = "native"

# One collector, one heap, one processor count for every fork: the defaults differ by JDK and by machine.
JVM_OPTIONS = ("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=2")

# Seconds beside the measured time, for the plan's expectation only: a fork's JVM and set-up; a round's container.
FORK_S, ROUND_S = 0.45, 1.0

MODES = {"average-time": "avgt", "single-shot": "ss"}


@dataclass(frozen=True)
class Cell:
    """A workload with one level of every factor, a provider, a protocol and a CPU profile: what gets an interval."""

    id: str
    workload: str
    benchmark: str
    protocol: str
    provider: str
    cpu_profile: str
    mode: str
    warmup: str
    iterations: int
    iteration_ms: int
    factors: dict[str, str]
    params: dict[str, str]
    expected_s: float = field(compare=False)

    def jmh_arguments(self, jvm_options: Iterable[str]) -> list[str]:
        """A fork of the cell as arguments of JMH's command line."""
        length = ["-r", f"{self.iteration_ms}ms"] if self.iteration_ms else []
        params = [word for key, value in self.params.items() for word in ("-p", f"{key}={value}")]
        # An option each: JMH splits a lone `-jvmArgs` at spaces, which a path may have.
        options = [word for option in jvm_options for word in ("-jvmArgs", option)]
        return [
            f"^{re.escape(self.benchmark)}$", "-bm", MODES[self.mode], "-tu", "ns", "-t", "1", "-f", "1", "-wi", "0",
            "-i", str(self.iterations), *length, *params, "-p", f"provider={self.provider}",
            *options,
        ]  # fmt: skip


@dataclass(frozen=True)
class Round:
    """One fork of every cell of an (experiment, environment), in the order they run."""

    experiment: str
    environment: str
    id: str
    number: int
    tier: str
    seed: int
    order_seed: int
    cells: tuple[Cell, ...]

    @property
    def path(self) -> str:
        """Where it lies below the raw directory."""
        return f"{self.experiment}/{self.environment}/{self.id}"

    @property
    def expected_s(self) -> float:
        """How long it is expected to take, in seconds."""
        return ROUND_S + sum(cell.expected_s for cell in self.cells)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-")


def _expected_s(workload: dict, params: dict, protocol: dict) -> float:
    if protocol["mode"] == "average-time":
        measured = protocol["iterations"] * protocol["iteration_ms"] / 1000
    else:
        each_us = workload.get("expected_us", 1000)
        each_us += workload.get("expected_us_per_kb", 0) * int(params.get("bytes", 0)) / 1024
        measured = protocol["iterations"] * each_us / 1e6
    return round(FORK_S + measured, 3)


def _combinations(experiment: dict, tier: dict, workload: dict) -> Iterable[dict[str, str]]:
    """Every combination of the tier's levels of the workload's factors, in file order."""
    names = workload.get("factors", [])
    levels = [
        [level for level in experiment["factors"][name] if level in tier.get("levels", {}).get(name, [level])]
        for name in names
    ]
    for chosen in itertools.product(*levels):
        yield dict(zip(names, chosen, strict=True))


def protocols(experiment: dict, tier: str) -> dict[str, dict]:
    """The protocols as this tier has them."""
    changes = experiment["tiers"][tier].get("protocols", {})
    return {name: {**protocol, **changes.get(name, {})} for name, protocol in experiment["protocols"].items()}


def cells(experiment: dict, tier_name: str, world: World) -> list[Cell]:
    """Every cell of an experiment in a tier, the same for each environment."""
    tier = experiment["tiers"][tier_name]
    found = []
    for name, workload in experiment["workloads"].items():
        if name not in tier.get("workloads", [name]):
            continue
        takes = world.benchmarks[workload["benchmark"]]
        for factors in _combinations(experiment, tier, workload):
            params = dict(workload.get("params", {}))
            for factor, level in factors.items():
                params |= {k: v for k, v in experiment["factors"][factor][level].items() if k in takes}
            params = {key: str(value) for key, value in params.items()}
            for provider in tier.get("providers", experiment["providers"]):
                for protocol_name, protocol in protocols(experiment, tier_name).items():
                    words = [name, *factors.values(), provider, protocol_name, CPU_PROFILE]
                    found.append(Cell(
                        id=":".join(_slug(word) for word in words), workload=name,
                        benchmark=qualified(workload["benchmark"]), protocol=protocol_name, provider=provider,
                        cpu_profile=CPU_PROFILE, mode=protocol["mode"], warmup=str(protocol["warmup"]),
                        iterations=protocol["iterations"], iteration_ms=protocol.get("iteration_ms", 0),
                        factors=factors, params=params, expected_s=_expected_s(workload, params, protocol),
                    ))  # fmt: skip
    return found


def environments(experiment: dict, tier: str, settings: Settings, world: World) -> list[str]:
    """The environments of an experiment in a tier; on the host engine there is only the host."""
    if settings.engine == HOST_ENGINE:
        return [HOST]
    chosen = experiment["tiers"][tier]["environments"]
    if isinstance(chosen, list):
        return [name for name in chosen if name != HOST]
    return [name for name, entry in world.catalogue.environments.items() if chosen["tag"] in entry.tags]


def digest_sources(root: Path = SOURCES.parent) -> str:
    """SHA-256 over the benchmark module's sources and pom: other code makes other rounds."""
    digest = hashlib.sha256(Path("bench/pom.xml").read_bytes())
    for path in sorted(root.rglob("*")):
        if path.is_file():
            digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _round_hash(cells: list[Cell], environment: str, settings: Settings, world: World, sources: str) -> str:
    """Eight hex digits that change whenever rounds would no longer be forks of the same cells."""
    made_of = None if environment == HOST else asdict(world.catalogue.find(environment))
    providers = sorted({cell.provider for cell in cells})
    content = {
        "cells": [{k: v for k, v in asdict(cell).items() if k != "expected_s"} for cell in cells],
        "environment": {k: v for k, v in (made_of or {}).items() if k not in ("tags", "label", "system_label")},
        "providers": [[p, world.providers[p].jar, world.providers[p].sha256] for p in providers],
        "jvm": JVM_OPTIONS, "memory": settings.memory, "seed": settings.seed, "sources": sources,
    }  # fmt: skip
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=list).encode()).hexdigest()[:8]


def _seed(*parts: object) -> int:
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:6], "big")


def rounds(experiments: dict[str, dict], settings: Settings, world: World, sources: str) -> list[Round]:
    """Every round of the run, in the order they are to be run: by number, and within a number shuffled by the seed."""
    planned = []
    for experiment in experiments.values():
        every = cells(experiment, settings.tier, world)
        for environment in environments(experiment, settings.tier, settings, world):
            name = f"{settings.tier}-{_round_hash(every, environment, settings, world, sources)}"
            for number in range(1, experiment["tiers"][settings.tier]["rounds"] + 1):
                order_seed = _seed(settings.seed, experiment["id"], environment, number)
                shuffled = every.copy()
                random.Random(order_seed).shuffle(shuffled)
                planned.append(Round(
                    experiment["id"], environment, f"{name}-{number:02d}", number, settings.tier, settings.seed, order_seed,
                    tuple(shuffled),
                ))  # fmt: skip
    random.Random(settings.seed).shuffle(planned)
    return sorted(planned, key=lambda r: r.number)
