"""environments.yaml: what it gives, and what is refused when it is read."""

import pytest
import yaml

from jcarerun.errors import UserError
from jcarerun.images import catalogue, image, lock

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


SYSTEMS = ("debian-11", "debian-12", "debian-13", "debian-14", "debian-sid")
TEMURIN = ("temurin-11.0.13", "temurin-17.0.9", "temurin-21.0.8", "temurin-25.0.2")


def ids(tag):
    return {name for name, e in catalogue.read().environments.items() if tag in e.tags}


def test_systems_and_jdks_are_crossed():
    every = catalogue.read().environments.values()
    crossed = {(e.system, e.jdk.id) for e in every if e.jdk.wheel and not {"native", "arm64"}.intersection(e.tags)}
    assert crossed == {(system, jdk) for system in (*SYSTEMS, "wine") for jdk in TEMURIN}


def test_one_jdk_is_the_same_bytes_on_every_debian():
    for jdk in TEMURIN:
        every = [e for e in catalogue.read().environments.values() if e.jdk.id == jdk and e.architecture == "amd64"]
        assert len({e.jdk.sha256 for e in every if e.platform == "linux"}) == 1
        assert len({e.jdk.sha256 for e in every}) == 2, "Windows has a build of its own"


def test_tags_choose_the_series():
    assert ids("smoke") == {"debian-12-temurin-17"}
    assert ids("quick") == {"debian-13-temurin-21", "debian-sid-openjdk-8"}
    assert ids("quick-os") == {"debian-13-temurin-21", "wine-temurin-21"}
    assert ids("os-series") == {f"{system}-temurin-21" for system in (*SYSTEMS, "wine")}
    assert ids("jdk-series") == {f"debian-13-temurin-{java}" for java in (11, 17, 21, 25)}
    assert {catalogue.read().environments[name].system for name in ids("openjdk")} == {"debian-sid"}
    assert ids("all") == set(catalogue.read().environments) - ids("native") - ids("arm64")


def test_an_environment_for_other_processors_has_their_jdk_and_no_root_file_system_here(monkeypatch):
    arm, usual = (catalogue.read().find(f"debian-13{part}-temurin-21") for part in ("-arm64", ""))
    assert (arm.architecture, arm.jdk.wheel["platform"]) == ("arm64", "manylinux_2_17_aarch64")
    assert arm.rootfs != usual.rootfs and arm.suite == usual.suite and arm.packages == usual.packages
    for machine, elsewhere in (("x86_64", (True, False)), ("aarch64", (False, True))):
        monkeypatch.setattr(catalogue.machines, "machine", lambda machine=machine: machine)
        assert (arm.elsewhere, usual.elsewhere) == elsewhere
        assert [bool(image.tars(one)) for one in (arm, usual)] == [not one for one in elsewhere]


def test_windows_jvm_comes_with_its_caveat():
    wine = catalogue.read().find("wine-temurin-21")
    assert (wine.platform, wine.jdk.wheel["platform"]) == ("windows", "win_amd64")
    assert wine.system_label == "Windows JVM on Wine"
    assert "not Windows itself" in wine.caveat
    assert catalogue.read().find("debian-13-temurin-21").caveat is None


def test_sisters_share_a_root_file_system():
    every = catalogue.read().environments
    assert every["debian-12-temurin-17"].rootfs == every["debian-12-temurin-21"].rootfs == "debian-12"
    assert every["wine-temurin-11"].rootfs == every["wine-temurin-25"].rootfs == "wine"
    assert every["debian-sid-openjdk-8"].rootfs != "debian-sid"


def jdk_with(**changes):
    def change(data):
        entry = data["jdks"]["temurin-17.0.9"]
        entry.update({key: value for key, value in changes.items() if value is not None})
        for key in [key for key, value in changes.items() if value is None]:
            del entry[key]

    return change


BALL = {"url": "jdk.tar.gz", "sha256": "ab" * 32}


def test_tarball_is_a_jdk(tmp_path):
    jdk = {"label": "JDK 7", "java": 7, "tarball": BALL}
    entry = {"system": "debian-11", "jdk": "jdk-7", "tags": ["all"]}
    file = changed(tmp_path, lambda d: (d["jdks"].update({"jdk-7": jdk}), d["environments"].update({"old": entry})))
    found = catalogue.read(file).find("old")
    assert (found.jdk.tarball, found.jdk.sha256, found.rootfs) == ("jdk.tar.gz", "ab" * 32, "debian-11")


IMAGE = {"label": "Mine", "image": "registry.example/mine@sha256:" + "0" * 64, "java": 17, "tags": ["all"]}


def test_image_by_its_digest(tmp_path):
    found = catalogue.read(changed(tmp_path, lambda d: d["environments"].update(mine=IMAGE))).find("mine")
    assert (found.system, found.rootfs, found.image) == ("image", None, IMAGE["image"])
    assert (found.jdk.id, found.jdk.java) == ("mine", 17)


