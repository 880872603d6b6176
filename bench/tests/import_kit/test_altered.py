"""Rounds that were altered, by accident or by hand, are refused in one line that names the file."""

import json

import pytest

from bench.tests import kit_results, made_up_round
from bench.tests.kit_results import import_refusal
from jcarerun.kit import import_kit
from jcarerun.plan import settings
from jcarerun.run import run


def test_a_rerun_without_its_log(current, rounds, tmp_path):
    round_ = current.kit_rounds()[0]
    folder = kit_results.make(tmp_path / "again", round_, current.registry, again=(2,))
    (folder / f"jmh/{len(round_.cells) + 1:03d}.txt").unlink()
    kit_results.seal(folder)
    assert f"jmh/{len(round_.cells) + 1:03d}.txt: missing" in import_refusal(current, tmp_path / "again")


@pytest.mark.parametrize("name", ["iterations.csv", "jmh/001.json", "cells.csv"])
def test_one_changed_digit(current, back, rounds, name):
    file = rounds[1] / name
    file.write_text(file.read_text().replace("1", "2", 1))
    assert f"{rounds[1].name}/{name}: differs from the manifest" in import_refusal(current, back)


def test_a_missing_and_an_added_file(current, back, rounds):
    (rounds[0] / "gc/002.log").unlink()
    assert "gc/002.log: missing" in import_refusal(current, back)
    (rounds[0] / "gc/002.log").write_text(made_up_round.GC_LOG)
    (rounds[0] / "gc/099.log").write_text("")
    assert "gc/099.log: not in the manifest" in import_refusal(current, back)
    kit_results.seal(rounds[0])
    assert "gc/099.log: no file of this round" in import_refusal(current, back)


def cells(folder):
    kit_results.change_cell(folder / "cells.csv", 0, "warmup", "3")


def forks(folder):
    file = folder / "forks.tsv"
    file.write_text(file.read_text().replace("-Xmx512m", "-Xmx900m", 1))


def value(folder):
    file = folder / "jmh/001.json"
    file.write_text(file.read_text().replace("1001.0", "900.0"))


def flags(folder):
    (folder / "jvm/flags-native.txt").unlink()


def gates(folder):
    file = folder / "gates.tsv"
    file.write_text(file.read_text().replace("0.05", "0.5", 1))


def told(name, key, value):
    def change(folder):
        kit_results.change_reading(folder / name, key, value)

    change.__name__ = f"{key}_{value}"
    return change


def forged(folder):
    """A kit leaves the records to whoever imports it."""
    (folder / "round.json").write_text("{}")


ROUND, HOST = "machine/round.txt", "machine/host.txt"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (cells, "cells.csv: differs from this checkout's plan"),
        (forks, "forks.tsv: differs from this checkout's plan"),
        (gates, "gates.tsv: differs from this checkout's plan"),
        (value, "jmh/001.json: iteration 1 took 900.0"),
        (flags, "jvm/flags-native.txt: is missing"),
        (forged, "round.json: is no file of"),
        (told(HOST, "machine_id", "f" * 12), "machine/: machine_id: 'ffffffffffff', but"),
        (told(HOST, "platform", "beos"), "environment.json: lacks platform"),
        (told(HOST, "java.specification.version", "x"), "machine/round.txt: or a file beside it, can't be read"),
        (told(ROUND, "jar_sha256", "0" * 64), "machine/: jar_sha256"),
        (told(ROUND, "seed", "2"), "this checkout plans no such round"),
        (told(ROUND, "seed", "x"), "machine/round.txt: seed is 'x'"),
        (told(ROUND, "elapsed_s", "0.1"), "round.json: elapsed_s: 0.1, its forks took"),
        (told(ROUND, "elapsed_s", "nan"), "round.json: not whole JSON (NaN is no number)"),
        (told(ROUND, "finished_at", "yesterday"), "round.json: finished_at: 'yesterday' can't be"),
        (told("machine/before.txt", "bean SystemCpuLoad", "x"), "machine/before.txt: bean SystemCpuLoad is 'x'"),
        (told(HOST, "bean TotalPhysicalMemorySize", "-5"), "bean TotalPhysicalMemorySize is '-5'"),
        (told(HOST, "cpus", "-1"), "machine/host.txt: cpus is '-1'"),
        (told(HOST, "cpus", "9" * 5000), "machine/host.txt: cpus is '999"),
        (told(HOST, "java.vendor", "\x1b[2J"), r"machine/host.txt: '\x1b[2J' is over"),
        (told(HOST, "os.name", "\u202eswodniW"), r"machine/host.txt: '\u202eswodniW' is over"),
        (told(HOST, "cpu_model", "x" * 20_000), "machine/host.txt: 'xxx"),
    ],
)
def test_changed_with_its_manifest_made_anew(current, back, rounds, change, words):
    """The manifest can't tell; what the plan and the files say of each other can."""
    change(rounds[0])
    kit_results.seal(rounds[0])
    said = import_refusal(current, back)
    assert words in said
    assert rounds[0].name in said


@pytest.mark.parametrize("value", ["NaN", "-1.0", "0.0", "1.0E-4", "1.7976931348623157"])
def test_a_load_that_the_system_does_not_tell_is_unknown(current, back, rounds, value):
    kit_results.change_reading(rounds[0] / "machine/before.txt", "bean SystemCpuLoad", value)
    kit_results.seal(rounds[0])
    assert "2 rounds" in import_kit.import_rounds(current, back)


def test_a_forbidden_feature_is_seen(registry, current, tmp_path):
    """A kit with CPU profiles measures them by JVM flags alone, and they are read back."""
    experiments = json.loads(json.dumps(current.experiments))
    experiments["selftest"]["tiers"]["smoke"]["cpu_profiles"] = ["native", "core2"]
    config = {"tier": "smoke", "cpu_profiles": ["native", "core2"], "results": str(tmp_path / "results")}
    wide = run.Run(settings.read(config), registry, experiments, [])
    for round_ in wide.kit_rounds():
        kit_results.make(tmp_path / "wide", round_, registry)
    assert "flags-core2.txt: UseAES=true: must be off" in import_refusal(wide, tmp_path / "wide")
