"""What a bundle contains, by name: the names of a results folder, and the set that a zip's members must be of."""

import re
from pathlib import Path

from jcarerun.rounds import tree
from jcarerun.rounds.tree import Names
from jcarerun.run import run_record

MANIFEST = "SHA256SUMS"
RECORD, CLAIMS, CRATE = "bundle.json", "verdict_commands.csv", "ro-crate-metadata.json"
RAW, TIDY, EXPERIMENTS = "raw", "tidy", "experiments"
REPORTS = ("report.pdf", "report.html")
# Files of this checkout, by their names in a bundle.
ABOUT = {"README.md": Path("bench/jcarerun/bundle/readme.md"), "LICENSE": Path("LICENSE")}

_ID = tree.ID.pattern
_ROUND = rf"{RAW}/(?:{re.escape(run_record.REFERENCE_FORKS)}/)?{_ID}/{_ID}/{_ID}"
# Beside rounds: their stamps, and the plans of later stages.
BESIDE = re.compile(rf"{_ID}\.(?:done|stage-[1-9]\.csv)")
NAMES = Names(
    re.compile(
        "|".join((
            rf"{_ROUND}/(?:{tree.ROUND.files.pattern})",
            rf"{RAW}/(?:{re.escape(run_record.REFERENCE_FORKS)}/)?{_ID}/{_ID}/{BESIDE.pattern}",
            rf"{RAW}/{re.escape(run_record.NAME)}",
            rf"{TIDY}/[a-z_]+\.(?:csv|csv\.gz|json|txt)",
            rf"{EXPERIMENTS}/{_ID}",
            *map(re.escape, (*REPORTS, *ABOUT, RECORD, CLAIMS, CRATE, MANIFEST)),
        ))
    ),
    re.compile(
        rf"{RAW}(?:/{re.escape(run_record.REFERENCE_FORKS)})?(?:/{_ID}){{0,3}}"
        rf"|{_ROUND}/(?:{tree.ROUND.folders.pattern})|{EXPERIMENTS}|{TIDY}"
    ),
    "file of a bundle",
)  # fmt: skip
