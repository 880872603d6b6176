"""Experiment files: what is wrong is refused when it is read, in one line with file, key, value and remedy."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from jcarerun.errors import UserError
from jcarerun.plan import algorithms, definitions

EXPERIMENTS = Path("bench/experiments")


def put(*path, value):
    """A change that sets the value at a path of keys."""

    def change(data):
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


def drop(*path):
    def change(data):
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return change


def linear(factor="size", levels=("100 KB", "1 MB", "10 MB"), **parameters):
    """A claim about a series."""
    compare = {"factor": factor, "levels": list(levels)}
    return {"text": "t", "place": "p", "form": "linear", "parameters": parameters, "compare": compare}


def wanted_width(**tier):
    """A change that gives the quick tier a half-width and a cap, or one of them."""
    return lambda data: data["tiers"]["quick"].update(tier)


def same_sides(data):
    claim = next(each for each in data["claims"].values() if "ratios" in each)
    claim["ratios"][0]["numerator"] = claim["ratios"][0]["denominator"]


NARROW = {"steady-state": {"half_width": 0.01}}
REFUSED = {
    "unknown key": (put("measures", value="cpu"), "measures: unknown key; did you mean 'measure'"),
    "misspelt algorithm": (
        put("factors", "cipher", "AES", "algorithm", value="AESS"), "factors.cipher.AES.algorithm: 'AESS'",
    ),
    "negative size": (put("factors", "size", "1 MB", "bytes", value=-1), "factors.size.1 MB.bytes: -1"),
    "an environment twice": (
        put("tiers", "quick", "environments", value=["debian-12-temurin-17"] * 2), "a list of environments, each once",
    ),
    "a tag twice": (put("tiers", "quick", "environments", value={"tag": ["quick", "quick"]}), "a list of different tags"),
    "a limit on what there is not": (
        put("only", value=[{"where": {"jdk": "temurin-22"}, "in": {}, "reason": "r"}]), "only[0].where.jdk: 'temurin-22'",
    ),
    "a limit without a reason": (put("only", value=[{"where": {}, "in": {}}]), "only[0].reason: missing"),
    "flags that are no list": (put("factors", "mode", "CBC", "jvm_flags", value="-Xint"), "write a list of JVM options"),
    "a change of no protocol": (
        put("workloads", "encrypt", "protocols", value={"steady": {}}), "workloads.encrypt.protocols: 'steady'",
    ),
    "a change that leaves no iteration": (
        put("workloads", "encrypt", "protocols", value={"as-published": {"warmup": 100}}),
        "workloads.encrypt.protocols.as-published.warmup: 100 leaves none of",
    ),
    "iterations with a point": (
        put("protocols", "steady-state", "iterations", value=3.0),
        "protocols.steady-state.iterations: 3.0 can't be used here; write a whole number",
    ),
    "three million rounds": (
        put("tiers", "quick", "rounds", value=3_000_000),
        "tiers.quick.rounds: 3000000 can't be used here; write a whole number from 1 to 1000",
    ),
    "an iteration of a month": (put("protocols", "steady-state", "iteration_ms", value=2_600_000_000), "which is ten minutes"),
    "zero rounds": (put("tiers", "quick", "rounds", value=0), "tiers.quick.rounds: 0"),
    "unknown provider": (put("providers", value=["sunjca"]), "did you mean 'sunjce'"),
    "unknown benchmark": (
        put("workloads", "encrypt", "benchmark", value="FileCipher.encript"), "did you mean 'FileCipher.encrypt'",
    ),
    "unknown tag": (put("tiers", "quick", "environments", value={"tag": "quik"}), "did you mean 'quick'"),
    "unknown environment": (
        put("tiers", "quick", "environments", value=["debian-12-temurin17"]), "did you mean 'debian-12-temurin-17'",
    ),
    "unknown level in a tier": (put("tiers", "quick", "levels", "cipher", value=["AES", "DSE"]), "'DSE' is no level"),
    "unknown factor": (put("workloads", "encrypt", "factors", value=["cypher"]), "did you mean 'cipher'"),
    "factor that changes nothing": (put("workloads", "generate-key", "factors", value=["size"]), "changes nothing"),
    "missing tier": (drop("tiers", "full"), "tiers.full: missing"),
    "single shot with a length": (
        put("protocols", "as-published", "iteration_ms", value=5), "iteration_ms: single-shot does not take it",
    ),
    "average time without a length": (drop("protocols", "steady-state", "iteration_ms"), "iteration_ms: missing; average-time"),
    "a programme that runs twice": (
        put(
            "protocols", "as-published",
            value={"mode": "programme", "warmup": 0, "iterations": 2, "least_ms": 9, "least_times": 1},
        ),
        "a programme runs once in a fork",
    ),
    "a programme without a least time": (
        put("protocols", "as-published", value={"mode": "programme", "warmup": 0, "iterations": 1, "least_times": 1}),
        "least_ms: missing; programme needs it",
    ),
    "warm-up that leaves nothing": (put("protocols", "as-published", "warmup", value=100), "leaves none of"),
    "unknown claim form": (put("claims", "K1", "form", value="fastest"), "claims.K1.form: 'fastest'"),
    "series of what has no size": (
        put("claims", "K1", value=linear("cipher", ["AES", "DES", "Blowfish"], margin=0.05, deviation=0.05)),
        "claims.K1.compare.factor: 'cipher' has levels without bytes",
    ),
    "series of two sizes": (
        put("claims", "K1", value=linear(levels=["100 KB", "1 MB"], margin=0.05, deviation=0.05)),
        "claims.K1.compare.levels: ['100 KB', '1 MB'] is no series",
    ),
    "linear growth without a margin or an intercept": (
        put("claims", "K1", value=linear(deviation=0.05)),
        "claims.K1.parameters: has none of them, but the form takes exactly one of margin, intercept; give",
    ),
    "linear growth with a margin and an intercept": (
        put("claims", "K1", value=linear(deviation=0.05, margin=0.05, intercept=0.05)),
        "claims.K1.parameters: has margin and intercept, but the form takes exactly one of margin, intercept; give",
    ),
    "a ratio of a thing to itself": (same_sides, "ratios[0]: compares a thing with itself"),
    "a cap without a half-width": (
        wanted_width(max_rounds=9), "tiers.quick.max_rounds: 9: no protocol has a half_width",
    ),
    "a half-width without a cap": (
        wanted_width(protocols=NARROW), "tiers.quick.max_rounds: missing, though steady-state",
    ),
    "a cap below the rounds": (
        wanted_width(protocols=NARROW, max_rounds=4), "4, with rounds 5: must be at least rounds",
    ),
    "a half-width of nothing": (
        wanted_width(protocols={"steady-state": {"half_width": 0}}, max_rounds=9), "write a number above 0",
    ),
    "the provider that stands for none": (
        put("providers", value=["default"]), "providers: 'default' is no entry of bench/providers.yaml",
    ),
    "measure that is no name": (put("claims", "K1", "measure", value="Share of key"), "write wall, cpu or the name of"),
    "workload of an unknown provider": (
        put("workloads", "encrypt", "providers", value=["sunjca"]), "workloads.encrypt.providers: 'sunjca'",
    ),
    "workload of an unknown protocol": (
        put("workloads", "encrypt", "protocols", value=["modrn"]), "workloads.encrypt.protocols: 'modrn'",
    ),
    "warm-up that leaves nothing of a short workload": (
        lambda data: (
            put("protocols", "as-published", "warmup", value=5)(data),
            put("workloads", "encrypt", "max_iterations", value=5)(data),
        ),
        "leaves none of 5",
    ),
    "claim about values without values": (put("claims", "K4", "form", value="value-below"), "claims.K4.values: missing"),
    "claim about values of an unknown workload": (
        lambda data: data["claims"]["K4"].update(form="value-below", values={"workload": "encript"}), "did you mean 'encrypt'",
    ),
    "missing parameter of a form": (drop("claims", "K4", "parameters"), "claims.K4.parameters.limit: missing"),
    "impossible parameter": (put("claims", "K4", "parameters", value={"limit": -1}), "-1 must be a number above 0"),
    "claim about an unknown level": (
        put("claims", "K1", "compare", "levels", value=["Blowfish", "RC4"]), "'RC4' is no level of cipher",
    ),
    "claim that compares nothing": (put("claims", "K1", "compare", "levels", value=["AES"]), "nothing to compare"),
    "claim without its subject": (drop("claims", "K1", "compare"), "claims.K1.compare: missing"),
    "number for a name": (put("claims", "K1", "among", value={"cipher": 3}), "claims.K1.among.cipher: 3"),
    "a list for the whole file": (None, "write a mapping"),
    "unknown tag in a list": (
        put("tiers", "quick", "environments", value={"tag": ["smoke", "quik"]}), "did you mean 'quick'",
    ),
    "unknown CPU profile": (put("tiers", "quick", "cpu_profiles", value=["core"]), "did you mean 'core2'"),
    "a CPU profile twice": (put("tiers", "quick", "cpu_profiles", value=["core2", "core2"]), "a list of different names"),
    "a factor that cells have anyway": (put("factors", "jdk", value={"a": {"bits": 1}}), "factors.jdk: every cell has that"),
    "unknown system in a claim": (put("claims", "K1", "among", value={"system": "debian-2"}), "'debian-2' is no level of system"),
    "unknown platform in a claim": (put("claims", "K1", "among", value={"platform": "linus"}), "did you mean 'linux'"),
    "unknown JDK in a claim": (put("claims", "K1", "among", value={"jdk": "temurin-22"}), "is no level of jdk"),
    "unknown CPU profile in a claim": (put("claims", "K1", "among", value={"cpu-profile": "core"}), "did you mean 'core2'"),
    "across for a form that takes none": (
        put("claims", "K1", "across", value={"factor": "cpu-profile", "levels": ["native", "core2"]}),
        "claims.K1.across: the form best-of does not take it",
    ),
    "id of a claim that is no id": (put("claims", "1K", value={}), "1K"),
    "two ways of saying what is measured": (
        lambda data: data["claims"]["K1"].update(measure="wall", measures=["cpu"]), "claims.K1.measures: stands beside",
    ),
    "one of several measures that nothing observes": (
        lambda data: (
            drop("claims", "K1", "measure_where")(data), put("claims", "K1", "measures", value=["wall", "cpus"])(data),
        ), "claims.K1.measures: 'cpus' is no measure",
    ),
    "a clock for a platform that there is not": (
        put("claims", "K1", "measure_where", value={"platform": "window", "measure": "wall"}), "did you mean 'windows'",
    ),
    "a clock that there is not": (
        put("claims", "K1", "measure_where", value={"platform": "windows", "measure": "wal"}),
        "claims.K1.measure_where.measure: 'wal' is no measure",
    ),
    "not comparable where nothing is": (
        put("claims", "K1", "not_comparable", value=[{"where": {"size": "2 KB"}, "reason": "r"}]),
        "claims.K1.not_comparable[0].where.size: '2 KB'",
    ),
    "agreement across what the claim compares": (
        put("claims", "K1", "agree_across", value="cipher"),
        "claims.K1.agree_across: names what the claim compares",
    ),
    "agreement across no factor": (put("claims", "K1", "agree_across", value="shape"), "claims.K1.agree_across: 'shape' is no"),
    "a CPU flag that is none": (put("claims", "K1", "needs_cpu_flags", value=["AVX-2"]), "claims.K1.needs_cpu_flags[0]"),
    "a departure without its effect": (
        lambda data: data.update(choices=[{"study": "a", "here": "b"}]), "choices[0].effect: missing",
    ),
    "comparable above and below": (
        put("claims", "K1", "comparable_if", value={"measure": "cpu", "cells": "any", "above": 1, "below": 2}),
        "claims.K1.comparable_if",
    ),
    "comparable by what nothing observes": (
        put("claims", "K1", "comparable_if", value={"measure": "load", "cells": "any", "above": 1}),
        "claims.K1.comparable_if.measure: 'load'",
    ),
    "equals for a form that takes none": (put("claims", "K1", "equals", value=1), "claims.K1.equals: the form"),
    "a parameter without end": (put("claims", "K4", "parameters", "limit", value=float("inf")), "and leave out what is open"),
    "a study's number told twice": (
        put("claims", "K1", "published", value={"order": ["AES", "DES"], "words": "w", "stands_for": 1}),
        "claims.K1.published.stands_for: stands beside `order`",
    ),
    "a quantity that is not read": (
        put("claims", "K1", "published", value={"quantity": "q"}), "claims.K1.published.reading: missing",
    ),
    "a parameter that a factor gives too": (
        put("workloads", "encrypt", "params", value={"algorithm": "DES"}),
        "workloads.encrypt.params.algorithm: the levels of 'cipher' give it too",
    ),
    "a measure that nothing observes": (
        put("claims", "K1", "measure", value="cpus"),
        "claims.K1.measure: 'cpus' is no measure of this file's workloads; did you mean 'cpu'?",
    ),
    "a native library in a workload that asks nothing": (
        put("providers", value=["sunjce", "bouncycastle-1.38", "openssl"]), "providers: 'openssl' is a native library",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case, registry, kofahi, write):
    change, words = REFUSED[case]
    if change is None:
        file = write(["a"])
    else:
        change(kofahi)
        file = write(kofahi)
    with pytest.raises(UserError) as caught:
        definitions.read(file, registry)
    assert words in str(caught.value)
    assert [text for text in caught.value.texts if "kofahi2013.yaml" not in text] == []


@pytest.mark.parametrize("name", ["two words", "a\nerror: all is well", "é", "x" * 120])
def test_an_id_that_no_round_can_have(registry, kofahi, write, name):
    """A file's name is the experiment's id, and part of each round's path."""
    with pytest.raises(UserError, match="the name is the experiment's id") as caught:
        definitions.read(write(kofahi, name), registry)
    assert "\n" not in str(caught.value)


