"""Set the report: Typst turns the tables and figures that R made into a PDF.

The same tables and figures give the same bytes: the fonts are those of the typst package, and the document's date is
that of the newest round.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
from pathlib import Path

import typst

from jcarerun.errors import UserError, entry_point
from jcarerun.support import glyphs
from jcarerun.support.files import write_file

_TEXTS = {".json", ".csv", ".svg", ".txt"}
REPORT = Path(__file__).resolve().parents[2] / "report"


def read_json(file: Path, maker: str) -> object:
    """The content of a file that R made; what is wrong with it is told with the script that makes it."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as problem:
        raise UserError(f"{file}: can't be read ({problem.strerror}); run {maker} first") from problem
    except ValueError as problem:
        raise UserError(f"{file}: is not JSON ({problem}); run {maker} again") from problem


def build(tables: Path, figures: Path, out: Path) -> None:
    """Compile report.typ with the two directories; `out` appears whole or not at all."""
    timestamp = int(read_json(tables / "meta.json", "analysis/run.R tables")["timestamp"])
    for entry in read_json(figures / "figures.json", "analysis/run.R figures"):
        if not (figures / entry["file"]).is_file():
            raise UserError(f"{figures / entry['file']}: is missing; run analysis/run.R figures again")
    with tempfile.TemporaryDirectory(dir=tables.parent, prefix=".shown-") as scratch:
        tables, figures = (
            _showable(folder.resolve(), Path(scratch).resolve() / folder.name) for folder in (tables, figures)
        )
        pdf = _compile(tables, figures, timestamp)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_file(out, pdf)


def _showable(folder: Path, copy: Path) -> Path:
    """The directory, or a copy whose texts have numbers in the place of characters that the PDF's fonts lack.

    Plans refuse such characters in an experiment. Machines and programs of others may have them in their names.
    """
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.suffix in _TEXTS}
    wanting = glyphs.missing(texts.values())
    if not wanting:
        return folder
    shutil.copytree(folder, copy)
    for name, text in texts.items():
        (copy / name).write_text(glyphs.substitute(text, wanting), encoding="utf-8")
    return copy


def _compile(tables: Path, figures: Path, timestamp: int) -> bytes:
    try:
        # Typst reads nothing outside its root.
        root = Path(os.path.commonpath([REPORT, tables, figures]))
    except ValueError as problem:
        raise UserError("the report's sources, --tables and --figures must be on one drive") from problem
    try:
        inputs = {"tables": tables, "figures": figures}
        return typst.compile(
            str(REPORT / "report.typ"), root=str(root), format="pdf", ignore_system_fonts=True, pdf_standards=["ua-1"],
            timestamp=timestamp, sys_inputs={name: f"/{at.relative_to(root).as_posix()}" for name, at in inputs.items()},
        )  # fmt: skip
    except typst.TypstError as problem:
        raise UserError(f"report.typ: {' '.join(str(problem).split())}") from problem


def main(arguments: argparse.Namespace) -> None:
    """Build the report and print its path."""
    build(arguments.tables, arguments.figures, arguments.out)
    print(arguments.out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Set the report as a PDF (PDF/UA-1).")
    parser.add_argument("--tables", type=Path, required=True, help="directory that analysis/run.R tables wrote")
    parser.add_argument("--figures", type=Path, required=True, help="directory that analysis/run.R figures wrote")
    parser.add_argument("--out", type=Path, required=True, help="the PDF to write")
    entry_point(main, parser)
