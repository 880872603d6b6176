"""`jca-rerun results`: makes report/results from the raw rounds in data/runs, the same bytes again.

In: data/runs/<experiment>-<date>.tar.xz; without any, data/sample. Out: in report/results a PDF, an explorer, tables and a page;
the pages of its parts. The last archive of an experiment counts as its run. An earlier one shows how it repeats.
"""

import argparse
import shutil
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from jcarerun.bundle import make, repeat, sealed
from jcarerun.errors import UserError, say
from jcarerun.plan import selection
from jcarerun.results import archive, main_page, other_pages
from jcarerun.results.archive import RUNS, TRIALS
from jcarerun.rounds import tree
from jcarerun.run import plan_stage

SAMPLE, RESULTS, BUILD = Path("data/sample"), Path("report/results"), Path("report/build/results")
# The tables that are published: those that a sentence or a row of a page rests on.
TABLES = (
    "rounds.csv", "cells.csv", "contrasts.csv", "verdicts.csv", "machine_verdicts.csv", "ratios.csv", "claim_list.csv",
    "claim_summary.csv", "published_ratios.csv", "today.csv", "departures.csv", "sensitivity.csv",
    "calibration.csv", "drifts.csv", "reference_forks.csv", "notes.csv",
)  # fmt: skip
# Of the report's own tables, those that have the words of the pages, and the one that reports of short runs show.
WORDS = (main_page.ANSWER, main_page.OPEN, "changes.json")


@dataclass(frozen=True)
class Part:
    """A report of the published results. name: its directory below report/results, empty for the report of the studies.

    folder: where its experiment files lie. experiments: those that belong to it; None for all files that no other part has.
    """

    name: str
    folder: Path
    experiments: tuple[str, ...] | None = None

    def files(self) -> list[Path]:
        """Its experiment files."""
        found = sorted(self.folder.glob("*.yaml"))
        if self.experiments is None:
            others = {name for part in PARTS if part.folder == self.folder for name in part.experiments or ()}
            return [file for file in found if file.stem not in others]
        return [file for file in found if file.stem in self.experiments]


MAIN = Part("", Path("bench/experiments"))
# What a trial against another project's benchmarks makes of its rounds, and what is added to the trial's name.
TRIAL_TABLES = {"micros.csv": "", "environments.csv": "-environments"}
# In the order in which they are made, those of a group beside each other. A report that compares few providers shows the tables
# of `today`.
GROUPS = (
    (Part("today", Path("bench/experiments"), ("jdk-claims-today",)),),
    (
        MAIN,
        Part("jdk-claims", Path("bench/experiments"), ("jdk-claims",)),
        Part("tls", other_pages.TRIALS_FOLDER, ("tls-warm",)),
        Part("jdk-tables", other_pages.TRIALS_FOLDER, ("jdk-tables",)),
    ),
)
# Each takes gigabytes of memory and leaves a core idle for half of its time.
AT_A_TIME = 2
PARTS = tuple(chain.from_iterable(GROUPS))


def _report(files: list[Path], raw: Path, results: Path, engine: str) -> None:
    """Make the report of unpacked rounds. Raises UserError where the rounds are of an experiment without a file."""
    present = {path.split("/")[0] for path in tree.folders(raw, 3)} - {selection.CALIBRATION}
    known = [file for file in files if file.stem in present]
    if lacking := present - {file.stem for file in known}:
        raise UserError(f"{raw}: has rounds of {min(lacking)}, which has no experiment file here; remove its archive")
    make.make_report(raw, known, results, engine, str(raw))


def _publish(results: Path, target: Path, repeats: list[repeat.Row]) -> None:
    """Copy a report and its tables to where they are published, and write how the run repeats earlier ones."""
    shutil.rmtree(target / "tables", ignore_errors=True)
    (target / "tables").mkdir(parents=True)
    for name in sealed.REPORTS:
        shutil.copyfile(results / name, target / name)
    for name in WORDS:
        shutil.copyfile(results / "build/tables" / name, target / "tables" / name)
    for name in TABLES:
        if (results / "tidy" / name).is_file():
            shutil.copyfile(results / "tidy" / name, target / "tables" / name)
    if repeats:
        repeat.write(repeats, target / main_page.REPEAT)
    else:
        (target / main_page.REPEAT).unlink(missing_ok=True)


