"""Which JMH benchmarks the Java sources hold, and their parameters: read from the sources, so before anything is compiled."""

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from jcarerun.plan import java_docs
from jcarerun.plan.java_docs import Parameter

SOURCES = Path("bench/jmh/src/main/java")

_MEASURES = re.compile(r"@Measures\(\{([^}]*)\}\)")
_PARENT = re.compile(r"\bclass\s+(\w+)(?:<[^>]*>)?(?:\s+extends\s+(\w+))?")


@cache
def _classes() -> dict[str, tuple[str, str | None, Path]]:
    """Class name to its source text, its parent's name and its file."""
    found = {}
    for path in sorted(SOURCES.rglob("*.java")):
        text = path.read_text(encoding="utf-8")
        match = _PARENT.search(text)
        if match and match.group(1) == path.stem:
            found[path.stem] = (text, match.group(2), path)
    return found


def _lineage(name: str | None) -> list[str]:
    """The source texts of a class and of its parents, its own first."""
    texts = []
    while name in _classes():
        text, name, _ = _classes()[name]
        texts.append(text)
    return texts


@dataclass(frozen=True)
class Workload:
    """A class of benchmarks: its name, what it does, its methods with what each does, and the parameters they take."""

    name: str
    what: str
    methods: dict[str, str]
    parameters: dict[str, Parameter]


def _resolved(parameter: Parameter) -> Parameter:
    """A parameter whose defaults that are constants (`Contents.FIXED`) are these constants' values."""
    return replace(parameter, default=tuple(_constant(value) for value in parameter.default))


def _constant(value: str) -> str:
    name, _, field = value.partition(".")
    text = _classes().get(name, ("",))[0]
    found = re.search(rf'static final String {re.escape(field)} = "([^"]*)";', text) if field else None
    return found[1] if found else value


def workloads() -> list[Workload]:
    """Every class that can be measured, by name; what it inherits is there too, and what it declares itself comes first."""
    found = []
    for name, (text, _, _) in _classes().items():
        lineage = _lineage(name)
        methods, parameters = {}, {}
        for source in lineage:
            methods = {**java_docs.of_benchmarks(source), **methods}
            parameters |= {
                each.name: _resolved(each) for each in java_docs.of_parameters(source) if each.name not in parameters
            }
        if methods and "abstract class" not in text:
            found.append(Workload(name, java_docs.of_class(text), methods, parameters))
    return sorted(found, key=lambda each: each.name)


def benchmarks() -> dict[str, set[str]]:
    """`Class.method` to the names of the parameters it takes, those of its parent classes too."""
    return {f"{each.name}.{method}": set(each.parameters) for each in workloads() for method in each.methods}


def compares_providers(benchmark: str) -> bool:
    """Whether a benchmark's rounds ask the providers what they offer: its class extends ProviderWorkload."""
    name = benchmark.split(".")[-2]
    while name in _classes():
        if name == "ProviderWorkload":
            return True
        name = _classes()[name][1]
    return False


def declared(benchmark: str) -> tuple[str, ...]:
    """The measures that a benchmark's class declares, or the nearest of its parents that declares any."""
    name = benchmark.split(".")[-2]
    while name in _classes():
        text, parent, _ = _classes()[name]
        if found := _MEASURES.search(text):
            return tuple(re.findall(r"\"([^\"]+)\"", found.group(1)))
        name = parent
    return ()


def qualified(benchmark: str) -> str:
    """`FileCipher.encrypt` with its package, as JMH knows it."""
    name, method = benchmark.split(".")
    package = _classes()[name][2].parent.relative_to(SOURCES)
    return ".".join([*package.parts, name, method])
