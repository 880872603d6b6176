"""Claims become rows: which cells are compared, in which stratum, for which verdict, and why a verdict has none."""

import dataclasses
import itertools
import json

import pytest

from bench.tests import claim_fixtures
from jcarerun.plan import claim_resolver, claim_rows, forms
from jcarerun.plan.claim_rows import MeasuredCell
from jcarerun.plan.environments import EnvironmentWords

FORMS = forms.read()
CIPHERS = ("DES", "Triple-DES", "AES", "Blowfish")
ENVIRONMENTS = [
    {"id": f"{system}-{jdk}", "os": os, "system": system, "platform": platform, "jdk": jdk.title(), "jdk_id": jdk}
    for system, os, platform in (
        ("debian-12", "Debian 12", "linux"), ("debian-13", "Debian 13", "linux"), ("wine", "Wine", "windows"),
    )
    for jdk in ("temurin-17", "temurin-21")
]  # fmt: skip
WORDS = EnvironmentWords(ENVIRONMENTS)
EXPERIMENT = {
    "id": "x", "measure": "wall", "providers": ["sunjce", "bc"],
    "workloads": {"encrypt": {}, "decrypt": {}, "generate-key": {}},
    "factors": {
        "cipher": {name: {"algorithm": name} for name in CIPHERS},
        "size": {"100 KB": {"bytes": 102400}, "1 MB": {"bytes": 1048576}, "10 MB": {"bytes": 10485760}},
        "bits": {"1024": {"bits": 1024}, "2048": {"bits": 2048}},
    },
}  # fmt: skip


def cell(workload="encrypt", environment="debian-12-temurin-17", profile="native", image="i", machine="m", **levels):
    """A measured cell; a factor that is None is none of it."""
    names = {"workload": workload, "provider": "sunjce", "cpu-profile": profile, **levels}
    names = {name: level for name, level in names.items() if level is not None}
    return MeasuredCell(
        environment, image, machine, "steady-state", ":".join(names.values()),
        {**WORDS.parts(environment), **names},
    )  # fmt: skip


def ciphers(*names, **levels):
    return [cell(cipher=name, **{"size": "100 KB", **levels}) for name in names or CIPHERS]


def resolve(claim, cells, experiment=EXPERIMENT, **more):
    claim = {"text": "t", "parameters": {}, **claim}
    return claim_resolver.resolve([{**experiment, "claims": {"K1": claim}}], FORMS, WORDS, {"x": cells}, **more)


def compare(form, levels, factor="cipher", **more):
    return {"form": form, "compare": {"factor": factor, "levels": levels}, **more}


def ratio(numerator, denominator, form="ratio-below", **more):
    parameters = {} if form == "estimate" else {"limit": 1}
    return {
        "form": form,
        "parameters": parameters,
        "ratios": [{"numerator": numerator, "denominator": denominator}],
        **more,
    }


def sides(rows):
    return [(row.numerator, row.denominator) for row in rows]


# Filters


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        ({}, ["rsa 1024", "rsa 2048", "des"]),
        ({"workload": ["rsa", "des"]}, ["rsa 1024", "rsa 2048", "des"]),
        ({"bits": "1024"}, ["rsa 1024"]),
        ({"bits": [1024, 2048], "workload": "rsa"}, ["rsa 1024", "rsa 2048"]),
        ({"workload": "des", "bits": "1024"}, []),
        ({"shape": "round"}, []),
    ],
)
def test_a_filter_takes_a_name_or_a_list_and_no_filter_keeps_all(wanted, kept):
    cells = {"rsa 1024": {"workload": "rsa", "bits": "1024"}, "rsa 2048": {"workload": "rsa", "bits": "2048"}}
    cells["des"] = {"workload": "des"}
    assert [name for name, levels in cells.items() if claim_rows.matches(levels, wanted)] == kept


# Levels


def test_levels_are_compared_within_every_combination_of_all_else():
    cells = [*ciphers(), *ciphers(workload="decrypt")]
    rows = resolve(compare("best-of", ["Blowfish", "AES", "DES"], each=["provider"]), cells)
    assert len(rows) == 4
    assert {row.scope for row in rows} == {"encryption, 100 KB, SunJCE", "decryption, 100 KB, SunJCE"}
    assert sides(rows) == [("Blowfish", "AES"), ("Blowfish", "DES")] * 2
    assert {(row.variant, row.needed, row.verdict) for row in rows} == {("provider=sunjce", 2, 1)}
    assert len({row.group for row in rows}) == 2


