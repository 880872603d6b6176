"""An experiment whose benchmarks are a program's, in whatever language: what its workloads can be, and what is refused.

In: an experiment file with `program`. Out: the same with `subject` and `providers`, and for each workload the options that it
gives (`takes`): a parameter `bytes: 1024` is the program's option `--bytes 1024`.
"""

import re
from pathlib import Path

from jcarerun.images.catalogue import Catalogue
from jcarerun.plan.checker import Checker, listed
from jcarerun.plan.cpu_profiles import NATIVE
from jcarerun.plan.providers import OWN
from jcarerun.subject import programs

# What every fork's program is told (jcarerun.round.NativeFork), and the name under which its provider is.
TOLD = ("benchmark", "bench-mode", "iterations", "iteration-ms", "fork", "rows", "provider")

_OPTION = re.compile(r"[a-z][a-z0-9-]*")


def resolve(path: Path, data: dict, catalogue: Catalogue) -> dict:
    """The experiment with its program's SHA-256. Raises UserError for what a program can't do."""
    digest = programs.keep(data["program"], path.parent, f"{path}: program")
    check = _Program(path, data)
    check.keys()
    check.environments(catalogue)
    workloads = {name: check.workload(f"workloads.{name}", own) for name, own in data["workloads"].items()}
    return {**data, "workloads": workloads, "providers": [OWN.id], "subject": {"program": digest}}


class _Program(Checker):
    """An experiment under examination whose benchmarks are a program's."""

    def __init__(self, path: Path, data: dict):
        super().__init__(path)
        self.data = data

    def keys(self) -> None:
        for key in ("providers", "not_offered"):
            if key in self.data:
                raise self.refuse(key, "is for our own workloads; a program's libraries are its own affair: remove it")
        chosen = [(f"tiers.{name}", entry) for name, entry in self.data["tiers"].items()]
        for place, entry in (*chosen, *((f"workloads.{name}", own) for name, own in self.data["workloads"].items())):
            if set(entry.get("cpu_profiles", [NATIVE])) != {NATIVE}:
                raise self.refuse(
                    f"{place}.cpu_profiles", "a program's code can't be kept from what the CPU has; remove it"
                )

    def environments(self, catalogue: Catalogue) -> None:
        """Every environment must be one that runs programs of this system."""
        for tier, entry in self.data["tiers"].items():
            chosen = entry["environments"]
            tags = set(listed(chosen["tag"])) if isinstance(chosen, dict) else set()
            for name, environment in catalogue.environments.items():
                used = tags.intersection(environment.tags) if tags else name in chosen
                if used and environment.platform != "linux":
                    raise self.refuse(
                        f"tiers.{tier}.environments", f"{name} runs programs of {environment.platform}; leave it out"
                    )

    def workload(self, place: str, own: dict) -> dict:
        for key in ("providers", "warm_calls", "warm_ms", "jvm_args", "threads"):
            if key in own:
                raise self.refuse(f"{place}.{key}", "is for benchmarks of a JVM; remove it")
        levels = [
            level for name in own.get("factors", []) for level in self.data.get("factors", {}).get(name, {}).values()
        ]
        for params in (own.get("params", {}), *levels):
            for name, value in params.items():
                self.option(place, name, str(value))
        takes = {name for params in (own.get("params", {}), *levels) for name in params}
        return {**own, "takes": sorted(takes)}

    def option(self, place: str, name: str, value: str) -> None:
        """A parameter must be an option that the program isn't told anyway, with a value."""
        if not _OPTION.fullmatch(name):
            raise self.refuse(f"{place}: {name}", "is no option; write small letters, digits and hyphens")
        if name in TOLD:
            raise self.refuse(f"{place}: {name}", f"--{name} is given by the round; choose another name")
        if not value:
            raise self.refuse(f"{place}: {name}", "is empty; give it a value")