def environment_with(name="debian-12-temurin-17", **changes):
    return lambda data: data["environments"].setdefault(name, {}).update(changes)


def without_file(jdk, platform):
    return lambda data: data["jdks"][jdk]["files"].pop(platform)


ENTRY = {"system": "debian-12", "jdk": "temurin-17.0.9", "tags": ["x"]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (jdk_with(files=None), "jdks.temurin-17.0.9.files: missing"),
        (jdk_with(wheel=None, files=None), "has none; give exactly one"),
        (jdk_with(package="openjdk-17-jre-headless"), "has wheel and package; give exactly one"),
        (jdk_with(tarball=BALL), "has wheel and tarball; give exactly one"),
        (jdk_with(home="/usr/lib/jvm/x"), "home: goes with a package only"),
        (jdk_with(wheel=None, tarball=BALL), "files: goes with a wheel only"),
        (jdk_with(wheel=None, files=None, package="openjdk-17-jre-headless"), "home: missing"),
        (jdk_with(wheel=None, files=None, tarball={**BALL, "sha256": "abc"}), "64 hex digits"),
        (jdk_with(wheel=None, files=None, tarball={"url": "x"}), "tarball.sha256: missing"),
        (jdk_with(java=4), "feature release"),
        (jdk_with(files={"macos": {}}), "unknown key"),
        (jdk_with(files={"linux": {"platform": "x", "sha256": "abc"}}), "64 hex digits"),
        (without_file("temurin-21.0.8", "linux-arm64"), "debian-13-arm64-temurin-21"),
        (without_file("temurin-21.0.8", "linux-arm64"), "add jdks.temurin-21.0.8.files.linux-arm64"),
        (without_file("temurin-17.0.9", "windows"), "has no file for windows"),
        (environment_with("debian-13-arm64-temurin-21", jdk="debian-openjdk-21"), "linux-arm64 needs one"),
        (environment_with("wine-temurin-21", jdk="debian-openjdk-8"), "is no wheel"),
        (
            environment_with("mine", **{**IMAGE, "image": "registry.example/mine:latest"}),
            "may mean another image tomorrow",
        ),
        (environment_with("mine", **{**IMAGE, "image": "registry.example/mine@sha256:12"}), "64 hex digits"),
        (environment_with("mine", **IMAGE, jdk="temurin-17.0.9"), "an image brings its own"),
        (environment_with("mine", **IMAGE, system="debian-12"), "an image brings its own"),
        (environment_with("mine", **{key: IMAGE[key] for key in IMAGE if key != "java"}), "java: missing"),
        (
            environment_with("mine", system="debian-12", tags=["all"]),
            "jdk: missing; give a system and a jdk, or an image",
        ),
        (environment_with("mine", **ENTRY, java=17), "goes with an image only"),
        (environment_with("host", **ENTRY), "taken"),
        (lambda data: data["systems"]["wine"].update(platform="macos"), "write linux or windows"),
        (environment_with(jdk="temurin-17.0.99"), "did you mean 'temurin-17.0.9'"),
        (environment_with(system="debian-1"), "systems"),
        (environment_with(tag="quick"), "did you mean 'tags'"),
    ],
)
def test_what_cannot_be_built_is_refused(tmp_path, change, words):
    assert words in refusal(tmp_path, change)


@pytest.mark.parametrize(
    "tags", [None, "quick", [], [["quick"]], [{"quick": 1}], [5], {"quick": None}, ["quick", "quick"]]
)
def test_tags_that_are_no_list_of_names_are_refused(tmp_path, tags):
    """Some were a stack trace: a list can be no member of a set."""
    assert "debian-12-temurin-17.tags" in refusal(tmp_path, environment_with(tags=tags))


def test_environment_that_no_entry_names():
    with pytest.raises(UserError, match="did you mean 'debian-12-temurin-17'"):
        catalogue.read().find("debian-12-temurin17")


def test_a_new_environment_is_one_entry(tmp_path):
    entry = {"system": "debian-sid", "jdk": "temurin-21.0.8", "tags": ["quick"]}
    file = changed(tmp_path, lambda d: d["environments"].update(another=entry))
    assert catalogue.read(file).find("another").rootfs == "debian-sid"


@pytest.mark.parametrize("system", ["debian-12", "debian-13"])
def test_native_systems_hold_what_their_plain_sisters_hold(system):
    """The same packages, byte for byte, and the libraries beside them; and the toolchain has those very libraries."""

    def packages(name):
        return {(p["name"], p["version"], p["sha256"]) for p in lock.read(name)["packages"]}

    plain, native = packages(f"{system}-temurin-21"), packages(f"{system}-native-temurin-21")
    assert plain < native < packages(f"toolchain-{system}-native")
    assert {e.system for e in catalogue.read().toolchains.values()} == {
        e.system for e in catalogue.read().environments.values() if "native" in e.tags
    }
