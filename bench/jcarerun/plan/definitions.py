"""Reads experiment files and refuses what could not be run or judged: one line with file, key, value and remedy.

In: bench/experiments/*.yaml, with the providers, environments, benchmarks and claim forms they name. Out: dicts as in
the files, which every later step may trust.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from jcarerun.errors import Complaints, UserError
from jcarerun.images import catalogue
from jcarerun.images.catalogue import HOST, Catalogue
from jcarerun.plan import (
    algorithms,
    cpu_profiles,
    environments,
    forms,
    providers,
    published_values,
    settings,
    subjects,
    workloads,
)
from jcarerun.plan.cpu_profiles import CpuProfile
from jcarerun.plan.forms import FilterChecker, Form
from jcarerun.plan.providers import DEFAULT_PROVIDER, Provider
from jcarerun.rounds import tree
from jcarerun.rounds.interference import Gates
from jcarerun.support import glyphs
from jcarerun.support.yamlfile import listed, load_checked, nearest

SCHEMA = Path("bench/schemas/experiments.schema.yaml")


@dataclass(frozen=True)
class Registry:
    """What an experiment file may refer to, and the gates of every round."""

    providers: dict[str, Provider]
    catalogue: Catalogue
    benchmarks: dict[str, set[str]]
    forms: dict[str, Form]
    cpu_profiles: dict[str, CpuProfile]
    gates: Gates

    @cached_property
    def axes(self) -> dict[str, list[str]]:
        """What cells differ in beside an experiment's own factors, and its levels: key of a filter to the names it may have."""
        known = list(self.catalogue.environments.values())
        return {
            "system": list(dict.fromkeys(environment.system for environment in known)),
            "platform": list(dict.fromkeys(environment.platform for environment in known)),
            "jdk": list(dict.fromkeys(environment.jdk.id for environment in known if environment.jdk)),
            "cpu-profile": list(self.cpu_profiles),
        }


def registry() -> Registry:
    """Everything that experiment files are held against, read from this checkout."""
    return Registry(
        {**providers.read(), DEFAULT_PROVIDER.id: DEFAULT_PROVIDER},
        catalogue.read(),
        workloads.benchmarks(),
        forms.read(),
        cpu_profiles.read(),
        settings.read_gates(),
    )


def read(path: Path, registry: Registry, fetch: bool = False) -> dict:
    """One experiment file as a dict with its `id`. Raises UserError with what is wrong with it, part by part.

    fetch: a jar that the file names by its Maven coordinates may be fetched. Only a run that measures says so.
    """
    if not tree.ID.fullmatch(path.stem):
        raise UserError(f"{path}: the name is the experiment's id; use letters, digits, dots and hyphens, 100 at most")
    data = load_checked(path, SCHEMA)
    glyphs.check(path, data)
    data = _with_jdks(path, data, registry.catalogue)
    data = _with_default(path, subjects.resolve(path, data, registry.catalogue, fetch))
    experiment, complaints = _Experiment(path, data, registry), Complaints()
    experiment.check(complaints)
    if "subject" not in data:
        with complaints.part():
            algorithms.check(path, data, registry.providers)
    with complaints.part():
        forms.check_claims(path, data, registry.axes, registry.forms)
    complaints.report()
    data = published_values.complete(path, data)
    study = {"id": path.stem, **data["study"]}
    return {"id": path.stem, **data, "study": study}


def _with_default(path: Path, data: dict) -> dict:
    """An experiment of a user's marks what a provider lacks, where its workloads can ask the provider."""
    own = not path.resolve().is_relative_to(Path("bench").resolve())
    asks = all(workloads.compares_providers(each["benchmark"]) for each in data["workloads"].values())
    if own and asks and "subject" not in data:
        return {**data, "not_offered": data.get("not_offered", "mark")}
    return data


def _with_jdks(path: Path, data: dict, catalogue: Catalogue) -> dict:
    """The experiment with the ids of JDKs and environments where it has JDKs by version: `jdk: 25`."""
    tiers = {tier: dict(entry) for tier, entry in data["tiers"].items()}
    for tier, entry in tiers.items():
        if isinstance(entry["environments"], dict) and "jdk" in entry["environments"]:
            try:
                words = _as_list(entry["environments"]["jdk"])
                entry["environments"] = list(
                    dict.fromkeys(environments.environment_of_jdk(catalogue, w) for w in words)
                )
            except UserError as error:
                raise UserError(*(f"{path}: tiers.{tier}.environments: {text}" for text in error.texts)) from None
    lists = [entry["environments"] for entry in tiers.values() if isinstance(entry["environments"], list)]
    used = [name for names in lists for name in names]

    def ids(words: object) -> list[str]:
        return [name for w in _as_list(words) for name in environments.jdk_ids(catalogue, w, used) or [str(w)]]

    def resolved(value: object) -> object:
        if isinstance(value, list):
            return [resolved(each) for each in value]
        if not isinstance(value, dict):
            return value
        found = {key: ids(each) if key == "jdk" else resolved(each) for key, each in value.items()}
        if "levels" in found and "factor" in found:
            found["levels"] = ids(found["levels"]) if found["factor"] == "jdk" else list(map(str, found["levels"]))
        # One JDK stays a name, as it was written.
        return {key: each[0] if key == "jdk" and len(each) == 1 else each for key, each in found.items()}

    return {**data, "tiers": tiers, **{key: resolved(data[key]) for key in ("claims", "only") if key in data}}


