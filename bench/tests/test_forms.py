"""bench/forms.yaml is the one table of what a claim may say: which levels are compared, and between which limits."""

import math

import pytest

from bench.tests.refusals import refused
from jcarerun.plan import forms

FORMS = forms.read()
OPEN = math.inf


@pytest.mark.parametrize(
    ("form", "parameters", "target"),
    [
        ("ratio-about", {"value": 1000, "within": 2}, (500, 2000)),
        ("ratio-above", {"limit": 1.4}, (1.4, OPEN)),
        ("ratio-below", {"limit": 0.05}, (0, 0.05)),
        ("ratio-between", {"lower": 1.2, "upper": 1.4}, (1.2, 1.4)),
        ("difference-between", {"lower": -2, "upper": 6, "points": 100}, (-2, 6)),
        ("difference-between", {"lower": 28}, (28, OPEN)),
        ("estimate", {}, (0, OPEN)),
        ("best-of", {"alike": 1.05}, (0, 1)),
        ("slowest-of", {}, (1, OPEN)),
        ("order", {}, (0, 1)),
        ("same", {"within": 1.25}, (0.8, 1.25)),
        ("same-order", {}, (0, OPEN)),
        ("linear", {"margin": 0.25, "deviation": 0.02}, (0.75, 1.25)),
        ("linear", {"intercept": 0.05, "deviation": 0.02}, (-0.05, 0.05)),
        ("value-about", {"value": 1, "within": 1.25}, (0.8, 1.25)),
        ("calls", {"below": 0.05}, (0, 0.05)),
        ("calls", {"above": 1}, (1, OPEN)),
        ("calls", {}, (0, OPEN)),
    ],
)
def test_the_target_of_a_form(form, parameters, target):
    assert FORMS[form].target({"parameters": parameters}) == target


def test_a_count_must_be_the_number_that_the_claim_gives_or_equal_to_another_measure():
    assert FORMS["every"].target({"equals": 30}) == (30, 30)
    assert FORMS["every"].target({"equals": "requests"}) == (1, 1)


@pytest.mark.parametrize(
    ("form", "pairs"),
    [
        ("best-of", [(0, 1), (0, 2), (0, 3)]),
        ("same", [(1, 0), (2, 0), (3, 0)]),
        ("order", [(0, 1), (1, 2), (2, 3)]),
        ("same-order", [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
    ],
)
def test_which_levels_a_form_compares(form, pairs):
    assert FORMS[form].level_pairs(4) == pairs


def test_targets_name_levels_by_their_positions_and_an_open_end_by_nothing():
    claim = {"compare": {"factor": "cipher", "levels": ["AES", "DES"]}}
    assert FORMS["slowest-of"].targets(claim) == [{"numerator": 1, "denominator": 2, "lower": 1, "upper": None}]
    assert (
        FORMS["ratio-above"].targets({"parameters": {"limit": 2}, "ratios": [{}, {}]})
        == [{"lower": 2, "upper": None}] * 2
    )


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_an_example_has_all_that_its_form_needs_and_every_margin_comes_from_the_claim(form):
    claim = {"text": "", "measure": "wall", "equals": 7, **form.example}
    assert set(form.needs) <= claim.keys()
    assert ("across" in claim) == form.across
    assert {name for name, _, optional in form.kinds() if not optional} <= claim.get("parameters", {}).keys()
    numbers = {name: 7 for name, _, _ in form.kinds() if name not in list(form.one_of)[1:]}
    found = [form.target({"parameters": dict.fromkeys(numbers, n), "equals": n}) for n in (7.0, 7.5)]
    own = {one for one, other in zip(*found, strict=True) if one == other}
    assert own <= {0, 1, OPEN}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lower": "limit / within"}, "ratio-below.lower: 'within' is no parameter of this form"),
        ({"upper": "limit and more"}, "ratio-below.upper: 'limit and more' is no term"),
        ({"pairs": "each-once"}, "ratio-below.pairs: goes with `compares: levels`; remove it"),
        ({"parameters": {"limit": "negative"}}, "ratio-below.parameters.limit: 'negative' can't be used here"),
        ({"header": 1}, "ratio-below.header: unknown key"),
    ],
)
def test_an_entry_that_cannot_be_used_is_refused(changed_yaml, change, message):
    with refused(message):
        forms.read(changed_yaml(forms.FILE, lambda data: data["ratio-below"].update(change)))
