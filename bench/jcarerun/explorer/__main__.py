"""Command line: `python -m jcarerun.explorer --tidy DIR --raw DIR --out FILE` writes the explorer of a run."""

import argparse
from pathlib import Path

from jcarerun.explorer import content, page
from jcarerun.support.errors import UserError, entry_point, told


def main(arguments: argparse.Namespace) -> None:
    """Write the page, whole or not at all."""
    blocks = content.blocks(arguments.tidy, arguments.tidy / "definitions.json", arguments.raw)
    try:
        text = page.make(blocks, "jca-rerun: explore")
    except page.Altered as problem:
        raise UserError(str(problem)) from problem
    with told():
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        part = arguments.out.with_name(arguments.out.name + ".part")
        part.write_text(text, encoding="utf-8")
        part.replace(arguments.out)
    print(arguments.out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="jcarerun.explorer", description="Writes a run's tables as one page to explore."
    )
    parser.add_argument("--tidy", type=Path, required=True, help="directory of the tidy tables, data/tidy")
    parser.add_argument("--raw", type=Path, required=True, help="directory of the rounds that they are of")
    parser.add_argument("--out", type=Path, required=True, help="the page to write")
    entry_point(main, parser)