def test_provider_that_lacks_an_algorithm_is_refused(registry, kofahi, write):
    kofahi["factors"]["cipher"]["AES"]["algorithm"] = "RSA"
    sunjce = replace(registry.providers["sunjce"], offers=frozenset({"DES", "DESede", "Blowfish"}))
    poor = {**registry.providers, "sunjce": sunjce}
    with pytest.raises(UserError, match="provider 'sunjce' does not offer 'RSA'"):
        definitions.read(write(kofahi), replace(registry, providers=poor))


@pytest.mark.parametrize(
    ("transformation", "words"),
    [
        ("AES/GCX/NoPadding", "'GCX' is no mode of operation of any provider; did you mean 'GCM'?"),
        ("AES/CBC/PKCS9Padding", "'PKCS9PADDING' is no padding of any provider"),
        ("AES/CBC", "'AES/CBC' must be algorithm/mode/padding, or an algorithm alone"),
        ("AES/CFB8/NoPadding", None),
        ("RSA/None/OAEPWithSHA-256AndMGF1Padding", None),
        ("ChaCha20", None),
    ],
)
def test_a_transformation_that_there_is_nowhere_is_refused(transformation, words, registry, kofahi):
    kofahi["factors"]["cipher"]["AES"] = {"transformation": transformation, "bits": 128}
    kofahi["not_offered"] = "mark"
    if words is None:
        algorithms.check(Path("x.yaml"), kofahi, registry.providers)
    else:
        with pytest.raises(UserError, match=re.escape(f"x.yaml: factors.cipher.AES.transformation: {words}")):
            algorithms.check(Path("x.yaml"), kofahi, registry.providers)


