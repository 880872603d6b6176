"""Cells: what an experiment measures in a tier, crossed with its providers, protocols and CPU profiles.

In: a checked experiment and the registry it refers to. Out: Cells, each with the arguments of its forks.
A programme is a cell whose forks repeat many operations, each of which is compared like a cell with forks of its own.
"""

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from jcarerun.plan.cpu_profiles import NATIVE, CpuProfile
from jcarerun.plan.definitions import Registry
from jcarerun.plan.settings import Settings
from jcarerun.plan.workloads import qualified
from jcarerun.rounds.tables import MODES

# The mode of a protocol whose forks run many operations, each repeated, and the workload's name that such forks have.
PROGRAMME = "programme"


def slug(text: str) -> str:
    """A name as ids have it: small letters, digits, dots and single hyphens."""
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-")


def operations(programme: str) -> list[str]:
    """The names of the operations of a programme, as `operation_name` makes them."""
    return [entry.partition("@")[0] for entry in programme.split("+")]


def operation_name(workload: str, levels: Iterable[str]) -> str:
    """The name of a programme's operation, in its measures: workload and levels, joined by two hyphens."""
    return "--".join(slug(word) for word in (workload, *levels))


def operation_levels(experiment: dict, name: str) -> tuple[str, dict[str, str]] | None:
    """The workload and the levels of an operation by its name; None where the experiment has none of that name."""
    for workload, entry in experiment["workloads"].items():
        factors = entry.get("factors", [])
        first, *words = name.split("--")
        if first == slug(workload) and len(words) == len(factors):
            levels = {
                factor: level
                for factor, word in zip(factors, words, strict=True)
                for level in experiment["factors"].get(factor, {})
                if slug(level) == word
            }
            return (workload, levels) if len(levels) == len(factors) else None
    return None


def operation_cell(programme: str, name: str) -> str:
    """The id of an operation's cell, which a fork of its own would have; `programme`: the id of the programme's cell."""
    return name.replace("--", ":") + programme.removeprefix(PROGRAMME)


def programme_cell(cell: str) -> str:
    """The id of the programme's cell that an operation's cell is part of."""
    return ":".join((PROGRAMME, *cell.split(":")[-3:]))


# One collector, one heap, one processor count for every fork: the defaults differ by JDK and by machine.
JVM_OPTIONS = ("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=2")

# Calls before the first iteration of a fork that looks for its steady state: HotSpot's second compiler takes a method for some
# 5,000 calls of its own after the first's 200 (Tier4InvocationThreshold, Tier3InvocationThreshold).
WARM_CALLS = 10_000

# How long these calls take at most, in ms, as jcarerun.workload.WarmUp has it: in a fork that measures for no longer than that
# itself, or whose workload doesn't say.
WARM_MS = 3000

# What a programme takes for an operation beside its repetition: inputs, checks, classes.
OPERATION_S = 0.1

# Seconds beside the measured time, for the plan's expectation only, as they were on a virtual machine of two cores: a fork's JVM
# from its start to its end without set-up, and a native program's; JMH's question to a JVM that is started through a script;
# what an iteration of a call costs beside the call; warm-up calls of which nobody says how long they take.
FORK_S, NATIVE_S, SCRIPT_S, SHOT_S, WARM_S = 0.7, 0.05, 0.1, 0.003, 0.5


