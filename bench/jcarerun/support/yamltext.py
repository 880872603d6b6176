"""Parses YAML as this project uses it: what JSON can say, in texts of one line, and no more of it than a person writes.

What it refuses that YAML allows: tags, dates, keys that are no text or stand twice, control characters, numbers that are written
in any way but the plain one, and aliases or nesting by which a few lines become more than a machine can hold.
"""

import re
import unicodedata
from typing import Any

import yaml

from jcarerun.errors import shown

# The largest file of ours has 25 kB, 2,200 values, 32 entries in a list or mapping, and is 8 deep; a schema is 13 deep.
MOST_BYTES, MOST_VALUES, MOST_ENTRIES, DEEPEST = 256 << 10, 10_000, 1_000, 30
_LONGEST_KEY = 100

_OURS = {f"tag:yaml.org,2002:{name}" for name in ("map", "seq", "str", "int", "float", "bool", "null")}
# To YAML 010 is eight, 1:30 is ninety, and 1_0 is ten.
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17}|0x[0-9A-Fa-f]{1,15})")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|\.(?:inf|nan))(?:e[-+][0-9]{1,3})?", re.IGNORECASE)
# Of control, of surrogates, of lines and paragraphs.
_UNWANTED = {"Cc", "Cs", "Zl", "Zp"}


class BrokenYaml(Exception):
    """Why a text is refused: where in it (`, line 3`, or nothing), and what is wrong with the remedy."""

    def __init__(self, place: str, what: str):
        super().__init__(f"{place}: {what}")
        self.place, self.what = place, what


def _refuse(node: yaml.Node | yaml.Event, what: str) -> BrokenYaml:
    return BrokenYaml(f", line {node.start_mark.line + 1}", what)


class _Loader(yaml.SafeLoader):
    """SafeLoader with the refusals above. `sizes`: values and depth of each node, what its aliases stand for included."""

    def __init__(self, text: str):
        super().__init__(text)
        self.depth = 0
        self.sizes: dict[yaml.Node, tuple[int, int]] = {}

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node:
        """The next node, looked at before it is built: a bomb must not go off first."""
        event = self.peek_event()
        if getattr(event, "tag", None):
            raise _refuse(event, f"the tag {shown(event.tag)} is not known here; remove it")
        self.depth += 1
        if self.depth > DEEPEST:
            raise _refuse(event, f"is nested more than {DEEPEST} deep; make it flatter")
        node = super().compose_node(parent, index)
        self.depth -= 1
        if isinstance(event, yaml.AliasEvent):
            if node not in self.sizes:
                raise _refuse(event, f"the alias *{shown(event.anchor)} stands inside of what it stands for; remove it")
        else:
            self._measure(node)
        return node

    def _measure(self, node: yaml.Node) -> None:
        pairs = isinstance(node, yaml.MappingNode)
        inside = [] if isinstance(node, yaml.ScalarNode) else node.value
        if len(inside) > MOST_ENTRIES:
            raise _refuse(node, f"has {len(inside)} entries, {MOST_ENTRIES} at most; split it up")
        sizes = [self.sizes[child] for entry in inside for child in (entry if pairs else [entry])]
        values, depth = 1 + sum(size[0] for size in sizes), 1 + max((size[1] for size in sizes), default=0)
        if values > MOST_VALUES or depth > DEEPEST:
            raise _refuse(node, f"stands for more than {MOST_VALUES} values or {DEEPEST} levels; make it smaller")
        self.sizes[node] = (values, depth)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """The value of a node of JSON's kinds."""
        if node.tag not in _OURS:
            kind = node.tag.rpartition(":")[2]
            raise _refuse(node, f"{shown(node.value)} would be read as a {kind}; put it in quotes")
        return super().construct_object(node, deep)


def _text(loader: _Loader, node: yaml.ScalarNode) -> str:
    bad = next((char for char in node.value if unicodedata.category(char) in _UNWANTED), None)
    if bad == "\n":
        raise _refuse(node, f"{shown(node.value)} has a line break; write it in one line, or behind `>-`")
    if bad is not None:
        raise _refuse(node, f"{shown(node.value)} has a control character; remove it")
    return node.value


def _number(pattern: re.Pattern, convert: Any) -> Any:
    def number(loader: _Loader, node: yaml.ScalarNode) -> int | float:
        if not pattern.fullmatch(node.value):
            raise _refuse(node, f"{shown(node.value)} is no plain number; write it in digits, or a text in quotes")
        return convert(loader, node)

    return number


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict:
    found = {}
    for key_node, value in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise _refuse(key_node, "a list or a mapping is the key of an entry; write a text")
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str):
            raise _refuse(key_node, f"the key {shown(key_node.value)} is no text; put it in quotes")
        if len(key) > _LONGEST_KEY:
            raise _refuse(
                key_node, f"the key {shown(key)} has {len(key)} characters, {_LONGEST_KEY} at most; shorten it"
            )
        if key in found:
            raise _refuse(key_node, f"key {shown(key)} stands twice; remove one of them")
        found[key] = loader.construct_object(value, deep=True)
    return found


_TAG = "tag:yaml.org,2002:"
_Loader.add_constructor(f"{_TAG}map", _mapping)
_Loader.add_constructor(f"{_TAG}str", _text)
_Loader.add_constructor(f"{_TAG}int", _number(_INT, lambda loader, node: int(node.value, 0)))
_Loader.add_constructor(f"{_TAG}float", _number(_FLOAT, yaml.SafeLoader.construct_yaml_float))


def parse(text: str) -> Any:
    """What a YAML text says. Raises BrokenYaml."""
    loader = None
    try:
        loader = _Loader(text)
        return loader.get_single_data()
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise BrokenYaml(f", line {line}", f"has a control character ({error.character!r}); remove it") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise BrokenYaml(
            place, f"broken YAML: {getattr(error, 'problem', None) or 'not YAML'}; correct that line"
        ) from None
    except (ValueError, OverflowError) as error:  # of an escape or a directive with a number beyond all bounds
        raise BrokenYaml("", f"broken YAML: {error}; correct it") from None
    finally:
        if loader:
            loader.dispose()
