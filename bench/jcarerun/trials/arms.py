"""The two arms of a trial: slices of a run of the pipeline, and single forks of plain JMH in the same image.

In: the experiment file beside this and a tier. Out: rounds below data/raw; and in data/trials/<trial>/<tier>-<hash>/ the results
as JMH writes them, with plain.csv (cell, block, file, wall_s: seconds from the container's start to its end), and, packed beside
them (`.log.gz`), HotSpot's logs of the forks that were asked for one.
"""

import csv
import gzip
import json
import os
import subprocess
import time
from dataclasses import replace
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import image
from jcarerun.plan.cells import JVM_OPTIONS, Cell
from jcarerun.rounds import stamp, tree
from jcarerun.run import container, workplace
from jcarerun.run.run import RAW, Run, from_config
from jcarerun.support import engine as engines

EXPERIMENTS = Path("bench/jcarerun/trials/experiments")
FOLDER = Path("data/trials")

# What makes a fork of plain JMH leave HotSpot's log, as every fork of the pipeline does (jcarerun.probe.LogFlags).
LOG = "jit.log"
_RECORDING = (
    "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintCompilation", "-XX:+PrintInlining", "-XX:+LogVMOutput",
    f"-XX:LogFile={LOG}", "-XX:-DisplayVMOutput",
)  # fmt: skip
RECORD = [word for option in _RECORDING for word in ("-jvmArgs", option)]


def configuration(tier: str) -> dict:
    """What Snakemake is told of a trial, as its --config has it."""
    return {
        "experiment_dir": str(EXPERIMENTS),
        "experiments": ["trial"],
        "tier": tier,
        "minutes": 0,
        "goal": "intervals",
        "calibration": "false",
    }


def read(config: dict) -> Run:
    """The run that a configuration selects, with the rounds of the second stage once they are planned."""
    return from_config(config)


def folder(trial: str, current: Run) -> Path:
    """Where a trial keeps plain JMH's arm: named as the pipeline's rounds are, so that both are of the same jar and cells."""
    return FOLDER / trial / current.first[0].family


def snakemake(config: dict, targets: list[str]) -> None:
    """Make some of the run's files. Raises UserError where Snakemake fails; its last words are on the terminal."""
    settings = [f"{key}={json.dumps(value) if isinstance(value, list) else value}" for key, value in config.items()]
    command = ["snakemake", "--cores", "all", "--quiet", "all", "--config", *settings, "--", *targets]
    if subprocess.run(command, check=False).returncode != 0:
        raise UserError(f"the pipeline's arm failed: {' '.join(command)}")


def stamps(rounds: list) -> list[str]:
    """The targets that stand for rounds."""
    return [str(stamp.of(RAW / one.path)) for one in rounds]


def in_r(folder: Path, rounds: list, name: str, plain: bool = True) -> None:
    """Print a trial's table, made by R from both arms, or from the pipeline's alone; it is kept in the trial's folder."""
    listed = folder / "rounds.txt"
    listed.write_text("".join(f"{one.path}\n" for one in rounds))
    other = ["--plain", str(folder)] if plain else []
    argv = ["analysis/run.R", name, "--raw", str(RAW), "--rounds", str(listed), *other, "--out", str(folder)]
    command = ["python", "-m", "jcarerun.images", "analyse", "--write", str(folder), "--", "Rscript", *argv]
    if subprocess.run(command, check=False).returncode != 0:
        raise UserError(f"analysis/run.R {name} failed; what was measured is kept, run the trial again")


def _plain_arguments(current: Run, cell: Cell, lengths: list[str]) -> list[str]:
    """A fork of a cell for JMH alone: the cell's arguments, with JMH's warm-up and iterations in place of the pipeline's."""
    provider = current.world.providers[cell.provider].jvm_argument(container.jars_inside(current.settings.engine))
    argv = replace(cell, warm_calls=0).jmh_arguments([*JVM_OPTIONS, provider])
    for name in ("-wi", "-i", "-r"):
        at = argv.index(name)
        del argv[at : at + 2]
    return [*argv, *lengths]


def plain_fork(current: Run, environment: str, cell: Cell, lengths: list[str], out: Path) -> float:
    """Run one fork of a cell by `java -jar benchmarks.jar`, isolated as a round is; its JSON becomes `out`. Seconds it took.

    `lengths`: JMH's arguments for them, and RECORD where the fork shall leave HotSpot's log beside `out`.
    """
    settings = current.settings
    record = image.read_record(environment)
    work = out.parent / f".part-{out.stem}"
    work.mkdir(parents=True, exist_ok=True)
    if os.getuid() == 0:
        os.chown(work, *engines.user(settings.engine))
    name = f"jca-rerun-trial-{os.getpid()}"
    options = engines.isolation(
        settings.engine, work, {str(container.JAR): "/bench/benchmarks.jar"}, settings.cpuset, f"{settings.memory}m"
    )
    argv = [
        "java",
        "-jar",
        "/bench/benchmarks.jar",
        *_plain_arguments(current, cell, lengths),
        # Without it JMH writes an empty result for a benchmark that fails, and exits with 0.
        "-foe",
        "true",
        "-rf",
        "json",
        "-rff",
        "result.json",
    ]
    begin = time.monotonic()
    done = subprocess.run(
        engines.measuring_command(settings.engine, record["image_id"], name, options, argv),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    taken = time.monotonic() - begin
    try:
        content = tree.read(work, "result.json") if done.returncode == 0 else b""
    except UserError:
        content = b""
    if not content:
        raise UserError(
            f"plain JMH, {cell.id}: status {done.returncode}: {(done.stdout.strip().splitlines() or ['no message'])[-1]}"
        )
    if lengths[-len(RECORD) :] == RECORD:
        out.with_suffix(".log.gz").write_bytes(gzip.compress(tree.read(work, LOG)))
    out.write_bytes(content)
    workplace.remove(work)
    return taken


class PlainArm:
    """The forks of plain JMH that a trial has run so far, in plain.csv: a trial that was ended goes on where it was."""

    COLUMNS = ("cell", "block", "file", "wall_s")

    def __init__(self, folder: Path):
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.table = folder / "plain.csv"
        if not self.table.exists():
            self._append(self.COLUMNS)
        with self.table.open(newline="") as file:
            self.done = {(row["cell"], int(row["block"])) for row in csv.DictReader(file)}

    def _append(self, row: tuple) -> None:
        with self.table.open("a", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(row)

    def fork(self, current: Run, environment: str, cell: Cell, block: int, lengths: list[str]) -> None:
        """Run a cell's fork of a block, unless it has been run."""
        if (cell.id, block) in self.done:
            return
        name = f"{cell.id.replace(':', '_')}-{block:02d}.json"
        taken = plain_fork(current, environment, cell, lengths, self.folder / name)
        self._append((cell.id, block, name, f"{taken:.3f}"))
        self.done.add((cell.id, block))