def test_workloads_and_sizes_are_never_mixed():
    cells = [*ciphers("DES", "AES")[:1], *ciphers("AES", size="1 MB")]
    (row,) = resolve(compare("best-of", ["DES", "AES"]), cells)
    assert (row.numerator_cell, row.lacking) == ("", "no setting has all the cells that the claim compares")


def test_a_group_without_all_levels_is_not_complete_and_the_verdict_says_what_is_absent():
    rows = resolve(compare("order", ["AES", "DES", "Blowfish"]), ciphers("AES", "DES"))
    assert [(row.needed, row.lacking) for row in rows] == [(2, "not measured here in this tier: Blowfish")]


def test_a_partial_form_leaves_out_levels_that_were_not_measured():
    claim = compare("same", ["Blowfish", "AES", "DES"], parameters={"within": 1.25})
    rows = resolve(claim, ciphers("AES", "DES"))
    assert sides(rows) == [("DES", "AES")]
    assert [(row.target_lower, row.target_upper, row.lacking) for row in rows] == [(0.8, 1.25, "")]
    (row,) = resolve(claim, ciphers("DES"))
    assert row.lacking == "not measured here in this tier: Blowfish and AES"


def test_a_level_that_one_variant_lacks_stays_in_the_others():
    claim = compare("same", ["AES", "DES", "Blowfish"], parameters={"within": 1.25}, each=["size"])
    rows = resolve(claim, [*ciphers("AES", "DES", "Blowfish"), *ciphers("AES", "DES", size="1 MB")])
    assert {row.variant: row.needed for row in rows} == {"size=100 KB": 2, "size=1 MB": 1}
    assert not any(row.lacking for row in rows)


# Ratios


def test_a_ratio_agrees_in_factors_that_both_cells_have_and_is_free_in_those_of_one():
    keys = [cell("generate-key", cipher=name) for name in CIPHERS]
    cells = [*keys, *ciphers(), *ciphers(size="1 MB")]
    rows = resolve(ratio({"workload": "generate-key"}, {"workload": ["encrypt", "decrypt"]}), cells)
    assert len(rows) == 8
    assert {row.numerator for row in rows} == {"key generation"}
    assert {row.denominator for row in rows} == {"encryption (100 KB)", "encryption (1 MB)"}
    assert {row.scope for row in rows} == {f"{name}, SunJCE" for name in CIPHERS}
    assert len({row.group for row in rows}) == 8


def test_a_name_of_both_filters_is_compared_and_not_matched():
    (row,) = resolve(ratio({"cipher": "DES"}, {"cipher": "AES"}), ciphers())
    assert (row.numerator, row.denominator, row.scope) == ("DES", "AES", "encryption, 100 KB, SunJCE")
    assert (row.target_lower, row.target_upper) == (0, 1)


@pytest.mark.parametrize(
    "other", [{"environment": "debian-13-temurin-17"}, {"image": "j"}, {"machine": "n"}, {"provider": "bc"}]
)
@pytest.mark.parametrize("claim", [ratio({"cipher": "DES"}, {"cipher": "AES"}), compare("order", ["DES", "AES"])])
def test_pairs_stay_within_environment_image_machine_and_provider(claim, other):
    rows = resolve(claim, [*ciphers("DES"), *ciphers("AES", **other)])
    assert not any(row.numerator_cell for row in rows)
    assert len(rows) == (1 if "provider" in other else 2)


def test_the_side_that_has_a_factor_gives_the_variant_and_a_bare_number_gets_its_factors_name():
    cells = [cell("rsa", bits="1024"), cell("rsa", bits="2048"), cell("des")]
    rows = resolve(ratio({"workload": "rsa"}, {"workload": "des"}, each=["bits"]), cells)
    assert [row.variant for row in rows] == ["bits=1024", "bits=2048"]
    assert [row.numerator for row in rows] == ["rsa (bits 1024)", "rsa (bits 2048)"]
    assert [row.verdict for row in rows] == [1, 2]


def test_several_measures_have_groups_of_their_own():
    claim = ratio({"cipher": "DES"}, {"cipher": "AES"}, measures=["wall", "cpu"])
    rows = resolve(claim, ciphers())
    assert [row.measure for row in rows] == ["wall", "cpu"]
    assert {row.measures for row in rows} == {"wall;cpu"}
    assert len({row.group for row in rows}) == 2


