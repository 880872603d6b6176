"""Trials of the methods: the pipeline's numbers against plain JMH, against long forks and against another project's.

`jca-rerun trial NAME` measures what is missing, alone on the machine, then prints a table that R makes (analysis/run.R NAME). A
trial that was interrupted goes on where it was. The pipeline's rounds lie below data/raw, all else in
data/trials/<trial>/<tier>-<hash>/: the results of plain JMH, plain.csv (cell, block, file, wall_s: seconds from the container's
start to its end), and HotSpot's logs (`.log.gz`) of the forks that were asked for one.
"""

import argparse
import csv
import gzip
import heapq
import json
import math
import os
import random
import shutil
import subprocess
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

from jcarerun.cli import TIERS
from jcarerun.commands import snakemake_command
from jcarerun.errors import UserError, entry_point
from jcarerun.explorer import tidy
from jcarerun.images import image
from jcarerun.images.commands import analysis
from jcarerun.plan.cells import JVM_OPTIONS, Cell
from jcarerun.plan.plan import Round
from jcarerun.rounds import hot_path, manifest, tree
from jcarerun.run import container, round_dir
from jcarerun.run.run import RAW, Run, from_config
from jcarerun.support import engine as engines
from jcarerun.support.files import sha256

EXPERIMENTS = Path("bench/jcarerun/trials/experiments")
FOLDER = Path("data/trials")
R_IMAGE = "envs/build/analysis/environment.json"

# What makes a fork of plain JMH leave HotSpot's log, as every fork of the pipeline does (jcarerun.probe.LogFlags).
LOG = "jit.log"
_LOG_OPTIONS = (
    "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintCompilation", "-XX:+PrintInlining", "-XX:+LogVMOutput",
    f"-XX:LogFile={LOG}", "-XX:-DisplayVMOutput",
)  # fmt: skip
LOG_ARGUMENTS = [word for option in _LOG_OPTIONS for word in ("-jvmArgs", option)]

# Efficiency: JMH's default lengths, and in how many turns; rounds of the first stage are in the first turns.
DEFAULT_LENGTHS = ["-wi", "5", "-w", "10s", "-i", "5", "-r", "10s"]
TURNS, FIRST_TURNS = 5, 2

# Fidelity: seconds that a fork of plain JMH warms up for, and counts for. HotSpot compiles the caller of AES-CBC of 10 MB
# for good after 64 s (decryption) and 98 s (encryption), all else here sooner.
WARM_S, LONG_WARM_S, COUNTED_S = 45, 135, 15
ROUNDS_A_BLOCK = 2

# Below it lie the experiments of each trial whose jar is put in from outside, beside ours.
TRIALS_FOLDER = Path("bench/jcarerun/trials")


def configuration(tier: str, trial: str = "trial") -> dict:
    """Snakemake's --config of a trial."""
    return {
        "experiment_dir": str(EXPERIMENTS), "experiments": [trial], "tier": tier, "minutes": 0, "goal": "intervals",
        "calibration": "false",
    }  # fmt: skip


def folder_of(trial: str, current: Run) -> Path:
    """Where a trial keeps its files: named as the pipeline's rounds are, so that both are of the same cells."""
    return FOLDER / trial / current.first[0].family


def snakemake(config: dict, targets: list[str]) -> None:
    """Make some of the run's files. Raises UserError where Snakemake fails; its message is on the terminal."""
    command = snakemake_command(config, targets)
    if subprocess.run(command, check=False).returncode != 0:
        raise UserError(f"the pipeline's rounds of the trial failed: {' '.join(command)}")


def stamps(rounds: list[Round]) -> list[str]:
    """The targets that stand for rounds."""
    return [str(manifest.stamp_of(RAW / round_.path)) for round_ in rounds]


def run_r(out: Path, *words: str, read: Path | None = None) -> None:
    """Run a command of the analysis, which may write to `out` alone. Raises UserError where it fails."""
    command = analysis("docker", [read] if read else [], [out], ["Rscript", "analysis/run.R", *words])
    if subprocess.run(command, check=False).returncode != 0:
        raise UserError(f"analysis/run.R {words[0]} failed; what was measured is kept, run the trial again")


def print_table(folder: Path, rounds: list[Round], name: str, plain: bool = True) -> None:
    """Have R print a trial's table, from the pipeline's rounds and, with `plain`, plain JMH's forks; it is kept in `folder`."""
    listed = folder / "rounds.txt"
    listed.write_text("".join(f"{round_.path}\n" for round_ in rounds))
    other = ["--plain", str(folder)] if plain else []
    run_r(folder, name, "--raw", str(RAW), "--rounds", str(listed), *other, "--out", str(folder))


