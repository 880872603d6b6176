"""The workflow's configuration: bench/config.yaml has the defaults, its schema what each setting may be.

A misspelt key or value is refused before anything starts, and CPUs and memory that are not what CPU profiles stand for.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jcarerun.errors import UserError
from jcarerun.plan.cpu_profiles import NATIVE, CpuProfile
from jcarerun.rounds.interference import Gates
from jcarerun.run.limits import parse_cpuset
from jcarerun.support.engine import HOST
from jcarerun.support.yamlfile import complaint, load_checked, nearest

if TYPE_CHECKING:
    from jcarerun.plan.cells import Cell

FILE = Path("bench/config.yaml")
SCHEMA = Path("bench/schemas/config.schema.yaml")
GATES, GATES_SCHEMA = Path("bench/gates.yaml"), Path("bench/schemas/gates.schema.yaml")

# Keys whose values are paths.
PATHS = ("raw", "experiment_dir", "results", "from", "signers")
_FILES = ("from", "signers")

VERDICTS, INTERVALS, FIXED = "verdicts", "intervals", "fixed"

# Interim analyses of a claim in a run for verdicts: one after each stage that has forks of both its sides. The number is fixed
# beforehand, since each analysis makes the critical value larger (Pocock's constants, docs/statistics.md).
LOOKS = 4

# Most forks of a cell in a fixed plan.
MOST_FORKS = 40

# What a tier has where a run doesn't say: minutes of measuring (0: no end), and what its forks are for. Eleven minutes and the
# report take less than a quarter of an hour where everything is built. On a bare machine `until` ends them sooner. All cells of
# the standard tier would take a day.
WANTED = {
    "quick": {"minutes": 11, "goal": VERDICTS},
    "standard": {"minutes": 150, "goal": VERDICTS},
    "full": {"minutes": 0, "goal": FIXED},
}
OTHERWISE = {"minutes": 0, "goal": INTERVALS}

_UNITS = {"": 1 / (1 << 20), "k": 1 / 1024, "m": 1, "g": 1024, "t": 1 << 20}
_HEAP = re.compile(r"-Xm[sx]([0-9]{1,18})([kmgt]?)", re.IGNORECASE)


@dataclass(frozen=True)
class Folders:
    """raw: rounds and plans. tidy: tables. report: report.pdf, report.html, and in `build` what the first is set from.

    logs: what the analysis and the report say while they are made.
    """

    raw: Path
    tidy: Path
    report: Path
    logs: Path


CHECKOUT_FOLDERS = Folders(Path("data/raw"), Path("data/tidy"), Path("report"), Path("data/logs"))


def folders(results: Path | None) -> Folders:
    """Where a run keeps what it measures and makes: in this checkout, or in the directory of the setting `results`."""
    return Folders(results / "raw", results / "tidy", results, results / "logs") if results else CHECKOUT_FOLDERS


@dataclass(frozen=True)
class Settings:
    """One run's settings, as bench/config.yaml says what each is.

    minutes: 0 for no end. until: seconds since 1970, 0 for never. results: absolute, None for this checkout. from_ is `from`,
    which Python keeps to itself.
    """

    tier: str
    experiments: tuple[str, ...]
    only: tuple[str, ...]
    minutes: float
    until: int
    goal: str
    wait: float
    engine: str
    seed: int
    raw: Path | None
    cpuset: str
    memory: int
    experiment_dir: Path
    results: Path | None
    cpu_profiles: tuple[str, ...]
    nodes: tuple[str, ...]
    cluster: bool
    calibration: bool
    strict: bool
    refresh: bool
    from_: Path | None
    signers: Path | None

    @property
    def looks(self) -> int:
        """How many interim analyses a claim may have."""
        return LOOKS if self.goal == VERDICTS else 1

    @property
    def cpus(self) -> list[int]:
        """The CPUs of `cpuset`, sorted."""
        return parse_cpuset(self.cpuset)

    def check_profile_names(self, known: Iterable[str]) -> None:
        """Raise UserError for a CPU profile of `--config` that there is none of."""
        for name in self.cpu_profiles:
            if name not in known:
                remedy = f"no profile of bench/cpu_profiles.yaml; {nearest(name, known)}"
                raise _refuse("cpu_profiles", f"[{name}]", remedy)

    def check_heap(self, experiment: str, cells: Iterable["Cell"]) -> None:
        """Raise UserError where a benchmark's own JVM arguments ask for more memory than its container has."""
        for cell in cells:
            if self.engine != HOST and (asked := heap_mib(cell.jvm_options)) > self.memory:
                raise UserError(
                    f"{experiment}: workloads.{cell.workload}: its JVM arguments ask for a heap of {asked:.0f} MiB, "
                    f"containers have {self.memory} MiB; give --config memory=..., or other jvm_args to the workload"
                )

    def check_machine(self, memory_mib: int, cpus: int) -> None:
        """Raise UserError if containers would be given more than a machine of that memory and so many CPUs has."""
        if self.engine == HOST:
            return
        if self.memory > memory_mib:
            remedy = f"give less, which needs cpu_profiles=[{NATIVE}], or measure on a larger one"
            raise _refuse("memory", self.memory, f"this machine has {memory_mib} MiB; {remedy}")
        if (last := max(self.cpus, default=0)) >= cpus:
            raise _refuse("cpuset", self.cpuset, f"this machine has no CPU {last}; give some of 0 to {cpus - 1}")

    def check_profiles(self, profiles: Iterable[CpuProfile]) -> None:
        """Raise UserError if rounds with these profiles would be given something else than the profiles say."""
        for profile in profiles:
            if profile.limits is None or self.engine == HOST:
                continue
            for key, given, wanted, unit in (
                ("cpuset", len(self.cpus), profile.limits["cpus"], "CPUs"),
                ("memory", self.memory, profile.limits["memory_mib"], "MiB"),
            ):
                if given != wanted:
                    raise _refuse(
                        key,
                        getattr(self, key),
                        f"{given} {unit}, but the CPU profile {profile.id} stands for {wanted} {unit}; leave {key} out, or "
                        f"measure without it: cpu_profiles=[{NATIVE}]",
                    )