# Values, steps and series


def test_a_value_has_a_row_for_each_cell_and_no_denominator():
    claim = {"form": "value-above", "parameters": {"limit": 0.5}, "values": {"cipher": ["AES", "DES"]}}
    rows = resolve(claim, ciphers())
    assert sides(rows) == [("encryption (AES, 100 KB, SunJCE)", ""), ("encryption (DES, 100 KB, SunJCE)", "")]
    assert rows[0].cells == [("debian-12-temurin-17", rows[0].numerator_cell)]


def test_a_claim_about_single_calls_takes_the_cells_that_time_them_and_no_others():
    benchmarks = {"calls": "SingleCalls.call", "encrypt": "SecretKeyCipher.encrypt"}
    experiment = {**EXPERIMENT, "workloads": {name: {"benchmark": each} for name, each in benchmarks.items()}}
    cells = [cell("calls", cipher="AES"), cell("calls", cipher="DES"), cell("encrypt", cipher="AES")]
    claim = {"form": "calls", "measure": "calls.variation", "parameters": {"below": 0.05}}
    (row,) = resolve(claim, cells, experiment)
    assert row.series.split(";") == [each.cell for each in cells[:2]]
    (none,) = resolve(claim, cells[2:], experiment)
    assert (none.numerator_cell, none.lacking) == ("", claim_resolver.NO_CALLS)


def test_steps_are_compared_between_the_settings_of_cells_that_are_alike():
    claim = {
        "form": "same-steps", "parameters": {"alike": 1.25}, "measures": ["step-ratio.a.b", "step-ratio.b.c"],
        "across": {"factor": "cipher", "levels": ["AES", "DES"]},
    }  # fmt: skip
    rows = resolve(claim, ciphers("AES", "DES"))
    assert {(row.measure, row.setting) for row in rows} == set(itertools.product(claim["measures"], ["AES", "DES"]))
    assert len({row.pair for row in rows}) == 2
    assert {row.needed for row in rows} == {2}
    (row,) = resolve(claim, ciphers("AES"))
    assert row.lacking


def test_a_series_has_all_sizes_from_the_smallest_to_the_largest():
    claim = compare("linear", ["1 MB", "100 KB", "10 MB"], factor="size", parameters={"margin": 0.05, "deviation": 0.1})
    cells = [each for size in EXPERIMENT["factors"]["size"] for each in ciphers("AES", size=size)]
    (row,) = resolve(claim, [*cells, *ciphers("DES")])
    assert row.sizes == "102400;1048576;10485760"
    assert (row.numerator, row.denominator, row.scope) == ("10 MB", "100 KB", "encryption, AES, SunJCE")
    assert [cell for _, cell in row.cells] == row.series.split(";")


# Dimensions that a claim compares


@pytest.mark.parametrize(
    ("claim", "compared"),
    [
        (compare("same", ["a", "b"], factor="system"), {"system"}),
        (compare("same", ["a", "b"], across={"factor": "cpu-profile"}), {"cpu-profile"}),
        (compare("same", ["a", "b"], among={"platform": "linux"}), set()),
        (ratio({"platform": "linux"}, {"system": "wine"}), {"system"}),
        (ratio({"jdk": "a"}, {"workload": "b"}), set()),
    ],
)
def test_a_claim_compares_the_dimensions_that_its_comparison_or_both_sides_of_a_ratio_name(claim, compared):
    assert claim_rows.compared_dimensions(claim) == compared


def test_a_stratum_is_called_by_what_its_environments_share():
    cells = [cell(environment=each["id"]) for each in ENVIRONMENTS]
    jdk = compare("order", ["temurin-17", "temurin-21"], factor="jdk")
    rows = resolve(jdk, cells)
    assert [row.stratum.environment for row in rows] == ["debian-12-*", "debian-13-*", "wine-*"]
    assert sides(rows[:1]) == [("Temurin-17", "Temurin-21")]
    assert rows[0].scope == "encryption, SunJCE, Debian 12"
    system = resolve(compare("order", ["debian-12", "debian-13"], factor="system"), cells)
    assert [row.stratum.environment for row in system] == ["*-temurin-17", "*-temurin-21"]
    assert {(row.stratum.image_id, row.numerator_image_id) for row in rows} == {("", "i")}
    platform = resolve(
        ratio({"platform": "windows", "jdk": "temurin-17"}, {"platform": "linux", "jdk": "temurin-21"}), cells
    )
    assert [row.stratum.environment for row in platform] == ["*", "*"]


