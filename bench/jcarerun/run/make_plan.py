"""Makes the plan of a place's second stage: analysis/run.R plan reads stage one's rounds in the analysis image.

In: stage one's rounds, whole. Out: the plan file below the raw directory, and its stamp. A plan that is there is kept as it is.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import catalogue, image
from jcarerun.plan import expectation, fork_plan
from jcarerun.plan.fork_plan import Place
from jcarerun.run.run_round import WHEELS
from jcarerun.support import engine as engines
from jcarerun.support.files import sha256, write_file


def analyse(engine: str, argv: list[str], raw: Path, folder: Path) -> None:
    """Run a program of the analysis. Raises UserError with its last words if it fails."""
    image_id = "" if engine == engines.HOST else image.ensure(engine, catalogue.read().analysis, WHEELS)
    run = subprocess.run(
        engines.analysis_command(engine, image_id, argv, readable=[raw], writable=[folder]),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    if run.returncode != 0:
        said = (run.stderr or run.stdout).strip().splitlines() or ["no message"]
        raise UserError(f"{' '.join(argv[1:3])} failed (status {run.returncode}): {said[-1]}")


def _write(place: Place, engine: str, raw: Path) -> None:
    """Make the plan file, whole or not at all."""
    file = place.file(raw)
    widths = ",".join(f"{protocol}={width}" for protocol, width in sorted(place.half_widths.items()))
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=f".part-{file.name}-") as name:
        part, listed = Path(name) / "plan.csv", Path(name) / "rounds.txt"
        listed.write_text("".join(f"{one.path}\n" for one in place.first))
        analyse(engine, [
            "Rscript", "analysis/run.R", "plan", "--raw", str(raw), "--rounds", str(listed), "--half-widths", widths,
            "--most", str(place.most), "--out", str(part),
        ], raw, Path(name))  # fmt: skip
        fork_plan.read(part, part.read_text(), place)
        part.rename(file)


def summary(place: Place, raw: Path) -> str:
    """What a plan asks for, in a line."""
    rows = fork_plan.read(place.file(raw), place.file(raw).read_text(), place).values()
    wanted = [row for row in rows if row["wanted_half_width_pct"]]
    more = [row for row in wanted if int(row["forks"]) > len(place.first)]
    capped = sum(row["reason"] == fork_plan.CAP for row in wanted)
    second = list(fork_plan.second_rounds(place, raw))
    seconds = expectation.remaining_s(raw, [*place.first, *second])
    beyond = f"; {capped} of them stay wider than wanted at the most of {place.most} rounds" if capped else ""
    forks = sum(len(one.cells) for one in second)
    return (
        f"stage two of {place.first[0].experiment} in {place.first[0].environment}: {len(more)} of {len(wanted)} cells need more "
        f"forks{beyond}; {len(second)} rounds, {forks} forks, expected time {expectation.clock(seconds)}"
    )


def make(place: Place, engine: str, raw: Path) -> None:
    """Make sure that a place's plan is there, stamp it, and say what it asks for."""
    file = place.file(raw)
    if not file.is_file():
        _write(place, engine, raw)
    print(summary(place, raw), file=sys.stderr)
    write_file(place.stamp(raw), sha256(file) + "\n")