def heap_mib(options: Iterable[str]) -> float:
    """The largest heap that JVM options ask for, in MiB; 0 where they ask for none."""
    asked = [_HEAP.fullmatch(option) for option in options]
    return max((int(found[1]) * _UNITS[found[2].lower()] for found in asked if found), default=0)


def _refuse(key: str, value: object, remedy: str) -> UserError:
    return UserError(f"--config {str(key)[:80]}={str(value)[:80]}: {remedy}")


def default_cpuset() -> str:
    """The first two CPUs this process may use: what the authors of the studies had."""
    if not hasattr(os, "sched_getaffinity"):
        return ""
    return ",".join(str(cpu) for cpu in sorted(os.sched_getaffinity(0))[:2])


def defaults() -> dict:
    """What `--config` has where it says nothing."""
    return load_checked(FILE, SCHEMA)


def _as_written(key: str, value: object, default: object) -> object:
    """A value as YAML has it, from a command line: `--config experiments=a`, `strict=True`, `cpuset=0`."""
    if isinstance(default, list) and isinstance(value, str):
        return [value]
    if isinstance(default, bool) and str(value).lower() in ("true", "false"):
        return str(value).lower() == "true"
    return str(value).strip() if key == "cpuset" else value


def _cpuset(text: str, engine: str) -> str:
    if engine == HOST:
        if text:
            raise _refuse("cpuset", text, "engine host has no container to give CPUs to; leave it out")
        return ""
    if not text:
        return default_cpuset()
    if not parse_cpuset(text):
        raise _refuse("cpuset", text, "must be CPUs, such as 0,1")
    return text


def _path(key: str, value: str | None) -> Path | None:
    if not value:
        return None
    path = Path(value)
    try:
        there = path.exists() if key in _FILES else path.is_dir()
    except OSError:  # of a name that is longer than any can be
        there = False
    if not there:
        raise _refuse(key, path, f"there is no such {'file or ' if key in _FILES else ''}directory")
    return path


def _results(given: str | None, experiment_dir: Path) -> Path | None:
    """Where results go, absolute, as paths of rules are: as given, else beside experiments that lie outside this checkout."""
    folder = experiment_dir.resolve()
    if not given and folder.is_relative_to(Path.cwd().resolve()):
        return None
    try:
        found = Path(given or folder / "results").resolve()
        is_file = found.exists() and not found.is_dir()
    except (OSError, ValueError):  # of a name that is too long, or has a null character
        raise _refuse("results", given, "no directory can have this name; give another one") from None
    if set("{}") & set(str(found)):  # which Snakemake would take for wildcards
        raise _refuse("results", found, "must be a directory without { and } in its path")
    if is_file:
        raise _refuse("results", found, "is a file; give a directory")
    there = next(each for each in (found, *found.parents) if each.exists())
    # A file system such as /proc has no room at all, and makes no directory even for root.
    if not os.access(there, os.W_OK) or (hasattr(os, "statvfs") and os.statvfs(there).f_blocks == 0):
        raise _refuse("results", found, f"{there} cannot be written to; give another directory")
    return found


def from_folder(config: dict, folder: Path) -> dict:
    """The configuration with its relative paths as they are from here, when they were given in another folder."""
    if folder.resolve() == Path.cwd().resolve():
        return config
    known = defaults()
    given = {key: value for key, value in config.items() if key in PATHS and isinstance(value, str) and value}
    # A default is of the checkout, wherever Snakemake was started.
    return {**config, **{key: str(folder / value) for key, value in given.items() if value != known[key]}}


def normalised(config: dict) -> dict:
    """The configuration with values as YAML has them, where a command line gave a text. Unknown keys stay as they are."""
    known = defaults()
    return {key: _as_written(key, value, known[key]) if key in known else value for key, value in config.items()}


def read(config: dict) -> Settings:
    """Settings from Snakemake's `config`. Raises UserError for an unknown key or a value that can't be used."""
    given = defaults()
    for key, value in config.items():
        if key not in given:
            raise _refuse(key, value, f"unknown key; {nearest(key, given)}")
        given[key] = _as_written(key, value, given[key])
        if said := complaint(key, given[key], SCHEMA):
            raise _refuse(key, value, said)
    paths = {key: _path(key, given[key]) for key in ("raw", "experiment_dir", *_FILES)}
    paths["results"] = _results(given["results"], paths["experiment_dir"])
    names = {key: tuple(given[key]) for key in ("experiments", "only", "cpu_profiles", "nodes")}
    wanted = OTHERWISE | ({} if paths["raw"] else WANTED.get(given["tier"], {}))
    given |= {key: value for key, value in wanted.items() if given[key] is None}
    own = {**given, **paths, **names, "cpuset": _cpuset(given["cpuset"], given["engine"])}
    return Settings(**{"from_" if key == "from" else key: value for key, value in own.items()})


def read_gates(path: Path = GATES) -> Gates:
    """How much of a disturbance makes a fork invalid, and how many forks of a round are run again.

    Raises UserError for what can't be used.
    """
    data = load_checked(path, GATES_SCHEMA)
    limits = {name: (gate["limit"], gate.get("least", 0)) for name, gate in data["gates"].items()}
    return Gates(limits, data["reruns"]["share"])
