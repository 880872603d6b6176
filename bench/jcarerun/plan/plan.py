"""The plan: from experiments and environments to cells and rounds. Pure: no file is written, nothing is measured.

In: checked experiments, the catalogue, the settings. Out: every round of the run's first stage,
each with its forks in the order they will run. stages.py has the later ones.
"""

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from jcarerun.errors import UserError
from jcarerun.images.catalogue import HOST, RECORDED_FLAGS, Catalogue, flag_names, here, recorded_flags
from jcarerun.native import build as native
from jcarerun.plan.cells import JVM_OPTIONS, Cell, cells, cpu_profiles, level_jvm_flags
from jcarerun.plan.claim_rows import compared_dimensions, matches
from jcarerun.plan.definitions import Registry
from jcarerun.plan.environments import EnvironmentWords, described
from jcarerun.plan.providers import Provider
from jcarerun.plan.settings import FIXED, MOST_FORKS, Settings
from jcarerun.support.engine import HOST as HOST_ENGINE
from jcarerun.support.yamlfile import listed

# Seconds that a round takes beside its forks, for the plan's expectation only.
ROUND_S = 1.0


@dataclass(frozen=True)
class Round:
    """One fork of every cell of an (experiment, environment), in the order they run.

    stage: 1, or a later one's number for a round of those cells alone that a stage file (stages.py) gives more forks.
    plan_sha256: of that plan's file, empty in stage one. subject: SHA-256 of the jars whose benchmarks it measures, in the order
    of the class path; none for ours. looks: how many interim analyses a claim may have. comparison: rounds with the same one
    measure sides of the same comparisons.
    """

    experiment: str
    environment: str
    id: str
    number: int
    tier: str
    seed: int
    order_seed: int
    cells: tuple[Cell, ...]
    stage: int = 1
    plan_sha256: str = ""
    subject: tuple[str, ...] = ()
    looks: int = 1
    comparison: str = ""

    @property
    def path(self) -> str:
        """Where it lies below the raw directory."""
        return f"{self.experiment}/{self.environment}/{self.id}"

    @property
    def family(self) -> str:
        """What the ids of all rounds of its (experiment, environment) begin with: `<tier>-<hash>`."""
        return self.id.rpartition("-")[0]

    @property
    def family_path(self) -> str:
        """What the paths of all rounds of its (experiment, environment) begin with."""
        return f"{self.experiment}/{self.environment}/{self.family}"

    @property
    def priority(self) -> int:
        """Higher runs earlier: by number, and within one in an order drawn from the seed, so that environments interleave."""
        return -self.number * 10_000 + seed_of(self.seed, "priority", self.experiment, self.environment) % 10_000

    def record(self) -> dict:
        """The plan's part of round.json."""
        return {
            "experiment": self.experiment, "environment": self.environment, "round": self.id, "number": self.number,
            "stage": self.stage, "plan_sha256": self.plan_sha256, "tier": self.tier, "seed": self.seed,
            "order_seed": self.order_seed, "expected_s": round(self.expected_s, 3),
            **({"looks": self.looks} if self.looks > 1 else {}),
        }  # fmt: skip

    @property
    def expected_s(self) -> float:
        """How long it is expected to take, in seconds."""
        return ROUND_S + sum(cell.expected_s for cell in self.cells)


def environments(experiment: dict, tier: str, settings: Settings, registry: Registry) -> list[str]:
    """The environments of an experiment in a tier, of a tag those for this machine's processors; on the host engine the host.

    Raises UserError where one that is named is for other processors.
    """
    if settings.engine == HOST_ENGINE:
        return [HOST]
    known, chosen = registry.catalogue.environments, experiment["tiers"][tier]["environments"]
    if isinstance(chosen, dict):
        tags = set(listed(chosen["tag"]))
        return [name for name, entry in known.items() if tags.intersection(entry.tags) and not entry.elsewhere]
    for name in chosen:
        if name != HOST and known[name].elsewhere:
            raise UserError(
                f"{experiment['id']}: tiers.{tier}.environments: {name} is for {known[name].architecture}, this machine is "
                f"{here()}; name one for {here()}, or measure on a machine of that kind"
            )
    return [name for name in chosen if name != HOST]


# What an environment is called, not what it is made of.
DISPLAY_FIELDS = ("tags", "label", "system_label", "caveat")

