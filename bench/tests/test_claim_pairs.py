"""Claims without a pair of cells are named with the plan."""

import json
from types import SimpleNamespace

import pytest

from jcarerun.plan import claim_pairs, claim_resolver, claim_rows
from jcarerun.plan.environments import EnvironmentWords, described


def planned_round(experiment, *workloads, environment="debian-13-temurin-21"):
    cells = tuple(
        SimpleNamespace(
            id=name, workload=name, provider="sunjce", cpu_profile="native", protocol="steady-state", factors={}
        )
        for name in workloads
    )
    return SimpleNamespace(experiment=experiment, environment=environment, cells=cells)


def ratio(numerator, denominator):
    sides = {"numerator": numerator, "denominator": denominator}
    return {"text": "t", "form": "ratio-below", "parameters": {"limit": 1}, "ratios": [sides]}


def experiment(name, study, **claims):
    workloads = {"load": {}, "rest": {}}
    return {
        "id": name,
        "study": {"id": study},
        "measure": "wall",
        "workloads": workloads,
        "factors": {},
        "claims": claims,
    }


X1, X2 = ratio({"workload": "load"}, {"workload": "rest"}), ratio({"workload": "rest"}, {"workload": "load"})
JDKS = ratio({"jdk": "temurin-17.0.9"}, {"jdk": "temurin-21.0.8"})


@pytest.mark.parametrize(
    ("claim", "rounds", "reason"),
    [
        (X1, [planned_round("x", "load", "rest")], None),
        (X1, [planned_round("x", "load")], "not measured here in this tier: rest"),
        (JDKS, [planned_round("x", "load")], "no environment of this run has JDK temurin-17.0.9"),
        ({"text": "t", "form": "not-testable", "reason": "no machine"}, [planned_round("x", "load")], None),
    ],
)
def test_a_claim_without_a_pair_is_named_with_its_reason(registry, claim, rounds, reason):
    lines = claim_pairs.unjudged({"x": experiment("x", "s", X1=claim)}, registry, rounds)
    assert lines == ([f"  s: this run gives no verdict on X1 ({reason})"] if reason else [])


def test_a_claim_that_another_experiment_of_the_study_measures_is_not_among_them(registry):
    experiments = {name: experiment(name, "s", X1=X1) for name in ("one", "two")}
    rounds = [planned_round("one", "load", "rest"), planned_round("two", "load")]
    assert claim_pairs.unjudged(experiments, registry, rounds) == []


def test_with_several_studies_only_the_claims_are_named(registry):
    experiments = {"one": experiment("one", "s", X1=X1), "two": experiment("two", "t", X2=X2)}
    lines = claim_pairs.unjudged(experiments, registry, [planned_round("one", "load"), planned_round("two", "rest")])
    assert lines == ["  s: this run gives no verdict on X1", "  t: this run gives no verdict on X2"]


KIT, MACHINE = "kit-0123456789ab", "0123456789ab"
WINE = "Windows' build of the JVM on Wine, not Windows itself"


@pytest.mark.parametrize(
    ("vendor", "caveat", "judged"),
    [("Eclipse Adoptium", None, [""]), ("Eclipse Adoptium", WINE, ["this is Wine"]), ("Debian", None, [])],
)
def test_linux_and_the_windows_of_a_kit_are_compared_on_one_machine_with_one_release(
    registry, tmp_path, vendor, caveat, judged
):
    jdk = {"id": "21.0.8+9-LTS", "label": f"{vendor} 21.0.8+9-LTS", "java": 21}
    record = {"label": "PC", "system": "Windows 11", "platform": "windows", "caveat": caveat, "jdk": jdk}
    folder = tmp_path / "x" / KIT / "quick-1-01"
    folder.mkdir(parents=True)
    (folder / "environment.json").write_text(json.dumps(record))
    words = EnvironmentWords(described(registry.catalogue, tmp_path, [f"x/{KIT}/quick-1-01"]))
    cells = [
        claim_rows.MeasuredCell(
            name, "image", MACHINE, "steady-state", "load",
            words.levels(name, "load", "sunjce", "native", {}),
        )
        for name in ("debian-13-temurin-21", KIT)
    ]  # fmt: skip
    claim = ratio({"platform": "linux"}, {"platform": "windows"})
    claim["not_comparable"] = [{"where": {"system": "wine"}, "reason": "this is Wine"}]
    rows = claim_resolver.resolve([experiment("x", "s", K5=claim)], registry.forms, words, {"x": cells})
    assert [row.excluded for row in rows if row.numerator_cell] == judged
