"""Whatever stands in a file that a user writes is accepted, or refused in one line: never a stack trace."""

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.tests import mutations
from jcarerun.images import catalogue
from jcarerun.plan import cpu_profiles, definitions, forms, plan, providers, selection, settings, workloads
from jcarerun.support.files import load_json

EXPERIMENTS = sorted(Path("bench/experiments").glob("*.yaml"))


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A directory for spoilt files, with the schemas that are looked for beside them."""
    folder = tmp_path_factory.mktemp("spoilt")
    for schema in Path("bench/schemas").glob("*.schema.yaml"):
        shutil.copy(schema, folder)
    return folder


def spoilt(scratch, original, text):
    file = scratch / original.name
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    return file


@pytest.mark.parametrize(
    ("file", "read"),
    [
        (catalogue.FILE, catalogue.read),
        (providers.FILE, providers.read),
        (settings.GATES, settings.read_gates),
        (cpu_profiles.FILE, cpu_profiles.read),
        (workloads.MEASURES, workloads.read_measures),
        (forms.FILE, forms.read),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_spoilt_definition(scratch, file, read):
    @mutations.few
    @given(mutations.yaml_text(file.read_text()))
    def spoil(text):
        mutations.accepted_or_refused(lambda: read(spoilt(scratch, file, text)), file.name)

    spoil()


@pytest.mark.parametrize("file", [*EXPERIMENTS, selection.CALIBRATION_FILE], ids=lambda file: file.stem)
def test_a_spoilt_experiment(scratch, registry, file):
    """What is accepted can be planned in each tier."""

    @mutations.fewer
    @given(mutations.yaml_text(file.read_text()))
    def spoil(text):
        def read():
            experiment = definitions.read(spoilt(scratch, file, text), registry)
            for tier in experiment["tiers"]:
                plan.rounds({experiment["id"]: experiment}, settings.read({"tier": tier}), registry)

        mutations.accepted_or_refused(read, file.name)

    spoil()


@mutations.few
@given(st.sampled_from(sorted(settings.defaults())), mutations.HOSTILE_VALUES | st.text() | st.integers() | st.floats())
def test_a_spoilt_setting(key, value):
    mutations.accepted_or_refused(lambda: settings.read({key: value}), f"--config {key}")


@mutations.few
@given(
    st.binary(max_size=300) | mutations.text('{"a": [1, 2.5, "x"], "b": {"c": null}}').map(lambda text: text.encode())
)
def test_a_spoilt_record(tmp_path_factory, content):
    file = tmp_path_factory.getbasetemp() / "record.json"
    file.write_bytes(content)
    mutations.accepted_or_refused(lambda: load_json(file, "remove it"), "record.json")
