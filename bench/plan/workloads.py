"""Which JMH benchmarks the Java sources hold, and their parameters: read from the sources, so before anything is compiled."""

import re
from functools import cache
from pathlib import Path

SOURCES = Path("bench/src/main/java")

_METHOD = re.compile(r"@Benchmark\b(?:\s*@\w+(?:\([^)]*\))?)*\s+public\s+(?:final\s+)?[\w<>\[\], .]+?\s+(\w+)\s*\(")
_PARAM = re.compile(r"@Param\s*(?:\([^)]*\))?\s+(?:(?:public|protected|private)\s+)?[\w.]+\s+(\w+)\s*[;=]")
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


def _gather(name: str | None, pattern: re.Pattern) -> set[str]:
    if name not in _classes():
        return set()
    text, parent, _ = _classes()[name]
    return set(pattern.findall(text)) | _gather(parent, pattern)


def benchmarks() -> dict[str, set[str]]:
    """`Class.method` to the names of the parameters it takes, those of its parent classes too."""
    return {
        f"{name}.{method}": _gather(name, _PARAM)
        for name, (text, _, _) in _classes().items()
        if "abstract class" not in text
        for method in _gather(name, _METHOD)
    }


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
