"""One run of the pipeline: its settings, what they select, and where its parts lie. The Snakefile and the jobs share it.

Snakemake hands a job its configuration in the environment variable JCA_RERUN_CONFIG, so that no command line changes with it.
"""

import hashlib
import json
import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from bench.harness import definitions, manifest, plan, providers, settings
from bench.harness.plan import Round
from bench.harness.run_round import stamp_path
from envs.builder import catalogue
from envs.builder.errors import UserError
from envs.builder.yamlfile import where

VARIABLE = "JCA_RERUN_CONFIG"
RAW = Path("data/raw")


@dataclass(frozen=True)
class Run:
    """Everything a configuration selects. Made by `from_config`."""

    settings: settings.Settings
    world: definitions.World
    experiments: dict[str, dict]
    rounds: list[Round]

    @cached_property
    def raw(self) -> Path:
        """The raw directory that is analysed: this checkout's own, or somebody else's."""
        return self.settings.raw or RAW

    def environments(self) -> list[str]:
        """The environments that must be built."""
        chosen = {one.environment for one in self.rounds}
        return [name for name in self.world.catalogue.environments if name in chosen]

    def round(self, path: str) -> Round:
        """The planned round at that path below the raw directory."""
        for one in self.rounds:
            if one.path == path:
                return one
        raise UserError(f"{path}: this run plans no such round")

    def round_paths(self) -> list[str]:
        """The rounds that the report is made from: the planned ones, or all that somebody else's directory holds."""
        if self.settings.raw is None:
            return [one.path for one in self.rounds]
        # Directories, not records: a round that lost its record must be named, not overlooked.
        found = sorted(str(p.relative_to(self.raw)) for p in self.raw.glob("[!.]*/[!.]*/[!.]*") if p.is_dir())
        if not found:
            raise UserError(f"--config raw={self.raw}: holds no round (<experiment>/<environment>/<round>/round.json)")
        return found

    def priority(self, path: str) -> int:
        """Snakemake's priority of a round: earlier rounds have more, so that environments interleave as planned."""
        return len(self.rounds) - self.rounds.index(self.round(path))

    def fingerprint(self) -> str:
        """Changes whenever the analysis would read other definitions or other rounds."""
        content = json.dumps([self.definitions(), self.round_paths()], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()

    def verify(self) -> None:
        """Hold every round that is there against its manifest. Forgets the stamp of a round that is not there any more."""
        for path in self.round_paths():
            folder = self.raw / path
            if folder.is_dir():
                manifest.verify(folder)
            elif self.settings.raw is None:
                (self.raw / f"{path}.whole").unlink(missing_ok=True)

    def stamps(self) -> list[str]:
        """The stamps of the rounds to be measured; none where somebody else's raw data is analysed."""
        return [] if self.settings.raw else [str(stamp_path(RAW, one)) for one in self.rounds]

    def definitions(self) -> dict:
        """What the analysis needs to know of the run, as data/tidy/definitions.json holds it."""
        ids = {path.split("/")[0] for path in self.round_paths()}
        chosen = [self._resolved(experiment) for name, experiment in self.experiments.items() if name in ids]
        if missing := sorted(ids - self.experiments.keys()):
            raise UserError(
                f"{self.raw}: has rounds of {missing[0]!r}, but there is no {self.settings.experiment_dir}/{missing[0]}.yaml"
            )
        return {
            "settings": {
                "tier": self.settings.tier, "seed": self.settings.seed, "engine": self.settings.engine,
                "alpha": 0.05, "confidence": 0.95,
                "cpuset": self.settings.cpuset, "memory_mib": self.settings.memory, "jvm_options": list(plan.JVM_OPTIONS),
            },
            "experiments": chosen,
            "environments": self._environments(),
            "providers": {p.id: {"label": p.label, "jar": p.jar} for p in self.world.providers.values()},
        }  # fmt: skip

    def _resolved(self, experiment: dict) -> dict:
        tier = self.settings.tier
        return {**experiment, "protocols": plan.protocols(experiment, tier), "tier": experiment["tiers"][tier]}

    def _environments(self) -> list[dict]:
        """Those of the catalogue, then those that only the rounds know (the host; somebody else's)."""
        listed = [self._environment(name) for name in self.world.catalogue.environments]
        others = sorted({path.split("/")[1] for path in self.round_paths()} - self.world.catalogue.environments.keys())
        blank = {"os": "not in the catalogue", "jdk": "not in the catalogue", "java": None, "tags": []}
        return listed + [{"id": name, "label": name, **blank} for name in others]

    def _environment(self, name: str) -> dict:
        entry = self.world.catalogue.environments[name]
        return {
            "id": name, "label": entry.label, "os": entry.system_label, "jdk": entry.jdk.label, "java": entry.jdk.java,
            "tags": list(entry.tags),
        }  # fmt: skip


def _with_tier_of(chosen: settings.Settings) -> settings.Settings:
    """The settings with the tier that somebody else's rounds were measured in."""
    tiers = set()
    for record in chosen.raw.glob("*/*/*/round.json"):
        try:
            tiers.add(json.loads(record.read_text())["tier"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UserError(
                f"{where(record)}: not a round's record ({error}); the file must be as the round wrote it"
            ) from None
    if len(tiers) != 1:
        raise UserError(
            f"--config raw={chosen.raw}: must hold rounds of one tier, has {sorted(tiers) or 'none'}; give a directory for each"
        )
    return replace(chosen, tier=tiers.pop())


def from_config(config: dict) -> Run:
    """Read everything a configuration refers to. Raises UserError in one line for the first thing that is wrong."""
    chosen = settings.read(config)
    if chosen.raw:
        chosen = _with_tier_of(chosen)
    known = definitions.world(providers.read(), catalogue.read())
    experiments = definitions.read_all(chosen.experiment_dir, chosen.experiments, known)
    rounds = [] if chosen.raw else plan.rounds(experiments, chosen, known, plan.digest_sources())
    return Run(chosen, known, experiments, rounds)


def from_environment() -> Run:
    """The run of which this process is a job."""
    return from_config(json.loads(os.environ.get(VARIABLE, "{}")))


def export(config: dict) -> None:
    """Hand the configuration on to the jobs."""
    os.environ[VARIABLE] = json.dumps(config)
