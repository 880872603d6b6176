"""What the analysis needs to know of a run: definitions.json and claim_pairs.csv of the tidy directory."""

from collections import Counter
from typing import TYPE_CHECKING

from jcarerun.errors import UserError
from jcarerun.plan import (
    budget,
    cells,
    claim_pairs,
    claim_resolver,
    claim_words,
    environments,
    selection,
    settings,
    stages,
)
from jcarerun.plan.cells import JVM_OPTIONS
from jcarerun.plan.claim_rows import PairRow
from jcarerun.plan.environments import EnvironmentWords

if TYPE_CHECKING:
    from jcarerun.run.run import Run

# Family-wise, over the whole report.
ALPHA = 0.05


def definitions(current: "Run") -> dict:
    """The run's settings, and the experiments, environments, CPU profiles and providers that its rounds are of.

    Raises UserError for rounds of an experiment that has no file.
    """
    paths = current.round_paths()
    ids = {path.split("/")[0] for path in paths}
    entries = environments.described(current.registry.catalogue, current.raw, paths)
    words = EnvironmentWords(entries)
    chosen = [
        claim_pairs.with_decisions(_resolved(experiment, current.tier_of(name)), current.registry.forms, words)
        for name, experiment in current.experiments.items()
        if name in ids
    ]
    if missing := sorted(ids - current.experiments.keys()):
        raise UserError(
            f"{current.raw}: has rounds of {missing[0]!r}, but there is no "
            f"{current.settings.experiment_dir}/{missing[0]}.yaml"
        )
    return {
        "settings": _settings(current.recorded.settings if current.recorded else current.settings),
        "kept": current.recorded.kept if current.recorded else display_paths(current),
        "experiments": [experiment for experiment in chosen if experiment["id"] != selection.CALIBRATION],
        "calibration": next((experiment for experiment in chosen if experiment["id"] == selection.CALIBRATION), None),
        "environments": entries,
        "words": claim_words.words_of(chosen),
        "cpu_profiles": {name: {"label": profile.label} for name, profile in current.registry.cpu_profiles.items()},
        "providers": {
            p.id: {"label": p.label, "jar": p.jar, "native": p.native, "features": p.features}
            for p in current.registry.providers.values()
        },
    }


def pairs(current: "Run", definitions: dict) -> list[PairRow]:
    """The rows of claim_pairs.csv for the cells that the run's rounds have measured."""
    words = EnvironmentWords(definitions["environments"])
    cells = claim_pairs.measured_cells(current.raw, current.round_paths(), words, current.registry.cpu_profiles)
    features = {provider.id: provider.features for provider in current.registry.providers.values()}
    return claim_resolver.resolve(definitions["experiments"], current.registry.forms, words, cells, features)


def display_paths(current: "Run") -> dict[str, str]:
    """Where the report says that its rounds, tables and page lie: the last two names of each path, none a machine's own."""
    where = {"raw": current.raw, "tidy": current.folders.tidy, "report": current.folders.report / "report.html"}
    return {name: "/".join(path.resolve().parts[-2:]) for name, path in where.items()}


def left_out_cells(current: "Run") -> list[dict]:
    """Where some cells have fewer forks than the tier's first stage gives them, for want of time: how many of how many."""
    if current.recorded:
        return current.recorded.left_out
    found, every = [], current.rounds
    # What a fixed plan has no room for is named before anything is measured.
    wanted = current.first if current.settings.goal == settings.FIXED else current.full_plan
    for path, full_plan in stages.families(wanted).items():
        there = [round_ for round_ in every if round_.family_path == path]
        there = [round_ for round_ in there if not budget.is_left_out(current.folders.raw / round_.path)]
        full = Counter(cell.id for round_ in full_plan for cell in round_.cells)
        forks = Counter(cell.id for round_ in there for cell in round_.cells)
        none, fewer = sum(not forks[id] for id in full), sum(0 < forks[id] < n for id, n in full.items())
        if none or fewer:
            model = full_plan[0]
            found.append({
                "experiment": model.experiment, "environment": model.environment, "cells": len(full), "none": none,
                "fewer": fewer,
            })  # fmt: skip
    return found


def _settings(chosen: settings.Settings) -> dict:
    return {
        "tier": chosen.tier,
        "seed": chosen.seed,
        "minutes": chosen.minutes,
        "goal": chosen.goal,
        "engine": chosen.engine,
        "alpha": ALPHA,
        "confidence": 1 - ALPHA,
        "cpuset": chosen.cpuset,
        "memory_mib": chosen.memory,
        "jvm_options": list(JVM_OPTIONS),
        "strict": chosen.strict,
        "cpu_profiles": list(chosen.cpu_profiles),
    }


def _resolved(experiment: dict, tier: str) -> dict:
    """An experiment with its protocols as a tier has them."""
    protocols = {}
    for name, own in cells.protocols(experiment, tier).items():
        # Those of as-published are the study's own.
        full = experiment["protocols"][name]
        shortened = any(own[key] < full[key] for key in ("iterations", "iteration_ms") if key in full)
        protocols[name] = {**own, "shortened": shortened}
    return {**experiment, "protocols": protocols, "tier": experiment["tiers"][tier]}
