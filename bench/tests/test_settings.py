"""`--config`: a misspelt key or value is refused before anything starts."""

import json
import os
from pathlib import Path

import pytest
import yaml

from bench.tests.refusals import refused
from jcarerun import cli
from jcarerun.plan import settings
from jcarerun.rounds import record
from jcarerun.run import round_file
from jcarerun.support.engine import ENGINES


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"teir": "smoke"}, "did you mean 'tier'"),
        ({"tier": "quikc"}, "did you mean 'quick'"),
        ({"engine": "dokcer"}, "did you mean 'docker'"),
        ({"seed": -1}, "whole number"),
        ({"seed": "x"}, "whole number"),
        ({"seed": 3.0}, "whole number"),
        ({"seed": True}, "whole number"),
        ({"experiments": [5]}, "list of names"),
        ({"memory": 10}, "1024 or more"),
        ({"experiments": 5}, "list of names"),
        ({"raw": "no/such/place"}, "no such directory"),
        ({"cpuset": "a"}, "must be CPUs, such as 0,1"),
        ({"cpuset": "3-1"}, "must be CPUs, such as 0,1"),
        ({"cpuset": "0", "engine": "host"}, "no container to give CPUs to"),
        ({"cpu_profiles": 2}, "list of names, such as"),
        ({"results": "pyproject.toml"}, "is a file; give a directory"),
        ({"results": "x" * 5000}, "no directory can have this name"),
        ({"results": "a\0b"}, "no directory can have this name"),
        ({"results": "/proc/x"}, "/proc cannot be written to"),
        ({"results": "a/{b}"}, "without { and } in its path"),
        ({"strict": "yes"}, "must be true or false"),
        ({"refresh": 1}, "must be true or false"),
    ],
)
def test_refused(config, words):
    with refused(words):
        settings.read(config)


def test_defaults():
    assert settings.read({}).tier == "quick"
    assert settings.read({}).engine == "docker"


def test_one_name_is_a_list_of_one():
    assert settings.read({"experiments": "kofahi2013"}).experiments == ("kofahi2013",)


def test_results_lie_in_the_checkout_or_beside_experiments_that_lie_elsewhere(tmp_path):
    assert settings.read({}).results is None
    assert settings.read({"experiment_dir": "bench/tests/experiments"}).results is None
    study = tmp_path / "a study: mine"
    study.mkdir()
    assert settings.read({"experiment_dir": str(study)}).results == study / "results"
    assert settings.read({"experiment_dir": os.path.relpath(study)}).results == study / "results"
    assert settings.read({"experiment_dir": str(study), "results": "there"}).results == Path.cwd() / "there"


@pytest.mark.parametrize("experiments", ["/there", settings.defaults()["experiment_dir"]])
def test_paths_begin_where_a_run_was_started_and_defaults_in_the_checkout(tmp_path, experiments):
    config = {"tier": "smoke", "raw": "data", "experiment_dir": experiments, "from": None}
    assert settings.from_folder(config, Path.cwd()) == config
    assert settings.from_folder(config, tmp_path) == {**config, "raw": str(tmp_path / "data")}


def test_cpus_of_a_cpuset():
    assert settings.parse_cpuset("0-2,5") == [0, 1, 2, 5]
    assert settings.read({"cpuset": "1,3"}).cpus == [1, 3]
    assert settings.read({"cpuset": 0}).cpus == [0]


def test_every_key_is_described_and_has_a_default():
    schema = yaml.safe_load(settings.SCHEMA.read_text())["properties"]
    assert schema.keys() == settings.defaults().keys()
    assert all("description" in entry for entry in schema.values())
    assert {name.rstrip("_") for name in settings.Settings.__dataclass_fields__} == schema.keys()


def test_tiers_and_engines_are_those_of_the_code():
    """Also those of a round's file: a round must run with every engine that a run may have."""
    schema = yaml.safe_load(settings.SCHEMA.read_text())["properties"]
    assert tuple(schema["tier"]["enum"]) == record.TIERS
    of_rounds = json.loads(round_file.SCHEMA.read_text())["properties"]
    assert tuple(schema["engine"]["enum"]) == tuple(of_rounds["engine"]["enum"]) == cli.ENGINES == ENGINES


def test_every_setting_has_a_comment_beside_its_default():
    lines = [line for line in settings.FILE.read_text().splitlines() if line and not line.startswith("#")]
    assert [line.partition(":")[0] for line in lines] == list(settings.defaults())
    assert all(" # " in line for line in lines)


def test_a_truth_value_as_a_command_line_has_it():
    for word in (True, "true", "True"):
        assert settings.read({"strict": word}).strict is True


def test_values_of_a_command_line_become_values_as_yaml_has_them():
    given = {"experiments": "kofahi2013", "strict": "True", "cpuset": 0, "unknown": "x"}
    assert settings.normalised(given) == {"experiments": ["kofahi2013"], "strict": True, "cpuset": "0", "unknown": "x"}
