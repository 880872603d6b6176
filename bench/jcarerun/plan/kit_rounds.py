"""The rounds that a kit measures: the plan of a machine that has no engine, whatever this one has."""

from dataclasses import replace

from jcarerun.plan import plan
from jcarerun.plan.cpu_profiles import NATIVE
from jcarerun.plan.definitions import Registry
from jcarerun.plan.plan import Round
from jcarerun.plan.settings import INTERVALS, Settings, defaults
from jcarerun.support.engine import HOST

ENVIRONMENT, PREFIX = "kit", "kit-"
DEFAULT_PROFILES = (NATIVE,)


def rounds(
    experiments: dict[str, dict],
    settings: Settings,
    registry: Registry,
    profiles: tuple[str, ...] = DEFAULT_PROFILES,
) -> list[Round]:
    """The rounds that a kit measures: the plan of a machine without an engine, whatever this one's CPUs and memory are."""
    wanted = [
        experiment
        for experiment in experiments.values()
        if not profiles or set(profiles) & set(experiment["tiers"][settings.tier].get("cpu_profiles", [NATIVE]))
    ]
    if not wanted:
        return []
    # Nobody looks at what a kit measures before it is done.
    bare = replace(settings, goal=INTERVALS, engine=HOST, cpuset="", memory=defaults()["memory"], cpu_profiles=profiles)
    planned = plan.rounds({experiment["id"]: experiment for experiment in wanted}, bare, registry)
    return [replace(round_, environment=ENVIRONMENT) for round_ in planned]
