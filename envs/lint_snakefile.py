"""Runs `snakemake --lint` and fails on all lints but two kinds.

- Snakemake wants a conda environment or an Apptainer container for each rule. Here the locked Python environment and the pinned
  images, through one wrapper, do that work.
- Rules that plan get the whole configuration from the variable CONFIG, and a round's job the time that is left from `config`. As
  parameters these would make Snakemake run a rule again whenever a setting changes, for example the time at which measuring ends.
  What does change a rule's output is one of its parameters.
"""

import re
import subprocess
import sys

ACCEPTED = (
    "Specify a conda environment or container for each rule.",
    "Shell command directly uses variable CONFIG from outside of the rule",
    "Shell command directly uses variable config from outside of the rule",
)


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
        elif (lint := re.match(r"\s+\* (.*):$", line)) and lint.group(1) not in ACCEPTED:
            print(f"{place} {lint.group(1)}")
            counted += 1
    return 1 if counted else 0


if __name__ == "__main__":
    sys.exit(main())
