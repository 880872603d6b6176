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
import yaml

from envs.support.errors import UserError


class _StrictLoader(yaml.SafeLoader):
    """SafeLoader that refuses a key given twice: YAML would silently keep the last."""


def _mapping(loader: _StrictLoader, node: yaml.MappingNode) -> dict:
    seen: set = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in seen:
            raise UserError(
                f"{loader.name}, line {key_node.start_mark.line + 1}: key {key!r} stands twice; remove one of them"
            )
        seen.add(key)
    return yaml.SafeLoader.construct_mapping(loader, node, deep=True)


_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def where(path: Path) -> str:
    """The file as a person would name it: relative to the working directory if it lies below it."""
    try:
        return str(Path(path).resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def load(path: Path) -> Any:
    """Parse one YAML file. Raises UserError for a missing, unreadable or broken file, or a key that stands twice."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(f"{where(path)}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{where(path)}: can't be read as UTF-8 text ({error})") from None
    loader = _StrictLoader(text)
    loader.name = where(path)
    try:
        return loader.get_single_data()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "not YAML"
        raise UserError(f"{where(path)}{place}: broken YAML: {problem}; correct that line") from None
    finally:
        loader.dispose()


def nearest(word: Any, known: Any) -> str:
    """A remedy for a word that is not among the known ones: the likeliest of them, else the whole list."""
    names = [str(name) for name in known]
    close = difflib.get_close_matches(str(word), names, n=1)
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
    return _Validator(yaml.safe_load(schema_path.read_text(encoding="utf-8")))


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
    return f"{place}: {error.instance!r} can't be used here; {remedy}"


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
