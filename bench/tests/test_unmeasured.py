"""What a tier measures nothing of is said with the plan."""

from types import SimpleNamespace

import pytest

from jcarerun.plan import unmeasured

CELLS = [
    {"workload": "encrypt", "provider": "sunjce", "cipher": "AES", "jdk": "temurin-21.0.8", "system": "debian-13"},
    {"workload": "encrypt", "provider": "sunjce", "cipher": "DES", "jdk": "temurin-21.0.8", "system": "debian-13"},
]


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ({"form": "ratio-above", "ratios": [{"numerator": {"cipher": "DES"}, "denominator": {"cipher": "AES"}}]}, None),
        (
            {
                "form": "ratio-above",
                "ratios": [{"numerator": {"jdk": "temurin-17.0.9"}, "denominator": {"cipher": "AES"}}],
            },
            "jdk temurin-17.0.9",
        ),
        ({"form": "best-of", "compare": {"factor": "cipher", "levels": ["AES", "DES", "Blowfish"]}}, None),
        (
            {"form": "best-of", "compare": {"factor": "cipher", "levels": ["AES", "Blowfish"]}},
            "two of cipher AES/Blowfish",
        ),
        ({"form": "value-above", "values": {"workload": "decrypt"}}, "workload decrypt"),
        ({"form": "value-above", "values": {}, "among": {"provider": ["conscrypt"]}}, "provider conscrypt"),
        ({"form": "not-testable", "reason": "no machine"}, None),
    ],
)
def test_a_side_without_a_cell_is_named(claim, missing):
    assert unmeasured.claims({"claims": {"X1": claim}}, CELLS) == ({"X1": missing} if missing else {})


def test_sides_that_no_two_cells_of_one_place_have_are_named():
    cells = [*CELLS, {**CELLS[0], "jdk": "debian-openjdk-8", "system": "debian-sid"}]
    sides = {"numerator": {"jdk": "temurin-21.0.8"}, "denominator": {"jdk": "debian-openjdk-8"}}
    claims = {"claims": {"X1": {"form": "ratio-below", "ratios": [sides]}}}
    assert unmeasured.claims(claims, cells) == {
        "X1": "jdk temurin-21.0.8 and jdk debian-openjdk-8 with the same system, which both sides must name to differ in it"
    }
    sides["numerator"]["system"], sides["denominator"]["system"] = "debian-13", "debian-sid"
    assert unmeasured.claims(claims, cells) == {}
    # Of one system too.
    del sides["numerator"]["system"], sides["denominator"]["system"]
    assert unmeasured.claims(claims, [*cells, {**CELLS[0], "system": "debian-sid"}]) == {}


def _round(experiment, workload):
    cell = SimpleNamespace(id="c", workload=workload, provider="sunjce", cpu_profile="native", factors={})
    return SimpleNamespace(experiment=experiment, environment="e", cells=(cell,))


def test_a_claim_that_another_experiment_of_the_study_measures_is_not_missing():
    claims = {
        "X1": {"form": "value-above", "values": {"workload": "load"}},
        "X2": {"form": "value-above", "values": {"workload": "rest"}},
    }
    experiments = {name: {"study": {"id": "x"}, "claims": claims} for name in ("x-one", "x-two")}
    lines = unmeasured.summary(experiments, [_round("x-one", "load"), _round("x-two", "other")], {})
    assert lines == ["  x: no verdict on X2 (workload rest), of which this run doesn't measure both sides"]