def _as_list(words: object) -> list:
    return words if isinstance(words, list) else [words]


class _Experiment(FilterChecker):
    """One experiment file under examination; each method holds one part of it against the rest."""

    def __init__(self, path: Path, data: dict, registry: Registry):
        super().__init__(path)
        self.data, self.registry = data, registry
        self.factors = data.get("factors", {})
        if "providers" not in data:
            raise self.refuse("providers", "missing; write a list of entries of bench/providers.yaml, such as [sunjce]")
        # A subject's benchmarks are known already, each with what it takes.
        own = {each["benchmark"]: set(each["takes"]) for each in data["workloads"].values() if "takes" in each}
        self.benchmarks = own if "subject" in data else registry.benchmarks
        # What a workload or a tier may list, and what each of these names is.
        self.lists = {
            "factors": (self.factors, "factor of this file"),
            "workloads": (data["workloads"], "workload of this file"),
            "providers": (data["providers"], "provider of this file"),
            "protocols": (data["protocols"], "protocol of this file"),
            "cpu_profiles": (registry.cpu_profiles, "profile of bench/cpu_profiles.yaml"),
            "levels": (self.factors, "factor of this file"),
        }

    def check(self, complaints: Complaints) -> None:
        """Collect what is wrong with each workload, protocol, limit and tier."""
        for factor in self.factors:
            if factor in (*self.registry.axes, "workload", "provider"):
                raise self.refuse(f"factors.{factor}", "every cell has that already; choose another name")
        for name, workload in self.data["workloads"].items():
            with complaints.part():
                self.workload(name, workload)
        protocols, workloads = self.data["protocols"], self.data["workloads"].values()
        for name, protocol in protocols.items():
            with complaints.part():
                self.protocol(f"protocols.{name}", protocol, workloads)
        for tier, entry in self.data["tiers"].items():
            for name, change in entry.get("protocols", {}).items():
                place = f"tiers.{tier}.protocols.{name}"
                with complaints.part():
                    self.known(place, [name], protocols, "protocol of this file")
                    self.protocol(place, {**protocols[name], **change}, workloads)
        named = {
            **self.registry.axes, "workload": self.data["workloads"], "provider": self.data["providers"],
            "protocol": self.data["protocols"], **self.factors,
        }  # fmt: skip
        for number, limit in enumerate(self.data.get("only", [])):
            for key in ("where", "in"):
                with complaints.part():
                    self.filter(f"only[{number}].{key}", limit[key], named)
        if "subject" not in self.data:
            known = [name for name in self.registry.providers if name != DEFAULT_PROVIDER.id]
            with complaints.part():
                self.known("providers", self.data["providers"], known, "entry of bench/providers.yaml")
        for tier, entry in self.data["tiers"].items():
            with complaints.part():
                self.tier(f"tiers.{tier}", entry)

    def check_lists(self, place: str, entry: dict, *keys: str) -> None:
        """What an entry lists must be there."""
        for key in keys:
            known, what = self.lists[key]
            self.known(f"{place}.{key}", entry.get(key, []), known, what)

    def workload(self, name: str, workload: dict) -> None:
        place = f"workloads.{name}"
        benchmark, factors = workload["benchmark"], workload.get("factors", [])
        what = "benchmark of bench/jmh/src (`make workloads` lists them)"
        self.known(f"{place}.benchmark", [benchmark], self.benchmarks, what)
        self.check_lists(place, workload, "factors", "providers", "protocols", "cpu_profiles")
        takes = self.benchmarks[benchmark] - (set() if "takes" in workload else {"provider"})
        self.known(f"{place}.params", workload.get("params", {}), takes, f"parameter of {benchmark}")
        asks = workloads.compares_providers(benchmark) or "providers" in workload
        if self.data.get("not_offered") == "mark" and not asks:
            raise self.refuse(
                f"{place}.benchmark",
                f"{benchmark} does not ask what a provider offers, as not_offered: mark needs it; give it providers of its own",
            )
        # A list of protocols changes nothing in them.
        protocols = workload.get("protocols", {})
        for name, changes in protocols.items() if isinstance(protocols, dict) else ():
            for tier in [{}, *self.data["tiers"].values()]:
                protocol = {**self.data["protocols"][name], **changes, **tier.get("protocols", {}).get(name, {})}
                self.protocol(f"{place}.protocols.{name}", protocol, [workload])
        for factor in factors:
            gives = {key for level in self.factors[factor].values() for key in level}
            if not gives & (takes | {"jvm_flags"}):
                raise self.refuse(
                    f"{place}.factors",
                    f"{factor!r} changes nothing: {benchmark} takes none of {sorted(gives)}; remove it",
                )
            if twice := sorted(gives & takes & workload.get("params", {}).keys()):
                raise self.refuse(
                    f"{place}.params.{twice[0]}", f"the levels of {factor!r} give it too; remove one of the two"
                )

    def protocol(self, place: str, protocol: dict, workloads: Iterable[dict]) -> None:
        """A protocol must have what its mode needs and nothing else, and leave iterations in each of these workloads."""
        for key in ("mode", "warmup", "iterations"):
            if key not in protocol:
                raise self.refuse(f"{place}.{key}", "missing; add it")
        mode = protocol["mode"]
        needed = {"average-time": ["iteration_ms"], "single-shot": [], "programme": ["least_ms", "least_times"]}[mode]
        for key in ("iteration_ms", "least_ms", "least_times"):
            if (key in needed) != (key in protocol):
                remedy = f"missing; {mode} needs it" if key in needed else f"{mode} does not take it; remove it"
                raise self.refuse(f"{place}.{key}", remedy)
        if mode == "programme" and (protocol["iterations"], protocol["warmup"]) != (1, 0):
            raise self.refuse(place, "a programme runs once in a fork; write warmup: 0 and iterations: 1")
        least = [workload.get("max_iterations", protocol["iterations"]) for workload in workloads]
        warmup, iterations = protocol["warmup"], min([protocol["iterations"], *least])
        if isinstance(warmup, int) and warmup >= iterations:
            raise self.refuse(f"{place}.warmup", f"{warmup} leaves none of {iterations} iterations; lower it")

    def tier(self, place: str, entry: dict) -> None:
        known, chosen = self.registry.catalogue.environments, entry["environments"]
        self.stages(place, entry)
        if isinstance(chosen, dict):
            tags = sorted({tag for environment in known.values() for tag in environment.tags})
            self.known(f"{place}.environments.tag", listed(chosen["tag"]), tags, "tag in envs/environments.yaml")
        else:
            self.known(f"{place}.environments", chosen, [*known, HOST], "entry of envs/environments.yaml")
        self.check_lists(place, entry, "workloads", "providers", "cpu_profiles", "levels")
        for factor, levels in entry.get("levels", {}).items():
            self.known(f"{place}.levels.{factor}", levels, self.factors[factor], f"level of {factor}")

    def stages(self, place: str, entry: dict) -> None:
        """A second stage needs both a wanted half-width and a cap, and a first stage with a spread."""
        changes, place = entry.get("protocols", {}), f"{place}.max_rounds"
        wanted = [
            name for name, own in self.data["protocols"].items() if "half_width" in {**own, **changes.get(name, {})}
        ]
        most, first = entry.get("max_rounds"), entry["rounds"]
        if wanted and most is None:
            raise self.refuse(place, f"missing, though {wanted[0]} has a half_width; add it")
        if most is not None and not wanted:
            raise self.refuse(place, f"{most}: no protocol has a half_width in this tier; add one, or remove it")
        if most is not None and not 2 <= first <= most:
            raise self.refuse(place, f"{most}, with rounds {first}: must be at least rounds, and rounds at least 2")


