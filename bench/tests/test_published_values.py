"""Numbers that an experiment file brings itself: of a claim, and the author's own JMH results."""

import json

import pytest

from jcarerun.errors import UserError
from jcarerun.plan import definitions

CLAIM = {
    "text": "Encryption takes longer than decryption", "place": "their page", "form": "ratio-above",
    "parameters": {"limit": 1},
    "ratios": [{"numerator": {"workload": "encrypt"}, "denominator": {"workload": "decrypt"}}],
}  # fmt: skip


def result(method, score, mode="avgt", unit="us/op", error=2.0, **params):
    return {
        "benchmark": f"jcarerun.workload.FileCipher.{method}", "mode": mode, "forks": 1, "measurementIterations": 5,
        "params": params,
        "primaryMetric": {
            "score": score, "scoreError": error, "scoreUnit": unit, "rawData": [[score] * 5, [score] * 5],
        },
    }  # fmt: skip


@pytest.fixture
def study(registry, kofahi, write, tmp_path):
    """Reads kofahi2013 with one size and no claims but ours, after a change, beside the author's results."""

    def read(change, *results):
        for name in ("encrypt", "decrypt"):
            kofahi["workloads"][name] = {"benchmark": f"FileCipher.{name}", "params": {
                "algorithm": "AES", "bits": 128, "mode": "CBC", "bytes": 1024, "content": "text",
            }}  # fmt: skip
        kofahi["workloads"] = {name: kofahi["workloads"][name] for name in ("encrypt", "decrypt")}
        kofahi["claims"] = {"K1": dict(CLAIM)}
        for key in ("factors", "security_levels"):
            kofahi.pop(key, None)
        for tier in kofahi["tiers"].values():
            tier.pop("levels", None)
            tier.pop("workloads", None)
        (tmp_path / "theirs.json").write_text(json.dumps(list(results)))
        change(kofahi)
        return definitions.read(write(kofahi), registry)

    return read


def theirs(data):
    data["published"] = {"jmh": "theirs.json"}


def test_a_number_of_a_claim_is_a_row_with_its_source(study):
    def change(data):
        data["claims"]["K1"]["published"] = {"value": 1.3, "source": "table 2"}

    data = study(change)
    (row,) = data["published"]
    assert (row["value"], row["unit"], row["place"], row["claims"]) == (1.3, "times", "table 2", "K1")
    assert data["claims"]["K1"]["published"] == {"quantity": row["quantity"], "reading": "value"}


def test_the_authors_results_become_rows_and_the_number_of_a_claim_on_their_ratio(study):
    data = study(
        theirs,
        result("encrypt", 30.0, bytes="1024"),
        result("decrypt", 0.05, "thrpt", "ops/us", 0.005),
        result("other", 1.0),
    )
    rows = {row["quantity"]: row for row in data["published"]}
    assert rows["encrypt"]["value"] == 30_000 and rows["decrypt"]["value"] == 20_000
    assert rows["decrypt"]["error"] == pytest.approx(2000) and rows["decrypt"]["n"] == 10
    assert {row["unit"] for row in rows.values()} == {"ns/op"} and {row["claims"] for row in rows.values()} == {"K1"}
    assert data["claims"]["K1"]["published"] == {"table": {"numerator": "encrypt", "denominator": "decrypt"}}


def test_results_of_other_parameters_or_of_several_settings_are_no_cells(study):
    other = result("decrypt", 1.0, bytes="1")
    data = study(theirs, result("encrypt", 30.0), result("decrypt", 1.0), result("decrypt", 2.0), other)
    assert [row["quantity"] for row in data["published"]] == ["encrypt"]
    assert "published" not in data["claims"]["K1"]


def test_parameters_that_are_null_are_none(study):
    """They were a stack trace."""
    data = study(theirs, {**result("encrypt", 30.0), "params": None})
    assert [row["quantity"] for row in data["published"]] == ["encrypt"]


def test_a_value_without_an_error_has_none(study):
    data = study(theirs, result("encrypt", 30.0, error="NaN"))
    assert "error" not in data["published"][0]


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([{"benchmark": "x"}], "published.jmh: .*theirs.json: no results of JMH"),
        ([3], "published.jmh: .*theirs.json: no results of JMH"),
        ([result("other", 1.0)], "has none of this file's benchmarks"),
        ([result("encrypt", 1.0, unit="MB/s")], "no results of JMH"),
        ([result("encrypt", 0.0)], "no results of JMH"),
        ([result("encrypt", "Infinity")], "no results of JMH"),
        ([{**result("encrypt", 1.0), "params": 3}], "no results of JMH"),
    ],
)
def test_other_files_are_refused_in_a_line(study, results, message):
    with pytest.raises(UserError, match=message):
        study(theirs, *results)


def test_a_number_needs_its_source_and_stands_alone(study):
    def without(data):
        data["claims"]["K1"]["published"] = {"value": 1.3}

    def beside(data):
        data["claims"]["K1"]["published"] = {"value": 1.3, "source": "p. 2", "direction": "above"}

    with pytest.raises(UserError, match=r"claims.K1.published"):
        study(without)
    with pytest.raises(UserError, match=r"claims.K1.published.direction: stands beside `value`"):
        study(beside)
