"""Our own benchmarks, found in the Java sources without compiling them: names, parameters, measures, and what is listed of them.

Every cell names every parameter of its workload: a default in the Java sources would be a choice that no experiment states. The
round of a kit is checked against its cells by that, too: JMH's result tells every parameter.
"""

import re
from pathlib import Path

import pytest
import yaml

from jcarerun.plan import cells, definitions, forms, listing, providers, workloads


def test_benchmarks_and_their_parameters():
    found = workloads.benchmarks()
    assert {"algorithm", "bits", "mode", "bytes", "content", "provider"} <= found["FileCipher.encrypt"]
    assert {"bits", "provider"} <= found["PublicKeyCipher.decrypt"]
    assert {"transformation", "content", "init", "provider"} <= found["SecretKeyCipher.encrypt"]
    assert {"algorithm", "bits", "provider"} <= found["KeyGeneration.generate"]


def test_names_as_jmh_knows_them():
    assert workloads.qualified("FileCipher.encrypt") == "jcarerun.workload.FileCipher.encrypt"


def test_a_new_workload_is_one_class(tmp_path, monkeypatch):
    (tmp_path / "x").mkdir()
    (tmp_path / "x/Digest.java").write_text(
        'package x;\npublic class Digest {\n  @Param({"SHA-256"})\n  public String algorithm;\n\n'
        "  @Benchmark\n  public byte[] digest() {\n    return null;\n  }\n}\n"
    )
    monkeypatch.setattr(workloads, "SOURCES", tmp_path)
    workloads._classes.cache_clear()
    try:
        assert workloads.benchmarks() == {"Digest.digest": {"algorithm"}}
        assert workloads.qualified("Digest.digest") == "x.Digest.digest"
    finally:
        workloads._classes.cache_clear()