def test_the_studies_files_are_accepted(registry):
    found = definitions.read_all(EXPERIMENTS, (), registry)
    claims = {claim for experiment in found.values() for claim in experiment.get("claims", {})}
    assert {"P1", "P2", "P3", "P4", "K1", "K2", "K3", "K4"} <= claims


def test_the_name_of_a_study_stands_for_all_of_its_experiments(registry):
    assert list(definitions.read_all(EXPERIMENTS, ("stegerer2008",), registry)) == [
        "stegerer2008",
        "stegerer2008-calls",
        "stegerer2008-lengths",
        "stegerer2008-native",
        "stegerer2008-providers",
    ]
    assert list(definitions.read_all(EXPERIMENTS, ("stegerer2008-native", "kofahi2013"), registry)) == [
        "kofahi2013",
        "stegerer2008-native",
    ]


def test_a_hyphen_before_a_name_leaves_its_experiments_out(registry):
    assert list(definitions.read_all(EXPERIMENTS, ("ibm-jsse", "-ibm-jsse-suites"), registry)) == ["ibm-jsse"]
    every = set(definitions.read_all(EXPERIMENTS, (), registry))
    left_out = {name for name in every if name.startswith("stegerer2008")}
    assert len(left_out) == 5
    assert set(definitions.read_all(EXPERIMENTS, ("-stegerer2008",), registry)) == every - left_out
    with pytest.raises(UserError, match="leaves no experiment"):
        definitions.read_all(EXPERIMENTS, ("kofahi2013", "-kofahi2013"), registry)


