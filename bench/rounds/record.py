"""A round's record, round.json: what the plan says of it, and what only the run knows."""

import json
from datetime import UTC, datetime
from pathlib import Path

SCHEMA, FILE = 2, "round.json"


def now() -> str:
    """UTC, ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def write(folder: Path, planned: dict, facts: dict) -> None:
    """Write round.json: the plan's part of it, and `facts` that only the run knows."""
    (folder / FILE).write_text(json.dumps({"schema": SCHEMA, **planned, **facts}, indent=1) + "\n")
