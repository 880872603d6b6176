"""Experiments on somebody else's jar, with their results: each file, spoilt, is read or refused in one line."""

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bench.tests import mutations, outside_jar
from bench.tests.outside_jar import listed
from jcarerun.plan import definitions, plan, settings
from jcarerun.subject import jars

LIST = (
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
SIGN = {"benchmark": "org.example.Crypto.sign", "params": {"key": "RSA"}}
CLAIM = {
    "text": "Signing is slower", "place": "page 1", "form": "ratio-above", "parameters": {"limit": 1},
    "ratios": [{"numerator": {"workload": "sign"}, "denominator": {"workload": "encrypt", "size": "16"}}],
    "published": {"value": 1.3, "source": "table 2"},
}  # fmt: skip


class Study:
    """A directory with the experiment, its jar and their results."""

    def __init__(self, folder, registry):
        self.folder, self.registry = folder, registry

    def write(self, text=None, jar=None, results=None):
        """Write all three, as they are but for what is given."""
        made = outside_jar.experiment(self.folder, outside_jar.jar(LIST) if jar is None else jar)
        made["workloads"]["sign"] = SIGN
        made |= {"claims": {"A1": CLAIM}, "published": {"jmh": "theirs.json"}}
        (self.folder / "theirs.json").write_bytes(json.dumps(RESULTS).encode() if results is None else results)
        file = self.folder / "outside.yaml"
        file.write_text(
            yaml.safe_dump(made, sort_keys=False) if text is None else text, encoding="utf-8", errors="surrogatepass"
        )
        return file

    def read(self):
        """Read the experiment and plan all that it plans."""
        experiment = definitions.read(self.folder / "outside.yaml", self.registry)
        for tier in experiment["tiers"]:
            plan.rounds({experiment["id"]: experiment}, settings.read({"tier": tier}), self.registry)
        return experiment


@pytest.fixture(scope="module")
def study(tmp_path_factory, registry):
    """The study, whose jars are not kept with those that are measured."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jars, "FOLDER", tmp_path_factory.mktemp("kept"))
        yield Study(tmp_path_factory.mktemp("outside"), registry)


def test_it_is_read_as_it_is(study):
    study.write()
    experiment = study.read()
    assert [row["value"] for row in experiment["published"]] == [2000.0, 2000.0, 1.3]


def test_a_spoilt_experiment_on_somebody_elses_jar(study):
    original = study.write().read_text()

    @mutations.fewer
    @given(mutations.yaml_text(original))
    def spoil(text):
        study.write(text=text)
        mutations.accepted_or_refused(study.read, "outside.yaml")

    spoil()


def test_a_spoilt_jar_of_somebody_else(study):
    """Its bytes, or what its list of benchmarks says; the hash in the file is that of the spoilt jar."""
    whole = outside_jar.jar(LIST)
    in_bytes = st.tuples(st.integers(0, len(whole) - 1), st.binary(max_size=4)).map(
        lambda change: whole[: change[0]] + change[1] + whole[change[0] + 1 :]
    )
    in_words = mutations.text(LIST).map(lambda text: outside_jar.jar(text.encode("utf-8", "surrogatepass")))

    @mutations.few
    @given(in_bytes | in_words | st.integers(0, len(whole)).map(lambda at: whole[:at]))
    def spoil(content):
        study.write(jar=content)
        mutations.accepted_or_refused(study.read, "outside.yaml")

    spoil()


def test_spoilt_results_of_somebody_else(study):
    original = json.dumps(RESULTS, indent=1)
    as_tree = mutations.tree(RESULTS).map(json.dumps)

    @mutations.few
    @given((mutations.text(original) | as_tree).map(lambda text: text.encode("utf-8", "surrogatepass")))
    def spoil(content):
        study.write(results=content)
        mutations.accepted_or_refused(study.read, "theirs.json")

    spoil()
