"""Which JMH benchmarks the Java sources hold, and their parameters: read from the sources, so before anything is compiled."""

import re
from functools import cache
from pathlib import Path

SOURCES = Path("bench/src/main/java")

_METHOD = re.compile(r"@Benchmark\b(?:\s*@\w+(?:\([^)]*\))?)*\s+public\s+(?:final\s+)?[\w<>\[\], .]+?\s+(\w+)\s*\(")
_PARAM = re.compile(r"@Param\s*(?:\([^)]*\))?\s+(?:(?:public|protected|private)\s+)?[\w.]+\s+(\w+)\s*[;=]")
_OBSERVED = re.compile(r"Observations\s*\.(?:add|counts)\(\s*\"([^\"]+)\"")
_LITERAL = re.compile(r"\"([a-z0-9][a-z0-9.-]*)\"")
# What analysis/R derives (observed_values.R, latency.R); a name that ends with a dot is followed by a part's.
_DERIVED = (
    "wall", "cpu", "total", "share.", "later.", "deviation.", "entropy.", "zero-share.", "top-share.", "length.", "latency.p50",
    "latency.p90", "latency.p99", "latency.max",
)  # fmt: skip
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


@cache
def _observed() -> tuple[tuple[str, ...], frozenset[str]]:
    """The measures that the sources add or that are derived from them, and every word in them that may name a part."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(SOURCES.rglob("*.java"))]
    names = {name for text in texts for name in _OBSERVED.findall(text)}
    literals = {name for text in texts for name in _LITERAL.findall(text)}
    return tuple(sorted({*names, *_DERIVED})), frozenset(word for name in literals for word in name.split("."))


def measures() -> tuple[str, ...]:
    """What a claim may be judged on; a name that ends with a dot stands for all that begin with it."""
    return _observed()[0]


def is_measure(name: str) -> bool:
    """Whether a claim may be judged on it: `server-cpu`, `share.generate-key`, `later.share.encrypt`."""
    known, words = _observed()
    if name in known:
        return not name.endswith(".")
    if name.startswith("later."):
        return is_measure(name.removeprefix("later."))
    family = next((one for one in known if one.endswith(".") and name.startswith(one)), None)
    parts = name.removeprefix(family).split(".") if family else []
    return bool(parts) and all(part.isdigit() or part.removeprefix("without-") in words for part in parts)


def qualified(benchmark: str) -> str:
    """`FileCipher.encrypt` with its package, as JMH knows it."""
    name, method = benchmark.split(".")
    package = _classes()[name][2].parent.relative_to(SOURCES)
    return ".".join([*package.parts, name, method])