def read_all(folder: Path, only: Iterable[str], registry: Registry, fetch: bool = False) -> dict[str, dict]:
    """Experiment id to experiment, sorted; only those named, or all. Every file is checked, also those not named.

    A name stands for the experiment of that id and for its parts, whose ids go on after a hyphen. A hyphen before a name
    leaves these out.
    """
    files, complaints = {}, Complaints()
    for path in sorted(folder.glob("*.yaml"), key=lambda file: file.stem):
        with complaints.part():
            files[path] = read(path, registry, fetch)
    complaints.report()
    if not files:
        raise UserError(f"{folder}: holds no experiment file; add <study>.yaml")
    forms.check_studies(files)
    every = {path.stem: data for path, data in files.items()}
    named, left_out = set(), set()
    for name in only:
        wanted = name.removeprefix("-")
        found = {known for known in every if known == wanted or known.startswith(f"{wanted}-")}
        if not found:
            raise UserError(
                f"--config experiments=[{name}]: there is no {folder}/{wanted}.yaml; {nearest(wanted, every)}"
            )
        (named if name == wanted else left_out).update(found)
    chosen = (named or set(every)) - left_out
    if not chosen:
        raise UserError(f"--config experiments=[{','.join(only)}]: leaves no experiment; name one that is not left out")
    return {name: data for name, data in every.items() if name in chosen}
