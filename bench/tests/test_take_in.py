"""What a kit sent back is taken in as it was measured, or refused in one line that names the file."""

import json
import shutil
import stat
import zipfile
from pathlib import Path

import pytest

from bench.harness import container, definitions, kit, manifest, run, settings, take_in
from bench.tests import kit_results
from envs.builder.errors import UserError

EXPERIMENTS = Path("bench/tests/experiments")


@pytest.fixture
def current(world, tmp_path, monkeypatch):
    """A run of the self-test whose raw directory and jar are the test's own."""
    jar = tmp_path / "benchmarks.jar"
    jar.write_bytes(b"jar")
    monkeypatch.setattr(container, "JAR", jar)
    for module in (run, take_in):
        monkeypatch.setattr(module, "RAW", tmp_path / "raw")
    return planned_run(world)


def planned_run(world, **config):
    chosen = settings.read({"experiment_dir": str(EXPERIMENTS), "tier": "smoke", "seed": 1, **config})
    experiments = definitions.read_all(chosen.experiment_dir, (), world)
    return run.Run(chosen, world, experiments, [])


@pytest.fixture
def rounds(current, tmp_path):
    """The two rounds of the kit, measured so to say."""
    return [kit_results.make(tmp_path / "back", one, current.world) for one in current.kit_rounds()]


@pytest.fixture
def back(rounds, tmp_path):
    return tmp_path / "back"


def pack(folder, target):
    with zipfile.ZipFile(target, "w") as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder))
    return target


def refusal(current, given):
    with pytest.raises(UserError) as caught:
        take_in.take_in(current, given)
    assert "\n" not in str(caught.value)
    assert not list(take_in.RAW.glob("*/*/*")), "nothing is taken in"
    assert not list(take_in.RAW.glob(".take-in-*"))
    return str(caught.value)


def test_a_directory_is_taken_in_with_stamps(current, back, rounds):
    assert "2 rounds of kit-0123456789ab; 0 were" in take_in.take_in(current, back)
    for folder in rounds:
        target = take_in.RAW / folder.relative_to(back)
        stamp = target.with_name(f"{target.name}.whole").read_text().strip()
        assert manifest.verify(target) == stamp
    assert len(current.taken_in()) == 2


def test_so_is_a_zip_and_the_same_again_is_fine(current, back, tmp_path):
    file = pack(back, tmp_path / "back.zip")
    take_in.take_in(current, file)
    assert "0 rounds of kit-0123456789ab; 2 were" in take_in.take_in(current, file)


def test_the_kits_own_directory_will_do(current, back, tmp_path):
    whole = tmp_path / "kit"
    whole.mkdir()
    shutil.move(back, whole / "results")
    (whole / "kit.sha256").write_text("")
    (whole / "run.sh").write_text("")
    assert "2 rounds" in take_in.take_in(current, whole)


def test_another_result_of_the_same_round_overwrites_nothing(current, back, rounds):
    take_in.take_in(current, back)
    (rounds[0] / "console.log").write_text("another\n")
    kit_results.seal(rounds[0])
    with pytest.raises(UserError, match="is there already, and is another result"):
        take_in.take_in(current, back)
    assert "another" not in (take_in.RAW / rounds[0].relative_to(back) / "console.log").read_text()


def test_a_run_reports_on_them_as_another_machine(current, back, world):
    take_in.take_in(current, back)
    entry = next(e for e in current.definitions()["environments"] if e["id"] == kit_results.ENVIRONMENT)
    assert entry["label"] == "Windows 11, Temurin 17 (kit)"
    assert (entry["platform"], entry["jdk_id"], entry["java"]) == ("windows", "17.0.9+9", 17)
    assert [path for path in current.round_paths() if kit_results.ENVIRONMENT in path] == current.taken_in()
    assert any(kit_results.ENVIRONMENT in stamp for stamp in current.stamps())
    other = planned_run(world, seed=2)
    assert other.taken_in() == []
    assert len(other.left_out()) == 2


def test_a_round_that_was_changed_after_it_was_taken_in(current, back, rounds, world):
    take_in.take_in(current, back)
    target = take_in.RAW / rounds[0].relative_to(back)
    (target / "console.log").write_text("changed\n")
    kit_results.seal(target)
    with pytest.raises(UserError, match=r"manifest.sha256: differs from .*\.whole, so the round was changed"):
        planned_run(world).verify()


