"""CPUs and memory of a round: whether the settings are what its CPU profiles stand for."""

from collections.abc import Iterable

from bench.plan.cpu_profiles import NATIVE, CpuProfile
from bench.plan.settings import Settings
from envs.support.engine import HOST
from envs.support.errors import UserError
from envs.support.yamlfile import nearest


def check_names(settings: Settings, known: Iterable[str]) -> None:
    """Raise UserError for a CPU profile of `--config` that there is none of."""
    for name in settings.cpu_profiles:
        if name not in known:
            raise UserError(
                f"--config cpu_profiles=[{name}]: no profile of bench/cpu_profiles.yaml; {nearest(name, known)}"
            )


def check_machine(settings: Settings, memory_mib: int, cpus: int) -> None:
    """Raise UserError if containers would be given more than a machine of that memory and so many CPUs has."""
    if settings.engine == HOST:
        return
    if settings.memory > memory_mib:
        raise UserError(
            f"--config memory={settings.memory}: this machine has {memory_mib} MiB; give less, which needs "
            f"cpu_profiles=[{NATIVE}], or measure on a larger one"
        )
    if (last := max(settings.cpus, default=0)) >= cpus:
        raise UserError(
            f"--config cpuset={settings.cpuset}: this machine has no CPU {last}; give some of 0 to {cpus - 1}"
        )


def check(settings: Settings, profiles: Iterable[CpuProfile]) -> None:
    """Raise UserError if rounds with these profiles would be given something else than the profiles say."""
    for profile in profiles:
        if profile.limits is None or settings.engine == HOST:
            continue
        for key, given, wanted, unit in (
            ("cpuset", len(settings.cpus), profile.limits["cpus"], "CPUs"),
            ("memory", settings.memory, profile.limits["memory_mib"], "MiB"),
        ):
            if given != wanted:
                raise UserError(
                    f"--config {key}={getattr(settings, key)}: {given} {unit}, but the CPU profile {profile.id} stands for "
                    f"{wanted} {unit}; leave {key} out, or measure without it: cpu_profiles=[{NATIVE}]"
                )
