"""Rounds that others brought (`--config raw=DIR`, a kit's): whatever lies there is read as hostile.

A copy of a round, wrong labels and another JVM are refused, whatever the manifests say.
"""

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.tests import kit_results
from bench.tests.csv_files import read_rows, write_rows
from bench.tests.kit_results import planned_run
from bench.tests.mutations import refusal
from jcarerun.errors import UserError
from jcarerun.kit import import_kit
from jcarerun.rounds import forks
from jcarerun.rounds.tree import InvalidRound
from jcarerun.rounds.validate import RoundFacts
from jcarerun.run import container, run, verified

SAMPLE = Path("data/sample")
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def facts(begin_s, length_s, contents, machine="0123456789ab"):
    times = {"started_at": begin_s, "finished_at": begin_s + length_s}
    record = {key: (BEGIN + timedelta(seconds=value)).isoformat() for key, value in times.items()}
    return RoundFacts(
        {}, {**record, "machine_id": machine}, frozenset(), {text: n for n, text in enumerate(contents, 1)}
    )


@st.composite
def honest_rounds(draw):
    """Rounds of a few machines, one after the other on each, whose forks have times of their own."""
    found, at = {}, dict.fromkeys("ab", 0)
    for number in range(draw(st.integers(2, 8))):
        machine, length = draw(st.sampled_from("ab")), draw(st.integers(10, 1000))
        contents = [f"{number}-{fork}" for fork in range(draw(st.integers(1, 4)))]
        found[Path(f"e/env/r-{number:02d}")] = facts(at[machine], length, contents, machine)
        at[machine] += length + draw(st.integers(-verified.MOST_OVERLAP_S, 100))
    return found


def is_refused(found):
    try:
        verified.check_distinct(found)
    except UserError as error:
        assert "\n" not in str(error)
        return True
    return False


@settings(derandomize=True, deadline=None)
@given(honest_rounds(), st.data())
def test_honest_rounds_pass_and_any_copied_fork_or_shared_minute_is_refused(found, data):
    assert not is_refused(found)
    one, other = data.draw(st.permutations(sorted(found)))[:2]
    copied = data.draw(st.sampled_from(sorted(found[one].contents)))
    with_copy = RoundFacts({}, found[other].record, frozenset(), {**found[other].contents, copied: 99})
    assert is_refused({**found, other: with_copy})
    at = (datetime.fromisoformat(found[one].record["started_at"]) - BEGIN).total_seconds()
    beside = facts(at + data.draw(st.integers(0, 3)), 10, ["new"], found[one].record["machine_id"])
    assert is_refused({**found, Path("e/env/r-99"): beside})


@pytest.fixture
def raw(tmp_path):
    """The sample's rounds of one study in one environment."""
    place = sorted((SAMPLE / "phenry2014").iterdir())[0]
    shutil.copytree(place, tmp_path / "raw/phenry2014" / place.name)
    return tmp_path / "raw"


def verify(raw):
    verified.verify(run.from_config({"raw": str(raw), "experiments": ["phenry2014"]}))


def test_reference_forks_count_where_they_lie_beside_the_rounds(raw):
    folder = next(raw.glob("*/*/*-01"))
    path = folder.relative_to(raw)
    shutil.copytree(folder, raw / ".reference_forks" / path)
    found = run.from_config({"raw": str(raw), "experiments": ["phenry2014"]})
    assert found.reference_paths == [str(path)]
    verified.verify(found)
    (raw / ".reference_forks" / path / "iterations.csv").unlink()
    assert "iterations.csv" in refusal(verify, raw)