@pytest.mark.parametrize(
    ("name", "words"),
    [("iterations.csv", "differs from the manifest"), ("jmh/001.json", "differs from the manifest"),
     ("cells.csv", "differs from the manifest")],
)  # fmt: skip
def test_one_changed_digit(current, back, rounds, name, words):
    file = rounds[1] / name
    file.write_text(file.read_text().replace("1", "2", 1))
    said = refusal(current, back)
    assert f"{rounds[1].name}/{name}: {words}" in said


def test_a_missing_and_an_added_file(current, back, rounds):
    (rounds[0] / "gc/002.log").unlink()
    assert "gc/002.log: missing" in refusal(current, back)
    (rounds[0] / "gc/002.log").write_text("log\n")
    (rounds[0] / "notes.txt").write_text("")
    assert "notes.txt: not in the round's manifest" in refusal(current, back)


def test_observations_are_of_the_rounds_iterations(current, back, rounds):
    """The file may be missing; what it holds must be of the round."""
    file = rounds[0] / "observations.csv"
    wrong = {
        "99,1,step.a,1": "line 2: must have a fork",
        "1,1,step.a,x": "must have a fork",
        "1,1,step.a": "is '1,1,step.a'",
        "1,1,a,2\n1,1,a,3": "line 3: a of fork 1, iteration 1, again",
    }
    for row, said in wrong.items():
        file.write_text(f"fork,iteration,measure,value\n{row}\n")
        kit_results.seal(rounds[0])
        assert said in refusal(current, back)
    file.write_text("fork,measure\n")
    kit_results.seal(rounds[0])
    assert "the first line must be fork,iteration,measure,value" in refusal(current, back)
    file.write_text("fork,iteration,measure,value\n1,1,step.a,12.5\n1,1,bytes.1,3;0;9\n")
    kit_results.seal(rounds[0])
    assert "taken in" in take_in.take_in(current, back)


def test_an_added_file_that_the_manifest_lists(current, back, rounds):
    (rounds[0] / "notes.txt").write_text("")
    kit_results.seal(rounds[0])
    assert "notes.txt: no file of a round" in refusal(current, back)


def cells(folder):
    kit_results.change_cell(folder / "cells.csv", 0, "warmup", "3")


def forks(folder):
    file = folder / "forks.tsv"
    file.write_text(file.read_text().replace("-Xmx512m", "-Xmx900m", 1))


def iterations(folder):
    kit_results.change_cell(folder / "iterations.csv", 2, "duration_ns", "1")


def fewer(folder):
    file = folder / "iterations.csv"
    file.write_text(file.read_text().rstrip("\n").rpartition("\n")[0] + "\n")


def value(folder):
    file = folder / "jmh/001.json"
    file.write_text(file.read_text().replace("1000.0", "900.0"))


def another_benchmark(folder):
    file = folder / "jmh/001.json"
    file.write_text(file.read_text().replace("SelfTest.run", "FileCipher.encrypt"))


def flags(folder):
    (folder / "jvm/flags-native.txt").unlink()


def version(folder):
    (folder / "jvm/version.txt").write_text("another JVM\n")


def record(**values):
    def change(folder):
        kit_results.change_json(folder / "round.json", **values)

    change.__name__ = "_".join(values)
    return change


def host(folder):
    kit_results.change_json(folder / "audit.json", host={"machine_id": "f" * 12})


def environment(folder):
    kit_results.change_json(folder / "environment.json", platform="beos")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (cells, "cells.csv: differs from this checkout's plan"),
        (forks, "forks.tsv: differs from this checkout's plan"),
        (iterations, "iteration 3 took"),
        (fewer, "iterations.csv: "),
        (value, "jmh/001.json: iteration 1 took 900.0"),
        (another_benchmark, "jmh/001.json: is of jcarerun.workload.FileCipher.encrypt"),
        (flags, "jvm/flags-native.txt: missing"),
        (version, "round.json: image_id"),
        (host, "audit.json: is of another machine"),
        (environment, "environment.json: lacks platform"),
        (record(order_seed=1), "round.json: order_seed: 1, but this checkout's plan has"),
        (record(engine="docker"), "round.json: engine: 'docker'"),
        (record(jar_sha256="0" * 64), "round.json: jar_sha256"),
        (record(providers={}), "round.json: providers"),
        (record(machine_id="f" * 12), "round.json: machine_id"),
        (record(seed=2), "this checkout plans no such round"),
        (record(tier="fast"), "round.json: has no tier and seed"),
        (record(elapsed_s=-1), "round.json: started_at, finished_at, elapsed_s"),
        (record(finished_at="yesterday"), "round.json: started_at, finished_at, elapsed_s"),
        (record(extra=1), "round.json: extra: no key of a round"),
        (record(elapsed_s="REMOVE"), "round.json: elapsed_s: missing"),
    ],
)
def test_changed_with_its_manifest_made_anew(current, back, rounds, change, words):
    """The manifest can't tell; what the plan and the files say of each other can."""
    change(rounds[0])
    kit_results.seal(rounds[0])
    said = refusal(current, back)
    assert words in said
    assert rounds[0].name in said


