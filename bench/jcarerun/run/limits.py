"""What must hold inside a round's container: CPUs and memory that the engine enforces, and features of the CPU that are off.

In: limits.txt and jvm/flags-<profile>.txt, as the round's runner wrote them inside. Out: a UserError, or what was found, for the
audit.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.rounds import tree
from jcarerun.support.engine import APPTAINER, HOST
from jcarerun.support.files import where

FILE = "limits.txt"

_FLAG = re.compile(r"^\s*\w+\s+(\w+)\s+:?=\s*([^\s{]*)")
# What HotSpot says of cryptography and vectors: every intrinsic, and the switches that stand above them.
_INTRINSIC = re.compile(r"Use\w+Intrinsics?|Use(AES|SHA|CLMUL|SSE|AVX)")


def parse_cpuset(text: str) -> list[int]:
    """`0-2,5` as [0, 1, 2, 5]. Raises ValueError for anything else."""
    cpus = set()
    for part in text.split(",") if text else []:
        first, _, last = part.partition("-")
        cpus.update(range(int(first), int(last or first) + 1))
    return sorted(cpus)


def read(folder: Path) -> dict[str, str | None]:
    """What the kernel said inside, as the runner wrote it down; None where it is not exposed."""
    lines = tree.read(folder, FILE).decode(errors="replace").splitlines()
    words = dict(line.split(": ", 1) for line in lines if ": " in line)
    return {key: None if value == "not exposed" else value for key, value in words.items()}


def enforced(folder: Path, engine: str, cpuset: str, memory_mib: int) -> dict:
    """What was asked and what was there, for the audit. Raises UserError if a container was not held to its limits."""
    inside = read(folder)
    if engine == HOST:  # which has no container
        return {"asked": None, "inside": inside, "enforced": None}
    wanted = {"cpus": parse_cpuset(cpuset), "memory_bytes": memory_mib << 20}
    cpus, memory = inside.get("cpus_allowed"), inside.get("memory_limit_bytes")
    missed = []
    if cpus is None or parse_cpuset(cpus) != wanted["cpus"]:
        missed.append(f"CPUs {cpuset} asked, {cpus or 'not exposed'} inside")
    if memory != str(wanted["memory_bytes"]) and engine != APPTAINER:
        missed.append(f"memory {wanted['memory_bytes']} bytes asked, {memory or 'not exposed'} inside")
    if missed:
        raise UserError(
            f"engine {engine}: does not enforce its limits ({'; '.join(missed)}); run it as root or on cgroup v2 with "
            "the controllers delegated, or choose engine=docker or engine=host"
        )
    # Apptainer bounds no memory: the record says so, and the heap's size is in every fork's command line.
    return {"asked": wanted, "inside": inside, "enforced": engine != APPTAINER}


def flags(text: str) -> dict[str, str]:
    """Flag to value from the output of `java -XX:+PrintFlagsFinal`, of any JDK."""
    return dict(match.groups() for line in text.splitlines() if (match := _FLAG.match(line)))


def intrinsics(found: dict[str, str]) -> dict[str, str]:
    """Those of a JVM's flags that say which intrinsics it uses."""
    return {name: value for name, value in sorted(found.items()) if _INTRINSIC.fullmatch(name)}


def forbidden_on(found: dict[str, str], forbidden: Mapping[str, bool | int]) -> list[str]:
    """The JVM's flags that are on though they must not be, as `name=value`."""
    return [
        f"{name}={found[name]}" for name, most in forbidden.items() if name in found and not _allowed(found[name], most)
    ]


def _allowed(value: str, most: bool | int) -> bool:
    if isinstance(most, bool):
        return value == str(most).lower()
    return value.isdigit() and int(value) <= most


def check_flags(folder: Path, forbidden: Mapping[str, Mapping[str, bool | int]]) -> dict[str, dict[str, str]]:
    """CPU profile to the intrinsics its JVM used. Raises UserError if a feature was on that the profile forbids.

    forbidden: CPU profile to the flags that must be off, or no larger than a number.
    """
    used = {}
    for name in sorted(forbidden):
        file = folder / f"jvm/flags-{name}.txt"
        found = flags(tree.read(folder, f"jvm/flags-{name}.txt").decode(errors="replace"))
        if on := forbidden_on(found, forbidden[name]):
            raise UserError(
                f"{where(file)}: {', '.join(on)}: must be off in the CPU profile {name}; correct its jvm_options in "
                "bench/cpu_profiles.yaml, or measure without it: cpu_profiles=[native]"
            )
        used[name] = intrinsics(found)
    return used
