"""The one check: rounds that were measured pass it; each damage is named, though the manifest was made anew."""

import json
import shutil
from pathlib import Path

import pytest

from bench.tests import made_up_round
from bench.tests.csv_files import read_rows, write_rows
from bench.tests.kit_results import change_cell, change_json, seal
from bench.tests.mutations import refusal
from jcarerun.errors import UserError
from jcarerun.rounds import audit, manifest, record, validate
from jcarerun.run.plan_rounds import inputs
from jcarerun.run.round_file import write_inputs

SAMPLE = sorted(path.parent for path in Path("data/sample").glob("*/*/*/round.json"))
IMAGE = "sha256:" + "ab" * 32


@pytest.fixture
def folder(tmp_path, rounds, registry):
    """A round of kofahi2013 that was measured so to say, in which fork 3 was run again."""
    planned = rounds(tier="smoke")[0]
    made = tmp_path / planned.path
    made.mkdir(parents=True)
    write_inputs(made, inputs(planned, registry, "/bench/providers", "linux"))
    made_up_round.write_outputs(made, again=(3,))
    (made / "environment.json").write_text(json.dumps({
        "environment": planned.environment, "label": "Debian 12", "image_id": IMAGE, "platform": "linux", "caveat": None,
        "jdk": {"id": "temurin-17"},
    }))  # fmt: skip
    (made / "audit.json").write_text(
        json.dumps(
            {
                "host": {**dict.fromkeys(audit.host()), "machine_id": "0123456789ab"},
                "engine": "docker",
                "container": {"image": IMAGE},
            }
        )
    )
    record.write(made, planned.record(), {
        "engine": "docker", "machine_id": "0123456789ab", "image_id": IMAGE, "jar_sha256": "0" * 64,
        "providers": {"sunjce": ""}, "started_at": "2026-01-01T00:00:00.000Z", "finished_at": "2026-01-01T00:01:00.000Z",
        "elapsed_s": 60.0,
    })  # fmt: skip
    manifest.write(made)
    return made


def damage(folder):
    said = refusal(validate.validate_round, folder)
    assert "restore the round from where it was measured" in said
    return said


@pytest.mark.parametrize("folder", SAMPLE, ids=lambda path: "-".join(path.parts[-3:]))
def test_what_was_measured_passes(folder):
    validate.validate_round(folder)


def test_a_made_up_round_passes(folder):
    validate.validate_round(folder)


def cell(name, row, column, value):
    return lambda folder: change_cell(folder / name, row, column, value)


def json_of(name, **values):
    return lambda folder: change_json(folder / name, **values)


def result(change):
    def altered(folder):
        file = folder / "jmh/001.json"
        (found,) = json.loads(file.read_text())
        change(found)
        file.write_text(json.dumps([found]))

    return altered


def replaced(name, old, new, count=1):
    def altered(folder):
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new, count))

    return altered


def swapped(folder):
    """1024 and 2048 changed places in cells.csv alone."""
    rows = read_rows(folder / "cells.csv")
    two = next(row for row in rows if row["benchmark"] != rows[0]["benchmark"])
    for column in ("cell", "workload", "benchmark"):
        rows[0][column], two[column] = two[column], rows[0][column]
    write_rows(folder / "cells.csv", rows)


