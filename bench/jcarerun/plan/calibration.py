"""The calibration: an experiment of its own that runs beside every run's experiments, so that the report can test itself.

In: bench/calibration.yaml, the run's experiments. Out: the calibration with the environments that this run gives it.
"""

from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.plan import definitions, plan
from jcarerun.plan.definitions import Registry
from jcarerun.plan.settings import Settings

NAME = "calibration"
FILE = Path(f"bench/{NAME}.yaml")


def add_calibration(experiments: dict[str, dict], settings: Settings, registry: Registry) -> dict[str, dict]:
    """The experiments, and the calibration as the last of them unless the settings leave it out."""
    if NAME in experiments:
        raise UserError(f"{settings.experiment_dir}/{NAME}.yaml: {FILE} has that name; choose another")
    calibration = definitions.read(FILE, registry)
    if not settings.calibration:
        return experiments
    return {**experiments, NAME: _fitted(calibration, experiments, settings, registry)}


def _fitted(calibration: dict, experiments: dict[str, dict], settings: Settings, registry: Registry) -> dict:
    """The calibration in environments of the run alone, so that it needs no build of its own."""
    tier = settings.tier
    used = [
        name for experiment in experiments.values() for name in plan.environments(experiment, tier, settings, registry)
    ]
    wanted = [name for name in plan.environments(calibration, tier, settings, registry) if name in used]
    chosen = {**calibration["tiers"][tier], "environments": wanted or used[:1]}
    return {**calibration, "tiers": {**calibration["tiers"], tier: chosen}}