@dataclass(frozen=True)
class Cell:
    """A workload with one level of every factor, a provider, a protocol and a CPU profile: what gets an interval.

    start_s, warm_s, measured_s: how long a fork may take to start and to set up, for the calls before its first iteration, and
    for its iterations, in seconds. half_width: of the interval, as wanted, relative to the mean (0.01 is 1 %); 0 where the
    protocol wants none.
    warm_calls: how often a fork calls its operation before the first iteration. jvm_options: beside those of every fork.
    outside: whether the benchmark is of a jar that isn't ours.
    least_times: how often a native program repeats its operation in an iteration at least; 0 where its length alone counts.
    """

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
    start_s: float = field(compare=False)
    warm_s: float = field(compare=False)
    measured_s: float = field(compare=False)
    half_width: float = field(default=0.0, compare=False)
    threads: int = 1
    warm_calls: int = 0
    warm_ms: int = WARM_MS
    jvm_options: tuple[str, ...] = ()
    outside: bool = False
    least_times: int = 0

    @property
    def expected_s(self) -> float:
        """How long a fork is expected to take, in seconds."""
        return round(self.start_s + self.warm_s + self.measured_s, 3)

    def shortened(self, iterations: int) -> "Cell":
        """The same cell with forks of that many iterations."""
        less_s = (self.iterations - iterations) * self.iteration_ms / 1000
        return replace(self, iterations=iterations, measured_s=self.measured_s - less_s)

    def jmh_arguments(self, jvm_options: Iterable[str], jvm: str | None = None) -> list[str]:
        """A fork of the cell as arguments of JMH's command line; `jvm` is what starts its JVM, None for the round's own."""
        length = ["-r", f"{self.iteration_ms}ms"] if self.iteration_ms else []
        params = [word for key, value in self.params.items() for word in ("-p", f"{key}={value}")]
        # An option each: JMH splits a lone `-jvmArgs` at spaces, which a path may have.
        warm = [f"-Djcarerun.warm-calls={self.warm_calls}"] if self.warm_calls else []
        warm += [f"-Djcarerun.least-times={self.least_times}"] if self.least_times else []
        warm += [f"-Djcarerun.warm-ms={self.warm_ms}"] if self.warm_calls and self.warm_ms != WARM_MS else []
        # Where calls count from the first on, the operation is not run to be checked before that.
        cold = ["-Djcarerun.cold=true"] if self.mode == "single-shot" and self.warmup == "0" else []
        tenured = ["-Djcarerun.tenured=true"] if self.warmup == "steady-state" else []
        own = ["-Djcarerun.outside=true", *tenured, *self.jvm_options] if self.outside else self.jvm_options
        options = [word for option in (*jvm_options, *warm, *cold, *own) for word in ("-jvmArgs", option)]
        # What runs in a fork of somebody else's benchmark is seen in one iteration more, which is not measured.
        iterations = self.iterations + (self.outside and self.mode == "average-time")
        provider = [] if self.outside else ["-p", f"provider={self.provider}"]
        return [
            f"^{re.escape(self.benchmark)}$", "-bm", MODES[self.mode], "-tu", "ns", "-t", str(self.threads), "-f", "1",
            "-wi", "0", "-i", str(iterations), *length, *params, *provider, *(["-jvm", jvm] if jvm else []), *options,
        ]  # fmt: skip


def expected_us(workload: dict, params: dict) -> float:
    """How long a call may take, in microseconds: a guess, for plans only."""
    per_kb = workload.get("expected_us_per_kb", 0) * int(params.get("bytes", 0)) / 1024
    return workload.get("expected_us", 1000) + per_kb


def _measured_s(workload: dict, params: dict, protocol: dict) -> float:
    if protocol["mode"] == PROGRAMME:
        return max(protocol["least_ms"] / 1000, protocol["least_times"] * expected_us(workload, params) / 1e6)
    if protocol["mode"] == "average-time":
        return protocol["iterations"] * protocol["iteration_ms"] / 1000
    return protocol["iterations"] * expected_us(workload, params) / 1e6


def _start_s(workload: dict, protocol: dict, native: bool, profile: CpuProfile) -> float:
    if native:
        return NATIVE_S
    shots = SHOT_S * protocol["iterations"] if protocol["mode"] == "single-shot" else 0
    return FORK_S + shots + (SCRIPT_S if profile.variables else 0) + workload.get("setup_ms", 0) / 1000


def _warm_s(workload: dict, params: dict, protocol: dict) -> float:
    calls = protocol["warm_calls"]
    if calls and workload.keys() & {"warm_calls", "expected_us", "expected_us_per_kb"}:
        return min(calls * expected_us(workload, params) / 1e6, protocol["warm_ms"] / 1000)
    return WARM_S if calls else 0


def common_options(own: Iterable[str]) -> list[str]:
    """JVM_OPTIONS without those that a benchmark's own arguments take the place of: its heap, its collector."""
    heap = any(option.startswith(("-Xms", "-Xmx", "-Xmn")) for option in own)
    collector = any(re.fullmatch(r"-XX:\+Use\w+GC", option) for option in own)
    return [
        option
        for option in JVM_OPTIONS
        if not (heap and option.startswith("-Xm")) and not (collector and option.endswith("GC"))
    ]


def level_jvm_flags(experiment: dict, factors: dict[str, str]) -> list[str]:
    """The JVM options that the levels of a cell's factors stand for."""
    levels = (experiment["factors"][factor][level] for factor, level in factors.items())
    return [option for level in levels for option in level.get("jvm_flags", [])]


def _of_workload(experiment: dict, tier: dict, name: str, workload: dict) -> dict:
    """A protocol as the workload has it in a tier: no more iterations than it may have, as much longer as its warm-up is.

    The workload's own changes come before the tier's, so that a short tier stays short. warm_calls: how often a fork calls its
    operation before the first iteration; none where the protocol itself says what counts. But a workload that says how often has
    these calls under every protocol that leaves iterations out: those are for what comes after.
    """
    own = workload.get("protocols", [])
    changes = own[name] if isinstance(own, dict) else {}
    protocol = {**experiment["protocols"][name], **changes, **tier.get("protocols", {}).get(name, {})}
    if "takes" in workload:  # somebody else's, which we can't call
        warm_calls = 0
    elif protocol["warmup"] == "steady-state":
        warm_calls = protocol.get("warm_calls", workload.get("warm_calls", WARM_CALLS))
    else:
        warm_calls = protocol.get("warm_calls", workload.get("warm_calls", 0) if protocol["warmup"] else 0)
    return {
        **protocol,
        "iterations": min(protocol["iterations"], workload.get("max_iterations", protocol["iterations"])),
        "iteration_ms": protocol.get("iteration_ms", 0) * workload.get("iteration_scale", 1),
        "warm_calls": warm_calls,
        "warm_ms": protocol.get("warm_ms", workload.get("warm_ms", WARM_MS)),
    }


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


