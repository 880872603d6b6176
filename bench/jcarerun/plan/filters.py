"""The setting `only`: what a run measures of its experiments.

In: words such as `provider:sunjce`, checked experiments. Out: the experiments, narrowed. A word of the same key adds a level.
"""

from collections.abc import Iterable

from jcarerun.errors import UserError
from jcarerun.images.catalogue import HOST
from jcarerun.plan import jdks, plan
from jcarerun.plan.definitions import Registry
from jcarerun.plan.settings import Settings
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
    return jdks.ids(registry.catalogue, level) if key == "jdk" else [level]


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
