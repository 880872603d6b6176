"""The data dictionary: data/README.md and analysis/inst/columns.json, both made from data/tables.yaml.

The JSON file has the columns of each table with their types, by section and table. The checks of raw rounds and the analysis in R
read it, so that neither reads YAML.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jcarerun.results import markdown
from jcarerun.support import yamlfile
from jcarerun.support.files import write_file

SCHEMA, PAGE, COLUMNS = Path("data/tables.yaml"), Path("data/README.md"), Path("analysis/inst/columns.json")
NOTE = "<!-- `jca-rerun dictionary` writes this page from data/tables.yaml: edit that file. -->"
# These stand in the page as one row; other groups of columns are written out.
SHORTENED = "cell keys"

Columns = dict[str, list[str]]


def read() -> dict[str, Any]:
    """The schema of all tables."""
    return yamlfile.load(SCHEMA)


def tables(schema: dict[str, Any]) -> dict[str, dict[str, Columns]]:
    """The columns of each table, by section and name, with groups and columns of other tables in their places."""
    found: dict[str, dict[str, Columns]] = {}
    for section in schema["sections"]:
        found[section["id"]] = {}
        for table in section["tables"]:
            if "columns" in table:
                found[section["id"]][table["name"]] = dict(_written_out(table["columns"], schema["groups"], found))
    return found


def _written_out(columns: Columns, groups: dict[str, Columns], found: dict) -> Iterator[tuple[str, list[str]]]:
    for name, column in columns.items():
        if not name.startswith("<"):
            yield from dict.fromkeys(name.split(", "), column).items()
        elif (group := name[1:-1]) in groups:
            yield from _written_out(groups[group], groups, found)
            if group == SHORTENED:
                yield "factor.<name>", ["text", "Level of the factor; empty where the workload lacks it."]
        else:
            section, _, table = group.partition("/")
            yield from found[section][table].items()


def columns_json(schema: dict[str, Any]) -> str:
    """The JSON file: what each type holds, and the types of all columns. A line for each table."""
    types = {name: holds for name, (holds, _) in schema["types"].items()}
    lines = [f'"types": {json.dumps(types)}']
    for section, named in tables(schema).items():
        rows = [
            f"{json.dumps(name)}: {json.dumps({key: kind for key, (kind, _) in columns.items()})}"
            for name, columns in named.items()
        ]
        lines += [f'"{section}": {{\n' + ",\n".join(rows) + "\n}"] if rows else []
    return "{\n" + ",\n".join(lines) + "\n}\n"


def page(schema: dict[str, Any]) -> str:
    """The page data/README.md."""
    blocks = ["# Data dictionary", NOTE, *schema["text"]]
    for section in schema["sections"]:
        blocks += [f"## {section['title']}", *section.get("text", ())]
        for table in section["tables"]:
            if "name" in table:
                blocks.append("### " + table.get("title", f"`{table['name']}`"))
            blocks += table.get("text", ())
            if "columns" in table:
                rows = _rows(table["columns"], schema)
                blocks.append("\n".join(markdown.table(("column", "type", "meaning"), rows)))
            if "entries" in table:
                blocks.append("\n".join(markdown.table(table["head"], table["entries"].items())))
            blocks += table.get("after", ())
    return "\n\n".join(blocks) + "\n"


def _rows(columns: Columns, schema: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for name, column in columns.items():
        group = name.strip("<>")
        if name == f"<{SHORTENED}>":
            yield f"*{group}*", "", "See the beginning of this section."
        elif "/" in name:
            yield f"*columns of the raw `{group.partition('/')[2]}`*", "", "See there."
        elif name.startswith("<"):
            yield from _rows(schema["groups"][group], schema)
        else:
            kind, meaning = column
            words = schema["types"][kind.removesuffix("?")][1] + (", or empty" if kind.endswith("?") else "")
            yield ", ".join(f"`{each}`" for each in name.split(", ")), words, meaning


def main(arguments: argparse.Namespace) -> None:
    """Perform `jca-rerun dictionary`."""
    schema = read()
    for file, text in ((PAGE, page(schema)), (COLUMNS, columns_json(schema))):
        file.parent.mkdir(exist_ok=True)
        write_file(file, text.encode())
        print(file)