def plain_arguments(current: Run, cell: Cell, lengths: list[str]) -> list[str]:
    """A fork of a cell for JMH alone: the cell's arguments, with JMH's warm-up and iterations in place of the pipeline's."""
    provider = current.registry.providers[cell.provider].jvm_argument(container.PROVIDERS)
    argv = replace(cell, warm_calls=0).jmh_arguments([*JVM_OPTIONS, provider])
    for name in ("-wi", "-i", "-r"):
        at = argv.index(name)
        del argv[at : at + 2]
    return [*argv, *lengths]


def plain_fork(current: Run, environment: str, cell: Cell, lengths: list[str], out: Path) -> float:
    """Run one fork of a cell by `java -jar benchmarks.jar`, isolated as a round is; its JSON becomes `out`. Seconds it took.

    lengths: JMH's arguments for them, and LOG_ARGUMENTS where the fork leaves HotSpot's log beside `out`.
    """
    settings, work = current.settings, out.parent / f".part-{out.stem}"
    work.mkdir(parents=True, exist_ok=True)
    if os.getuid() == 0:
        os.chown(work, *engines.user(settings.engine))
    jar = {str(container.JAR): "/bench/benchmarks.jar"}
    options = engines.isolation(settings.engine, work, jar, settings.cpuset, f"{settings.memory}m")
    # Without `-foe` JMH writes an empty result for a benchmark that fails, and exits with 0.
    written = ["-foe", "true", "-rf", "json", "-rff", "result.json"]
    argv = ["java", "-jar", "/bench/benchmarks.jar", *plain_arguments(current, cell, lengths), *written]
    command = engines.measuring_command(
        settings.engine, image.read_record(environment)["image_id"], engines.container_name(), options, argv
    )
    begin = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    taken_s = time.monotonic() - begin
    if done.returncode != 0 or not (work / "result.json").is_file():
        said = (done.stdout.strip().splitlines() or ["no message"])[-1]
        raise UserError(f"plain JMH, {cell.id}: status {done.returncode}: {said}")
    if lengths[-len(LOG_ARGUMENTS) :] == LOG_ARGUMENTS:
        out.with_suffix(".log.gz").write_bytes(gzip.compress(tree.read(work, LOG)))
    out.write_bytes(tree.read(work, "result.json"))
    round_dir.remove(work)
    return taken_s


