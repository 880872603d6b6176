"""Where a bundle has what: its names, which are those of a results folder, and the set that a zip's members are held against."""

import re
from pathlib import Path

from jcarerun.rounds import manifest, tree, unzip
from jcarerun.rounds.tree import Names
from jcarerun.run import told

RECORD, CLAIMS, CRATE = "bundle.json", "claims.csv", "ro-crate-metadata.json"
RAW, TIDY, DEFINITIONS, LOCKS, BILLS = "raw", "tidy", "definitions", "locks", "sboms"
EXPERIMENTS = f"{DEFINITIONS}/experiments"
REPORTS = ("report.pdf", "report.html")
WORKFLOW = "Snakefile"

# What of this checkout decides a run beside its code, by its name in a bundle.
DEFINED = {
    f"{DEFINITIONS}/{path.name}": path
    for path in map(Path, (
        "bench/calibration.yaml", "bench/cpu_profiles.yaml", "bench/forms.yaml", "bench/gates.yaml", "bench/measures.yaml",
        "bench/providers.yaml", "bench/settings.yaml", "envs/environments.yaml",
    ))
}  # fmt: skip
PUBLISHED = Path("data/published")
ABOUT = {
    name: Path(path)
    for name, path in {
        "README.md": "bench/jcarerun/bundle/readme.md", WORKFLOW: WORKFLOW, "LICENSE": "LICENSE", "CITATION.cff": "CITATION.cff",
        "codemeta.json": "codemeta.json",
    }.items()
}  # fmt: skip

_ID = tree.ID.pattern
_ROUND = rf"{RAW}/(?:{re.escape(told.PILOTS)}/)?{_ID}/{_ID}/{_ID}"
# Beside rounds: their stamps, and the plans of later stages.
BESIDE = re.compile(rf"{_ID}\.(?:whole|planned|plan\.csv|stage-[1-9]\.csv)")
NAMES = Names(
    re.compile(
        "|".join((
            rf"{_ROUND}/(?:{tree.ROUND.files.pattern})",
            rf"{RAW}/(?:{re.escape(told.PILOTS)}/)?{_ID}/{_ID}/{BESIDE.pattern}",
            rf"{RAW}/{re.escape(told.NAME)}",
            rf"{TIDY}/[a-z_]+\.(?:csv|csv\.gz|json|txt)",
            rf"{DEFINITIONS}/(?:{_ID}/){{0,3}}{_ID}",
            rf"{LOCKS}/{_ID}\.json",
            rf"{BILLS}/{_ID}\.cdx\.json",
            *map(re.escape, (*REPORTS, *ABOUT, RECORD, CLAIMS, CRATE, manifest.NAME)),
        ))
    ),
    re.compile(
        rf"{RAW}(?:/{re.escape(told.PILOTS)})?(?:/{_ID}){{0,3}}|{_ROUND}/(?:{tree.ROUND.folders.pattern})"
        rf"|{DEFINITIONS}(?:/{_ID}){{0,3}}|{TIDY}|{LOCKS}|{BILLS}"
    ),
    "file of a bundle",
)  # fmt: skip
ZIP = unzip.Kind(NAMES, "nothing of it is used", "give a zip that `make artifact` made")