def cpu_profiles(experiment: dict, tier: str, settings: Settings) -> list[str]:
    """The CPU profiles of an experiment in a tier, as far as the run wants them."""
    chosen = experiment["tiers"][tier].get("cpu_profiles", [NATIVE])
    return [name for name in chosen if not settings.cpu_profiles or name in settings.cpu_profiles]


def _programme(parts: list[Cell], protocol: dict) -> Cell:
    """One cell for the operations of a provider under a CPU profile, in the order of the file."""
    entries = []
    for part in parts:
        benchmark = ".".join(part.benchmark.split(".")[-2:])
        params = "".join(f";{key}:{value}" for key, value in part.params.items())
        entries.append(f"{operation_name(part.workload, part.factors.values())}@{benchmark}{params}")
    first = parts[0]
    return replace(
        first, id=programme_cell(first.id), workload=PROGRAMME, benchmark=qualified("Programme.run"), factors={},
        params={
            "programme": "+".join(entries), "leastMs": str(protocol["least_ms"]),
            "leastTimes": str(protocol["least_times"]),
        },
        measured_s=sum(part.measured_s + OPERATION_S for part in parts), least_times=0, threads=1,
    )  # fmt: skip


def _with_programmes(found: list[Cell], protocols: dict[str, dict], registry: Registry) -> list[Cell]:
    """The cells; under a protocol of mode programme those of a provider in Java and a CPU profile are one."""
    made: list[Cell] = []
    parts: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in found:
        if protocols[cell.protocol]["mode"] != PROGRAMME or registry.providers[cell.provider].native:
            made.append(cell)
        else:
            parts.setdefault((cell.provider, cell.protocol, cell.cpu_profile), []).append(cell)
    return made + [_programme(own, protocols[key[1]]) for key, own in parts.items()]


def cells(experiment: dict, tier_name: str, profiles: Iterable[str], registry: Registry) -> list[Cell]:
    """Every cell of an experiment in a tier with these CPU profiles, the same for each environment."""
    tier = experiment["tiers"][tier_name]
    crossed = {
        "providers": tier.get("providers", experiment["providers"]), "protocols": experiment["protocols"],
        "cpu_profiles": list(profiles),
    }  # fmt: skip
    found = []
    for name, workload in experiment["workloads"].items():
        if name not in tier.get("workloads", [name]):
            continue
        outside = "takes" in workload
        takes = set(workload["takes"]) if outside else registry.benchmarks[workload["benchmark"]]
        axes = [[each for each in names if each in workload.get(key, [each])] for key, names in crossed.items()]
        for factors in _combinations(experiment, tier, workload):
            params = dict(workload.get("params", {}))
            for factor, level in factors.items():
                params |= {k: v for k, v in experiment["factors"][factor][level].items() if k in takes}
            params = {key: str(value) for key, value in params.items()}
            for provider, protocol_name, profile in itertools.product(*axes):
                protocol = _of_workload(experiment, tier, protocol_name, workload)
                native = registry.providers[provider].native
                words = [name, *factors.values(), provider, protocol_name, profile]
                found.append(Cell(
                    id=":".join(slug(word) for word in words), workload=name,
                    benchmark=workload["benchmark"] if outside else qualified(workload["benchmark"]),
                    protocol=protocol_name, provider=provider, cpu_profile=profile,
                    mode=_mode(protocol, native), warmup=str(protocol["warmup"]), iterations=protocol["iterations"],
                    iteration_ms=protocol.get("least_ms", protocol["iteration_ms"]) if native else protocol["iteration_ms"],
                    least_times=protocol.get("least_times", 0) if native else 0,
                    factors=factors, params=params,
                    start_s=_start_s(workload, protocol, native, registry.cpu_profiles[profile]),
                    warm_s=0.0 if native else _warm_s(workload, params, protocol),
                    measured_s=_measured_s(workload, params, protocol),
                    half_width=protocol.get("half_width", 0.0), threads=workload.get("threads", 1),
                    warm_calls=protocol["warm_calls"], warm_ms=protocol["warm_ms"],
                    jvm_options=(*workload.get("jvm_args", ()), *level_jvm_flags(experiment, factors)),
                    outside=outside,
                ))  # fmt: skip
    return _with_programmes(found, protocols(experiment, tier_name), registry)


def _mode(protocol: dict, native: bool) -> str:
    """JMH's mode. A programme is a single shot in Java; in a native program each of its operations is one long iteration."""
    if protocol["mode"] != PROGRAMME:
        return protocol["mode"]
    return "average-time" if native else "single-shot"
