"""One run of the pipeline: its settings, what they select, and where its parts lie. The Snakefile and the jobs share it."""

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from jcarerun.errors import UserError
from jcarerun.images.catalogue import HOST
from jcarerun.native import build as native
from jcarerun.plan import budget, cells, definitions, plan, reference_forks, selection, settings, stages
from jcarerun.plan.plan import Round, in_order
from jcarerun.plan.scheduler import Planner, keep_first
from jcarerun.plan.stages import Stage
from jcarerun.rounds import interference, manifest, tree
from jcarerun.rounds.record import MOST_STAGES
from jcarerun.run import described, jars, plan_rounds, run_record
from jcarerun.run.round_file import SCHEDULE, Schedule

# Of what measures in this checkout, whatever the run; and long forks, which are only measured here.
RAW, REFERENCE_FORKS = settings.CHECKOUT_FOLDERS.raw, Path("data/reference_forks")


@dataclass(frozen=True)
class Run:
    """Everything a configuration selects. Made by `from_config`.

    `full_plan`: the rounds of stage one with every cell. `stages`: those that there may be; none where somebody else's raw
    directory is analysed. `uncounted`: paths of disturbed rounds of earlier commands, whose time does not count. `recorded`: the
    record of the run whose raw directory is analysed, if it has one. `tiers`: of each experiment that has rounds there.
    """

    settings: settings.Settings
    registry: definitions.Registry
    experiments: dict[str, dict]
    full_plan: list[Round] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    uncounted: list[str] = field(default_factory=list)
    recorded: run_record.RunRecord | None = None
    tiers: dict[str, str] = field(default_factory=dict)

    @cached_property
    def folders(self) -> settings.Folders:
        """Where the run keeps what it measures and makes."""
        return settings.folders(self.settings.results)

    @cached_property
    def raw(self) -> Path:
        """The raw directory that is analysed: the run's own, or somebody else's."""
        return self.settings.raw or self.folders.raw

    @cached_property
    def first(self) -> list[Round]:
        """The rounds of stage one, in the order they are to be run."""
        return in_order(self.stages[0].rounds()) if self.stages else []

    @property
    def rounds(self) -> list[Round]:
        """Every round that is planned by now: those of later stages follow from files that a run makes."""
        return stages.planned_rounds(self.stages)

    @property
    def budget(self) -> budget.Budget:
        """The time of the rounds that are planned by now."""
        chosen = self.settings
        return budget.Budget(self.folders.raw, self.rounds, chosen.minutes, chosen.until, self.uncounted)

    @cached_property
    def planner(self) -> Planner:
        """What chooses the cells of stages."""
        return Planner(self.full_plan, self.experiments, self.registry)

    def round_stamps(self, checkpoints: Any, before: int = MOST_STAGES + 1) -> list[str]:
        """The stamps of the rounds of all stages, or of those before one; asks the checkpoint for each stage in turn."""
        return stages.round_stamps(self.stages[: before - 1], checkpoints)

    def environments(self) -> list[str]:
        """The environments that must be built."""
        chosen = {round_.environment for round_ in self.rounds}
        return [name for name in self.registry.catalogue.environments if name in chosen]

    def native_programs(self) -> list[str]:
        """The records of native programs that must be compiled: one for each system that has rounds with native cells."""
        places = sorted({round_.environment for round_ in self.first if self.has_native(round_)} - {HOST})
        folders = [native.place(self.registry.catalogue, name) for name in places]
        return sorted({str(folder / native.RECORD) for folder in folders if folder})

    def has_native(self, round_: Round) -> bool:
        """Whether some cell of a round is a native program."""
        return any(self.registry.providers[cell.provider].native for cell in round_.cells)

    def round(self, path: str) -> Round:
        """The planned round at that path below the raw directory."""
        if path in self._first_by_path:
            return self._first_by_path[path]
        for round_ in self.rounds:
            if round_.path == path:
                return round_
        raise UserError(f"{path}: this run plans no such round")

    @cached_property
    def _first_by_path(self) -> dict[str, Round]:
        return {round_.path: round_ for round_ in self.first}

    def kit_rounds(self) -> list[Round]:
        """What `snakemake kit` packs: the machine's own CPU alone, unless the settings name profiles."""
        chosen = self.settings.cpu_profiles or selection.KIT_PROFILES
        return selection.kit_rounds(self.experiments, self.settings, self.registry, chosen)

    @cached_property
    def _kit_folders(self) -> tuple[list[str], list[str]]:
        """Paths of the rounds that kits measured and that were imported: those of this plan, and the others."""
        there = sorted(path for path in self.folders.raw.glob(f"*/{selection.KIT_PREFIX}*/[!.]*") if path.is_dir())
        if self.settings.raw or not there:
            return [], []
        every = selection.kit_rounds(self.experiments, self.settings, self.registry, self.settings.cpu_profiles)
        planned = {(round_.experiment, round_.id): round_ for round_ in (*self.kit_rounds(), *every)}
        own, others = [], []
        for folder in there:
            round_ = planned.get((folder.parts[-3], folder.name))
            kept = own if round_ and jars.is_same_jar(folder, round_) else others
            kept.append(str(folder.relative_to(self.folders.raw)))
        return own, others

    def imported(self) -> list[str]:
        """Paths of the rounds of this plan that kits measured elsewhere and that were imported."""
        return self._kit_folders[0]

    def left_out(self) -> list[str]:
        """Paths of imported rounds that are of another tier, seed, experiment or jar than this run."""
        return self._kit_folders[1]

    def round_paths(self) -> list[str]:
        """The rounds that the report is made from: planned and not left out, imported, or all of somebody else's directory."""
        if self.settings.raw is None:
            own = [round_.path for round_ in self.rounds if not budget.is_left_out(self.folders.raw / round_.path)]
            return [*own, *self.imported()]
        # Directories, not records: a round that lost its record must be named, not overlooked.
        found = tree.folders(self.raw, 3)
        if not self.settings.calibration:
            found = [path for path in found if path.split("/")[0] != selection.CALIBRATION]
        if not found:
            raise UserError(f"--config raw={self.raw}: holds no round (<experiment>/<environment>/<round>/round.json)")
        if self.recorded:
            found = run_record.in_order(self.recorded, self.raw, found)
        if not (named := self._of_named(found)):
            raise UserError(
                f"--config raw={self.raw}: holds no round of experiments=[{', '.join(self.settings.experiments)}]"
            )
        return named

    def _of_named(self, paths: list[str]) -> list[str]:
        """Those of somebody else's paths that are of the experiments which a report was asked for; all where none was named."""
        return [path for path in paths if not self.settings.experiments or path.split("/")[0] in self.experiments]

    def reference_forks(self) -> list[tuple[Round, Round]]:
        """The reference fork of each cell that looks for its steady state, and the early-compilation fork beside it."""
        chosen = {name: experiment for name, experiment in self.experiments.items() if name != selection.CALIBRATION}
        # A later stage may have cells that the first had no time for.
        planned = {(round_.family_path, cell.id) for round_ in self.rounds for cell in round_.cells}
        own = [
            replace(round_, cells=tuple(cell for cell in round_.cells if (round_.family_path, cell.id) in planned))
            for round_ in self.full_plan
            if round_.experiment in chosen
        ]
        return reference_forks.rounds(own, chosen, self.settings, self.registry)

    @property
    def reference_folder(self) -> Path:
        """Where reference forks lie: this checkout's own, or those beside somebody else's rounds."""
        return self.raw / run_record.REFERENCE_FORKS if self.settings.raw else REFERENCE_FORKS

    @property
    def reference_paths(self) -> list[str]:
        """Paths of those that were measured; of somebody else's raw directory those that lie in it."""
        if self.recorded:
            return self._of_named(self.recorded.reference_forks)
        if self.settings.raw:
            return (
                self._of_named(tree.folders(self.reference_folder, 3)) if os.path.lexists(self.reference_folder) else []
            )
        return [
            round_.path
            for both in self.reference_forks()
            for round_ in both
            if (REFERENCE_FORKS / round_.path).is_dir() and jars.is_same_jar(REFERENCE_FORKS / round_.path, round_)
        ]

    def round_folder_of(self, path: str) -> str:
        """Where the files of a stage's rounds lie, by the path of one of them. Another selection of experiments has others."""
        return str(self.folders.raw / ".rounds" / f"{self.stages[0].run}-{self.round(path).stage}")

    def write_round_files(self, stage: int, folder: Path) -> None:
        """Write the file of every round of a stage, `<experiment>/<environment>/<round>.json`, and the run's schedule so far.

        Which cells the first stage has stays so from then on.
        """
        if self.settings.raw:
            raise UserError(
                f"--config raw={self.settings.raw}: a report on rounds that are there measures nothing; leave out raw"
            )
        if stage == 1:
            keep_first(self.stages[0])
        rounds = [round_ for round_ in self.rounds if round_.stage <= stage]
        for round_ in rounds:
            if round_.stage == stage:
                file = folder / f"{round_.path}.json"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(plan_rounds.round_file(round_, self.settings, self.registry).text())
        folder.mkdir(parents=True, exist_ok=True)
        schedule = Schedule(rounds, list(self.uncounted), self.stages[stage - 1].verdicts)
        (folder / SCHEDULE).write_text(schedule.text())

    def round_plan(self, stage: int) -> str:
        """Changes whenever the files of a stage's rounds would be others; a round's name stands for all that it measures."""
        chosen = self.settings
        planned = [
            [round_.path, round_.plan_sha256, round_.expected_s] for round_ in self.rounds if round_.stage <= stage
        ]
        content = json.dumps([planned, chosen.engine, chosen.cpuset, chosen.memory])
        return hashlib.sha256(content.encode()).hexdigest()

    def priority(self, path: str) -> int:
        """Snakemake's priority of a round."""
        return self.round(path).priority

    def slurm_options(self, path: str) -> str:
        """The options of a round's job for Slurm."""
        return plan.slurm_options(self.round(path), self.settings.nodes)

    def fingerprint(self) -> str:
        """Changes whenever the analysis would read other definitions or other rounds of stage one."""
        paths = self.round_paths() if self.settings.raw else [round_.path for round_ in self.first] + self.imported()
        content = [self.definitions(), paths, self.reference_paths]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def tier_of(self, experiment: str) -> str:
        """The tier that an experiment's rounds are of."""
        return self.tiers.get(experiment, self.settings.tier)

    @cached_property
    def tier_cells(self) -> dict[str, dict[str, cells.Cell]]:
        """Every cell of each experiment as this tier has it, by its id."""
        profiles = list(self.registry.cpu_profiles)
        return {
            name: {cell.id: cell for cell in cells.cells(experiment, self.tier_of(name), profiles, self.registry)}
            for name, experiment in self.experiments.items()
        }

    def stage_stamps(self, checkpoints: Any, number: int) -> list[str]:
        """The stamp of a later stage once it is planned; none of the first stage, which needs no rounds before it."""
        if number == 1:
            return []
        stage = self.stages[number - 1]
        checkpoints.stage.get(run=stage.run, stage=number)
        return [str(stage.stamp)]

    def imported_stamps(self) -> list[str]:
        """The stamps of imported rounds."""
        return [str(manifest.stamp_of(self.folders.raw / path)) for path in self.imported()]

    def definitions(self) -> dict:
        """What the analysis needs to know of the run, as data/tidy/definitions.json holds it."""
        return described.definitions(self)


