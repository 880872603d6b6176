"""The kit: the same bytes from the same inputs, for any system, and the same cells as the pipeline's own rounds."""

import hashlib
import io
import os
import re
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from jcarerun.errors import UserError
from jcarerun.kit import kit
from jcarerun.plan import definitions, plan, selection, settings
from jcarerun.run import container, plan_rounds
from jcarerun.subject import jars


@pytest.fixture
def planned(registry, tmp_path, monkeypatch):
    """The kit's rounds of kofahi2013 in the standard tier, which has a provider from a jar."""
    monkeypatch.setattr(container, "JAR", tmp_path / "benchmarks.jar")
    monkeypatch.setattr(container, "JARS", tmp_path)
    monkeypatch.setattr(kit, "FOLDER", tmp_path / "kit")
    for name in ("benchmarks", *registry.providers):
        (tmp_path / f"{name}.jar").write_bytes(name.encode())
    return rounds(registry)


def rounds(registry, profiles=selection.KIT_PROFILES, **config):
    experiments = definitions.read_all(Path("bench/experiments"), ("kofahi2013",), registry)
    return selection.kit_rounds(experiments, settings.read({"tier": "standard", **config}), registry, profiles)


def unpacked(target):
    with zipfile.ZipFile(target) as archive:
        top = f"{target.stem}/"
        assert all(name.startswith(top) for name in archive.namelist())
        return {name.removeprefix(top): archive.read(name) for name in archive.namelist()}


def test_two_kits_are_the_same_bytes(planned, registry):
    first = kit.write(planned, registry).read_bytes()
    time.sleep(0.01)
    os.utime(container.JAR)
    assert kit.write(planned, registry).read_bytes() == first


def test_it_holds_all_it_needs_and_says_so(planned, registry):
    files = unpacked(kit.write(planned, registry))
    sums = dict(reversed(line.split("  ")) for line in files.pop("kit.sha256").decode().splitlines())
    assert sums == {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    used = {cell.provider for round_ in planned for cell in round_.cells if registry.providers[cell.provider].jar}
    assert used
    assert {name for name in files if name.startswith("providers/")} == {f"providers/{name}.jar" for name in used}
    for round_ in planned:
        assert f"rounds/{round_.experiment}/{round_.id}/cells.csv" in files
    assert files["captures.txt"].decode() == kit.CAPTURES


def test_its_paths_are_relative_and_alike_on_every_system(planned, registry):
    files = unpacked(kit.write(planned, registry))
    for name, content in files.items():
        assert "\\" not in name
        if name.endswith("forks.tsv"):
            jars = re.findall(r"@(\S+\.jar)", content.decode())
            assert jars
            assert {jar.rpartition("/")[0] for jar in jars} == {"../providers"}
            assert "-jvm\t" not in content.decode(), "no script starts a JVM"
            assert b"\r" not in content


def test_an_old_jvm_takes_its_options(planned, registry):
    """The collector, heap and CPUs are given as everywhere; an option that a JVM does not know must not end it."""
    text = next(v for k, v in unpacked(kit.write(planned, registry)).items() if k.endswith("forks.tsv")).decode()
    for line in text.splitlines():
        words = line.split("\t")
        options = [words[i + 1] for i, word in enumerate(words) if word == "-jvmArgs"]
        assert options[0] == "-XX:+IgnoreUnrecognizedVMOptions"
        assert "-XX:+UseSerialGC" in options


def test_its_plan_is_a_table(planned, registry):
    rows = [line.split("\t") for line in unpacked(kit.write(planned, registry))["plan.tsv"].decode().splitlines()]
    assert tuple(rows[0]) == kit.COLUMNS
    assert [(row[0], row[1]) for row in rows[1:]] == [(round_.experiment, round_.id) for round_ in planned]
    assert all(int(row[4]) >= plan_rounds.FORK_TIMEOUT_LEAST_S for row in rows[1:])
    java = Path("bench/jmh/src/main/java/jcarerun/kit/Kit.java").read_text()
    assert "\\t".join(kit.COLUMNS) in java


def test_a_round_of_somebody_elses_jar_brings_it_and_the_harness(planned, registry, tmp_path, monkeypatch):
    with zipfile.ZipFile(container.JAR, "w") as jar:
        jar.writestr("jcarerun/round/RoundMain.class", b"ours")
    monkeypatch.setattr(jars, "FOLDER", tmp_path)
    digest = hashlib.sha256(b"theirs").hexdigest()
    jars.file_of(digest).write_bytes(b"theirs")
    files = unpacked(kit.write([replace(planned[0], subject=(digest,)), planned[1]], registry))
    paths = [line.split("\t")[-1] for line in files["plan.tsv"].decode().splitlines()]
    assert paths == ["class_path", f"harness.jar,subjects/{digest}.jar", "benchmarks.jar"]
    assert files[f"subjects/{digest}.jar"] == b"theirs"
    assert zipfile.ZipFile(io.BytesIO(files["harness.jar"])).namelist() == ["jcarerun/round/RoundMain.class"]


def test_its_page_is_plain_and_complete(planned, registry):
    page = unpacked(kit.write(planned, registry))["README.txt"].decode("ascii")
    assert "$" not in page
    assert page.count("\n") == page.count("\r\n")
    for words in ("run.bat", "sh run.sh", kit.RUN, "Switch off", "How long it takes", "Send back", "What it records"):
        assert words in page


def test_its_page_says_where_the_pipeline_has_a_second_stage(planned, registry):
    for tier, said in (("standard", True), ("quick", False)):
        page = unpacked(kit.write(rounds(registry, tier=tier), registry))["README.txt"].decode("ascii")
        assert ("This kit has the first stage alone" in page) == said


def test_it_measures_the_cells_of_the_pipeline(planned, registry, rounds_of_the_pipeline):
    ours = {cell.id: cell for cell in planned[0].cells}
    theirs = {cell.id: cell for cell in rounds_of_the_pipeline[0].cells if cell.cpu_profile in selection.KIT_PROFILES}
    assert ours == theirs


@pytest.fixture
def rounds_of_the_pipeline(registry):
    experiments = definitions.read_all(Path("bench/experiments"), ("kofahi2013",), registry)
    return plan.rounds(experiments, settings.read({"tier": "standard"}), registry)


def test_cpus_and_memory_of_this_machine_are_not_the_kits(registry):
    assert rounds(registry)[0].id == rounds(registry, memory=4096, cpuset="0")[0].id
    assert rounds(registry)[0].id != rounds(registry, seed=3)[0].id


def test_nothing_to_pack_is_said(registry):
    with pytest.raises(UserError, match="no experiment of this run has rounds"):
        kit.write(rounds(registry, profiles=("no-such",)), registry)