@pytest.mark.parametrize("name", ["kofahi2012", "-kofahi2012"])
def test_unknown_experiment_comes_with_the_likeliest(registry, name):
    with pytest.raises(UserError, match="did you mean 'kofahi2013'"):
        definitions.read_all(EXPERIMENTS, (name,), registry)


def test_empty_folder_is_said(registry, tmp_path):
    with pytest.raises(UserError, match="no experiment file"):
        definitions.read_all(tmp_path, (), registry)


def test_every_key_of_the_schema_is_described_or_obvious():
    """A user's editor shows these descriptions."""
    schema = definitions.load_checked.__globals__["load"](definitions.SCHEMA)
    for key, entry in schema["properties"].items():
        assert "description" in entry or entry.get("type") == "object", f"{key}: add a description"


def parts(kofahi, write, **change):
    """Two files of one study that both have the claim K1; `change` is what the second says differently."""
    first = write(kofahi)
    second = first.with_name("kofahi2013-more.yaml")
    kofahi["claims"]["K1"] |= change
    second.write_text(first.read_text() if not change else yaml.safe_dump(kofahi))
    return first.parent


def test_a_claim_may_be_measured_in_several_experiments_of_a_study(registry, kofahi, write):
    found = definitions.read_all(parts(kofahi, write), (), registry)
    assert all("K1" in experiment["claims"] for experiment in found.values())


