"""Reads a YAML file strictly and checks it against a JSON schema; every complaint is one line: file, key, value, remedy.

Strictly: what JSON can say, in texts of one line. Refused are tags, dates, keys that are no text or stand twice, control
characters, numbers that are not written plainly, and aliases or nesting by which a few lines become more than a machine can hold.
A schema may say beside any constraint how to correct a value (`remedy`); the library's words are used only where it does not.
"""

import difflib
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from jcarerun.errors import UserError, shown
from jcarerun.support.files import read_text, where

# The largest file of ours has 25 kB, 2,200 values, 32 entries in a list or mapping, and is 8 deep; a schema is 13 deep.
MOST_BYTES, MOST_VALUES, MOST_ENTRIES, DEEPEST = 256 << 10, 10_000, 1_000, 30
_LONGEST_KEY = 100
# Complaints that are shown of one file.
_MOST_COMPLAINTS = 10

_TAG = "tag:yaml.org,2002:"
_KNOWN_TAGS = {f"{_TAG}{name}" for name in ("map", "seq", "str", "int", "float", "bool", "null")}
# To YAML 010 is eight, 1:30 is ninety, and 1_0 is ten.
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17}|0x[0-9A-Fa-f]{1,15})")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|\.(?:inf|nan))(?:e[-+][0-9]{1,3})?", re.IGNORECASE)
# Control characters, surrogates, line and paragraph separators (Unicode's categories Cc, Cs, Zl, Zp), and what turns a line's
# direction: a text that is shown must be the text that was written.
_UNWANTED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


# The parser in C, which every wheel of PyYAML has, takes a third of the time.
_BASE = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _refusal(name: str, at: yaml.Node | yaml.Event, what: str) -> UserError:
    return UserError(f"{name}, line {at.start_mark.line + 1}: {what}")


@dataclass
class _Open:
    """A list or mapping whose end is still to come: how many values and levels it stands for, aliases included."""

    start: yaml.Event
    values: int = 1
    levels: int = 0
    entries: int = 0


def _check_size(text: str, name: str) -> None:
    """Refuse tags, and what is too large or too deep, before any value is built."""
    every, anchors = [_Open(yaml.StreamStartEvent())], {}
    for event in yaml.parse(text, Loader=_BASE):
        if getattr(event, "tag", None):
            raise _refusal(name, event, f"the tag {shown(event.tag)} is not known here; remove it")
        if isinstance(event, yaml.CollectionStartEvent):
            if len(every) > DEEPEST:
                raise _refusal(name, event, f"is nested more than {DEEPEST} deep; make it flatter")
            every.append(_Open(event))
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            ended = every.pop()
            start, values, levels = ended.start, ended.values, ended.levels + 1
            entries = ended.entries // (2 if isinstance(event, yaml.MappingEndEvent) else 1)
            if entries > MOST_ENTRIES:
                raise _refusal(name, start, f"has {entries} entries, {MOST_ENTRIES} at most; split it up")
        elif isinstance(event, yaml.AliasEvent):
            if any(each.start.anchor == event.anchor for each in every[1:]):
                words = f"the alias *{shown(event.anchor)} stands inside of what it stands for; remove it"
                raise _refusal(name, event, words)
            start, (values, levels) = event, anchors.get(event.anchor, (1, 1))
        elif isinstance(event, yaml.ScalarEvent):
            start, values, levels = event, 1, 1
        else:
            continue
        parent = every[-1]
        parent.values, parent.levels, parent.entries = (
            parent.values + values,
            max(parent.levels, levels),
            parent.entries + 1,
        )
        if parent.values > MOST_VALUES or parent.levels > DEEPEST:
            words = f"stands for more than {MOST_VALUES} values or {DEEPEST} levels; make it smaller"
            raise _refusal(name, start, words)
        if start.anchor and not isinstance(start, yaml.AliasEvent):
            anchors[start.anchor] = (values, levels)


class _Loader(_BASE):
    """The safe loader, which refuses values that are no JSON."""

    def __init__(self, text: str, name: str):
        super().__init__(text)
        self.file = name

    def refuse(self, node: yaml.Node, what: str) -> UserError:
        """The error for a node: file, line, what is wrong."""
        return _refusal(self.file, node, what)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """The value of a node of JSON's kinds."""
        if node.tag not in _KNOWN_TAGS:
            kind = node.tag.rpartition(":")[2]
            raise self.refuse(node, f"{shown(node.value)} would be read as a {kind}; put it in quotes")
        return super().construct_object(node, deep)

    def text(self, node: yaml.ScalarNode) -> str:
        """A text of one line."""
        bad = _UNWANTED.search(node.value)
        if bad and bad.group() == "\n":
            raise self.refuse(node, f"{shown(node.value)} has a line break; write it in one line, or behind `>-`")
        if bad:
            raise self.refuse(node, f"{shown(node.value)} has a control character; remove it")
        return node.value

    def number(self, node: yaml.ScalarNode) -> int | float:
        """A plain number."""
        whole = node.tag.endswith(":int")
        if not (_INT if whole else _FLOAT).fullmatch(node.value):
            raise self.refuse(node, f"{shown(node.value)} is no plain number; write it in digits, or a text in quotes")
        return int(node.value, 0) if whole else self.construct_yaml_float(node)

    def mapping(self, node: yaml.MappingNode) -> dict:
        """A mapping whose keys are texts, each once."""
        found = {}
        for key_node, value in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise self.refuse(key_node, "a list or a mapping is the key of an entry; write a text")
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise self.refuse(key_node, f"the key {shown(key_node.value)} is no text; put it in quotes")
            if len(key) > _LONGEST_KEY:
                raise self.refuse(
                    key_node, f"the key {shown(key)} has {len(key)} characters, {_LONGEST_KEY} at most; shorten it"
                )
            if key in found:
                raise self.refuse(key_node, f"key {shown(key)} stands twice; remove one of them")
            found[key] = self.construct_object(value, deep=True)
        return found


