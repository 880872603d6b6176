"""The subject of an experiment whose benchmarks aren't ours: its `jar` is read, and the file completed by what the jar says.

In: an experiment file with `jar`. Out: the same with `subject` and `providers`, and for each workload what its benchmark takes
(`takes`), its threads and its JVM arguments: the benchmark's own where the file says nothing.
"""

from collections.abc import Iterable
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images.catalogue import Catalogue
from jcarerun.plan.providers import DEFAULT_PROVIDER
from jcarerun.subject import jars
from jcarerun.subject.benchmark_list import Benchmark
from jcarerun.subject.jars import Subject
from jcarerun.support.yamlfile import Checker, listed, nearest


def resolve(path: Path, data: dict, catalogue: Catalogue, fetch: bool = False) -> dict:
    """The experiment with what its jar says; `fetch`: a jar of Maven's that is not here may be fetched.

    Raises UserError for what the jar can't do. An experiment on our own benchmarks stays as it is.
    """
    if "jar" not in data:
        return data
    subject = jars.read(data["jar"], path.parent, f"{path}: jar", fetch)
    return _ExternalBenchmarks(path, data, subject).resolved(catalogue)


def can_be_given(value: str) -> bool:
    """Whether JMH's command line takes a parameter's value: it parts values at commas, a round's table its columns at tabs."""
    return value != "" and not set(value) & {",", "\t"}


def _near(name: str, known: Iterable[str]) -> str:
    """A remedy for a benchmark's name: those that end alike, else the nearest."""
    last = name.rsplit(".", 2)[-2:]
    ends = [each for each in known if each.rsplit(".", 2)[-len(last) :] == last]
    return f"did you mean {ends[0]!r}?" if ends else nearest(name, known)


class _ExternalBenchmarks(Checker):
    """An experiment under examination whose benchmarks are a subject's."""

    def __init__(self, path: Path, data: dict, subject: Subject):
        super().__init__(path)
        self.data, self.subject = data, subject

    def resolved(self, catalogue: Catalogue) -> dict:
        if "providers" in self.data:
            raise self.refuse(
                "providers", "a jar's benchmarks choose their providers themselves, by a parameter if any; remove it"
            )
        if "not_offered" in self.data:
            raise self.refuse("not_offered", "only our own workloads can ask what a provider offers; remove it")
        if self.data["measure"] == "cpu":
            raise self.refuse(
                "measure", "cpu: benchmarks of a jar have no clock of CPU time in their threads; write wall"
            )
        workloads = {name: self.workload(name, own) for name, own in self.data["workloads"].items()}
        self.java(catalogue, {own["benchmark"] for own in workloads.values()})
        subject = {"jars": list(self.subject.sums), "jmh": self.subject.jmh}
        return {**self.data, "workloads": workloads, "providers": [DEFAULT_PROVIDER.id], "subject": subject}

    def workload(self, name: str, own: dict) -> dict:
        place, called = f"workloads.{name}", own["benchmark"]
        if called not in self.subject.benchmarks:
            raise self.refuse(
                f"{place}.benchmark", f"{called!r} is not in the jar; {_near(called, self.subject.benchmarks)}"
            )
        for key in ("providers", "warm_calls", "warm_ms"):
            if key in own:
                raise self.refuse(f"{place}.{key}", "is for our own workloads; remove it")
        benchmark = self.subject.benchmarks[called]
        self.parameters(place, own, benchmark)
        threads = own.get("threads", benchmark.threads or 1)
        if threads < 1:
            raise self.refuse(f"{place}.threads", f"missing: {called} runs as many as there are CPUs; say how many")
        arguments = own.get("jvm_args", list(benchmark.jvm_args))
        return {**own, "takes": list(benchmark.params), "threads": threads, "jvm_args": arguments}

    def parameters(self, place: str, own: dict, benchmark: Benchmark) -> None:
        """Every parameter must have one value, by `params`, by a factor or by itself."""
        self.known(f"{place}.params", own.get("params", {}), benchmark.params, f"parameter of {benchmark.name}")
        levels = [
            level for name in own.get("factors", []) for level in self.data.get("factors", {}).get(name, {}).values()
        ]
        for params in (own.get("params", {}), *levels):
            for name, value in params.items():
                if not can_be_given(str(value)):
                    raise self.refuse(
                        f"{place}: {name}",
                        f"{value!r} can't be given to JMH on its command line: it is empty or has a comma",
                    )
        for name, values in benchmark.params.items():
            given = name in own.get("params", {}) or any(name in level for level in levels)
            if not given and len(values) != 1:
                found = f"has the values {', '.join(values)}" if values else "has no value"
                raise self.refuse(
                    f"{place}.params.{name}", f"missing; {benchmark.name} {found}: give one, or a factor's levels"
                )

    def java(self, catalogue: Catalogue, benchmarks: Iterable[str]) -> None:
        """Every environment must have a Java that can load the classes."""
        needed = self.subject.java(benchmarks, f"{self.path}: jar")
        for tier, entry in self.data["tiers"].items():
            chosen = entry["environments"]
            tags = set(listed(chosen["tag"])) if isinstance(chosen, dict) else set()
            for name, environment in catalogue.environments.items():
                used = tags.intersection(environment.tags) if tags else name in chosen
                if used and environment.jdk and environment.jdk.java < needed:
                    raise self.refuse(
                        f"tiers.{tier}.environments",
                        f"{name} has Java {environment.jdk.java}, the jar is for Java {needed} or later; "
                        "leave it out, or build the jar for an older Java",
                    )


def files(shas: Iterable[str]) -> list[Path]:
    """The jars of a round's subject, in the order of the class path. Raises UserError where one is gone or is another."""
    found = [jars.file_of(digest) for digest in shas]
    for file, digest in zip(found, shas, strict=True):
        if not file.is_file() or jars.sha256(file) != digest:
            raise UserError(f"{file}: is gone or was changed; run again, which fetches it anew")
    return found
