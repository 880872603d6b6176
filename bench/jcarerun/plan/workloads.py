"""The project's own benchmarks, as its Java sources say: names, parameters, what each is, the measures that it declares.

Planning reads the sources, and not META-INF/BenchmarkList of the jar as for other people's jars (subject.benchmark_list): a plan
must be there before anything is compiled, `snakemake -n` on a fresh checkout included, and the list has neither comments nor our
annotations. A test compares both for the built jar.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.support.yamlfile import listed, load_checked

SOURCES = Path("bench/jmh/src/main/java")

_COMMENT = r"/\*\*((?:(?!\*/).)*)\*/\s*"
_ANNOTATIONS = r"(?:@\w+(?:\((?:[^()]|\([^()]*\))*\))?\s*)*"
_PARAM = re.compile(
    rf"(?:{_COMMENT})?@Param\s*(?:\(([^)]*)\))?\s+(?:(?:public|protected|private)\s+)?[\w.]+\s+(\w+)\s*[;=]", re.DOTALL
)
_METHOD = re.compile(
    rf"(?:{_COMMENT})?@Benchmark\b\s*{_ANNOTATIONS}public\s+(?:final\s+)?[\w<>\[\], .]+?\s+(\w+)\s*\(", re.DOTALL
)
_CLASS_COMMENT = re.compile(rf"{_COMMENT}{_ANNOTATIONS}(?:public\s+)?(?:abstract\s+|final\s+)*class\s", re.DOTALL)
_CLASS = re.compile(r"\bclass\s+(\w+)(?:<[^>]*>)?(?:\s+extends\s+(\w+))?")
_MEASURES = re.compile(r"@Measures\(\{([^}]*)\}\)")


@dataclass(frozen=True)
class Parameter:
    """A JMH parameter: its name, the values that JMH runs where none is given, and what it is."""

    name: str
    default: tuple[str, ...]
    what: str


@dataclass(frozen=True)
class Workload:
    """A class of benchmarks: its name, what it does, its methods with what each does, and the parameters they take."""

    name: str
    what: str
    methods: dict[str, str]
    parameters: dict[str, Parameter]


@dataclass(frozen=True)
class _Class:
    """A class of the sources: its text, the name of its parent, its package."""

    name: str
    text: str
    parent: str | None
    package: tuple[str, ...]


@cache
def _classes() -> dict[str, _Class]:
    found = {}
    for path in sorted(SOURCES.rglob("*.java")):
        text = path.read_text(encoding="utf-8")
        match = _CLASS.search(text)
        if match and match.group(1) == path.stem:
            found[path.stem] = _Class(path.stem, text, match.group(2), path.parent.relative_to(SOURCES).parts)
    return found


def _lineage(name: str | None) -> Iterator[_Class]:
    """A class and its parents, itself first."""
    while found := _classes().get(name):
        yield found
        name = found.parent


def _first_paragraph(comment: str) -> str:
    """The first paragraph of a Javadoc comment as plain text on one line."""
    text = re.sub(r"^\s*\*? ?", "", comment, flags=re.MULTILINE).split("<p>")[0]
    text = re.sub(r"\{@\w+\s+#?([^}]*)\}", r"\1", text.split("\n@")[0])
    return " ".join(text.split())


def _default(value: str) -> str:
    """The value of a default, which is a text in quotes or the name of a constant (`Contents.FIXED`)."""
    value = value.strip().strip('"')
    name, _, field = value.partition(".")
    constant = rf'static final String {re.escape(field)} = "([^"]*)";'
    found = re.search(constant, _classes()[name].text) if name in _classes() else None
    return found[1] if found else value


def _parameters(text: str) -> Iterator[Parameter]:
    for comment, default, name in _PARAM.findall(text):
        values = [part for part in default.strip("{} ").split(",") if part.strip()]
        yield Parameter(name, tuple(map(_default, values)), _first_paragraph(comment))


def workloads() -> list[Workload]:
    """Every class that can be measured, by name; what it inherits is there too, and what it declares itself comes first."""
    found = []
    for name, source in _classes().items():
        methods: dict[str, str] = {}
        parameters: dict[str, Parameter] = {}
        for each in _lineage(name):
            methods = {
                **{own: _first_paragraph(comment or "") for comment, own in _METHOD.findall(each.text)},
                **methods,
            }
            parameters |= {own.name: own for own in _parameters(each.text) if own.name not in parameters}
        if methods and "abstract class" not in source.text:
            comment = _CLASS_COMMENT.search(source.text)
            found.append(Workload(name, _first_paragraph(comment.group(1)) if comment else "", methods, parameters))
    return sorted(found, key=lambda each: each.name)


def benchmarks() -> dict[str, set[str]]:
    """`Class.method` to the names of the parameters it takes, those of its parent classes too."""
    return {f"{each.name}.{method}": set(each.parameters) for each in workloads() for method in each.methods}


def compares_providers(benchmark: str) -> bool:
    """Whether a benchmark's rounds ask the providers what they offer: its class extends ProviderWorkload."""
    return any(each.name == "ProviderWorkload" for each in _lineage(benchmark.split(".")[-2]))


