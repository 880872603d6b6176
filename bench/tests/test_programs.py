"""Experiments on a program that isn't ours: what becomes of its workloads, and what is refused when the file is read."""

import hashlib
import re
from pathlib import Path

import pytest
import yaml

from jcarerun.errors import UserError
from jcarerun.plan import definitions, kit_rounds, pilots, plan, settings
from jcarerun.plan.inputs import write_inputs
from jcarerun.rounds import forks
from jcarerun.subject import programs

EXAMPLE = re.search(r"```yaml\n(.+?)```", Path("docs/own-program.md").read_text(), re.DOTALL)[1]


@pytest.fixture
def study(tmp_path, world, monkeypatch):
    """Writes a program and the page's experiment on it, after changes of both, and reads the file."""
    monkeypatch.setattr(programs, "FOLDER", tmp_path / "kept")

    def read(change=lambda data: None, program="#!/bin/sh\n", mode=0o755):
        file = tmp_path / "checksum"
        if program:
            file.write_text(program)
            file.chmod(mode)
        data = yaml.safe_load(EXAMPLE)
        data["program"]["sha256"] = hashlib.sha256(b"#!/bin/sh\n").hexdigest()
        change(data)
        (tmp_path / "sums.yaml").write_text(yaml.safe_dump(data))
        return definitions.read(tmp_path / "sums.yaml", world)

    return read


def planned(experiment, world, **config):
    return plan.rounds({"sums": experiment}, settings.read(config), world)


def test_a_program_becomes_cells_of_native_forks_without_a_jvms_extras(study, world, tmp_path):
    rounds = planned(study(), world)
    assert {cell.id for cell in rounds[0].cells} == {
        "sum:short:default:modern:native",
        "sum:long:default:modern:native",
    }
    given = tmp_path / "given"
    given.mkdir()
    write_inputs(given, rounds[0], world.providers, world.cpu_profiles, "jars", "linux", program="/bench/program")
    found = forks.read(given).values()
    assert {(fork.native, fork.sampled, fork.provider, fork.benchmark) for fork in found} == {
        (True, False, "default", "checksum.sum")
    }
    assert {fork.params["bytes"] for fork in found} == {"1000", "100000"}
    assert "-Djcarerun.provider.default=native:/bench/program" in (given / "forks.tsv").read_text()


def test_what_a_program_says_of_its_cpu_time_may_be_judged(study):
    def change(data):
        data["measure"] = "cpu"
        data["claims"]["C1"]["measure"] = "cpu"

    experiment = study(change)
    assert (experiment["measure"], experiment["claims"]["C1"]["measure"]) == ("cpu", "cpu")


def test_another_program_makes_other_rounds(study, world):
    first = planned(study(), world)[0]

    def other(data):
        data["program"]["sha256"] = hashlib.sha256(b"#!/bin/bash\n").hexdigest()

    assert planned(study(other, "#!/bin/bash\n"), world)[0].id != first.id


def test_it_has_no_pilots_and_is_in_no_kit(study, world):
    experiment = study()
    chosen = settings.read({})
    first = plan.rounds({"sums": experiment}, chosen, world)
    assert pilots.rounds(first, {"sums": experiment}, chosen, world) == []
    assert kit_rounds.rounds({"sums": experiment}, chosen, world) == []


def test_what_is_kept_can_be_run_and_not_be_written(study):
    file = programs.kept(study()["subject"]["program"])
    assert file.stat().st_mode & 0o777 == 0o555
    file.chmod(0o755)
    file.write_text("changed")
    with pytest.raises(UserError, match="is gone or was changed; run again, which copies it anew"):
        programs.kept(file.stem)
    assert programs.kept(study()["subject"]["program"]).read_text() == "#!/bin/sh\n"


def put(*path):
    """A change of the file: all but the last of the arguments lead to a key, the last is its value."""

    def change(data):
        for key in path[:-2]:
            data = data[key]
        data[path[-2]] = path[-1]

    return change


SUM, LENGTH = ("workloads", "sum"), ("factors", "length")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("program", "path", "none"), "program.path: there is no file"),
        (put("program", "sha256", "0" * 64), "program.sha256: 0+ expected, .* it was changed: correct one of the two"),
        (put("jar", {"path": "a.jar", "sha256": "0" * 64}), "program: stands beside jar"),
        (put("providers", ["sunjce"]), "providers: is for our own workloads"),
        (put("not_offered", "mark"), "not_offered: is for our own workloads"),
        (put(*SUM, "threads", 2), "workloads.sum.threads: is for benchmarks of a JVM"),
        (put(*SUM, "jvm_args", ["-Xmx1g"]), "workloads.sum.jvm_args: is for benchmarks of a JVM"),
        (put("tiers", "quick", "cpu_profiles", ["core2"]), "tiers.quick.cpu_profiles: a program's code"),
        (put("tiers", "quick", "environments", ["wine-temurin-17"]), "wine-temurin-17 runs programs of windows"),
        (put(*SUM, "params", {"fork": 2}), "workloads.sum: fork: --fork is given by the round"),
        (put(*SUM, "params", {"Size": 2}), "workloads.sum: Size: is no option; write small letters"),
        (put(*LENGTH, "long", {"content": ""}), "workloads.sum: content: is empty"),
        (put(*LENGTH, "long", {}), "factors.length.long: .*write JMH parameters"),
        (put(*SUM, "factors", ["size"]), "'size' is no factor of this file"),
    ],
)
def test_refused_in_a_line(study, change, words):
    with pytest.raises(UserError, match=words) as caught:
        study(change)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_run_is_refused(study):
    with pytest.raises(UserError, match=r"program.path: .* is no program that can be run; chmod \+x it"):
        study(mode=0o644)