for _kind, _constructor in (("map", "mapping"), ("str", "text"), ("int", "number"), ("float", "number")):
    _Loader.add_constructor(f"{_TAG}{_kind}", getattr(_Loader, _constructor))


def parse(text: str, name: str) -> Any:
    """Parse a YAML text; `name` is what a UserError calls the file that it is of."""
    try:
        _check_size(text, name)
        loader = _Loader(text, name)
        try:
            return loader.get_single_data()
        finally:
            loader.dispose()
    except yaml.reader.ReaderError as error:
        line = text.encode()[: error.position].count(b"\n") + 1  # where the parser in C counts bytes
        raise UserError(f"{name}, line {line}: has a control character ({error.character!r}); remove it") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "not YAML"
        raise UserError(f"{name}{place}: broken YAML: {problem}; correct that line") from None
    except (ValueError, OverflowError) as error:  # of an escape or a directive with a number beyond all bounds
        raise UserError(f"{name}: broken YAML: {error}; correct it") from None


def load(path: Path) -> Any:
    """Parse one YAML file. Raises UserError for a missing, unreadable or broken file, and for what is refused above."""
    return parse(read_text(path, MOST_BYTES), where(path))


def nearest(word: Any, known: Any) -> str:
    """A remedy for a word that is not among the known ones: the likeliest of them, else the whole list."""
    names = [str(name) for name in known]
    close = difflib.get_close_matches(str(word)[:100], names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(names) or 'none'}"


def key_path(parts: Any) -> str:
    """`('tiers', 'quick', 'rounds')` as `tiers.quick.rounds`; list positions as `[0]`."""
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text or "(top level)"


# To the standard 3.0 is an integer, and what is not a number or has no end is a number: to nobody here.
_TYPES = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many(
    {
        "integer": lambda _, value: isinstance(value, int) and not isinstance(value, bool),
        "number": lambda _, value: (
            isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        ),
    }
)
_Validator = jsonschema.validators.extend(jsonschema.Draft202012Validator, type_checker=_TYPES)


@cache
def _validator(schema_path: Path) -> jsonschema.protocols.Validator:
    return _Validator(load(schema_path))


def _complaints(error: jsonschema.ValidationError) -> Iterable[str]:
    """What is wrong by one constraint: each key that is missing or unknown is a complaint of its own."""
    known = error.schema.get("properties", {})
    if error.validator == "additionalProperties":
        for key in error.instance.keys() - known.keys():
            yield f"{key_path([*error.absolute_path, key])}: unknown key; {nearest(key, sorted(known))}"
    elif error.validator == "required":
        # The library reports each missing key by an error of its own; its message begins with the key.
        for key in error.validator_value:
            if key not in error.instance and error.message.startswith(repr(key)):
                remedy = known.get(key, {}).get("remedy", "add it")
                yield f"{key_path([*error.absolute_path, key])}: missing; {remedy}"
    else:
        remedy = error.schema.get("remedy") or error.message
        yield f"{key_path(error.absolute_path)}: {shown(error.instance)} can't be used here; {remedy}"


def check(data: Any, schema_path: Path, path: Path) -> None:
    """Check parsed YAML against a schema file. Raises UserError with every complaint, by key, one for each place."""
    errors = sorted(
        _validator(schema_path).iter_errors(data), key=lambda error: [str(part) for part in error.absolute_path]
    )
    complaints: dict[str, str] = {}
    for complaint_ in (each for error in errors for each in sorted(_complaints(error))):
        complaints.setdefault(complaint_.partition(": ")[0], f"{where(path)}: {complaint_}")
    if complaints:
        raise UserError(*list(complaints.values())[:_MOST_COMPLAINTS])


def complaint(key: str, value: Any, schema_path: Path) -> str | None:
    """The remedy for the value of one key at the top of a schema, or None where it is as it must be."""
    error = next(_validator(schema_path).iter_errors({key: value}), None)
    if error is None:
        return None
    own = _validator(schema_path).schema["properties"][key]
    return own.get("remedy") or (
        nearest(value, own["enum"]) if "enum" in own else error.schema.get("remedy", error.message)
    )


def load_checked(path: Path, schema_path: Path) -> Any:
    """`load`, then `check`."""
    data = load(path)
    check(data, schema_path, path)
    return data


def listed(names: str | list[str]) -> list[str]:
    """A name, or a list of names, as a list."""
    return [names] if isinstance(names, str) else names


class Checker:
    """A file under examination."""

    def __init__(self, path: Path):
        self.path = path

    def refuse(self, place: str, message: str) -> UserError:
        """The complaint about a key; to be raised."""
        return UserError(f"{self.path}: {place}: {message}")

    def known(self, place: str, names: Iterable[str], known: Iterable[str], what: str) -> None:
        """Raise unless every name is among the known ones."""
        known = list(known)
        for name in names:
            if name not in known:
                raise self.refuse(place, f"{name!r} is no {what}; {nearest(name, known)}")