ITERATIONS = "iterations.csv"
DAMAGE = {
    "cells swapped": (swapped, "forks.tsv: fork 1: benchmark is"),
    "a cell twice": (replaced("cells.csv", "2,", "1,"), "cells.csv: "),
    "another mode": (cell("cells.csv", 0, "mode", "throughput"), "cells.csv: line 2: mode is 'throughput'"),
    "no iteration to measure": (cell("cells.csv", 0, "warmup", "99"), "cells.csv: fork 1: warmup 99 leaves none"),
    "a surplus column": (replaced(ITERATIONS, "gc_ms\n", "gc_ms,more\n"), "iterations.csv: the first line must be"),
    "a text": (cell(ITERATIONS, 0, "worker_cpu_ns", "much"), "line 2: worker_cpu_ns is 'much'"),
    "not a number": (cell(ITERATIONS, 0, "start_uptime_ms", "nan"), "line 2: start_uptime_ms is 'nan'"),
    "a number without end": (cell(ITERATIONS, 0, "gc_ms", "inf"), "line 2: gc_ms is 'inf'"),
    "a negative number": (cell(ITERATIONS, 0, "process_user_ns", "-1"), "line 2: process_user_ns is '-1'"),
    "no time": (cell(ITERATIONS, 0, "duration_ns", "0"), "line 2: duration_ns is '0'"),
    "an end before the beginning": (cell(ITERATIONS, 0, "end_uptime_ms", "1.000"), "line 2: ends before it begins"),
    "an iteration within another": (cell(ITERATIONS, 1, "start_uptime_ms", "1.000"), "line 3: begins before the iteration"),
    "fewer operations in all": (cell(ITERATIONS, 0, "all_operations", "1"), "line 2: has fewer operations in all"),
    "another duration": (cell(ITERATIONS, 2, "duration_ns", "7"), "jmh/001.json: iteration 3 took 1003.0 ns/op, "),
    "another fork": (cell(ITERATIONS, 0, "fork", "77"), "line 2: fork 77 did not run"),
    "an iteration twice": (cell(ITERATIONS, 1, "iteration", "1"), "line 3: iteration 1 of fork 1, 2 expected"),
    "a cut": (lambda folder: (folder / ITERATIONS).write_bytes((folder / ITERATIONS).read_bytes()[:-7]), "is cut short"),
    "line ends of Windows": (replaced(ITERATIONS, "\n", "\r\n", -1), "iterations.csv: is cut short, or has other line ends"),
    "a table that is no UTF-8": (lambda folder: (folder / ITERATIONS).write_bytes(b"\xff\xfe\n"), "iterations.csv: "),
    "a field of a megabyte": (cell("cells.csv", 0, "factor.cipher", "x" * 200_000), "cells.csv: line "),
    "another value": (replaced("jmh/001.json", "1001.0", "900.0"), "jmh/001.json: iteration 1 took 900.0"),
    "another benchmark": (result(lambda found: found.update(benchmark="x.Y.z")), "jmh/001.json: is of benchmark x.Y.z"),
    "another mode of JMH": (result(lambda found: found.update(mode="thrpt")), "jmh/001.json: is of mode thrpt"),
    "another parameter": (result(lambda found: found["params"].update(bytes="7")), "jmh/001.json: is of bytes=7, not of"),
    "another unit": (result(lambda found: found["primaryMetric"].update(scoreUnit="us/op")), "is in us/op, ns/op expected"),
    "another score": (result(lambda found: found["primaryMetric"].update(score=1.5)), "has score 1.5, the mean"),
    "a value too few": (result(lambda found: found["primaryMetric"]["rawData"][0].pop()), "iterations of"),
    "NaN in JSON": (replaced("jmh/001.json", "1001.0", "NaN"), "jmh/001.json: not whole JSON (NaN is no number)"),
    "a key twice": (replaced("jmh/001.json", '"forks"', '"mode": "avgt", "forks"'), "not whole JSON (mode stands twice)"),
    "deep JSON": (lambda folder: (folder / "jmh/001.json").write_text("[" * 100_000), "jmh/001.json: not whole JSON"),
    "half a JSON": (lambda folder: (folder / "jmh/002.json").write_text('[{"primaryMetric"'), "jmh/002.json: not whole JSON"),
    "no JMH result": (lambda folder: (folder / "jmh/002.json").write_text("[]"), "jmh/002.json: no JMH result of one fork"),
    "no result of a fork run again": (lambda folder: max(folder.glob("jmh/*.json")).unlink(), ".json: missing"),
    "an empty GC log": (lambda folder: (folder / "gc/001.log").write_text(""), "gc/001.log: is empty"),
    "no GC log": (lambda folder: (folder / "gc/001.log").write_text("log\n"), "gc/001.log: line 1: is no line of a GC log"),
    "a garbled GC log": (replaced("gc/001.log", "[2026", "@@\n[2026", -1), "gc/001.log: line 1: is no line"),
    "a GC log of another JVM": (replaced("gc/001.log", "21.0.8+9", "17.0.1+2"), "gc/001.log: is of a JVM of version 17.0.1+2"),
    "no disturbance": (lambda folder: (folder / "interference.csv").unlink(), "interference.csv: is missing"),
    "disturbance of a strange form": (replaced("interference.csv", "fork,", "fork;"), "interference.csv: the first line must be"),
    "a fork without a row": (cell("interference.csv", 0, "fork", "2"), "must have a row for each of"),
    "a planned fork as a rerun": (cell("interference.csv", 0, "rerun_of", "2"), "fork 1 is planned"),
    "a rerun for no gate": (cell("interference.csv", 2, "broken", ""), "fork 3 is planned, and is run again only if"),
    "a rerun of nothing": (cell("interference.csv", 2, "rerun_as", ""), "rerun_of 3 is no planned fork that was run again so"),
    "a rerun of itself": (cell("interference.csv", -1, "rerun_of", ""), "rerun_of empty is no planned fork"),
    "disturbance in words": (cell("interference.csv", 1, "steal_ms", "much"), "line 3: steal_ms is 'much'"),
    "disturbance below 0": (cell("interference.csv", 1, "spin_after_ns", "-5"), "line 3: spin_after_ns is '-5'"),
    "no such gate": (cell("interference.csv", 1, "broken", "none"), "line 3: broken is 'none'"),
    "another window": (cell("interference.csv", 0, "window_ms", "3.000"), "fork 1: window_ms 3.0, its iterations last"),
    "another sum": (cell("interference.csv", 0, "gc_ms", "9"), "fork 1: gc_ms 9, the sum over its iterations is 0"),
    "another reference": (cell("interference.csv", 0, "spin_reference_ns", "1"), "fork 1: spin_reference_ns 1, the round's best"),
    "other gates": (replaced("gates.tsv", "reruns\t0.2", "reruns\t0"), "forks were run again, 0 of"),
    "another machine": (json_of("round.json", machine_id="f" * 12), "audit.json: is of another machine or engine"),
    "another image": (json_of("round.json", image_id="sha256:" + "0" * 64), "environment.json: image_id: "),
    "another image inside": (json_of("audit.json", container={"image": "sha256:" + "0" * 64}), "audit.json: container.image"),
    "another place": (json_of("round.json", environment="elsewhere"), "round.json: is of kofahi2013/elsewhere/"),
    "another number": (json_of("round.json", number=9), "round.json: round: "),
    "another tier": (json_of("round.json", tier="full"), "round.json: round: "),
    "no such tier": (json_of("round.json", tier="fast"), "round.json: tier: 'fast' can't be"),
    "truth for a number": (json_of("round.json", seed=True), "round.json: seed: 'True' can't be"),
    "no time of day": (json_of("round.json", finished_at="yesterday"), "round.json: finished_at: 'yesterday' can't be"),
    "an end before its beginning": (json_of("round.json", finished_at="2025-01-01T00:00:00Z"), "ends before it begins"),
    "no time taken": (json_of("round.json", elapsed_s=-1), "round.json: elapsed_s: '-1' can't be"),
    "less time than its forks took": (json_of("round.json", elapsed_s=0.1), "round.json: elapsed_s: 0.1, its forks took"),
    "other providers": (json_of("round.json", providers={}), "round.json: providers: "),
    "a stage without a plan": (json_of("round.json", stage=2), "round.json: plan_sha256: 'empty' in stage 2"),
    "a strange key": (json_of("round.json", extra=1), "round.json: extra: no key of a round"),
    "a key less": (json_of("round.json", seed="REMOVE"), "round.json: seed: missing"),
    "no record": (lambda folder: (folder / "round.json").write_text("[]"), "round.json: not a record"),
    "no environment": (json_of("environment.json", platform="beos"), "environment.json: lacks platform or label"),
    "no limits": (lambda folder: (folder / "limits.txt").write_text("none\n"), "limits.txt: 'none' is no limit"),
    "a file of no fork": (lambda folder: (folder / "jmh/900.json").write_text("[]"), "jmh/900.json: no file of this round"),
    "a profile's flags": (lambda folder: (folder / "jvm/flags-native.txt").unlink(), "jvm/flags-native.txt: missing"),
}  # fmt: skip


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_whose_manifest_was_made_anew(folder, kind):
    change, words = DAMAGE[kind]
    change(folder)
    seal(folder)
    assert words in damage(folder)


