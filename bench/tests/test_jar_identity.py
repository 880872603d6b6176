"""A round is of one jar: rounds of another jar are refused by name, and never mixed with those of the jar that is built now."""

import json
import zipfile
from dataclasses import replace

import pytest

from jcarerun.errors import UserError
from jcarerun.run import container, jars
from jcarerun.run.round_file import require_jars
from jcarerun.support.files import sha256

OTHER = "0" * 64


@pytest.fixture
def planned(rounds, tmp_path, monkeypatch):
    """A planned round; the jar is a small one, in the place of the real one."""
    jar = tmp_path / "benchmarks.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("jcarerun/round/RoundMain.class", "code")
    monkeypatch.setattr(container, "JAR", jar)
    return rounds()[0]


def recorded(folder, **keys):
    """A round's directory with a record of these keys."""
    made = folder / "raw/e/v/quick-1"
    made.mkdir(parents=True)
    (made / "round.json").write_text(json.dumps(keys))
    return made


def test_a_round_of_this_jar_is_used_again(planned, tmp_path):
    folder = recorded(tmp_path, **jars.jar_record(planned))
    require_jars(folder, jars.jar_record(planned))
    assert jars.is_same_jar(folder, planned)


def test_a_round_of_another_jar_is_refused_with_both_hashes(planned, tmp_path):
    folder = recorded(tmp_path, jar_sha256=OTHER)
    with pytest.raises(UserError) as refused:
        require_jars(folder, jars.jar_record(planned))
    message = str(refused.value)
    assert str(folder) in message and OTHER[:12] in message and sha256(container.JAR)[:12] in message
    assert not jars.is_same_jar(folder, planned)


@pytest.mark.parametrize("key", ["jar_sha256", "harness_sha256"])
def test_a_round_of_an_external_jar_is_of_that_jar_and_of_its_harness(planned, tmp_path, key):
    external = replace(planned, subject=("1" * 64,))
    sums = jars.jar_record(external)
    require_jars(recorded(tmp_path / "same", **sums), sums)
    with pytest.raises(UserError, match=key):
        require_jars(recorded(tmp_path / "other", **{**sums, key: OTHER}), sums)


def test_a_plan_needs_no_jar(rounds, monkeypatch, tmp_path):
    monkeypatch.setattr(container, "JAR", tmp_path / "not-built.jar")
    assert rounds()


def test_a_harness_with_other_bytes_is_made_again(tmp_path):
    """A power cut once left it empty, and its date said that it was made."""
    with zipfile.ZipFile(tmp_path / "benchmarks.jar", "w") as jar:
        jar.writestr("jcarerun/round/RoundMain.class", b"code")
    made = jars.write_harness(tmp_path / "benchmarks.jar")
    whole = made.read_bytes()
    made.write_bytes(b"")
    assert jars.write_harness(tmp_path / "benchmarks.jar").read_bytes() == whole
