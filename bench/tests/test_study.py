"""`make study`: the file that is written from a jar is accepted as it is, and holds what the jar's own annotations say."""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from bench.tests import outside_jar
from bench.tests.outside_jar import listed
from jcarerun.errors import UserError
from jcarerun.plan import definitions, plan, settings, study
from jcarerun.subject import jars
from jcarerun.support import files
from jcarerun.support.files import sha256


def jar(path: Path, lines: str) -> Path:
    path.write_bytes(outside_jar.jar(lines, java=21))
    return path


LINES = (
    listed("encrypt", params="M 2 4 size 3 1 1 2 16 4 1024 3 alg 2 3 AES 3 a,b")
    + listed("sign", params="M 1 3 key 1 22 blank_blank_blank_2014")
    + listed("odd$name")
    + listed("crowd", threads="I 2 -1", args="L 2 7 -Xmx20g 9 -Xshare:x")
    + listed("once").replace("Throughput", "SingleShotTime").replace("S 10 Single", "S 14 Single")
)


@pytest.fixture
def written(tmp_path, registry):
    """The file that is written for a jar with these lines, and what is read of it."""

    def write(lines: str) -> tuple[str, dict]:
        file = tmp_path / "studies" / "mine.yaml"
        file.parent.mkdir()
        made = jar(file.parent / "my crypto.jar", lines)
        file.write_text(study.text(made, file.parent, registry.catalogue))
        return file.read_text(), definitions.read(file, registry)

    return write


def test_every_benchmark_and_value_is_in_it_and_it_is_accepted_as_it_is(written, registry):
    text, data = written(LINES)
    assert data["factors"]["size"] == {"1": {"size": 1}, "16": {"size": 16}, "1024": {"size": 1024}}
    assert data["factors"]["alg"] == {"AES": {"alg": "AES"}}  # JMH can't be given the other, which has a comma
    assert data["workloads"]["crypto-encrypt"]["factors"] == ["size", "alg"]
    assert data["workloads"]["crypto-crowd"]["threads"] == 2
    # Its own heap is more than a container has, and said.
    assert data["workloads"]["crypto-crowd"]["jvm_args"] == ["-Xshare:x"] and "without its own -Xmx20g" in text
    assert data["workloads"]["crypto-once"]["protocols"] == ["as-published"]
    assert "sign: its parameter key has no value" in text and "odd$name: its name has other characters" in text
    assert "claims:" in text and "claims" not in data
    planned = plan.rounds({"mine": data}, settings.read({"tier": "standard"}), registry)
    java = {registry.catalogue.find(round_.environment).jdk.java for round_ in planned}
    assert min(java) >= 21 and len(planned[0].cells) == 5


def test_the_quick_tier_of_many_cells_is_short(written, registry):
    many = "".join(listed(f"run{n}", params="M 1 1 n 9 " + " ".join(f"1 {v}" for v in range(9))) for n in range(50))
    _, data = written(many)
    quick = plan.rounds({"mine": data}, settings.read({}), registry)
    full = plan.rounds({"mine": data}, settings.read({"tier": "full"}), registry)
    assert len(quick[0].cells) <= study.MOST_CELLS and len(full[0].cells) == 450
    assert {cell.factors["n"] for cell in quick[0].cells} == {"0", "8"}


def test_the_example_of_two_jdks_has_those_of_the_quick_tier(written):
    text, data = written(listed("encrypt"))
    javas = [int(name.rpartition("-")[2]) for name in data["tiers"]["quick"]["environments"]]
    assert f"jdk: {max(javas)}}}, denominator" in text and f"jdk: {min(javas)}}}}}" in text


@pytest.mark.parametrize(("names", "claims"), [(["encrypt", "sign"], {"A1", "J1"}), (["encrypt"], {"J1"})])
def test_the_examples_of_claims_are_accepted_and_none_compares_a_benchmark_with_itself(
    written, registry, tmp_path, names, claims
):
    text, _ = written("".join(map(listed, names)))
    head, comments = text.split("# Claims get verdicts.")
    lines = [line.removeprefix("# ") for line in comments.splitlines()[1:]]
    file = tmp_path / "studies" / "mine.yaml"
    file.write_text(head + "\n".join(lines) + "\n")
    assert definitions.read(file, registry)["claims"].keys() == claims