def test_a_round_or_an_environment_that_is_a_link(raw, tmp_path):
    folder = next(raw.glob("*/*/*-01"))
    shutil.move(folder, tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert f"{folder.name}: is no plain file or directory" in refusal(verify, raw)
    folder.unlink()
    (raw / "phenry2014/other").symlink_to("/etc")
    assert "other: is no plain file or directory" in refusal(verify, raw)


@pytest.mark.parametrize("name", ["round.json", "environment.json", "manifest.sha256", "iterations.csv"])
def test_a_file_that_is_a_fifo_or_leads_out(raw, name):
    file = next(raw.glob("*/*/*-01")) / name
    file.unlink()
    os.mkfifo(file)
    assert f"{name}: is no plain file" in refusal(verify, raw)
    file.unlink()
    file.symlink_to("/proc/kmsg")
    assert f"{name}: is no plain file" in refusal(verify, raw)


def test_a_round_that_is_replayed_as_another_is_refused(raw):
    folder = sorted(raw.glob("*/*/*-*"))[0]
    again = folder.with_name(f"{folder.name[:-2]}09")
    shutil.copytree(folder, again)
    times = {"started_at": "2026-01-01T00:00:00Z", "finished_at": "2026-01-01T00:01:00Z"}
    kit_results.change_json(again / "round.json", round=again.name, number=9, **times)
    kit_results.seal(again)
    assert "has the same times as fork" in refusal(verify, raw)


def test_a_fork_that_is_copied_within_a_round_is_refused():
    rows = [{"duration_ns": 100 + n, "operations": 3} for n in range(3)]
    with pytest.raises(UserError, match="forks 1 and 2 have the same times"):
        forks.content_digests({1: rows, 2: list(rows)})
    # One iteration alone may well take as long as another.
    assert forks.content_digests({1: rows[:1], 2: rows[:1]}) == {}


@settings(derandomize=True, deadline=None)
@given(st.lists(st.integers(10**6, 10**8), min_size=16, max_size=40, unique=True), st.data())
def test_a_copy_of_which_some_iterations_were_changed_is_found(durations, data):
    copied = list(durations)
    for _ in range(data.draw(st.integers(1, 7))):  # of at least eight, all in the first half
        copied[data.draw(st.integers(0, 7))] += 1
    rows = {
        fork: [{"duration_ns": each, "operations": 5} for each in own]
        for fork, own in enumerate((durations, copied), 1)
    }
    with pytest.raises(InvalidRound, match="forks 1 and 2 have the same times"):
        forks.content_digests(rows)


@settings(derandomize=True, deadline=None)
@given(st.lists(st.lists(st.sampled_from([100, 200, 300]), min_size=1, max_size=2), min_size=2, max_size=9))
def test_short_iterations_of_a_coarse_clock_are_no_copies(durations):
    rows = {fork: [{"duration_ns": each, "operations": 1} for each in own] for fork, own in enumerate(durations, 1)}
    assert forks.content_digests(rows) == {}


LABELS = ("workload", "benchmark", "protocol", "provider", "cpu_profile", "mode", "factor")


@pytest.mark.parametrize("label", LABELS)
def test_any_label_that_differs_from_the_cells_definition_is_refused(raw, label):
    name = "factor.rsa-bits" if label == "factor" else label
    others = {"mode": "single-shot", "benchmark": "jcarerun.workload.Digest.digest", "factor": "4096"}
    tables = ((folder, read_rows(folder / "cells.csv")) for folder in sorted(raw.glob("*/*/*-*")))
    folder, rows = next(pair for pair in tables if any(row.get("factor.rsa-bits") for row in pair[1]))
    row = next(row for row in rows if row["factor.rsa-bits"])
    row[name] = others.get(label, "other")
    write_rows(folder / "cells.csv", rows)
    kit_results.seal(folder)
    assert "cells.csv" in refusal(verify, raw)


@pytest.mark.parametrize(
    ("version", "jdk", "java", "fits"),
    [
        ("17.0.9+9", "temurin-17.0.9", 17, True),
        ("17.0.90+1", "temurin-17.0.9", 17, False),
        ("21.0.8+9-LTS", "temurin-17.0.9", 17, False),
        ("21.0.8+9-LTS", "debian-openjdk-21", 21, True),
        ("25.0.2+10", "debian-openjdk-2", 2, False),
        ("25.392-b08", "debian-openjdk-8", 8, True),
        ("17.0.9+9", "debian-openjdk-8", 8, False),
    ],
)
def test_a_jvm_is_of_the_jdk_that_its_environment_has(version, jdk, java, fits):
    assert verified.is_of_jdk(version, jdk, java) is fits


def test_one_kits_result_is_not_imported_as_that_of_other_machines(registry, tmp_path, monkeypatch):
    (tmp_path / "benchmarks.jar").write_bytes(b"jar")
    monkeypatch.setattr(container, "JAR", tmp_path / "benchmarks.jar")
    current = planned_run(registry, results=str(tmp_path))
    for round_ in current.kit_rounds():
        kit_results.make(tmp_path / "back", round_, registry)
    import_kit.import_rounds(current, tmp_path / "back")
    other = "f" * 12
    for place in (tmp_path / "back").glob(f"*/{kit_results.ENVIRONMENT}"):
        for folder in place.iterdir():
            kit_results.change_reading(folder / "machine/host.txt", "machine_id", other)
            kit_results.seal(folder)
        place.rename(place.with_name(f"kit-{other}"))
    with pytest.raises(UserError, match="has the same times as fork"):
        import_kit.import_rounds(current, tmp_path / "back")
    assert not list(current.folders.raw.glob(f"*/kit-{other}/*"))
