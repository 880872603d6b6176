"""environments.yaml: what it gives, and what is refused when it is read."""

import pytest
import yaml

from envs.builder import catalogue
from envs.builder.errors import UserError

FILE = catalogue.ENVS / "environments.yaml"


def changed(tmp_path, change):
    data = yaml.safe_load(FILE.read_text())
    change(data)
    file = tmp_path / "environments.yaml"
    file.write_text(yaml.safe_dump(data, sort_keys=False))
    return file


def refusal(tmp_path, change):
    file = changed(tmp_path, change)
    with pytest.raises(UserError) as caught:
        catalogue.read(file)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_systems_and_jdks_are_crossed():
    every = catalogue.read().environments
    crossed = {(e.system, e.jdk.id) for e in every.values() if e.jdk.wheel}
    assert crossed == {(s, j) for s in ("debian-12", "debian-13") for j in ("temurin-17.0.9", "temurin-21.0.8")}
    assert every["debian-sid-openjdk-8"].jdk.java == 8


def test_sisters_share_a_root_file_system():
    every = catalogue.read().environments
    assert every["debian-12-temurin-17"].rootfs == every["debian-12-temurin-21"].rootfs == "debian-12"
    assert every["debian-sid-openjdk-8"].rootfs != "debian-sid"


def test_jdk_without_hash_is_refused(tmp_path):
    message = refusal(tmp_path, lambda d: d["jdks"]["temurin-17.0.9"].pop("sha256"))
    assert "jdks.temurin-17.0.9.sha256: missing" in message


def test_hash_of_the_wrong_form_is_refused(tmp_path):
    message = refusal(tmp_path, lambda d: d["jdks"]["temurin-17.0.9"].update(sha256="abc"))
    assert "64 hex digits" in message


def test_jdk_from_two_sources_is_refused(tmp_path):
    message = refusal(tmp_path, lambda d: d["jdks"]["temurin-17.0.9"].update(package="openjdk-17-jre-headless"))
    assert "exactly one" in message


def test_unknown_jdk_comes_with_the_likeliest(tmp_path):
    message = refusal(tmp_path, lambda d: d["environments"]["debian-12-temurin-17"].update(jdk="temurin-17.0.99"))
    assert "did you mean 'temurin-17.0.9'" in message


def test_unknown_system_is_refused(tmp_path):
    assert "systems" in refusal(tmp_path, lambda d: d["environments"]["debian-12-temurin-17"].update(system="debian-1"))


def test_unknown_key_is_refused(tmp_path):
    assert "did you mean 'tags'" in refusal(
        tmp_path, lambda d: d["environments"]["debian-12-temurin-17"].update(tag="quick")
    )


def test_environment_that_no_entry_names():
    with pytest.raises(UserError, match="did you mean 'debian-12-temurin-17'"):
        catalogue.read().find("debian-12-temurin17")


def test_the_pipelines_own_ids_are_taken(tmp_path):
    assert "taken" in refusal(
        tmp_path,
        lambda d: d["environments"].update(host={"system": "debian-12", "jdk": "temurin-17.0.9", "tags": ["x"]}),
    )


def test_a_new_environment_is_one_entry(tmp_path):
    entry = {"system": "debian-sid", "jdk": "temurin-21.0.8", "tags": ["quick"]}
    file = changed(tmp_path, lambda d: d["environments"].update({"debian-sid-temurin-21": entry}))
    assert catalogue.read(file).find("debian-sid-temurin-21").rootfs == "debian-sid"