def test_a_platform_is_called_by_its_system():
    cells = [cell(environment=f"{system}-temurin-17") for system in ("debian-12", "wine")]
    (row,) = resolve(compare("order", ["linux", "windows"], factor="platform"), cells)
    assert (row.numerator, row.denominator) == ("Debian 12", "Wine")


def test_an_order_is_compared_between_cpu_profiles_with_a_row_for_each_setting():
    claim = compare("same-order", ["AES", "DES"], across={"factor": "cpu-profile", "levels": ["core2", "native"]})
    cells = [*ciphers("AES", "DES"), *ciphers("AES", "DES", profile="core2")]
    rows = resolve(claim, cells)
    assert [(row.setting, row.own_profile, row.stratum.cpu_profile) for row in rows] == [
        ("Core 2 class", "core2", ""), ("the machine's CPU", "native", ""),
    ]  # fmt: skip
    assert len({row.pair for row in rows}) == 1
    assert {row.needed for row in rows} == {2}
    assert [row.scope for row in rows] == [
        "encryption, 100 KB, SunJCE, Core 2 class",
        "encryption, 100 KB, SunJCE, the machine's CPU",
    ]
    assert {row.joint_scope for row in rows} == {"encryption, 100 KB, SunJCE"}
    (row,) = resolve(claim, ciphers("AES", "DES"))
    assert row.lacking == "only the machine's CPU of those that the claim compares was measured"


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        (ratio({"platform": "windows"}, {"platform": "linux"}), "no environment of this run has a Windows JVM"),
        (compare("same", ["temurin-17", "temurin-21"], "jdk", parameters={"within": 2}),
         "only Temurin-17 of those that the claim compares was measured"),
        (compare("same", ["wine", "debian-13"], "system", parameters={"within": 2}),
         "no system of those that the claim compares was measured"),
    ],
)  # fmt: skip
def test_a_claim_about_environments_that_were_not_measured_says_so_once(claim, reason):
    (row,) = resolve(claim, ciphers())
    assert (row.stratum.environment, row.lacking) == ("", reason)


def test_an_unknown_environment_equals_no_other():
    words = EnvironmentWords(
        [{"id": "kit-ab", "label": "Kit"}, {"id": "i", "system": "image", "os": "A registry image"}]
    )
    for name in ("kit-ab", "i", "other"):
        assert words.parts(name) == {"system": name, "platform": "", "jdk": name}


def test_a_platform_with_another_measure_is_judged_apart():
    claim = compare("order", ["AES", "DES"], measure="cpu", measure_where={"platform": "windows", "measure": "wall"})
    cells = [*ciphers("AES", "DES"), *ciphers("AES", "DES", environment="wine-temurin-17")]
    assert [(row.stratum.environment, row.measures) for row in resolve(claim, cells)] == [
        ("debian-12-temurin-17", "cpu"), ("wine-temurin-17", "wall"),
    ]  # fmt: skip
    assert len(resolve(claim, ciphers("AES", "DES"))) == 1


# Verdicts


def test_every_variant_has_a_verdict_in_every_stratum_in_the_order_of_the_file():
    cells = [*ciphers("AES", "DES", size="1 MB"), *ciphers("AES", "DES"), *ciphers("AES", "DES", image="j")]
    rows = resolve(compare("order", ["AES", "DES"], each=["size"]), cells)
    found = sorted((row.verdict, row.stratum.image_id, row.variant, bool(row.lacking)) for row in rows)
    assert found == [
        (1, "i", "size=100 KB", False), (2, "i", "size=1 MB", False), (3, "j", "size=100 KB", False),
        (4, "j", "size=1 MB", True),
    ]  # fmt: skip


def test_a_claim_has_verdicts_only_under_protocols_that_its_workloads_are_measured_under():
    experiment = {**EXPERIMENT, "protocols": {"as-published": {}, "steady-state": {}}}
    claim = ratio({"workload": "encrypt", "cipher": "AES"}, {"workload": "encrypt", "cipher": "DES"})
    assert resolve(claim, ciphers(), experiment)[0].verdict == 1
    experiment["workloads"] = {"encrypt": {"protocols": ["as-published"]}}
    assert resolve(claim, ciphers(), experiment) == []


