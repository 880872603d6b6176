"""A question of `jca-rerun choose` as an experiment file: algorithms, providers and JDKs, each pair of them a claim.

In: algorithms of one kind, providers, environments. Out: the text of the file. Pure: nothing is read or measured.
"""

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass

import yaml

from jcarerun.errors import UserError
from jcarerun.images.catalogue import Catalogue
from jcarerun.plan.algorithms import Algorithm, Kind
from jcarerun.plan.cells import slug
from jcarerun.plan.providers import Provider
from jcarerun.support.yamlfile import nearest

# Rounds of the first stage: what a verdict needs.
ROUNDS = 5
PROTOCOL = "{mode: average-time, warmup: steady-state, iterations: 15, iteration_ms: 150}"
DEFAULT_PROVIDERS = ("sunjce", "bouncycastle-1.86", "conscrypt-2.8.0")


@dataclass(frozen=True)
class Question:
    """What is asked. environments: of the JDKs, none for this machine's own. bytes: of the text, None for the kind's own."""

    algorithms: tuple[Algorithm, ...]
    operations: tuple[str, ...]
    providers: tuple[Provider, ...]
    environments: tuple[str, ...]
    bytes: int | None
    command: str

    @property
    def kind(self) -> Kind:
        """What is measured of each algorithm."""
        return self.algorithms[0].kind

    @property
    def id(self) -> str:
        """The name of its experiment: the same question has the same, and goes on where it ended."""
        words = [
            *(algorithm.name for algorithm in self.algorithms),
            *([str(self.bytes)] if self.bytes != self.kind.bytes else []),
        ]
        words += self.operations if self.operations != self.kind.usual else ()
        words += (
            [provider.id for provider in self.providers]
            if [p.id for p in self.providers] != list(DEFAULT_PROVIDERS)
            else []
        )
        words += [name.replace("debian-13-temurin-", "jdk") for name in self.environments]
        return slug("-".join(words).replace(".", "-"))[:90].rstrip("-")


def algorithms_of_one_kind(algorithms: Iterable[Algorithm]) -> tuple[Algorithm, ...]:
    """The algorithms, each once. Raises UserError where they cannot be compared."""
    first, *others = {algorithm.name: algorithm for algorithm in algorithms}.values()
    for other in others:
        if other.kind != first.kind:
            raise UserError(
                f"choose: {first.name} {first.kind.what}, {other.name} {other.kind.what}: their times cannot be compared; "
                "ask two questions"
            )
    return first, *others


def find_provider(word: str, known: dict[str, Provider]) -> Provider:
    """The provider of an id, or the newest whose id begins so: `conscrypt`. Raises UserError for an unknown one."""
    short = re.sub(r"[^a-z0-9.-]", "", word.lower())
    short = re.sub(r"^(bc|bouncy-?castle)(?=-|$)", "bouncycastle", short)
    usable = {
        name: provider for name, provider in known.items() if not provider.native and "TLS" not in provider.offers
    }
    if short in usable:
        return usable[short]
    versions = [name for name in usable if name.startswith(f"{short}-")]
    if not versions:
        raise UserError(f"provider {word}: there is none of that name; {nearest(word, usable)}")
    return usable[max(versions, key=lambda name: [int(part) for part in re.findall(r"\d+", name)])]


def notes(question: Question) -> list[str]:
    """A warning where a cipher is compared with an authenticated one and is none itself."""
    safe = [algorithm.name for algorithm in question.algorithms if algorithm.authenticated]
    others = [algorithm.name for algorithm in question.algorithms if not algorithm.authenticated]
    if question.kind.name != "cipher" or not safe or not others:
        return []
    return [
        f"note: {', '.join(others)} does not notice a changed text; {', '.join(safe)} does, which takes part of its time"
    ]


