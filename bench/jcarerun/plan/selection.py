"""What a run measures of its experiments: by the setting `only`; the calibration beside them; the part that a kit measures.

The calibration is an experiment of its own that runs beside every run's experiments, so that the report can test itself.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images.catalogue import HOST
from jcarerun.plan import definitions, environments, plan
from jcarerun.plan.cpu_profiles import NATIVE
from jcarerun.plan.definitions import Registry
from jcarerun.plan.plan import Round
from jcarerun.plan.settings import INTERVALS, Settings, defaults
from jcarerun.support.engine import HOST as HOST_ENGINE
from jcarerun.support.yamlfile import nearest

ENVIRONMENT_KEYS = ("environment", "jdk", "system")
EXPERIMENT_KEYS = ("workload", "provider", "protocol")


def _refuse(word: str, what: str) -> UserError:
    return UserError(f"--config only={word}: {what}")


def parse(words: Iterable[str]) -> dict[str, list[str]]:
    """Key to levels of `provider:sunjce,jdk:25`. Raises UserError for a word of another form."""
    found: dict[str, list[str]] = {}
    for word in (part.strip() for text in words for part in str(text).split(",")):
        key, colon, level = word.partition(":")
        if not colon or not key or not level:
            raise _refuse(
                word, "must be a key and a level, such as provider:sunjce or jdk:25, with commas between several"
            )
        found.setdefault(key, []).append(level)
    return found


def narrowed(experiments: dict[str, dict], settings: Settings, registry: Registry) -> dict[str, dict]:
    """The experiments with the levels that the setting names, without experiments that have none of them.

    Raises UserError for a key or level that no experiment has, and where nothing is left.
    """
    wanted = parse(settings.only)
    if not wanted:
        return experiments
    if settings.raw:
        raise _refuse(settings.only[0], "a report on rounds that are there has all of them; leave out only")
    for key, levels in wanted.items():
        _check(key, levels, experiments, settings, registry)
    found = {name: kept for name, each in experiments.items() if (kept := _narrow(each, wanted, settings, registry))}
    if not found:
        raise _refuse(
            ",".join(settings.only), f"no experiment has all of that in tier {settings.tier}; leave something out"
        )
    return found


def _environments(experiment: dict, settings: Settings, registry: Registry) -> dict[str, dict[str, list[str]]]:
    """Environments of the tier to what a word may call them."""
    found = {}
    for name in plan.environments(experiment, settings.tier, settings, registry):
        entry = None if name == HOST else registry.catalogue.find(name)
        jdk = entry.jdk.id if entry and entry.jdk else name
        found[name] = {"environment": [name], "jdk": [jdk], "system": [entry.system if entry else name]}
    return found


def _levels(experiment: dict, key: str, settings: Settings, registry: Registry) -> list[str]:
    """The levels that an experiment has of a key; none where it has no such key."""
    if key in ENVIRONMENT_KEYS:
        return [level for each in _environments(experiment, settings, registry).values() for level in each[key]]
    if key in EXPERIMENT_KEYS:
        return list(experiment[f"{key}s"])
    return list(experiment.get("factors", {}).get(key, {}))


def _check(key: str, levels: list[str], experiments: dict[str, dict], settings: Settings, registry: Registry) -> None:
    factors = {name for each in experiments.values() for name in each.get("factors", {})}
    keys = [*ENVIRONMENT_KEYS, *EXPERIMENT_KEYS, *sorted(factors)]
    if key not in keys:
        raise _refuse(f"{key}:{levels[0]}", f"no key of these experiments; {nearest(key, keys)}")
    known = sorted({level for each in experiments.values() for level in _levels(each, key, settings, registry)})
    for level in levels:
        if not set(_named(key, level, registry)) & set(known):
            raise _refuse(f"{key}:{level}", f"tier {settings.tier} has no such level of {key}; {nearest(level, known)}")


def _named(key: str, level: str, registry: Registry) -> list[str]:
    return environments.jdk_ids(registry.catalogue, level) if key == "jdk" else [level]


def _narrow(experiment: dict, wanted: dict[str, list[str]], settings: Settings, registry: Registry) -> dict | None:
    """An experiment with the wanted levels; None where it has none of some key."""
    tier = dict(experiment["tiers"][settings.tier])
    places = _environments(experiment, settings, registry)
    for key, words in wanted.items():
        levels = {name for word in words for name in _named(key, word, registry)}
        if key in ENVIRONMENT_KEYS:
            places = {name: words for name, words in places.items() if levels & set(words[key])}
            kept = tier["environments"] = list(places)
        elif key == "protocol":
            kept = {name: each for name, each in experiment["protocols"].items() if name in levels}
            experiment = {**experiment, "protocols": kept}
        elif key in EXPERIMENT_KEYS:
            kept = [name for name in tier.get(f"{key}s", experiment[f"{key}s"]) if name in levels]
            tier[f"{key}s"] = kept
        else:
            own = experiment.get("factors", {}).get(key, {})
            kept = [name for name in tier.get("levels", {}).get(key, own) if name in levels]
            tier["levels"] = {**tier.get("levels", {}), key: kept}
        if not kept:
            return None
    return {**experiment, "tiers": {**experiment["tiers"], settings.tier: tier}}


CALIBRATION = "calibration"
CALIBRATION_FILE = Path(f"bench/{CALIBRATION}.yaml")


def add_calibration(experiments: dict[str, dict], settings: Settings, registry: Registry) -> dict[str, dict]:
    """The experiments, and the calibration as the last of them unless the settings leave it out."""
    if CALIBRATION in experiments:
        raise UserError(
            f"{settings.experiment_dir}/{CALIBRATION}.yaml: {CALIBRATION_FILE} has that name; choose another"
        )
    calibration = definitions.read(CALIBRATION_FILE, registry)
    if not settings.calibration:
        return experiments
    return {**experiments, CALIBRATION: _fitted(calibration, experiments, settings, registry)}


def _fitted(calibration: dict, experiments: dict[str, dict], settings: Settings, registry: Registry) -> dict:
    """The calibration in environments of the run alone, so that it needs no build of its own."""
    tier = settings.tier
    used = [
        name for experiment in experiments.values() for name in plan.environments(experiment, tier, settings, registry)
    ]
    wanted = [name for name in plan.environments(calibration, tier, settings, registry) if name in used]
    chosen = {**calibration["tiers"][tier], "environments": wanted or used[:1]}
    return {**calibration, "tiers": {**calibration["tiers"], tier: chosen}}


KIT, KIT_PREFIX = "kit", "kit-"
KIT_PROFILES = (NATIVE,)


def kit_rounds(
    experiments: dict[str, dict],
    settings: Settings,
    registry: Registry,
    profiles: tuple[str, ...],
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
    bare = replace(
        settings, goal=INTERVALS, engine=HOST_ENGINE, cpuset="", memory=defaults()["memory"], cpu_profiles=profiles
    )
    planned = plan.rounds({experiment["id"]: experiment for experiment in wanted}, bare, registry)
    return [replace(round_, environment=KIT) for round_ in planned]
