"""CPUs and memory of a round: whether the settings are what its CPU profiles stand for."""

import re
from collections.abc import Iterable

from jcarerun.errors import UserError
from jcarerun.plan.cells import Cell
from jcarerun.plan.cpu_profiles import NATIVE, CpuProfile
from jcarerun.plan.settings import Settings
from jcarerun.support.engine import HOST
from jcarerun.support.yamlfile import nearest


def check_names(settings: Settings, known: Iterable[str]) -> None:
    """Raise UserError for a CPU profile of `--config` that there is none of."""
    for name in settings.cpu_profiles:
        if name not in known:
            raise UserError(
                f"--config cpu_profiles=[{name}]: no profile of bench/cpu_profiles.yaml; {nearest(name, known)}"
            )


_UNITS = {"": 1 / (1 << 20), "k": 1 / 1024, "m": 1, "g": 1024, "t": 1 << 20}
_HEAP = re.compile(r"-Xm[sx]([0-9]{1,18})([kmgt]?)", re.IGNORECASE)


def heap_mib(options: Iterable[str]) -> float:
    """The largest heap that JVM options ask for, in MiB; 0 where they ask for none."""
    asked = [_HEAP.fullmatch(option) for option in options]
    return max((int(found[1]) * _UNITS[found[2].lower()] for found in asked if found), default=0)


def check_heap(settings: Settings, experiment: str, cells: Iterable[Cell]) -> None:
    """Raise UserError where a benchmark's own JVM arguments ask for more memory than its container has."""
    for cell in cells:
        if settings.engine != HOST and (asked := heap_mib(cell.jvm_options)) > settings.memory:
            raise UserError(
                f"{experiment}: workloads.{cell.workload}: its JVM arguments ask for a heap of {asked:.0f} MiB, containers have "
                f"{settings.memory} MiB; give --config memory=..., or other jvm_args to the workload"
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