def _claims(question: Question, catalogue: Catalogue) -> Iterable[tuple[str, dict]]:
    """A claim for each pair of algorithms, JDKs and providers: that the first takes less time. Refuted is an answer too."""
    names = [algorithm.name for algorithm in question.algorithms]
    providers = [provider.id for provider in question.providers]
    jdks = [catalogue.find(name).jdk for name in question.environments]
    jdks = list({jdk.id: jdk for jdk in jdks if jdk}.values())
    axes = (
        ("A", "algorithm", [(name, name) for name in names], ["provider"]),
        ("J", "jdk", [(jdk.id, jdk.label) for jdk in jdks], ["provider", "algorithm"]),
        ("P", "provider", [(provider.id, provider.label) for provider in question.providers], ["algorithm"]),
    )
    several = {"provider": len(providers) > 1, "algorithm": len(names) > 1}
    for letter, factor, levels, each in axes:
        number = 0
        for operation in question.operations:
            for (one, one_label), (other, other_label) in itertools.combinations(levels, 2):
                number += 1
                yield f"{letter}{number}", {
                    "text": f"{operation}: {one_label} takes less time than {other_label}",
                    "place": "the question", "form": "ratio-below", "parameters": {"limit": 1},
                    "ratios": [{
                        "numerator": {"workload": operation, factor: one},
                        "denominator": {"workload": operation, factor: other},
                    }],
                    **({"each": kept} if (kept := [name for name in each if several[name]]) else {}),
                }  # fmt: skip


def text(question: Question, catalogue: Catalogue) -> str:
    """The experiment file. It can be edited and extended as any other."""

    def dump(value: object) -> str:
        line = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=1e9, allow_unicode=True)
        return line.removesuffix("...\n").strip()

    length = {"bytes": question.bytes} if question.bytes else {}
    environments = dump(list(question.environments) or ["host"])
    names = " or ".join(algorithm.name for algorithm in question.algorithms)
    own = question.kind.params
    shared = {
        key: value
        for key, value in own.items()
        if all(algorithm.params[key] == value for algorithm in question.algorithms)
    }
    levels = {
        algorithm.name: {k: v for k, v in algorithm.params.items() if k not in shared}
        for algorithm in question.algorithms
    }
    tier = f"{{rounds: {ROUNDS}, environments: {environments}}}"
    lines = [
        f"# Written by `{question.command}`. It may be edited and extended: docs/own-study.md.",
        f"title: {dump(f'Which to choose: {names}')}",
        f"study: {dump({'id': question.id, 'authors': 'you', 'where': question.command, 'then': 'Nothing was published.'})}",
        "measure: wall",
        "not_offered: mark",
        "",
        "workloads:",
    ]
    for operation in question.operations:
        workload = {
            "benchmark": question.kind.operations[operation], "factors": ["algorithm"],
            "params": {**shared, **length}, **question.kind.workload,
            "expected_us": _expected_us(question),
        }  # fmt: skip
        lines.append(f"  {operation}: {dump(workload)}")
    lines += ["", "factors:", "  algorithm:", *(f"    {dump(name)}: {dump(params)}" for name, params in levels.items())]
    lines += [
        "",
        f"providers: {dump([one.id for one in question.providers])}",
        "",
        "protocols:",
        f"  steady-state: {PROTOCOL}",
    ]
    lines += ["", "tiers:", f"  smoke: {{rounds: 1, environments: {environments}}}"]
    lines += [f"  {name}: {tier}" for name in ("quick", "standard", "full")]
    if claims := list(_claims(question, catalogue)):
        lines += ["", "claims:"]
        for name, claim in claims:
            lines += [f"  {name}:", *(f"    {key}: {dump(value)}" for key, value in claim.items())]
    return "\n".join([*lines, ""])


def _expected_us(question: Question) -> float:
    """A guess of an operation, longer for longer texts."""
    kind = question.kind
    return (
        kind.expected_us * max(question.bytes / kind.bytes, 0.1) if question.bytes and kind.bytes else kind.expected_us
    )