# Keys of a cell by which the number of its forks is planned; the forks themselves stay the same.
UNHASHED_FIELDS = ("start_s", "warm_s", "measured_s", "half_width")


def _provider_identity(provider: Provider) -> list[str | None]:
    """What makes a provider another one."""
    more = [word for need in provider.needs for word in need]
    return [provider.id, provider.jar, provider.sha256, *more, *([native.digest()] if provider.native else [])]


def round_hash(
    cells: list[Cell], environment: str, settings: Settings, registry: Registry, subject: tuple[str, ...] = ()
) -> str:
    """Eight hex digits that change whenever rounds would no longer be forks of the same cells.

    The benchmark jar is not part of it: planning comes before building. A round's record has the jar's SHA-256, and a round of
    another jar is refused (bench/jcarerun/run/jars.py).
    """
    contents = {} if environment == HOST else asdict(registry.catalogue.find(environment))
    providers = sorted({cell.provider for cell in cells})
    profiles = [registry.cpu_profiles[name] for name in sorted({cell.cpu_profile for cell in cells})]
    content = {
        "cells": [{k: v for k, v in asdict(cell).items() if k not in UNHASHED_FIELDS} for cell in cells],
        "environment": {k: v for k, v in contents.items() if k not in DISPLAY_FIELDS},
        "providers": [_provider_identity(registry.providers[p]) for p in providers],
        "cpu_profiles": [[profile.id, profile.jvm_options, profile.variables] for profile in profiles],
        "jvm": JVM_OPTIONS,
        "memory": settings.memory,
        "seed": settings.seed,
        "subject": subject,
        "gates": registry.gates.text(),
        **({"looks": settings.looks} if settings.looks > 1 else {}),
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=list).encode()).hexdigest()[:8]


def seed_of(*parts: object) -> int:
    """A number of 48 bits that stands for its arguments."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:6], "big")


class Availability:
    """What the environments of a catalogue have of an experiment's cells."""

    def __init__(self, experiment: dict, catalogue: Catalogue):
        self.experiment, self.catalogue = experiment, catalogue
        self.words = EnvironmentWords(described(catalogue))

    def reason(self, cell: Cell, environment: str) -> str:
        """Why the plan leaves the cell out in the environment; empty where it does not."""
        return self._limited(cell, environment) or self._lacks_flag(cell, environment)

    def _limited(self, cell: Cell, environment: str) -> str:
        own = cell.workload, cell.provider, cell.cpu_profile, cell.factors
        levels = {"protocol": cell.protocol, **self.words.levels(environment, *own)}
        for limit in self.experiment.get("only", []):
            if matches(levels, limit["where"]) and not matches(levels, limit["in"]):
                return limit["reason"]
        return ""

    def _lacks_flag(self, cell: Cell, environment: str) -> str:
        flags = flag_names(level_jvm_flags(self.experiment, cell.factors))
        names = [name for name in flags if RECORDED_FLAGS.fullmatch(name)]
        if not names:
            return ""
        known = self.catalogue.environments.get(environment)
        jdk = known.jdk.id if known and known.jdk else environment
        if jdk not in recorded_flags():
            return f"the JVM flags of {jdk} are not recorded; `jca-rerun images flags` records those of built images"
        lacking = [name for name in names if name not in recorded_flags()[jdk]]
        return f"{known.jdk.label} has no JVM flag {lacking[0]}" if lacking else ""

    def split(self, cells: Iterable[Cell], environment: str) -> tuple[list[Cell], set[str]]:
        """The cells that the environment has, and the reasons for which others are left out."""
        kept, reasons = [], set()
        for cell in cells:
            if reason := self.reason(cell, environment):
                reasons.add(reason)
            else:
                kept.append(cell)
        return kept, reasons


