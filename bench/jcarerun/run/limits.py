"""CPUs and memory of a round: whether the engine enforced what was asked of it.

In: the settings; limits.txt as the round's runner wrote it inside. Out: a UserError, or what was asked and found, for the audit.
"""

from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.plan.settings import Settings, parse_cpuset
from jcarerun.rounds import tree
from jcarerun.support.engine import HOST

FILE = "limits.txt"


def asked(settings: Settings) -> dict | None:
    """What a container is asked to enforce; None on the host, which has no container."""
    return None if settings.engine == HOST else {"cpus": settings.cpus, "memory_bytes": settings.memory << 20}


def read(folder: Path) -> dict[str, str | None]:
    """What the kernel said inside, as the runner wrote it down; None where it is not exposed."""
    lines = tree.read(folder, FILE).decode(errors="replace").splitlines()
    words = dict(line.split(": ", 1) for line in lines if ": " in line)
    return {key: None if value == "not exposed" else value for key, value in words.items()}


def enforced(folder: Path, settings: Settings) -> dict:
    """What was asked and what was there, for the audit. Raises UserError if a container was not held to its limits."""
    inside, wanted = read(folder), asked(settings)
    if wanted is None:
        return {"asked": None, "inside": inside, "enforced": None}
    cpus, memory = inside.get("cpus_allowed"), inside.get("memory_limit_bytes")
    missed = []
    if cpus is None or parse_cpuset(cpus) != wanted["cpus"]:
        missed.append(f"CPUs {settings.cpuset} asked, {cpus or 'not exposed'} inside")
    if memory != str(wanted["memory_bytes"]):
        missed.append(f"memory {wanted['memory_bytes']} bytes asked, {memory or 'not exposed'} inside")
    if missed:
        raise UserError(
            f"engine {settings.engine}: does not enforce its limits ({'; '.join(missed)}); run it as root or on cgroup v2 with "
            "the controllers delegated, or choose engine=docker or engine=host"
        )
    return {"asked": wanted, "inside": inside, "enforced": True}
