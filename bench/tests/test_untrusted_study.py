"""A study that somebody sends is read without running, building or fetching anything, and without leaving its directory."""

import hashlib
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from bench.tests import outside_jar
from bench.tests.outside_jar import listed
from jcarerun import make
from jcarerun.errors import UserError
from jcarerun.images import maven
from jcarerun.plan import definitions
from jcarerun.run import run
from jcarerun.subject import jars

RESULTS = '[{"benchmark": "org.example.Crypto.encrypt"}]'
MAVEN = {"maven": "org.example:crypto:1", "sha256": "1" * 64}


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A study in `tmp_path`/study, whose jar is right, with a change of its experiment. Files beside it are not its own."""
    monkeypatch.setattr(jars, "FOLDER", tmp_path / "kept")
    folder = tmp_path / "study"
    folder.mkdir()
    data = outside_jar.experiment(folder, outside_jar.jar(listed("encrypt")))
    data["workloads"] = {"encrypt": {"benchmark": "org.example.Crypto.encrypt"}}
    del data["factors"]
    for name in ("crypto.jar", "results.json"):
        content = (folder / name).read_bytes() if name == "crypto.jar" else RESULTS.encode()
        (tmp_path / name).write_bytes(content)
        (folder / f"link-{name}").symlink_to(tmp_path / name)
    (folder / "link").symlink_to(tmp_path)

    def write(**change):
        made = {**data, **change}
        file = folder / "sent.yaml"
        file.write_text(yaml.safe_dump({key: value for key, value in made.items() if value is not None}))
        return file

    return write


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.fixture
def nothing_runs(monkeypatch):
    """Every start of a program, and every download, is a failure."""

    def started(*words, **_):
        raise AssertionError(f"ran or fetched: {words}")

    monkeypatch.setattr(subprocess, "Popen", started)
    monkeypatch.setattr(maven, "take_named", started)


@pytest.mark.usefixtures("nothing_runs")
@pytest.mark.parametrize("key", ["build", "program"])
def test_a_recipe_for_a_shell_is_refused(study, registry, tmp_path, key):
    recipe = {
        "directory": "..",
        "fetch": f"touch {tmp_path}/ran",
        "command": f"touch {tmp_path}/ran",
        "jar": "crypto.jar",
    }
    with pytest.raises(UserError, match=rf"sent\.yaml: {key}: unknown key") as caught:
        definitions.read(study(jar=None, **{key: recipe}), registry, fetch=True)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


OUT_OF_THE_STUDY = {
    "an absolute path": "{folder}/{name}",
    "an absolute path into the study": "{folder}/study/{name}",
    "a path up": "../{name}",
    "a path up and down again": "../study/{name}",
    "a link to a file": "link-{name}",
    "a path through a link": "link/{name}",
    "the machine's own files": "/etc/passwd",
    "its devices": "/dev/zero",
}


@pytest.mark.usefixtures("nothing_runs")
@pytest.mark.parametrize("path", OUT_OF_THE_STUDY.values(), ids=OUT_OF_THE_STUDY)
@pytest.mark.parametrize("key", ["jar", "jar.needs", "published.jmh"])
def test_a_path_out_of_the_studys_directory_is_refused(study, registry, tmp_path, key, path):
    name = "results.json" if key == "published.jmh" else "crypto.jar"
    path = path.format(folder=tmp_path, name=name)
    right = digest(tmp_path / "crypto.jar")
    change = {
        "jar": {"jar": {"path": path, "sha256": right}},
        "jar.needs": {"jar": {"path": "crypto.jar", "sha256": right, "needs": [{"path": path, "sha256": right}]}},
        "published.jmh": {"published": {"jmh": path}},
    }[key]
    with pytest.raises(UserError, match="leads out of"):
        definitions.read(study(**change), registry, fetch=True)


def test_a_jar_below_the_studys_directory_is_read(study, registry, tmp_path):
    (tmp_path / "study/lib").mkdir()
    (tmp_path / "study/lib/crypto.jar").write_bytes((tmp_path / "crypto.jar").read_bytes())
    (tmp_path / "study/again.jar").symlink_to("lib/crypto.jar")
    for path in ("lib/crypto.jar", "./lib/crypto.jar", "again.jar"):
        assert definitions.read(study(jar={"path": path, "sha256": digest(tmp_path / "crypto.jar")}), registry)[
            "subject"
        ]


@pytest.mark.usefixtures("nothing_runs")
@pytest.mark.parametrize("entry", [MAVEN, {"path": "crypto.jar", "needs": [MAVEN]}], ids=["jar", "needs"])
@pytest.mark.parametrize(
    ("config", "fetch"),
    [({"raw": "data/sample"}, True), ({"from": "README.md"}, True), ({}, False)],
    ids=["a report on raw data", "an import of a kit", "a dry run or a job"],
)
def test_reading_fetches_nothing(study, tmp_path, entry, config, fetch):
    if "path" in entry:
        entry = {**entry, "sha256": digest(tmp_path / "crypto.jar")}
    file = study(jar=entry)
    with pytest.raises(UserError, match=r"org\.example:crypto:1 is not here, and only a run that measures fetches it"):
        run.from_config({"experiment_dir": str(file.parent), **config}, fetch)


def test_a_run_that_measures_fetches_by_the_files_hash(study, monkeypatch):
    fetched = []

    def take(coordinates, sha256, target, what):
        fetched.append((coordinates, sha256))
        raise UserError("no network")

    monkeypatch.setattr(maven, "take_named", take)
    with pytest.raises(UserError, match="no network"):
        run.from_config({"experiment_dir": str(study(jar=MAVEN).parent)}, fetch=True)
    assert fetched == [(MAVEN["maven"], MAVEN["sha256"])]


@pytest.mark.usefixtures("nothing_runs")
def test_nothing_is_measured_for_a_report_on_raw_data(tmp_path):
    current = run.Run(SimpleNamespace(raw=tmp_path), None, {}, [])
    with pytest.raises(UserError, match="a report on rounds that are there measures nothing; leave out raw"):
        current.write_round_files(1, tmp_path)


@pytest.mark.parametrize("value", ["", "no", "0", "false"])
def test_only_yes_lets_make_measure_what_a_bundle_brings(value):
    """STRICT and ANYWAY are read in the same way."""
    names = ("MEASURE", "STRICT", "ANYWAY")
    refused, asked = (
        make.command("verify", {"ARTIFACT": "a.zip", **dict.fromkeys(names, each)}, {}) for each in (value, "yes")
    )
    for option in ("--measure", "--strict", "--anyway"):
        assert option not in refused and option in asked
