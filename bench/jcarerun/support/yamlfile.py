"""Reads a YAML file and checks it against a JSON schema; every complaint is one line: file, key, value, remedy.

A schema may carry two keywords of ours: `remedy` beside any constraint says how to put a wrong value right, and the
library's own words are used only where it is absent.
"""

import difflib
import math
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

from jcarerun.errors import UserError, shown
from jcarerun.support import yamltext
from jcarerun.support.textfile import read_text, where


def load(path: Path) -> Any:
    """Parse one YAML file. Raises UserError for a missing, unreadable or broken file, and for what yamltext.py refuses."""
    return parse(read_text(path, yamltext.MOST_BYTES), where(path))


def parse(text: str, name: str) -> Any:
    """Parse a YAML text; `name` is what a UserError calls the file that it is of."""
    try:
        return yamltext.parse(text)
    except yamltext.BrokenYaml as error:
        raise UserError(f"{name}{error.place}: {error.what}") from None


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


def _unknown_key(error: jsonschema.ValidationError) -> str:
    known = set(error.schema.get("properties", {}))
    unknown = [key for key in error.instance if key not in known]
    place = key_path([*error.absolute_path, unknown[0]])
    return f"{place}: unknown key; {nearest(unknown[0], sorted(known))}"


def _one_line(error: jsonschema.ValidationError) -> str:
    if error.validator == "additionalProperties":
        return _unknown_key(error)
    place = key_path(error.absolute_path)
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in error.instance)
        remedy = error.schema.get("properties", {}).get(missing, {}).get("remedy", "add it")
        return f"{key_path([*error.absolute_path, missing])}: missing; {remedy}"
    remedy = error.schema.get("remedy") or error.message
    return f"{place}: {shown(error.instance)} can't be used here; {remedy}"


def check(data: Any, schema_path: Path, path: Path) -> None:
    """Hold parsed YAML against a schema file; raise UserError with the first complaint by key."""
    errors = sorted(_validator(schema_path).iter_errors(data), key=lambda e: [str(p) for p in e.absolute_path])
    if errors:
        raise UserError(f"{where(path)}: {_one_line(errors[0])}")


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