def test_a_claim_without_a_round_and_one_that_cannot_be_tested_have_a_row_with_the_reason():
    assert [row.lacking for row in resolve(compare("order", ["AES", "DES"]), [])] == [
        "no round of this experiment was measured"
    ]
    assert [row.lacking for row in resolve({"form": "not-testable", "reason": "no scheme"}, ciphers())] == ["no scheme"]
    claim = {"form": "every", "measure": "n", "equals": 1, "values": {"workload": "decrypt"}}
    assert [row.lacking for row in resolve(claim, ciphers())] == ["decryption was not measured"]


def test_pairs_that_cannot_be_compared_with_the_study_carry_the_reason():
    excluded = [{"where": {"size": ["1 MB"]}, "reason": "no work"}]
    claim = ratio({"cipher": "DES"}, {"cipher": "AES"}, not_comparable=excluded)
    rows = resolve(claim, [*ciphers("AES", "DES"), *ciphers("AES", "DES", size="1 MB")])
    assert {row.scope: row.excluded for row in rows} == {
        "encryption, 100 KB, SunJCE": "", "encryption, 1 MB, SunJCE": "no work",
    }  # fmt: skip


def test_a_reason_for_the_whole_claim_is_that_of_all_its_pairs():
    claim = ratio({"cipher": "DES"}, {"cipher": "AES"}, not_comparable="no card")
    assert {row.excluded for row in resolve(claim, ciphers("AES", "DES"))} == {"no card"}


@pytest.mark.parametrize(
    ("flags", "profile", "reason"),
    [
        (None, "native", ""),
        ({"aes", "avx2", "fpu"}, "native", ""),
        ({"aes"}, "native", "the machine's CPU does not have avx2, which the claim is about"),
        ({"fpu"}, "core2", "the CPU profile core2 does not have aes and avx2, which the claim is about"),
        (set(), "native", "the machine's CPU is not known to have aes and avx2, which the claim is about"),
    ],
)
def test_a_claim_about_instructions_is_not_comparable_on_a_cpu_without_them(flags, profile, reason):
    cells = [
        dataclasses.replace(each, cpu_flags=None if flags is None else frozenset(flags))
        for each in ciphers("AES", "DES", profile=profile)
    ]
    claim = ratio({"cipher": "DES"}, {"cipher": "AES"}, needs_cpu_flags=["aes", "avx2"])
    assert {row.excluded for row in resolve(claim, cells)} == {reason}


def test_the_factor_whose_levels_must_agree_makes_variants():
    cells = [*ciphers("AES", "DES", size="1 MB"), *ciphers("AES", "DES")]
    rows = resolve(compare("order", ["AES", "DES"], agree_across="size"), cells)
    assert {row.variant for row in rows} == {"size=100 KB", "size=1 MB"}


def test_pairs_of_providers_that_use_features_of_the_cpu_say_which():
    across = {"factor": "cpu-profile", "levels": ["core2", "native"]}
    claim = compare("kept-order", ["sunjce", "bc"], factor="provider", across=across)
    cells = [
        each
        for p in ("sunjce", "bc")
        for q in across["levels"]
        for each in ciphers("AES", "DES", provider=p, profile=q)
    ]
    features = {"sunjce": {"AES": ["AES-NI", "CLMUL"]}, "bc": {"RSA": ["ADX"]}}
    rows = resolve(claim, cells, cpu_features=features)
    assert {row.featured for row in rows if "AES" in row.scope} == {"SunJCE: AES-NI and CLMUL"}
    assert {row.featured for row in rows if "AES" not in row.scope} == {""}


def test_the_table_has_a_value_for_every_column():
    (row,) = resolve(ratio({"cipher": "DES"}, {"cipher": "AES"}), ciphers())
    assert len(claim_rows.record(row)) == len(claim_rows.columns()) == len(set(claim_rows.columns()))


# Limits to environments


def test_a_claim_among_some_jdks_has_no_verdict_on_others():
    claim = ratio({"cipher": "DES"}, {"cipher": "AES"}, among={"jdk": "temurin-21"})
    cells = [
        cell(cipher=name, environment=f"debian-12-{jdk}") for name in CIPHERS for jdk in ("temurin-17", "temurin-21")
    ]
    assert {row.stratum.environment for row in resolve(claim, cells)} == {"debian-12-temurin-21"}


