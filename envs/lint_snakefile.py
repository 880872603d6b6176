"""Runs `snakemake --lint` and fails on every lint but one.

The one: Snakemake wants a conda environment or an Apptainer container for each rule. Here the locked Python environment and the
pinned images, through one wrapper, do that work.
"""

import re
import subprocess
import sys

ACCEPTED = "Specify a conda environment or container for each rule."


def main() -> int:
    """Print the lints that count; 1 if there are any, 0 otherwise."""
    run = subprocess.run(["snakemake", "--lint"], capture_output=True, text=True)
    said = run.stdout + run.stderr
    if "Lints for" not in said and run.returncode != 0:
        print(said)
        return run.returncode
    place, counted = "", 0
    for line in said.splitlines():
        if line.startswith("Lints for"):
            place = line
        elif (lint := re.match(r"\s+\* (.*):$", line)) and lint.group(1) != ACCEPTED:
            print(f"{place} {lint.group(1)}")
            counted += 1
    return 1 if counted else 0


if __name__ == "__main__":
    sys.exit(main())
