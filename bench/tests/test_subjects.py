"""Experiments on a jar that isn't ours: what of it is taken over, and what is refused when the file is read."""

import hashlib
import re

import pytest
import yaml

from bench.tests import outside_jar
from bench.tests.mutations import refusal
from bench.tests.outside_jar import RUNNER, listed
from jcarerun.errors import UserError
from jcarerun.plan import definitions, plan, reference_forks, settings
from jcarerun.rounds import forks
from jcarerun.run.plan_rounds import inputs
from jcarerun.run.round_file import write_inputs

LIST = (
    listed("encrypt", params="M 2 4 size 2 2 16 4 1024 3 alg 1 3 AES", args="L 1 6 -Xmx1g")
    + listed("sign", params="M 1 3 key 1 22 blank_blank_blank_2014", threads="I 1 4")
    + listed("crowd", threads="I 2 -1")
)


@pytest.fixture
def study(tmp_path, registry):
    """Writes a jar and an experiment file on it, after changes of both, and reads the file."""

    def read(change=lambda data: None, left_out=(), java=8, version="1.37"):
        data = outside_jar.experiment(tmp_path, outside_jar.jar(LIST, java, version, left_out))
        change(data)
        file = tmp_path / "outside.yaml"
        file.write_text(yaml.safe_dump(data))
        return definitions.read(file, registry)

    return read


def test_a_jar_of_somebody_else_becomes_cells_with_its_own_threads_and_jvm_arguments(study, registry, tmp_path):
    def change(data):
        data["workloads"]["sign"] = {"benchmark": "org.example.Crypto.sign", "params": {"key": "RSA"}}

    experiment = study(change)
    planned = plan.rounds({"outside": experiment}, settings.read({}), registry)
    assert {round_.environment for round_ in planned} == {"debian-13-temurin-17", "debian-sid-openjdk-8"}
    assert {round_.subject for round_ in planned} == {tuple(experiment["subject"]["jars"])}
    cells = {cell.id: cell for cell in planned[0].cells}
    assert set(cells) == {
        "encrypt:16:default:steady-state:native",
        "encrypt:1024:default:steady-state:native",
        "sign:default:steady-state:native",
    }
    assert cells["sign:default:steady-state:native"].threads == 4
    given = tmp_path / "given"
    given.mkdir()
    write_inputs(given, inputs(planned[0], registry, "jars", "linux"))
    lines = {line.split("\t")[1]: line.split("\t") for line in (given / "forks.tsv").read_text().splitlines()}
    words = lines[r"^org\.example\.Crypto\.encrypt$"]
    # Its own heap takes the place of ours; no provider is given, and one iteration more is run.
    assert "-Xmx1g" in words and "-Xmx512m" not in words and "-XX:+UseSerialGC" in words
    # Warmed up by nobody, it has what lives long in the old generation from its second iteration on.
    assert "-Djcarerun.tenured=true" in words
    assert words[words.index("-i") + 1] == "21" and not any(word.startswith("provider=") for word in words)
    read = forks.read(given).values()
    assert {(fork.iterations, fork.sampled, fork.provider) for fork in read} == {(20, True, "default")}


def test_another_jar_makes_other_rounds(study, registry):
    def ids(experiment):
        return {round_.id for round_ in plan.rounds({"outside": experiment}, settings.read({}), registry)}

    assert not ids(study()) & ids(study(version="1.36"))


def test_jvm_arguments_are_overridden_on_purpose(study, registry):
    experiment = study(workload(jvm_args=["-XX:+UseG1GC"]))
    (round_, *_) = plan.rounds({"outside": experiment}, settings.read({}), registry)
    assert {cell.jvm_options for cell in round_.cells} == {("-XX:+UseG1GC",)}


def test_a_heap_that_no_container_has_is_refused_before_anything_runs(study, registry):
    experiment = study(workload(jvm_args=["-Xms64m", "-Xmx20G"]))
    with pytest.raises(UserError, match=r"workloads\.encrypt: .* a heap of 20480 MiB, containers have 2048 MiB"):
        plan.rounds({"outside": experiment}, settings.read({}), registry)
    assert plan.rounds({"outside": experiment}, settings.read({"memory": 30000}), registry)


def workload(**changes):
    def change(data):
        own = {**data["workloads"]["encrypt"], **changes}
        data["workloads"]["encrypt"] = {key: value for key, value in own.items() if value != []}

    return change


def given(key, value):
    return lambda data: data.update({key: value})