def test_a_regular_expression_chooses_benchmarks(tmp_path, registry):
    made = jar(tmp_path / "many.jar", "".join(map(listed, ("encrypt", "decrypt", "sign"))))
    data = yaml.safe_load(study.text(made, tmp_path, registry.catalogue, pattern=r"crypt$"))
    assert [each["benchmark"].rpartition(".")[2] for each in data["workloads"].values()] == ["decrypt", "encrypt"]
    with pytest.raises(UserError, match=r"BENCHMARKS=aes: no benchmark of .* matches; its first are .*crypt"):
        study.text(made, tmp_path, registry.catalogue, pattern="aes")
    with pytest.raises(UserError, match=r"BENCHMARKS=\(: is no regular expression"):
        study.text(made, tmp_path, registry.catalogue, pattern="(")


def test_more_benchmarks_than_a_file_may_have_are_refused_before_a_file_is_written(tmp_path, registry):
    made = jar(tmp_path / "many.jar", "".join(listed(f"test{number}") for number in range(1001)))
    with pytest.raises(UserError, match="has 1001 benchmarks, an experiment 1000 at most; choose with BENCHMARKS="):
        study.text(made, tmp_path, registry.catalogue)
    assert "test1000" in study.text(made, tmp_path, registry.catalogue, pattern="test10")


def test_each_jar_is_opened_once_however_many_benchmarks_it_has(tmp_path, registry, monkeypatch):
    """It was opened for each class, so a jar with hundreds took longer than anything that is read may take."""
    made = jar(tmp_path / "many.jar", "".join(listed(f"test{number}") for number in range(300)))
    subject = jars.read({"path": made.name, "sha256": sha256(made)}, tmp_path, "jar")
    opened, real = [], jars.zipfile.ZipFile
    monkeypatch.setattr(jars.zipfile, "ZipFile", lambda file: opened.append(file) or real(file))
    monkeypatch.setattr(files, "_confined", True)  # in this process, where the calls are counted
    assert subject.java(subject.benchmarks, "jar") == 21
    assert opened == subject.files


def test_classes_of_the_same_name_get_names_that_tell_them_apart():
    found = study.workload_names(["org.a.Crypto.run", "org.b.Crypto.run", "org.b.Other.run"])
    assert list(found.values()) == ["a-crypto-run", "b-crypto-run", "other-run"]


def test_the_command_writes_the_file_beside_the_jar_once_and_says_how_long_it_takes(tmp_path):
    own = tmp_path / "own.jar"
    shutil.copyfile(jar(tmp_path / "made.jar", LINES), own)
    command = ["python", "-m", "jcarerun", "study", str(own)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert yaml.safe_load((tmp_path / "own.yaml").read_text())["jar"]["path"] == "own.jar"
    assert "expected time" in run.stderr and "own.yaml: written" in run.stdout
    again = subprocess.run(command, capture_output=True, text=True)
    assert again.returncode == 2 and "is there already" in again.stderr


def test_a_jar_of_a_build_gets_a_study_outside_of_the_builds_directory(tmp_path):
    (tmp_path / "project/target").mkdir(parents=True)
    made = jar(tmp_path / "project/target/x.jar", LINES)
    run = subprocess.run(["jca-rerun", "study", str(made)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert sorted(path.name for path in (tmp_path / "project/studies").iterdir()) == ["x.jar", "x.yaml"]
    assert [path.name for path in made.parent.iterdir()] == ["x.jar"]
    refused = subprocess.run(
        ["jca-rerun", "study", str(made), "--out", str(made.with_name("x.yaml"))], capture_output=True, text=True
    )
    assert refused.returncode == 2 and "is removed by the next clean build" in refused.stderr


def test_a_jar_without_anything_to_be_measured_is_refused(tmp_path, registry):
    made = jar(tmp_path / "open.jar", listed("sign", params="M 1 3 key 1 22 blank_blank_blank_2014"))
    with pytest.raises(UserError, match="every benchmark has a parameter without a value"):
        study.text(made, tmp_path, registry.catalogue)
