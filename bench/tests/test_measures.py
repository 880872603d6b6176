"""Measures: those that classes declare and those that the analysis derives, neither more nor fewer."""

import re
from pathlib import Path

import pytest

from jcarerun.plan import workloads

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
def test_a_benchmarks_own(benchmark):
    found = workloads.known_measures(workloads.declared(benchmark))
    assert OBSERVES[benchmark] <= found
    assert not found & set(OTHERS)


def test_one_that_observes_nothing_has_only_the_clocks_and_what_the_collector_tells():
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
