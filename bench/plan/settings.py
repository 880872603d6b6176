"""The keys of `--config`: their defaults, and the check that refuses a misspelt key or value before anything starts."""

import os
from dataclasses import dataclass
from pathlib import Path

from envs.support.engine import ENGINES, HOST
from envs.support.errors import UserError
from envs.support.yamlfile import nearest

TIERS = ("smoke", "quick", "standard", "full")


@dataclass(frozen=True)
class Settings:
    """One run's settings.

    experiments: ids, or empty for all. raw: a directory of somebody's rounds to report on without measuring, or None.
    cpuset: CPUs of a measuring container, as cpuset notation. memory: its memory in MiB. cpu_profiles: ids, or empty for all
    that the tiers have. calibration: measure the calibration beside the experiments. strict: refuse what has drifted from its
    lock. refresh: build from the archive as it is now.
    from_ (`from` in --config, which Python keeps to itself): what a kit sent back, for `take_in`.
    """

    tier: str = "quick"
    experiments: tuple[str, ...] = ()
    engine: str = "docker"
    seed: int = 20140816
    raw: Path | None = None
    cpuset: str = ""
    memory: int = 2048
    experiment_dir: Path = Path("bench/experiments")
    cpu_profiles: tuple[str, ...] = ()
    calibration: bool = True
    strict: bool = False
    refresh: bool = False
    from_: Path | None = None

    @property
    def cpus(self) -> list[int]:
        """The CPUs of `cpuset`, sorted."""
        return parse_cpuset(self.cpuset)


def _refuse(key: str, value: object, remedy: str) -> UserError:
    return UserError(f"--config {key}={value}: {remedy}")


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


def _names(config: dict, key: str, example: str) -> tuple[str, ...]:
    value = config.get(key, [])
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _refuse(key, value, f"must be a list of names, such as [{example}]")
    return tuple(names)


def _truth(config: dict, key: str, default: bool = False) -> bool:
    value = config.get(key, default)
    if str(value).lower() not in ("true", "false"):  # Snakemake reads `True` as a truth value and `true` as a text
        raise _refuse(key, value, "must be true or false")
    return str(value).lower() == "true"


def parse_cpuset(text: str) -> list[int]:
    """`0-2,5` as [0, 1, 2, 5]. Raises ValueError for anything else."""
    cpus = set()
    for part in text.split(",") if text else []:
        first, _, last = part.partition("-")
        cpus.update(range(int(first), int(last or first) + 1))
    return sorted(cpus)


def _cpuset(config: dict, engine: str) -> str:
    text = str(config.get("cpuset", "")).strip()
    if not text:
        return "" if engine == HOST else default_cpuset()
    try:
        if engine != HOST and parse_cpuset(text):
            return text
    except ValueError:
        pass
    remedy = (
        "engine host has no container to give CPUs to; leave it out" if engine == HOST else "must be CPUs, such as 0,1"
    )
    raise _refuse("cpuset", text, remedy)


def _directory(config: dict, key: str) -> Path | None:
    if not config.get(key):
        return None
    path = Path(str(config[key]))
    if not path.is_dir():
        raise _refuse(key, path, "there is no such directory")
    return path


def _file(config: dict, key: str) -> Path | None:
    if not config.get(key):
        return None
    path = Path(str(config[key]))
    if not path.exists():
        raise _refuse(key, path, "there is no such file or directory")
    return path


def read(config: dict) -> Settings:
    """Settings from Snakemake's `config`. Raises UserError for an unknown key or a value that can't be used."""
    known = [name.rstrip("_") for name in Settings.__dataclass_fields__]
    for key in config:
        if key not in known:
            raise _refuse(key, config[key], f"unknown key; {nearest(key, known)}")
    engine = _choice(config, "engine", Settings.engine, ENGINES)
    return Settings(
        tier=_choice(config, "tier", Settings.tier, TIERS),
        experiments=_names(config, "experiments", "kofahi2013"),
        engine=engine,
        seed=_number(config, "seed", Settings.seed, 0),
        raw=_directory(config, "raw"),
        cpuset=_cpuset(config, engine),
        memory=_number(config, "memory", Settings.memory, 1024),
        experiment_dir=_directory(config, "experiment_dir") or Settings.experiment_dir,
        cpu_profiles=_names(config, "cpu_profiles", "native"),
        calibration=_truth(config, "calibration", default=True),
        strict=_truth(config, "strict"),
        refresh=_truth(config, "refresh"),
        from_=_file(config, "from"),
    )
