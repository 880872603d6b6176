"""Where packages come from: the cache, the archive, the snapshot archive, and the archive with other versions, in that order."""

from dataclasses import replace

import pytest

from envs.tests import debian_archive
from jcarerun.errors import UserError
from jcarerun.images import catalogue, packages

SUITE, MOMENT = "testing", "20240101T000000Z"


class Place:
    """A live archive with newer packages than the lock, a snapshot archive with the locked ones, and a pool."""

    def __init__(self, tmp_path, server):
        self.root, self.pool = tmp_path / "web", tmp_path / "pool"
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        found = catalogue.read().find("debian-sid-temurin-21")
        self.environment = replace(found, suite=SUITE, packages=("hello",), rootfs="test")
        self.locked = None

    def publish(self, live=(("apt", "1"), ("hello", "2:2.0")), release="", then=(("apt", "1"), ("hello", "2:1.0"))):
        """Make both archives; the lock is of the older one."""
        debian_archive.publish(self.root / "live", SUITE, list(live), release)
        published = debian_archive.publish(self.root / "then" / MOMENT, SUITE, list(then))
        self.locked = {"packages": published, "snapshot": MOMENT}

    def supply(self, **options):
        """Bring the packages into the pool."""
        return packages.supply(self.environment, self.locked, self.pool, **options)

    def versions(self):
        """The files in the pool."""
        return sorted(file.name for file in self.pool.glob("*.deb"))


@pytest.fixture
def place(tmp_path, monkeypatch):
    (tmp_path / "web").mkdir()
    server = debian_archive.serve(tmp_path / "web")
    made = Place(tmp_path, server)
    monkeypatch.setattr(packages, "archive_sources", lambda _: [f"deb [trusted=yes] {made.url}/live {SUITE} main"])
    monkeypatch.setattr(packages, "_configured_snapshots", dict)
    monkeypatch.setattr(packages, "APT", tmp_path / "apt")
    yield made
    server.shutdown()
    server.server_close()


def snapshots(place):
    return f"Snapshots: {place.url}/then/@SNAPSHOTID@/\n"


def test_without_a_lock_the_archive_as_it_is(place):
    place.publish()
    place.locked = None
    found = place.supply()
    assert [(p["name"], p["version"]) for p in found["packages"]] == [("apt", "1"), ("hello", "2:2.0")]
    assert found["source"] == "archive" and len(found["snapshot"]) == len(MOMENT)
    assert place.versions() == ["apt_1_amd64.deb", "hello_2%3a2.0_amd64.deb"]


def test_locked_bytes_that_the_archive_still_has(place):
    place.publish(live=(("apt", "1"), ("hello", "2:1.0")))
    found = place.supply()
    assert (found["source"], found["packages"], found["snapshot"]) == ("archive", place.locked["packages"], MOMENT)


def test_locked_versions_come_from_the_snapshot_archive_and_then_from_the_cache(place, monkeypatch, capsys):
    place.publish(release=snapshots(place))
    found = place.supply()
    assert (found["source"], found["packages"]) == ("snapshot", place.locked["packages"])
    assert place.versions() == ["apt_1_amd64.deb", "hello_2%3a1.0_amd64.deb"]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(packages, "archive_sources", lambda _: pytest.fail("the archive was asked"))
    assert place.supply()["source"] == "cache"


def test_apts_own_configuration_names_the_snapshot_archive(place, monkeypatch):
    place.publish()
    monkeypatch.setattr(packages, "_configured_snapshots", lambda: {"Origin::Test": f"{place.url}/then/@SNAPSHOTID@/"})
    assert place.supply()["source"] == "snapshot"


@pytest.mark.parametrize(
    ("release", "words"),
    [
        ("", "names one"),
        ("Snapshots: http://127.0.0.1:9/@SNAPSHOTID@/\n", "does not answer"),
        ("Snapshots: no\n", "names one"),
    ],
)
def test_without_snapshot_archive_it_goes_on_and_says_so(place, capsys, release, words):
    place.publish(release=release)
    found = place.supply()
    assert {(p["name"], p["version"]) for p in found["packages"]} == {("apt", "1"), ("hello", "2:2.0")}
    said = capsys.readouterr().err
    assert words in said and "hello 2:1.0" in said and said.count("\n") == 1


def test_snapshot_with_other_bytes_is_not_taken(place, capsys):
    place.publish(release=snapshots(place))
    place.locked["packages"] = [
        {**p, "sha256": "ab" * 32} if p["name"] == "hello" else p for p in place.locked["packages"]
    ]
    assert place.supply()["packages"] != place.locked["packages"]
    assert "it lacks 1 of them" in capsys.readouterr().err


def test_cached_file_with_other_bytes_is_not_taken(place):
    place.publish(live=(("apt", "1"), ("hello", "2:1.0")))
    place.supply()
    file = place.pool / "hello_2%3a1.0_amd64.deb"
    file.write_bytes(b"x")
    assert place.supply()["source"] == "archive"
    assert not packages.missing_packages(place.pool, place.locked["packages"])


def test_refresh_goes_past_cache_lock_and_snapshot(place):
    place.publish(release=snapshots(place))
    place.supply()
    found = place.supply(refresh=True)
    assert ("hello", "2:2.0") in {(p["name"], p["version"]) for p in found["packages"]}
    assert found["snapshot"] != MOMENT


def test_unreachable_archive_and_empty_cache_are_one_line(place):
    place.locked = None
    with pytest.raises(UserError, match="archive can't be read") as caught:
        place.supply()
    assert "\n" not in str(caught.value)


def test_package_that_nobody_has_is_named(place):
    place.publish()
    place.locked, place.environment = None, replace(place.environment, packages=("nonesuch",))
    with pytest.raises(UserError, match="nonesuch") as caught:
        place.supply()
    assert "\n" not in str(caught.value)


def test_sources_are_mmdebstraps_and_nothing_is_fetched():
    lines = packages.archive_sources("bookworm")
    assert lines and all(line.startswith("deb ") and " bookworm" in line for line in lines)


def test_address_by_label_comes_before_origin():
    configured = {"Override::Label::Debian-Security": "security/@SNAPSHOTID@", "Origin::Debian": "debian/@SNAPSHOTID@"}
    assert packages._snapshot_address("Origin: Debian\nLabel: Debian-Security\n", configured) == "security/@SNAPSHOTID@"
    assert packages._snapshot_address("Origin: Debian\nLabel: Debian\n", configured) == "debian/@SNAPSHOTID@"
    assert packages._snapshot_address("Origin: Other\n", configured) is None