def _make_part(
    part: Part, own: dict[str, list[Path]], build: Path, engine: str
) -> tuple[list[tuple[Path, str, Path]], list[repeat.Row]]:
    """Make the report of a part from its archives.

    Returns the archives as `write_runs` takes them, and how the run repeats earlier ones.
    """
    shutil.rmtree(build, ignore_errors=True)
    (build / "raw").mkdir(parents=True)
    archive.unpack([files[-1] for files in own.values()], build / "raw")
    _report(part.files(), build / "raw", build, engine)
    repeats, packed = [], [(files[-1], name, build) for name, files in own.items()]
    earlier = [(name, file) for name, files in own.items() for file in files[:-1]]
    for number, (name, file) in enumerate(earlier, start=1):
        folder = build / f"earlier-{number}"
        archive.unpack([file], folder / "raw")
        _report(part.files(), folder / "raw", folder, engine)
        repeats += repeat.rows(folder / "tidy", build / "tidy")
        packed.append((file, name, folder))
    return packed, repeats


def _of_part(part: Part, found: dict[str, list[Path]]) -> dict[str, list[Path]]:
    known = {file.stem for file in part.files()}
    own = {name: files for name, files in found.items() if name in known}
    # The calibration runs with the studies.
    return own | {name: found[name] for name in found if name == selection.CALIBRATION and own and not part.name}


def _make_trial(name: str, packed: Path, target: Path, build: Path, engine: str) -> None:
    """Make the tables of a trial against another project's benchmarks from the archive of its rounds."""
    shutil.rmtree(build, ignore_errors=True)
    raw, out = build / "raw", build / "tables"
    out.mkdir(parents=True)
    archive.unpack([packed], raw)
    argv = ["Rscript", "analysis/run.R", "micros", "--raw", str(raw), "--out", str(out)]
    plan_stage.analyse(engine, argv, raw, out)
    target.mkdir(parents=True, exist_ok=True)
    for table, ending in TRIAL_TABLES.items():
        if (out / table).is_file():
            shutil.copyfile(out / table, target / f"{name}{ending}.csv")
    say(f"{target}: tables of {name}")


def run(engine: str, runs: Path = RUNS, target: Path = RESULTS, only: Iterable[str] = ()) -> None:
    """Make everything in `target` from the archives in `runs`.

    only: names of experiments and trials, so that one of them can be checked in a short time; the other pages are not made then.
    """
    started = time.monotonic()
    every, trials = archive.by_name(runs), archive.by_name(runs / TRIALS)
    if lacking := sorted(set(only) - {*every, *trials}):
        raise UserError(f"{runs}: has no archive of {lacking[0]}; name one of {', '.join((*every, *trials))}")
    found = {name: files for name, files in every.items() if not only or name in (*only, selection.CALIBRATION)}
    known = {file.stem for part in PARTS for file in part.files()} | {selection.CALIBRATION}
    if unknown := sorted(found.keys() - known):
        raise UserError(
            f"{found[unknown[0]][0]}: there is no experiment {unknown[0]}; rename the archive, or remove it"
        )
    made, of_sample = [], False
    # A report shows no tables of an earlier `results`.
    for part in PARTS if not only else ():
        if _of_part(part, found):
            shutil.rmtree(target / part.name / "tables", ignore_errors=True)
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        tables = [
            pool.submit(_make_trial, name, files[-1], target / TRIALS, BUILD / TRIALS / name, engine)
            for name, files in trials.items()
            if not only or name in only
        ]
        for group in GROUPS:
            chosen = {part: _of_part(part, found) for part in group}
            if MAIN in chosen and not chosen[MAIN] and not only:
                sample, of_sample = BUILD / f"sample{archive.SUFFIX}", True
                archive.pack(SAMPLE, sample)
                chosen[MAIN] = {str(SAMPLE): [sample]}
            making = {
                part: pool.submit(_make_part, part, own, BUILD / (part.name or "main"), engine)
                for part, own in chosen.items()
                if own
            }
            for part, done in making.items():
                made.append(done.result()[0])
                say(f"{target / part.name}: report and tables of {', '.join(sorted(chosen[part]))}")
            # Only now, so that no report of this group finds tables of another.
            for part, done in making.items():
                _publish(BUILD / (part.name or "main"), target / part.name, done.result()[1])
        for done in tables:
            done.result()
    if not only:
        main_page.write(target, MAIN.files(), of_sample)
        other_pages.write(target, sorted(MAIN.folder.glob("*.yaml")))
        if found:
            other_pages.write_runs(runs, (each for each in chain.from_iterable(made) if each[1] in found))
    say(f"{target}: made in {(time.monotonic() - started) / 60:.1f} minutes")


def main(arguments: argparse.Namespace) -> None:
    """`jca-rerun results`. With --bundle also the archive of a release: the main report's rounds, tables and reports."""
    run(arguments.engine, target=arguments.out or RESULTS, only=archive.named(arguments.experiments))
    if arguments.bundle:
        results = BUILD / "main"
        say(make.make(arguments.bundle, arguments.engine, results / "raw", results, Path("bench/experiments")))
