"""Command line: `python -m jcarerun.explorer --tidy DIR --raw DIR --out FILE` writes the explorer of a run."""

import argparse
from pathlib import Path

from jcarerun.errors import entry_point
from jcarerun.explorer import content, page
from jcarerun.support.files import write_file


def main(arguments: argparse.Namespace) -> None:
    """Write the page, whole or not at all."""
    blocks = content.blocks(arguments.tidy, arguments.tidy / "definitions.json", arguments.raw)
    text = page.make(blocks, "jca-rerun: explore")
    write_file(arguments.out, text)
    print(arguments.out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="jcarerun.explorer", description="Writes a run's tables as one page to explore."
    )
    parser.add_argument("--tidy", type=Path, required=True, help="directory of the tidy tables, data/tidy")
    parser.add_argument("--raw", type=Path, required=True, help="directory of the rounds that they are of")
    parser.add_argument("--out", type=Path, required=True, help="the page to write")
    entry_point(main, parser)
