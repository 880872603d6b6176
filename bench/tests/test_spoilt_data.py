"""Spoilt files of every kind that comes from outside: each is taken, or refused in bounded lines.

No stack trace, at most five seconds of CPU time and 512 MiB for each.
"""

import gzip
import json
import resource
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bench.tests import kit_results, mutations, outside_jar
from bench.tests.kit_results import pack, planned_run
from bench.tests.outside_jar import listed
from jcarerun.bundle import sealed
from jcarerun.explorer import tidy
from jcarerun.kit import import_kit
from jcarerun.plan import definitions, plan, settings
from jcarerun.rounds import hot_path, manifest, validate
from jcarerun.run import container, plan_rounds, round_file, run_record
from jcarerun.subject import jars
from jcarerun.support.files import MOST_MEMORY, confined

MOST_S = 5
SAMPLE = next(path.parent for path in sorted(Path("data/sample").glob("*/*/*/round.json")))


class Intake:
    """A kind of input: files, and what reads them. `seal` makes what depends on them anew; refusals have `name`."""

    def __init__(self, read, files, seal=lambda: None, name=""):
        self.read, self.seal, self.name = read, seal, name
        self.files = {path: path.read_bytes() for path in sorted(files)}

    def attempt(self, data):
        """Spoil one file, read, and put it back. Whether it was taken."""
        path = data.draw(st.sampled_from(sorted(self.files)))
        content, began = data.draw(mutations.spoilt_file(self.files[path], path.suffix)), cpu_s()
        try:
            path.write_bytes(content)
            self.seal()
            return mutations.accepted_or_refused(self.read, self.name)
        finally:
            for each, original in self.files.items():
                each.parent.mkdir(parents=True, exist_ok=True)
                each.write_bytes(original)
            assert cpu_s() - began < MOST_S