FILES = [
    Path("bench/calibration.yaml"),
    *sorted(Path("bench/experiments").glob("*.yaml")),
    *sorted(Path("bench/jcarerun/trials/experiments").glob("*.yaml")),
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_cell_names_every_parameter_of_its_workload(file, registry):
    found = cells.cells(definitions.read(file, registry), "full", ["native"], registry)
    assert found
    for cell in found:
        takes = registry.benchmarks[cell.benchmark.removeprefix("jcarerun.workload.")]
        assert {*cell.params, "provider"} == takes, cell.id


OBSERVES = {
    "TlsHandshake.handshake": {
        "wall", "cpu", "server-cpu", "latency.p99", "latency.max", "throughput", "busier-utilisation", "server-per-client",
    },
    "CipherChain.roundTrip": {
        "total", "later.total", "share.generate-key", "later.share.encrypt", "share.generate-key.without-seeding",
        "step.encrypt", "step-ratio.initialise.encrypt", "step-ratio.encrypt.initialise",
    },
    "RsaChain.roundTrip": {"step-ratio.decrypt.encrypt", "share.generate-key"},
    "ClockReading.read": {"resolution"},
    "SingleCalls.call": {"calls.variation", "calls.largest-interrupted"},
    "HybridChain.roundTrip": {"share.wrap-key"},
    "ByteCounts.count": {"deviation.100", "counts-sd.100", "low16-zero-share.100", "zero-share.1", "length.10", "graphs.seed"},
    "FileCipher.encrypt": {"wall", "cpu"},
}  # fmt: skip
OTHERS = (
    "server-cpus", "share.", "share.generate-keys", "latency.p98", "later.", "share", "later.deviation.100", "bytes.1",
    "part.generate-key.seeding", "latency", "step-ratio.encrypt.encrypt", "later.step-ratio.initialise.encrypt", "calls",
    "calls.start", "load.span",
)  # fmt: skip
DERIVED = [
    Path("analysis/R/observed_values.R"),
    Path("analysis/R/calls.R"),
]


@pytest.mark.parametrize("benchmark", OBSERVES)
def test_a_benchmarks_own_measures(benchmark):
    found = workloads.known_measures(workloads.declared(benchmark))
    assert OBSERVES[benchmark] <= found
    assert not found & set(OTHERS)


def test_a_benchmark_that_observes_nothing_has_only_the_clocks_and_what_the_collector_tells():
    assert workloads.known_measures(workloads.declared("FileCipher.encrypt")) == {
        "wall",
        "cpu",
        "gc.alloc.rate.norm",
        "gc.stopped",
        "gc.reported",
        "gc.stopped-over-reported",
    }


def test_every_class_that_observes_declares_it():
    """Java refuses a measure that is not declared, in the iteration; here it is seen before anything is compiled."""
    for path in workloads.SOURCES.rglob("workload/*.java"):
        text = path.read_text()
        if re.search(r"Observations\.(add|counts)\(|steps\.observe\(", text) and re.search(
            r"\bclass \w+ extends", text
        ):
            assert workloads.declared(f"{path.stem}.any"), path


def test_the_analysis_derives_what_is_said_here():
    """What a derived name begins with stands in the R files that derive, and what stands there is said here."""
    text = "\n".join(path.read_text() for path in DERIVED)
    ours = {name for rule in workloads.read_measures()[1] for name in rule.gives}
    ours |= {"later."}
    for name in ours:
        stem = name.removeprefix("later.").split(".")[0] or "later"
        assert re.search(rf"\b{stem}\b", text), f"{name} is derived nowhere in {DERIVED[0].parent}"
    derived = set(re.findall(r'measure = "([a-z][a-z0-9.-]*)"|paste0\("([a-z]+\.)", ', text))
    words = {word for pair in derived for word in pair if word}
    words |= set(re.findall(r'"(latency\.[a-z0-9]+)"', text))
    for word in words:
        assert any(name.startswith(word) for name in ours), f"{word} is derived in R and not in {workloads.MEASURES}"


def test_every_benchmark_and_provider_is_listed():
    text = listing.list_workloads()
    assert all(f"  {name} " in text for name in workloads.benchmarks())
    assert all(f"\n{name} " in text for name in providers.read())
    assert "transformation (AES/CBC/PKCS5Padding)" in text
    assert re.search(r"^    init \(inside\) +Whether a call initialises the cipher", text, re.MULTILINE)


def test_a_parameter_is_listed_with_its_default_and_the_values_that_experiments_give_it():
    assert "\n    content (fixed) " in listing.list_workloads()  # and not the constant's name
    given = listing.measured(listing.EXPERIMENTS)
    assert given["KeyGeneration", "bits"] == sorted(given["KeyGeneration", "bits"], key=int)
    known = {(name.split(".")[0], key) for name, takes in workloads.benchmarks().items() for key in takes}
    named = {
        (each["benchmark"].split(".")[0], key)
        for path in listing.EXPERIMENTS.glob("*.yaml")
        for each in yaml.safe_load(path.read_text())["workloads"].values()
        for key in each.get("params", {})
    }
    assert named <= given.keys() & known


def test_every_length_has_its_unit():
    lengths = [
        parameter
        for each in workloads.workloads()
        for parameter in each.parameters.values()
        if parameter.name in ("bits", "bytes", "page")
    ]
    assert lengths
    assert [length for length in lengths if not re.search(r"\b(bits|bytes)\b", length.what, re.IGNORECASE)] == []


def test_no_workload_and_no_parameter_is_without_words():
    for each in workloads.workloads():
        assert each.what, each.name
        assert all(each.methods.values()), each
        assert all(parameter.what for parameter in each.parameters.values()), each
        assert not any(mark in each.what for mark in ("{@", "<p>", "* "))


def test_every_form_is_listed_with_what_it_takes():
    assert "five forks of each cell" in listing.FORMS_HEAD
    blocks = dict(block.split(None, 1) for block in listing.list_forms().split("\n\n")[1:])
    assert blocks.keys() == forms.read().keys()
    assert "needs ratios; parameters: value (a number above 0), within (a number above 1)" in " ".join(
        blocks["ratio-about"].split()
    )
    assert "needs compare, across" in blocks["same-order"]
    assert all(len(block.split("needs ")[0].split()) > 5 for block in blocks.values())


def test_no_line_is_longer_than_a_wide_terminal():
    assert (
        max(len(line) for text in (listing.list_workloads(), listing.list_forms()) for line in text.splitlines()) <= 120
    )
