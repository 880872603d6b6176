"""Reference forks: long forks that nothing has warmed up, one of each cell that looks for its steady state.

`jca-rerun reference-forks` runs those that are missing, alone on the machine, and first says how long it takes; with `--open`
only those that a verdict of the last report waits for. Each lies below data/reference_forks. Every report that measures the same
cell with the same image, jar and flags compares its times with it. Where a reference fork ends before its code is compiled, an
early-compilation fork, whose JVM compiles fifty times sooner, bounds the time.
"""

import argparse
import sys
from dataclasses import replace

from jcarerun.errors import count
from jcarerun.plan import budget
from jcarerun.plan.plan import Round
from jcarerun.plan.reference_forks import EARLY_S
from jcarerun.rounds import hot_path
from jcarerun.run import run_round, verdict_lines
from jcarerun.run.plan_rounds import round_file
from jcarerun.run.round_file import Schedule
from jcarerun.run.run import RAW, REFERENCE_FORKS, Run, from_config
from jcarerun.trials import methods


def measure(current: Run, both: tuple[Round, Round], every: list[Round]) -> None:
    """Run what is missing of a cell's reference fork, and its early-compilation fork where the reference fork was too short."""
    reference_fork, early_fork = both
    allowed = run_round.Allowance(wait=current.settings.wait)
    with run_round.timing_lock(RAW):
        file = round_file(reference_fork, current.settings, current.registry)
        run_round.run(file, REFERENCE_FORKS, replace(allowed, schedule=Schedule(every)))
        if hot_path.compiled_after_s(REFERENCE_FORKS / reference_fork.path) is None:
            run_round.run(round_file(early_fork, current.settings, current.registry), REFERENCE_FORKS, allowed)


def main(arguments: argparse.Namespace) -> None:
    """Measure what is missing."""
    chosen = {"experiments": arguments.experiments.split(",")} if arguments.experiments else {}
    elsewhere = {"experiment_dir": str(arguments.experiment_dir)} if arguments.experiment_dir else {}
    config = {"tier": arguments.tier, "minutes": 0, **chosen, **elsewhere}
    current = from_config(config, fetch=True)
    planned = current.reference_forks()
    if arguments.open:
        awaited = verdict_lines.waiting_cells(current.folders.tidy)
        planned = [
            both for both in planned if (both[0].experiment, both[0].environment, both[0].cells[0].id) in awaited
        ]
    every = [reference_fork for reference_fork, _ in planned]
    time_budget = budget.Budget(REFERENCE_FORKS, every)
    print(
        f"reference forks, tier {arguments.tier}: {count(len(every), 'cell')}, {len(time_budget.missing())} of them to be "
        f"measured; expected time {budget.format_duration(time_budget.remaining_s())}, "
        f"and {EARLY_S} s more for each that is too short",
        file=sys.stderr,
    )
    built = [f"envs/build/{name}/environment.json" for name in current.environments()]
    methods.snakemake(
        config, ["bench/target/benchmarks.jar", "bench/target/providers.sha256", *built, *current.native_programs()]
    )
    for both in planned:
        measure(current, both, every)
    print(
        "all reference forks are measured; run again what you ran before: its report compares each benchmark with its own",
        file=sys.stderr,
    )