def test_what_an_experiment_limits_has_no_verdict_instead_of_one_without_cells():
    claim = ratio({"cipher": "DES"}, {"cipher": "AES"}, each=["size"])
    cells = [*ciphers("DES", "AES"), *ciphers("DES", size="1 MB")]
    assert [(row.variant, bool(row.lacking)) for row in resolve(claim, cells)] == [("size=100 KB", False)]
    limited = {**EXPERIMENT, "only": [{"where": {"size": "1 MB"}, "in": {"cipher": "DES"}, "reason": "r"}]}
    assert [row.variant for row in resolve(claim, cells, limited)] == ["size=100 KB"]
    (row,) = resolve(claim, ciphers("DES"), limited)
    assert row.lacking


# Programmes, security levels, and levels that are not offered


def programme(provider, *names):
    levels = {**WORDS.parts("debian-12-temurin-17"), "workload": "programme"}
    return MeasuredCell(
        "debian-12-temurin-17", "i", "m", "as-published", f"programme:{provider}:as-published:native",
        {**levels, "provider": provider, "cpu-profile": "native"}, operations=names,
    )  # fmt: skip


def test_operations_are_compared_with_each_other_and_never_a_programme_with_another():
    factors = {"workloads": {"encrypt": {"factors": ["cipher"]}}}
    claim = compare("order", ["AES", "DES"])
    rows = resolve(claim, [programme("sunjce", "encrypt--aes", "encrypt--des")], {**EXPERIMENT, **factors})
    assert [(row.numerator_cell, row.denominator_cell) for row in rows] == [
        ("encrypt:aes:sunjce:as-published:native", "encrypt:des:sunjce:as-published:native")
    ]
    between = compare("same", ["sunjce", "bc"], "provider", parameters={"within": 1.1})
    both = [programme("sunjce", "encrypt--aes"), programme("bc", "encrypt--aes", "encrypt--des")]
    rows = resolve(between, both, {**EXPERIMENT, **factors})
    assert [row.numerator_cell for row in rows] == ["encrypt:aes:bc:as-published:native"]


def test_the_best_of_those_that_are_offered_needs_the_first():
    claim = compare("best-of-offered", ["AES", "DES", "Blowfish"], parameters={"alike": 1.05})
    pairs = {(row.numerator, row.denominator) for row in resolve(claim, ciphers("AES", "Blowfish"))}
    assert pairs == {("AES", "Blowfish")}
    assert all(row.lacking for row in resolve(claim, ciphers("DES", "Blowfish")))


def test_a_level_that_is_missing_in_one_setting_leaves_the_other_pairs_of_an_order():
    across = {"factor": "cpu-profile", "levels": ["native", "core2"]}
    claim = {**compare("kept-order", ["AES", "DES", "Blowfish"]), "across": across}
    cells = ciphers("AES", "DES", "Blowfish") + ciphers("AES", "DES", profile="core2")
    rows = resolve(claim, cells)
    assert {(row.numerator, row.denominator) for row in rows} == {("AES", "DES")}
    assert not any(row.lacking for row in rows)


def test_a_claim_is_judged_for_each_security_level():
    levels = {"AES": 3, "Blowfish": 3, "DES": 0, "Triple-DES": 2}
    factors = {**EXPERIMENT["factors"], "cipher": {name: {"level": level} for name, level in levels.items()}}
    claim = {
        **compare("another-order", ["sunjce", "bc"], "provider"), "each": ["security-level"],
        "across": {"factor": "cipher", "levels": list(levels)},
    }  # fmt: skip
    cells = ciphers(provider="sunjce") + ciphers(provider="bc")
    rows = resolve(claim, cells, {**EXPERIMENT, "factors": factors, "security_levels": {"2": {}, "3": {}}})
    assert {row.variant for row in rows if not row.lacking} == {"security-level=3"}
    assert {row.setting for row in rows if not row.lacking} == {"AES", "Blowfish"}


# Rows that tests of the analysis use


def test_recorded_rows_are_the_resolvers():
    recorded = json.loads(claim_fixtures.RECORDED.read_text())
    assert recorded
    for key, each in recorded.items():
        found = claim_fixtures.answer(each["request"])
        assert found["pairs"] == each["pairs"], key
        assert json.loads(json.dumps(found["decisions"])) == each["decisions"], key