def declared(benchmark: str) -> tuple[str, ...]:
    """The measures that a benchmark's class declares, or the nearest of its parents that declares any."""
    found = (_MEASURES.search(each.text) for each in _lineage(benchmark.split(".")[-2]))
    nearest = next((match for match in found if match), None)
    return tuple(re.findall(r"\"([^\"]+)\"", nearest.group(1))) if nearest else ()


def qualified(benchmark: str) -> str:
    """`FileCipher.encrypt` with its package, as JMH knows it."""
    name, method = benchmark.split(".")
    return ".".join([*_classes()[name].package, name, method])


MEASURES = Path("bench/measures.yaml")
MEASURES_SCHEMA = Path("bench/schemas/measures.schema.yaml")

_WORD = re.compile(r"<([a-z]\w*)>")


@dataclass(frozen=True)
class _Rule:
    """What is derived of declared names: a pattern for each, whether claims are judged on them, and format strings with units."""

    patterns: tuple[re.Pattern, ...]
    judged: bool
    gives: dict[str, str]


@cache
def _rules() -> tuple[dict[str, str], tuple[_Rule, ...]]:
    return read_measures()


def read_measures(path: Path = MEASURES) -> tuple[dict[str, str], tuple[_Rule, ...]]:
    """Measures of every workload with their units, and what is derived. Raises UserError for what can't be used."""
    data = load_checked(path, MEASURES_SCHEMA)
    rules = []
    for number, rule in enumerate(data["derived"]):
        words = [word for name in listed(rule["from"]) for word in _WORD.findall(name)]
        if len(set(words)) < len(words) or not {word for name in rule["gives"] for word in _WORD.findall(name)} <= set(
            words
        ):
            raise UserError(f"{path}: derived[{number}]: write each <word> of `gives` into `from`, and only once")
        patterns = tuple(
            re.compile(_WORD.sub(r"(?P<\1>[a-z0-9-]+)", re.escape(name).replace(r"\-", "-")))
            for name in listed(rule["from"])
        )
        gives = {_WORD.sub(r"{\1}", name): what["unit"] for name, what in rule["gives"].items()}
        rules.append(_Rule(patterns, rule.get("judged", True), gives))
    return {name: what["unit"] for name, what in data["always"].items()}, tuple(rules)


def known_measures(declared: Iterable[str]) -> set[str]:
    """Every measure of a workload that declares those."""
    always, rules = _rules()
    found, declared = set(always), set(declared)
    hidden = {name for rule in rules if not rule.judged for name in declared if rule.patterns[0].fullmatch(name)}
    for rule in rules:
        for names in itertools.permutations(declared, len(rule.patterns)):
            matches = [pattern.fullmatch(name) for pattern, name in zip(rule.patterns, names, strict=True)]
            if all(matches):
                words = {word: value for match in matches for word, value in match.groupdict().items()}
                found |= {measure.format(**words) for measure in rule.gives}
    return found | declared - hidden


@cache
def unit_of(measure: str) -> str:
    """The unit of a measure of measures.yaml; empty for one that only a workload declares."""
    always, rules = _rules()
    known = {**always, **{name: unit for rule in rules for name, unit in rule.gives.items()}}
    for name, unit in known.items():
        if re.fullmatch(re.sub(r"\\{\w+\\}", "[a-z0-9-]+", re.escape(name)), measure):
            return unit
    return ""