WRONG = {
    "a wrong benchmark": (workload(benchmark="Crypto.encrypt"), "not in the jar; did you mean 'org.example.Crypto.encrypt'?"),
    "a benchmark that is spelt wrong": (
        workload(benchmark="org.example.Crypto.encrypted"), "did you mean 'org.example.Crypto.encrypt'?",
    ),
    "a parameter that the jar lacks": (
        workload(params={"bits": 128}), "params: 'bits' is no parameter of org.example.Crypto.encrypt",
    ),
    "a parameter of several values": (
        workload(factors=[]), "params.size: missing; org.example.Crypto.encrypt has the values 16, 1024",
    ),
    "a parameter without a value": (
        workload(benchmark="org.example.Crypto.sign", factors=[]), "params.key: missing; .* has no value",
    ),
    "a value with a comma": (workload(params={"alg": "a,b"}), "can't be given to JMH"),
    "as many threads as CPUs": (workload(benchmark="org.example.Crypto.crowd", factors=[]), "threads: missing"),
    "warm-up by calls": (workload(warm_calls=5), "warm_calls: is for our own workloads"),
    "providers": (given("providers", ["sunjce"]), "providers: a jar's benchmarks choose their providers themselves"),
    "CPU time": (given("measure", "cpu"), "measure: cpu: benchmarks of a jar have no clock of CPU time"),
    "a changed hash": (
        lambda data: data["jar"].update(sha256="0" * 64),
        "sha256: 0{64} expected, .*crypto.jar has [0-9a-f]{64}; it was changed",
    ),
    "no file": (lambda data: data["jar"].update(path="gone.jar"), "jar.path: there is no file .*gone.jar"),
    "no place": (lambda data: data["jar"].pop("path"), "jar: .*write {path: file.jar, sha256"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG)
def test_what_the_jar_can_not_do_is_refused_in_a_line(study, change, message):
    assert re.search(message, refusal(study, change))


@pytest.mark.parametrize(
    ("jar", "message"),
    [
        ({"left_out": ["META-INF/BenchmarkList"]}, "holds no JMH benchmarks"),
        ({"left_out": [RUNNER]}, "JMH itself is not in it; .*`needs`"),
        ({"java": 11}, r"tiers\.\w+\.environments: debian-sid-openjdk-8 has Java 8, the jar is for Java 11 or later"),
        ({"version": "1.20"}, "is of JMH 1.20; build it with JMH 1.21 or later"),
    ],
)
def test_a_jar_that_can_not_be_measured_is_refused_in_a_line(study, jar, message):
    with pytest.raises(UserError, match=message):
        study(**jar)


def test_a_file_that_is_no_jar_is_refused(study, tmp_path):
    def change(data):
        (tmp_path / "crypto.jar").write_text("text")
        data["jar"]["sha256"] = hashlib.sha256(b"text").hexdigest()

    with pytest.raises(UserError, match=r"crypto\.jar is no jar"):
        study(change)


def test_claims_on_a_jar_are_judged_on_wall_time(study):
    claim = {"text": "t", "place": "p", "form": "ratio-below", "parameters": {"limit": 1}, "measure": "cpu"}
    claim["ratios"] = [{"numerator": {"size": "16"}, "denominator": {"size": "1024"}}]
    with pytest.raises(UserError, match=r"claims\.A1\.measure: 'cpu' is no measure of this file's workloads"):
        study(given("claims", {"A1": claim}))
    study(given("claims", {"A1": {**claim, "measure": "wall"}}))


def test_forks_of_a_jar_are_as_long_as_their_reference_forks_say_and_have_other_ids_then(study, registry, tmp_path):
    experiments, chosen = {"outside": study()}, settings.read({"minutes": 0})
    planned = plan.rounds(experiments, chosen, registry)
    known = (experiments, chosen, registry, tmp_path)
    assert reference_forks.waits(planned, *known) == {}
    # The reference fork of one cell in one environment: its code took over after 9 s of 20.
    reference_fork, _ = next(
        both
        for both in reference_forks.rounds(planned, *known[:-1])
        if both[0].environment == "debian-13-temurin-17" and both[0].cells[0].factors["size"] == "16"
    )
    (tmp_path / reference_fork.path).mkdir(parents=True)
    for name, rows in (
        ("iterations.csv", "fork,start_uptime_ms,end_uptime_ms\n1,1000,21000\n"),
        ("chain.csv", "fork,state\n1,c2\n"),
        ("compilations.csv", "fork,uptime_ms\n1,10000\n"),
    ):
        (tmp_path / reference_fork.path / name).write_text(rows)
    waits = reference_forks.waits(planned, *known)
    assert waits == {("outside", "debian-13-temurin-17", reference_fork.cells[0].id): 9.0}
    longer = reference_forks.lengthened(planned, waits, *known[1:-1])
    for before, after in zip(planned, longer, strict=True):
        here = before.environment == "debian-13-temurin-17"
        assert (before.id != after.id) is here and before.number == after.number
        for short, long in zip(before.cells, after.cells, strict=True):
            scale = 9 if here and short.id == reference_fork.cells[0].id else 1  # 20 iterations of 100 ms in 18 s
            assert (long.id, long.iteration_ms) == (short.id, scale * short.iteration_ms)
            assert long.measured_s == pytest.approx(scale * short.measured_s)
    # The longer forks' reference forks are the same, so that the next plan is the same one.
    assert reference_forks.lengthened(planned, reference_forks.waits(longer, *known), *known[1:-1]) == longer
    cells = {"outside": {cell.id: cell for cell in planned[0].cells}}
    (line,) = reference_forks.summary(longer, cells)
    assert line.startswith("  longer forks than the tier's for 1 cell of outside") and "1:20 min more" in line
    assert reference_forks.summary(planned, cells) == []