def run_plain(folder: Path, current: Run, environment: str, cell: Cell, block: int, lengths: list[str]) -> None:
    """Run a cell's fork of a block by `plain_fork`, and add it to plain.csv, unless it is there."""
    table, name = folder / "plain.csv", f"{cell.id.replace(':', '_')}-{block:02d}.json"
    if not table.exists():
        folder.mkdir(parents=True, exist_ok=True)
        table.write_text("cell,block,file,wall_s\n")
    if (cell.id, str(block)) not in {(row["cell"], row["block"]) for row in tidy.read(folder, table.name)}:
        taken_s = plain_fork(current, environment, cell, lengths, folder / name)
        with table.open("a", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow((cell.id, block, name, f"{taken_s:.3f}"))


def split_evenly(rounds: list[Round], count: int) -> list[list[Round]]:
    """Rounds in their order, in `count` parts as even as can be."""
    left = iter(sorted(rounds, key=lambda round_: round_.number))
    sizes = [(part + 1) * len(rounds) // count - part * len(rounds) // count for part in range(count)]
    return [list(islice(left, size)) for size in sizes]


def efficiency(_: argparse.Namespace) -> None:
    """What a planned half-width of 1 % costs, the pipeline's way and at JMH's default lengths; about an hour.

    In each turn one fork of every cell at JMH's default lengths, and before every such fork a few of the pipeline's rounds:
    both meet the machine as it changes. The table has how long each way takes to the same half-width.
    """
    config = configuration("standard")
    current = from_config(config)
    folder, first = folder_of("efficiency", current), current.first
    forks = [(turn, cell) for turn in range(TURNS) for cell in first[turn % len(first)].cells]
    early = FIRST_TURNS * len(first[0].cells)
    before = split_evenly(first, early)
    snakemake(config, ["bench/target/benchmarks.jar", R_IMAGE])
    for number, (turn, cell) in enumerate(forks):
        if number == early:
            snakemake(config, [str(current.stages[1].stamp)])
            before += split_evenly(
                [round_ for round_ in from_config(config).rounds if round_.stage == 2], len(forks) - early
            )
        if before[number]:
            snakemake(config, stamps(before[number]))
        run_plain(folder, current, first[0].environment, cell, turn + 1, DEFAULT_LENGTHS)
        print(f"fork {number + 1} of {len(forks)} of plain JMH", flush=True)
    print_table(folder, from_config(config).rounds, "efficiency")


def warm_s(cell: Cell) -> int:
    """How long a fork of plain JMH warms a cell up in the fidelity trial, in seconds."""
    return LONG_WARM_S if cell.factors == {"cipher": "AES-CBC", "size": "10 MB"} else WARM_S


def fidelity_lengths(cell: Cell) -> list[str]:
    """Such a fork's iterations, as JMH's arguments."""
    return ["-wi", str(warm_s(cell)), "-w", "1s", "-i", str(COUNTED_S), "-r", "1s"]


def blocks(rounds: list[Round]) -> list[list[Round]]:
    """Rounds in their order, ROUNDS_A_BLOCK to a block."""
    ordered = sorted(rounds, key=lambda round_: round_.number)
    return [ordered[start : start + ROUNDS_A_BLOCK] for start in range(0, len(ordered), ROUNDS_A_BLOCK)]


def fidelity(arguments: argparse.Namespace) -> None:
    """Whether the means of the pipeline's short forks are those of plain JMH's forks of a minute and more; 0.5 to 5 hours.

    In each block, in an order drawn by the seed: two rounds of the pipeline, and a fork of plain JMH for every cell, whose
    last quarter of a minute counts. In the first block those forks leave HotSpot's log: were they compiled by then?
    """
    config = configuration(arguments.tier, "fidelity")
    current = from_config(config)
    folder = folder_of("fidelity", current)
    every = blocks(current.rounds)
    built = [f"envs/build/{name}/environment.json" for name in ("analysis", *current.environments())]
    snakemake(config, ["bench/target/benchmarks.jar", *built])
    for number, block in enumerate(every, start=1):
        turns = [*block, *block[0].cells]
        random.Random(f"{current.settings.seed}/{number}").shuffle(turns)
        for turn in turns:
            if turn in block:
                snakemake(config, stamps([turn]))
            else:
                log = LOG_ARGUMENTS if number == 1 else []
                run_plain(folder, current, block[0].environment, turn, number, [*fidelity_lengths(turn), *log])
        print(f"block {number} of {len(every)}", flush=True)
    first = every[0][0]
    stacks = {cell.id: RAW / first.path / f"jit/{fork:03}.stacks" for fork, cell in enumerate(first.cells, start=1)}
    write_compiled(folder, stacks, {cell.id: warm_s(cell) for cell in first.cells})
    print_table(folder, current.rounds, "fidelity")


def compiled_s(log: Path, stacks: Path, result: Path) -> float | None:
    """Seconds from a JVM's start to the last code of its hot call path; None where that was not compiled when it ended."""
    benchmark, samples = hot_path.read_stacks(stacks)
    operation_ns = json.loads(result.read_bytes())[0]["primaryMetric"]["score"]
    chain = hot_path.chain_of(hot_path.read_log(log), samples, benchmark, math.inf, operation_ns)
    if not chain.steps or any(step.state not in hot_path.SETTLED for step in chain.steps):
        return None
    return max((event.ms for event in chain.events()), default=0) / 1000


def write_compiled(folder: Path, stacks: Mapping[str, Path], warm_s: Mapping[str, float]) -> None:
    """Write compiled.csv (cell, block, compiled_s, in_time) for the forks that left a log.

    stacks: cell to the stack samples of a fork of the pipeline. warm_s: cell to how long a plain fork warms up.
    """
    lines = ["cell,block,compiled_s,in_time"]
    for row in tidy.read(folder, "plain.csv"):
        result = folder / row["file"]
        if (log := result.with_suffix(".log.gz")).exists():
            found = compiled_s(log, stacks[row["cell"]], result)
            in_time = "yes" if found is not None and found <= warm_s[row["cell"]] else "no"
            lines.append(f"{row['cell']},{row['block']},{'' if found is None else f'{found:.3f}'},{in_time}")
    (folder / "compiled.csv").write_text("".join(f"{line}\n" for line in lines))


def _rounds_alone(trial: str, config: dict, name: str) -> None:
    """A trial of the pipeline's rounds alone: measure them, and print the table."""
    current = from_config(config, fetch=True)
    folder = folder_of(trial, current)
    folder.mkdir(parents=True, exist_ok=True)
    snakemake(config, [R_IMAGE, *stamps(current.rounds)])
    print_table(folder, current.rounds, name, plain=False)


def plateaus(arguments: argparse.Namespace) -> None:
    """Whether times that count as compiled are those that a long JVM comes to; forty minutes in the quick tier.

    Each cell is measured in short forks, in forks that are warmed up by count, and in long ones that are not, whose end is the
    truth where HotSpot had compiled their code by then.
    """
    profiles = {"cpu_profiles": arguments.cpu_profiles.split(",")} if arguments.cpu_profiles else {}
    _rounds_alone(arguments.trial, {**configuration(arguments.tier, arguments.trial), **profiles}, "plateaus")


def compare_with_theirs(arguments: argparse.Namespace) -> None:
    """Whether ours give the times of another project's benchmarks for the same operations. Rounds of both take turns.

    micros: six operations by the OpenJDK's microbenchmarks, module micros-jdk8 (docs/outside-suites.md); ten minutes, or an hour
    in full. micros-rsa: two of them, by longer forks; an hour in full. claims: two claims of developers, J1 and J3; an hour.
    Each trial's theirs.yaml says what its jar is made from.
    """
    trial, jar = arguments.name, arguments.jar
    source = TRIALS_FOLDER / trial
    if not jar or not jar.is_file():
        raise UserError(f"--jar {jar}: there is no such file; {source}/theirs.yaml says what it is made from")
    study = FOLDER / f"{trial}-study"
    study.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(jar, study / "theirs.jar")
    for file in source.glob("*.yaml"):
        (study / file.name).write_text(file.read_text().replace("0" * 64, sha256(jar)))
    config = {**configuration(arguments.tier), "experiment_dir": str(study), "experiments": ["ours", "theirs"]}
    _rounds_alone(trial, config, "micros")


def replay(arguments: argparse.Namespace) -> None:
    """What stages that open claims plan cost against equal forks, replayed from a run's own forks; nothing is measured."""
    out = FOLDER / "replay"
    out.mkdir(parents=True, exist_ok=True)
    tables = arguments.tidy.resolve()
    run_r(out, "replay", "--tidy", str(tables), "--out", str(out.resolve()), "--runs", str(arguments.runs), read=tables)


def time_shares(arguments: argparse.Namespace) -> None:
    """Which part of the last run's time went into iterations; nothing is measured."""
    tables = arguments.tidy.resolve()
    run_r(tables, "time_shares", "--raw", str(RAW), "--rounds", str(tables / "rounds.txt"), "--out", str(tables))


def schedule_s(seconds: Iterable[float], nodes: int) -> float:
    """Seconds until the last round has ended, each begun, in that order, on the node that is free next (Graham 1966)."""
    free = [0.0] * nodes
    for taken in seconds:
        heapq.heappush(free, heapq.heappop(free) + taken)
    return max(free)


def schedule(arguments: argparse.Namespace) -> None:
    """How long the last run's rounds would take on several nodes of a cluster, by the times they took; nothing is measured."""
    rows = sorted(tidy.read(arguments.tidy, "rounds.csv"), key=lambda row: row["started_at"])
    one, several = (schedule_s([float(row["elapsed_s"]) for row in rows], nodes) for nodes in (1, arguments.nodes))
    print(
        f"{len(rows)} rounds: {one:.0f} s on one node, {several:.0f} s on {arguments.nodes}; ratio {several / one:.3f}"
    )


TRIALS = {
    "claims": compare_with_theirs,
    "efficiency": efficiency,
    "fidelity": fidelity,
    "micros": compare_with_theirs,
    "micros-rsa": compare_with_theirs,
    "plateaus": plateaus,
    "replay": replay,
    "schedule": schedule,
    "time-shares": time_shares,
}


def main(arguments: argparse.Namespace) -> None:
    """Run a trial."""
    TRIALS[arguments.name](arguments)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="jca-rerun trial", description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=TRIALS)
    parser.add_argument("--tier", default="quick", choices=TIERS)
    parser.add_argument("--trial", default="plateaus", choices=["plateaus", "plateaus-slow"], help="which plateaus")
    parser.add_argument("--cpu-profiles", help="names, with commas between them; all of the tier's if left out")
    parser.add_argument("--jar", type=Path, help="of micros, micros-rsa and claims: their jar")
    parser.add_argument(
        "--tidy", type=Path, default=Path("data/tidy"), help="of replay, schedule, time-shares: the run's tables"
    )
    parser.add_argument("--runs", type=int, default=20, help="of replay: how often")
    parser.add_argument(
        "--nodes", type=int, default=3, choices=range(1, 1001), metavar="N", help="of schedule: how many"
    )
    entry_point(main, parser)
