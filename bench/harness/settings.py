"""The keys of `--config`: their defaults, and the check that refuses a misspelt key or value before anything starts."""

import os
from dataclasses import dataclass
from pathlib import Path

from envs.builder.engine import ENGINES, HOST
from envs.builder.errors import UserError
from envs.builder.yamlfile import nearest

TIERS = ("smoke", "quick", "standard", "full")


@dataclass(frozen=True)
class Settings:
    """One run's settings.

    experiments: ids, or empty for all. raw: a directory of somebody's rounds to report on without measuring, or None.
    cpuset: CPUs of a measuring container, as cpuset notation. memory: its memory in MiB.
    """

    tier: str = "quick"
    experiments: tuple[str, ...] = ()
    engine: str = "docker"
    seed: int = 20140816
    raw: Path | None = None
    cpuset: str = ""
    memory: int = 2048
    experiment_dir: Path = Path("bench/experiments")


def _refuse(key: str, value: object, mend: str) -> UserError:
    return UserError(f"--config {key}={value}: {mend}")


def default_cpuset() -> str:
    """The first two CPUs this process may use: what the authors of the studies had."""
    if not hasattr(os, "sched_getaffinity"):
        return ""
    return ",".join(str(cpu) for cpu in sorted(os.sched_getaffinity(0))[:2])


def _choice(config: dict, key: str, default: str, known: tuple[str, ...]) -> str:
    value = str(config.get(key, default))
    if value not in known:
        raise _refuse(key, value, nearest(value, known))
    return value


def _number(config: dict, key: str, default: int, least: int) -> int:
    value = config.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise _refuse(key, value, f"must be a whole number of {least} or more")
    return value


def _experiments(config: dict) -> tuple[str, ...]:
    value = config.get("experiments", [])
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _refuse("experiments", value, "must be a list of names, such as [kofahi2013]")
    return tuple(names)


def _directory(config: dict, key: str) -> Path | None:
    if not config.get(key):
        return None
    path = Path(str(config[key]))
    if not path.is_dir():
        raise _refuse(key, path, "there is no such directory")
    return path


def read(config: dict) -> Settings:
    """Settings from Snakemake's `config`. Raises UserError for an unknown key or a value that can't be used."""
    known = list(Settings.__dataclass_fields__)
    for key in config:
        if key not in known:
            raise _refuse(key, config[key], f"unknown key; {nearest(key, known)}")
    engine = _choice(config, "engine", Settings.engine, ENGINES)
    return Settings(
        tier=_choice(config, "tier", Settings.tier, TIERS),
        experiments=_experiments(config),
        engine=engine,
        seed=_number(config, "seed", Settings.seed, 0),
        raw=_directory(config, "raw"),
        cpuset=str(config.get("cpuset", "")) or ("" if engine == HOST else default_cpuset()),
        memory=_number(config, "memory", Settings.memory, 1024),
        experiment_dir=_directory(config, "experiment_dir") or Settings.experiment_dir,
    )
