"""What the Java sources say of workloads in their comments: for people who choose among them.

In: a source text. Out: sentences. Comments of code that has none are empty.
"""

import re
from dataclasses import dataclass

_COMMENT = r"/\*\*((?:(?!\*/).)*)\*/\s*"
_ANNOTATIONS = r"(?:@\w+(?:\((?:[^()]|\([^()]*\))*\))?\s*)*"
_PARAM = re.compile(
    rf"(?:{_COMMENT})?@Param\s*(?:\(([^)]*)\))?\s+(?:(?:public|protected|private)\s+)?[\w.]+\s+(\w+)\s*[;=]", re.DOTALL
)
_METHOD = re.compile(
    rf"(?:{_COMMENT})?@Benchmark\b\s*{_ANNOTATIONS}public\s+(?:final\s+)?[\w<>\[\], .]+?\s+(\w+)\s*\(", re.DOTALL
)
_CLASS = re.compile(rf"{_COMMENT}{_ANNOTATIONS}(?:public\s+)?(?:abstract\s+|final\s+)*class\s", re.DOTALL)


@dataclass(frozen=True)
class Parameter:
    """A JMH parameter: its name, the values that JMH runs where none is given, and what it is."""

    name: str
    default: tuple[str, ...]
    what: str


def _sentences(comment: str) -> str:
    """A Javadoc comment's first paragraph as plain text on one line."""
    text = re.sub(r"^\s*\*? ?", "", comment, flags=re.MULTILINE).split("<p>")[0]
    text = re.sub(r"\{@\w+\s+#?([^}]*)\}", r"\1", text.split("\n@")[0])
    return " ".join(text.split())


def of_class(source: str) -> str:
    """What a class says of itself."""
    found = _CLASS.search(source)
    return _sentences(found.group(1)) if found else ""


def of_benchmarks(source: str) -> dict[str, str]:
    """The benchmark methods of a class, each with what it says of itself."""
    return {name: _sentences(comment or "") for comment, name in _METHOD.findall(source)}


def of_parameters(source: str) -> list[Parameter]:
    """The parameters that a class declares, in its order. A default that is a constant's name is given as that name."""
    return [Parameter(name, _values(default), _sentences(comment)) for comment, default, name in _PARAM.findall(source)]


def _values(default: str) -> tuple[str, ...]:
    return tuple(part.strip().strip('"') for part in default.strip("{} ").split(",") if part.strip())