OBSERVED = {
    "99,1,step.a,1": "line 2: fork 99, iteration 1: the round has none such",
    "1,999,step.a,1": "line 2: fork 1, iteration 999: the round has none such",
    "1,1,step.a,x": "line 2: value is 'x'",
    "1,1,step.a,nan": "line 2: value is 'nan'",
    "1,1,Step,1": "line 2: measure is 'Step'",
    "1,1,step.a": "line 2: has 3 fields",
    "1,1,a,2\n1,1,a,3": "line 3: a of fork 1, iteration 1, again",
}


@pytest.mark.parametrize("row", OBSERVED)
def test_observations_are_of_the_rounds_iterations(folder, row):
    (folder / "observations.csv").write_text(f"fork,iteration,measure,value\n{row}\n")
    seal(folder)
    assert f"observations.csv: {OBSERVED[row]}" in damage(folder)


def test_observations_may_be_there(folder):
    (folder / "observations.csv").write_text("fork,iteration,measure,value\n1,1,step.a,12.5\n1,1,bytes.1,3;0;9\n")
    seal(folder)
    validate.validate_round(folder)


def test_the_compilers_time_may_be_there(folder):
    text = (folder / ITERATIONS).read_text().replace(",0\n", ",0,5\n").replace("gc_ms\n", "gc_ms,jit_ms\n")
    (folder / ITERATIONS).write_text(text)
    seal(folder)
    validate.validate_round(folder)
    (folder / ITERATIONS).write_text(text.replace(",0,5\n", ",0,five\n"))
    seal(folder)
    assert "iterations.csv: line 2: jit_ms is 'five'" in damage(folder)


