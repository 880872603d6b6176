"""What an experiment file may name is listed as the sources say it."""

import re

import yaml

from jcarerun.plan import forms, listing, providers, workloads


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