def test_a_record_that_is_no_json(current, back, rounds):
    (rounds[0] / "round.json").write_text('{"tier"')
    kit_results.seal(rounds[0])
    assert "round.json: not whole JSON" in refusal(current, back)


def test_of_another_checkout(current, back, rounds):
    rounds[0].rename(rounds[0].with_name("smoke-00000000-01"))
    assert "this checkout plans no such round" in refusal(current, back)


@pytest.mark.parametrize("environment", ["debian-12-temurin-17", "kit-0123456789AB", "kit-01234"])
def test_only_a_kits_environment(current, back, rounds, environment):
    rounds[0].parent.rename(rounds[0].parent.with_name(environment))
    assert f"{environment} is no kit's environment" in refusal(current, back)


def test_of_an_unknown_experiment(current, back, rounds):
    rounds[0].parents[1].rename(back / "other")
    assert "other is no experiment of this run" in refusal(current, back)


def test_nothing_in_it(current, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "holds no round" in refusal(current, empty)


def test_a_stray_file(current, back):
    (back / "readme").write_text("")
    assert "readme: is no file of" in refusal(current, back)


def test_a_link(current, back, rounds):
    (rounds[0] / "console.log").unlink()
    (rounds[0] / "console.log").symlink_to("/etc/passwd")
    assert "console.log: is no plain file" in refusal(current, back)


@pytest.mark.parametrize("name", ["../evil", "/evil", "a/../../evil", "a\\..\\evil", "C:evil"])
def test_a_zip_that_leads_out_of_itself(current, tmp_path, name):
    file = tmp_path / "evil.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "")
    assert "leads out of the zip" in refusal(current, file)
    assert not list(tmp_path.rglob("evil"))


def test_a_link_in_a_zip(current, tmp_path):
    file = tmp_path / "link.zip"
    member = zipfile.ZipInfo("selftest/kit-0123456789ab/r/console.log")
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(member, "/etc/passwd")
    assert "is no plain file (a link?)" in refusal(current, file)


def test_a_zip_that_is_none_or_was_cut_short(current, back, tmp_path):
    file = tmp_path / "back.zip"
    file.write_text("no zip")
    assert "is not a whole zip" in refusal(current, file)
    whole = pack(back, file).read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert "is not a whole zip" in refusal(current, file)


def test_a_zip_too_large(current, back, tmp_path, monkeypatch):
    monkeypatch.setattr(take_in, "MOST_BYTES", 1000)
    assert "MiB unpacked" in refusal(current, pack(back, tmp_path / "back.zip"))


def test_a_forbidden_feature_is_seen(world, current, tmp_path):
    """A kit with CPU profiles measures them by JVM flags alone, and they are read back."""
    experiments = json.loads(json.dumps(current.experiments))
    experiments["selftest"]["tiers"]["smoke"]["cpu_profiles"] = ["native", "core2"]
    wide = run.Run(settings.read({"tier": "smoke", "cpu_profiles": ["native", "core2"]}), world, experiments, [])
    for one in wide.kit_rounds():
        kit_results.make(tmp_path / "wide", one, world)
    assert "flags-core2.txt: UseAES=true: must be off" in refusal(wide, tmp_path / "wide")


def test_the_key_is_checked_when_it_is_read():
    with pytest.raises(UserError, match="no such file or directory"):
        settings.read({"from": "no/such/file.zip"})


def test_the_default_profile_is_the_machines_own(current):
    assert {cell.cpu_profile for one in current.kit_rounds() for cell in one.cells} == set(kit.DEFAULT_PROFILES)