def from_config(config: dict, fetch: bool = False) -> Run:
    """Read everything a configuration refers to. Raises UserError in one line for the first thing that is wrong.

    fetch: the run measures, so a jar that an experiment names by its Maven coordinates may be fetched.
    """
    chosen = settings.read(config)
    tiers = run_record.tiers_of(chosen.raw) if chosen.raw else {}
    if tiers:
        chosen = replace(chosen, tier=run_record.longest(tiers.values()))
    known = definitions.registry()
    fetch = fetch and not chosen.raw and not chosen.from_
    experiments = definitions.read_all(chosen.experiment_dir, chosen.experiments, known, fetch)
    experiments = selection.narrowed(experiments, chosen, known)
    experiments = selection.add_calibration(experiments, chosen, known)
    if chosen.raw:
        return Run(chosen, known, experiments, recorded=run_record.read(chosen.raw), tiers=tiers)
    full_plan = plan.rounds(experiments, chosen, known)
    waits = reference_forks.waits(full_plan, experiments, chosen, known, REFERENCE_FORKS)
    return staged(chosen, known, experiments, reference_forks.lengthened(full_plan, waits, chosen, known))


def staged(
    chosen: settings.Settings,
    registry: definitions.Registry,
    experiments: dict[str, dict],
    full_plan: list[Round],
    uncounted: list[str] | None = None,
) -> Run:
    """A run with its stages, as far as they are chosen. uncounted: None for those that its command wrote down when it began."""
    raw, fixed = settings.folders(chosen.results).raw, chosen.goal == settings.FIXED
    widths = {} if fixed else stages.half_widths(full_plan, experiments)
    every = stages.all_stages(full_plan, raw, MOST_STAGES, widths)
    uncounted = stages.read_uncounted(every) if uncounted is None else uncounted
    # The smoke tier only shows that everything runs, disturbed or not.
    again = (fixed or uncounted) and chosen.tier != "smoke"
    later = chosen.looks > 1 or (chosen.minutes and not fixed) or widths or again
    current = Run(chosen, registry, experiments, full_plan, every[: MOST_STAGES if later else 1], uncounted)
    cells = current.planner.fixed_cells() if fixed else current.planner.first_cells(every[0], chosen.minutes)
    current.stages[0] = replace(every[0], chosen=cells, is_fixed=fixed)
    return current


def with_disturbed(current: Run) -> Run:
    """The run as a new command sees it: where most forks so far are disturbed, the time of disturbed rounds does not count."""
    if not current.stages:
        return current
    kept = {}
    for round_ in current.rounds:
        folder = current.folders.raw / round_.path
        with suppress(OSError, UserError):  # reported when the round is checked
            kept[round_.path] = list(interference.undisturbed_cells(folder).values()) if folder.is_dir() else []
    total, good = sum(map(len, kept.values())), sum(map(sum, kept.values()))
    few = good < budget.UNDISTURBED_PART * total
    disturbed = [path for path, some in kept.items() if few and not all(some)]
    if disturbed == current.uncounted:
        return current
    return staged(current.settings, current.registry, current.experiments, current.full_plan, disturbed)