def rounds(experiments: dict[str, dict], settings: Settings, registry: Registry) -> list[Round]:
    """Every round of the run's first stage, in the order they are to be run."""
    settings.check_profile_names(registry.cpu_profiles)
    planned = []
    for experiment in experiments.values():
        profiles = cpu_profiles(experiment, settings.tier, settings)
        settings.check_profiles([registry.cpu_profiles[name] for name in profiles])
        every = cells(experiment, settings.tier, profiles, registry)
        if not every:
            continue
        settings.check_heap(experiment["id"], every)
        subject = tuple(experiment.get("subject", {}).get("jars", ()))
        available = Availability(experiment, registry.catalogue)
        for environment in environments(experiment, settings.tier, settings, registry):
            here, _ = available.split(every, environment)
            if not here:
                continue
            name = f"{settings.tier}-{round_hash(here, environment, settings, registry, subject)}"
            for number in range(1, _most_rounds(experiment, settings) + 1):
                order_seed = seed_of(settings.seed, experiment["id"], environment, number)
                shuffled = here.copy()
                random.Random(order_seed).shuffle(shuffled)
                planned.append(Round(
                    experiment["id"], environment, f"{name}-{number:02d}", number, settings.tier, settings.seed, order_seed,
                    tuple(shuffled), subject=subject, looks=settings.looks,
                    comparison=name_of_comparison(experiment, environment),
                ))  # fmt: skip
    if not planned and settings.cpu_profiles:
        raise UserError(
            f"--config cpu_profiles=[{', '.join(settings.cpu_profiles)}]: no experiment of this run has that in tier "
            f"{settings.tier}; leave it out, or add it to the tier's cpu_profiles"
        )
    return in_order(planned)


def left_out(experiments: dict[str, dict], settings: Settings, registry: Registry) -> list[str]:
    """A line for each reason for which environments lack cells of an experiment, with how many environments."""
    lines = []
    for experiment in experiments.values():
        every = cells(experiment, settings.tier, cpu_profiles(experiment, settings.tier, settings), registry)
        available, places = Availability(experiment, registry.catalogue), Counter()
        chosen = environments(experiment, settings.tier, settings, registry)
        for environment in chosen:
            places.update(sorted(available.split(every, environment)[1]))
        lines += [
            f"  {experiment['id']}: cells left out in {count} of {len(chosen)} environments: {reason}"
            for reason, count in places.items()
        ]
    return lines


def _most_rounds(experiment: dict, settings: Settings) -> int:
    """Rounds of the first stage with every cell; a fixed plan gives each of a claim's cells some of as many as any may have."""
    rounds = experiment["tiers"][settings.tier]["rounds"]
    return max(rounds, MOST_FORKS) if settings.goal == FIXED and experiment.get("claims") else rounds


def name_of_comparison(experiment: dict, environment: str) -> str:
    """The environments of an experiment are one comparison where a claim compares them; else each is one of its own."""
    across = any({"system", "jdk"} & compared_dimensions(claim) for claim in experiment.get("claims", {}).values())
    return experiment["id"] if across else f"{experiment['id']}/{environment}"


def in_order(planned: Iterable[Round]) -> list[Round]:
    """Rounds in the order they are to be run."""
    return sorted(planned, key=lambda round_: round_.priority, reverse=True)


# Forks of a cell on one machine from which on a ratio has an interval there.
LEAST_ON_NODE = 2


def node_of(planned: Round, nodes: Sequence[str]) -> str:
    """The node that a round is dealt to; empty where it may be any."""
    return nodes[(planned.number - 1) % len(nodes)] if nodes else ""


def slurm_options(planned: Round, nodes: Sequence[str]) -> str:
    """Options of sbatch beside those of Snakemake: that the round has a node alone, and which one."""
    node = node_of(planned, nodes)
    return f"--exclusive --nodelist={node}" if node else "--exclusive"


def node_summary(rounds: Iterable[Round], nodes: Sequence[str]) -> list[str]:
    """How rounds are dealt, in a line, and another one where a node gets too few to say anything by itself."""
    if not nodes:
        return []
    numbers = {(round_.experiment, round_.environment, round_.number): node_of(round_, nodes) for round_ in rounds}
    lines = [f"  dealt by their numbers to {len(nodes)} nodes: {', '.join(nodes)}"]
    counts = Counter((experiment, environment, node) for (experiment, environment, _), node in numbers.items())
    places = {(experiment, environment) for experiment, environment, _ in numbers}
    few = sorted({(place[0], node) for place in places for node in nodes if counts[*place, node] < LEAST_ON_NODE})
    if few:
        experiment, node = few[0]
        lines.append(
            f"  {experiment}: {node} gets fewer than {LEAST_ON_NODE} rounds, so there is no interval on it; give "
            "fewer nodes, or a tier with more rounds"
        )
    return lines