@pytest.mark.parametrize("change", [{"text": "another"}, {"place": "elsewhere"}, {"published": {"words": "fast"}}])
def test_but_it_is_the_same_claim_in_all(registry, kofahi, write, change):
    with pytest.raises(UserError) as caught:
        definitions.read_all(parts(kofahi, write, **change), (), registry)
    assert f"kofahi2013-more.yaml: claims.K1.{next(iter(change))}" in str(caught.value)
    assert "kofahi2013.yaml, which is of the same study" in str(caught.value)


def test_a_form_may_have_parameters_that_can_be_left_out(registry, kofahi, write):
    kofahi["claims"]["K1"] = linear(deviation=0.05, intercept=0.05)
    definitions.read(write(kofahi), registry)


@pytest.mark.parametrize(
    ("across", "words"),
    [
        (None, "claims.K1.across: the form header needs it"),
        ({"factor": "cpu-profile", "levels": ["native"]}, "nothing to compare"),
        ({"factor": "cpu", "levels": ["native", "core2"]}, "claims.K1.across.factor: 'cpu' is no factor"),
        ({"factor": "cpu-profile", "levels": ["native", "core3"]}, "did you mean 'core2'"),
        ({"factor": "cpu-profile"}, "claims.K1.across.levels: missing"),
    ],
)
def test_a_claim_across_levels(registry, kofahi, write, across, words):
    across_form = replace(registry.forms["best-of"], name="header", parameters={}, across=True)
    able = replace(registry, forms={**registry.forms, "header": across_form})
    kofahi["claims"]["K1"] |= {
        "form": "header",
        "parameters": {},
        "across": {"factor": "cpu-profile", "levels": ["native", "core2"]},
    }
    definitions.read(write(kofahi), able)
    kofahi["claims"]["K1"]["across"] = across
    if across is None:
        del kofahi["claims"]["K1"]["across"]
    with pytest.raises(UserError) as caught:
        definitions.read(write(kofahi), able)
    assert words in str(caught.value)


def test_a_claim_may_name_systems_jdks_and_cpu_profiles(registry, kofahi, write):
    found = registry.axes
    kofahi["claims"]["K1"] |= {
        "among": {"workload": "encrypt", "platform": "linux", "jdk": found["jdk"][:2], "cpu-profile": ["native"]},
        "compare": {"factor": "system", "levels": found["system"][:2]},
        "each": ["provider", "jdk", "cpu-profile"],
    }
    definitions.read(write(kofahi), registry)


def test_a_study_without_an_id_is_called_as_its_file_is(kofahi, write, registry):
    del kofahi["study"]["id"]
    assert definitions.read(write(kofahi, "mine"), registry)["study"]["id"] == "mine"


def test_mistakes_of_several_parts_and_claims_are_reported_together(registry, kofahi, write):
    workload, tier = next(iter(kofahi["workloads"].values())), kofahi["tiers"]["quick"]
    workload["benchmark"], tier["levels"] = "Digest.digesst", {"algoritm": ["DES"]}
    with pytest.raises(UserError) as caught:
        definitions.read(write(kofahi), registry)
    assert [text.split(": ")[1].split(".")[0] for text in caught.value.texts] == ["workloads", "tiers"]