CHAINED = {
    "99,0,a.B::c,1.0,c2,,5": "line 2: fork 99 did not run",
    "1,0,a.B::c,2.0,c2,,5": "line 2: share is '2.0'",
    "1,0,a.B::c,0.5,hot,,5": "line 2: state is 'hot'",
}


@pytest.mark.parametrize("row", CHAINED)
def test_a_hot_chain_is_of_the_rounds_forks(folder, row):
    (folder / "chain.csv").write_text(f"fork,depth,method,share,state,within,since_ms\n{row}\n")
    seal(folder)
    assert f"chain.csv: {CHAINED[row]}" in damage(folder)


def test_a_stamp_says_that_a_round_was_checked(folder):
    validate.stamp_round(folder)
    digest, words, _ = manifest.stamp_of(folder).read_text().split("\n")
    assert digest == manifest.verify(folder)
    assert words == f"checked {validate.VERSION}"
    validate.verify_round(folder)


def test_a_round_that_was_altered_is_not_stamped(folder):
    DAMAGE["another value"][0](folder)
    seal(folder)
    with pytest.raises(UserError, match="iteration 1 took"):
        validate.stamp_round(folder)
    assert not manifest.stamp_of(folder).exists()


def test_a_round_that_was_altered_after_it_was_stamped(folder):
    validate.stamp_round(folder)
    (folder / "console.log").write_text("another\n")
    seal(folder)
    with pytest.raises(UserError, match=r"manifest\.sha256: differs from .*\.done"):
        validate.verify_round(folder)


def test_a_round_that_an_earlier_check_stamped_is_looked_at_once_more(folder):
    manifest.stamp_of(folder).write_text(f"{manifest.verify(folder)}\n")
    validate.verify_round(folder)
    assert f"checked {validate.VERSION}" in manifest.stamp_of(folder).read_text()
    DAMAGE["another value"][0](folder)
    seal(folder)
    manifest.stamp_of(folder).write_text(f"{manifest.verify(folder)}\n")
    with pytest.raises(UserError, match="iteration 1 took"):
        validate.verify_round(folder)


def test_nobody_elses_stamp_is_believed(folder):
    DAMAGE["another value"][0](folder)
    seal(folder)
    manifest.stamp_of(folder).write_text(f"{manifest.verify(folder)}\nchecked {validate.VERSION}\n")
    with pytest.raises(UserError, match="iteration 1 took"):
        validate.verify_round(folder, own=False)


def test_a_stamp_that_is_no_file(folder):
    manifest.stamp_of(folder).mkdir()
    with pytest.raises(UserError, match=r"\.done: is no plain file"):
        validate.verify_round(folder)


def test_a_copy_of_a_round_elsewhere_is_refused(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "x/y/z")
    assert "round.json: is of kofahi2013/" in damage(tmp_path / "x/y/z")