def below(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def a_round(folder, registry):
    target = folder / Path(*SAMPLE.parts[-3:])
    shutil.copytree(SAMPLE, target)

    def seal():
        if (target / manifest.NAME).read_bytes() == (SAMPLE / manifest.NAME).read_bytes():
            kit_results.seal(target)

    return Intake(lambda: validate.validate_round(target), below(target), seal, target.name)


def a_stamped_round(folder, registry):
    target = folder / Path(*SAMPLE.parts[-3:])
    shutil.copytree(SAMPLE, target)
    validate.stamp_round(target)
    files = [manifest.stamp_of(target), target / manifest.NAME]
    return Intake(lambda: validate.verify_round(target), files, name=target.name)


def compilation_logs(folder, registry):
    """The packed log and the samples of a fork, spoilt before they are packed."""
    (folder / "jit").mkdir()
    (folder / "jit/plain").write_bytes(Path("bench/tests/compilation/jdk-21.log").read_bytes())
    (folder / "jit/001.stacks").write_bytes(b"benchmark\ta.B::run\n5\ta.B::run;c.D::e\n")
    (folder / "iterations.csv").write_text("fork,iteration,end_uptime_ms,duration_ns,operations\n1,1,50.5,9,1\n")

    def seal():
        (folder / "jit/001.log.gz").write_bytes(gzip.compress((folder / "jit/plain").read_bytes(), 1))
        for name in (hot_path.CHAIN, hot_path.COMPILATIONS):
            (folder / name).unlink(missing_ok=True)

    return Intake(lambda: hot_path.write(folder), below(folder), seal)


def kit_rounds(folder, registry):
    current = planned_run(registry, results=str(folder / "results"))
    places = [kit_results.make(folder / "back", round_, registry) for round_ in current.kit_rounds()]

    def seal():
        for place in places:
            kit_results.seal(place)
        shutil.rmtree(folder / "results", ignore_errors=True)

    return Intake(lambda: import_kit.import_rounds(current, folder / "back"), below(folder / "back"), seal)


def kit_zip(folder, registry):
    kit_rounds(folder, registry)
    current = planned_run(registry, results=str(folder / "results"))
    file = pack(folder / "back", folder / "given.zip")
    return Intake(lambda: import_kit.import_rounds(current, file), [file], name=file.name)


def bundle_zip(folder, registry):
    (folder / "bundle").mkdir()
    for name in ("report.pdf", "bundle.json", "verdict_commands.csv"):
        (folder / "bundle" / name).write_text("content\n" * 50)
    manifest.write(folder / "bundle", sealed.BUNDLE, name=sealed.MANIFEST)
    file = pack(folder / "bundle", folder / "given.zip")

    def read():
        with sealed.opened(file):
            pass

    return Intake(read, [file], name=file.name)


def bundle_records(folder, registry):
    kept = {"raw": "a/raw", "tidy": "a/tidy", "report": "a/report.html"}
    chosen = {key: settings.defaults()[key] for key in run_record.KEYS}
    content = {"settings": chosen, "kept": kept, "left_out": [], "rounds": ["a/b/c"], "reference_forks": []}
    (folder / run_record.NAME).write_text(json.dumps(content, indent=1))
    return Intake(lambda: run_record.read(folder), below(folder))


def bundle_tables(folder, registry):
    (folder / "verdicts.csv").write_text("claim,verdict\n" + "A1,supported\n" * 50)
    return Intake(lambda: confined(lambda: tidy.read(folder, "verdicts.csv"), folder), below(folder))


def planned_rounds(folder, registry):
    current = planned_run(registry, engine="host")
    made = plan_rounds.round_file(
        plan.rounds(current.experiments, current.settings, registry)[0], current.settings, registry
    )
    path = replace(made.class_path[0], path="bench/target/benchmarks.jar")
    (folder / "plan.json").write_text(replace(made, class_path=(path,)).text())
    return Intake(lambda: round_file.read(folder / "plan.json"), below(folder), name="plan.json")


BENCHMARKS = (
    listed("encrypt", params="M 2 4 size 2 2 16 4 1024 3 alg 1 3 AES", args="L 1 6 -Xmx1g")
    + listed("sign", params="M 1 3 key 1 22 blank_blank_blank_2014", threads="I 1 4")
)  # fmt: skip
RESULTS = [
    {
        "benchmark": f"org.example.Crypto.{method}", "mode": "avgt", "forks": 1, "measurementIterations": 2,
        "params": params,
        "primaryMetric": {"score": 2.0, "scoreError": 1.0, "scoreUnit": "us/op", "rawData": [[1.0, 3.0]]},
    }
    for method, params in (("encrypt", {"size": "16", "alg": "AES"}), ("sign", {"key": "RSA"}))
]  # fmt: skip
CLAIM = {
    "text": "Signing is slower", "place": "page 1", "form": "ratio-above", "parameters": {"limit": 1},
    "ratios": [{"numerator": {"workload": "sign"}, "denominator": {"workload": "encrypt", "size": "16"}}],
    "published": {"value": 1.3, "source": "table 2"},
}  # fmt: skip


def outside_study(spoilt, name="outside.yaml"):
    """Somebody's study: their experiment on their jar, with the list of its benchmarks, and their results."""

    def made(folder, registry):
        data = outside_jar.experiment(folder, b"")
        data["workloads"]["sign"] = {"benchmark": "org.example.Crypto.sign", "params": {"key": "RSA"}}
        data |= {"claims": {"A1": CLAIM}, "published": {"jmh": "theirs.json"}}
        (folder / "theirs.json").write_text(json.dumps(RESULTS, indent=1))
        (folder / "list").write_text(BENCHMARKS)
        (folder / "crypto.jar").write_bytes(outside_jar.jar(BENCHMARKS))

        def seal():
            if spoilt == "list":
                (folder / "crypto.jar").write_bytes(outside_jar.jar((folder / "list").read_bytes()))
            if spoilt != "outside.yaml":
                data["jar"]["sha256"] = jars.sha256(folder / "crypto.jar")
                (folder / "outside.yaml").write_text(yaml.safe_dump(data))

        def read():
            found = definitions.read(folder / "outside.yaml", registry)
            for tier in found["tiers"]:
                plan.rounds({found["id"]: found}, settings.read({"tier": tier}), registry)

        data["jar"]["sha256"] = jars.sha256(folder / "crypto.jar")
        (folder / "outside.yaml").write_text(yaml.safe_dump(data))
        return Intake(read, [folder / spoilt], seal, name)

    return made


KINDS = {
    kind.__name__: kind
    for kind in (a_round, a_stamped_round, compilation_logs, kit_rounds, kit_zip, bundle_zip, bundle_records, bundle_tables,
                 planned_rounds)
} | {
    "outside_experiment": outside_study("outside.yaml"), "outside_jar": outside_study("crypto.jar"),
    "outside_benchmarks": outside_study("list"), "outside_results": outside_study("theirs.json", "theirs.json"),
}  # fmt: skip


def cpu_s():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_it_is_taken_or_refused_in_bounded_lines(kind, tmp_path, registry, monkeypatch):
    monkeypatch.setattr(jars, "FOLDER", tmp_path / "kept")
    (tmp_path / "benchmarks.jar").write_bytes(b"jar")
    monkeypatch.setattr(container, "JAR", tmp_path / "benchmarks.jar")
    (tmp_path / "given").mkdir()
    intake, taken = kind(tmp_path / "given", registry), []
    intake.seal()
    assert mutations.accepted_or_refused(intake.read, intake.name)

    @mutations.fewer
    @given(st.data())
    def spoil(data):
        taken.append(intake.attempt(data))

    spoil()
    assert not all(taken)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10 <= MOST_MEMORY
