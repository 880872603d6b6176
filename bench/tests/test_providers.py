"""providers.yaml: one entry makes a provider; an entry that can't be trusted is refused."""

import hashlib

import pytest
import yaml

from bench.tests.refusals import refused
from jcarerun.plan import cpu_profiles, providers
from jcarerun.run import jars


@pytest.fixture
def read_new(changed_yaml):
    """Reads an entry that is added to the file."""
    return lambda entry: providers.read(changed_yaml(providers.FILE, lambda data: data.update(new=entry)))["new"]


JAR = {"label": "New", "jar": "a:b:1", "sha256": "ab" * 32, "class": "a.B", "offers": ["AES"]}


def test_a_new_provider_is_one_entry(read_new):
    new = read_new(JAR)
    assert new.jvm_argument("/p") == "-Djcarerun.provider.new=a.B@/p/new.jar"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sha256": None}, "new.sha256: missing"),
        ({"class": None}, "new.class: missing"),
        ({"installed": "X"}, "exactly one"),
        ({"native": "botan"}, "exactly one"),
        ({"jar": None, "sha256": None, "class": None, "native": "botan"}, "new.offers: remove it"),
        ({"jar": None, "offers": None, "native": "libsodium"}, "openssl, botan or cryptopp"),
        ({"file": "x.jar"}, "exactly one"),
        ({"jar": None, "file": "a/x.jar"}, "jar in bench/providers"),
        ({"sha256": "abc"}, "64 hex digits"),
        ({"jar": "a:b"}, "group:artifact:version"),
        ({"offers": None}, "new.offers: missing"),
    ],
)
def test_refused(read_new, change, words):
    entry = {key: value for key, value in {**JAR, **change}.items() if value is not None}
    with refused(words):
        read_new(entry)


def test_a_jar_with_a_classifier_is_taken(read_new):
    assert read_new({**JAR, "jar": "a:b:1:jar:linux-x86_64"}).jar == "a:b:1:jar:linux-x86_64"


DROPPED_IN = {"label": "Mine", "file": "mine.jar", "class": "a.B", "offers": ["AES"]}


def test_a_provider_may_need_more_jars(read_new):
    new = read_new({**JAR, "needs": [{"jar": "c:d:2", "sha256": "cd" * 32}]})
    assert [jar.name for jar in new.jars] == ["new.jar", "new.2.jar"]
    assert new.jvm_argument("/p") == "-Djcarerun.provider.new=a.B@/p/new.jar,/p/new.2.jar"


def test_a_native_library_has_a_program_and_no_jar(read_new):
    new = read_new({"label": "New", "native": "botan"})
    assert new.jars == []
    assert new.jvm_argument("/p") == "-Djcarerun.provider.new=native:/bench/native/jca-native-botan"


def test_a_jar_that_no_registry_has_is_dropped_in(tmp_path, monkeypatch, read_new):
    monkeypatch.setattr(jars, "DROP_IN", tmp_path)
    (tmp_path / "mine.jar").write_bytes(b"a jar")
    mine = read_new({**DROPPED_IN, "sha256": hashlib.sha256(b"a jar").hexdigest()})
    record = tmp_path / "record"
    jars.fetch_all({"new": mine}, tmp_path / "jars", record)
    assert (tmp_path / "jars/new.jar").read_bytes() == b"a jar"
    assert record.read_text() == f"{mine.sha256}  new.jar\n"


@pytest.mark.parametrize(("content", "words"), [(None, "put the jar there"), (b"other", "not taken")])
def test_a_dropped_in_jar_that_is_missing_or_another_is_refused(tmp_path, monkeypatch, read_new, content, words):
    monkeypatch.setattr(jars, "DROP_IN", tmp_path)
    if content:
        (tmp_path / "mine.jar").write_bytes(content)
    mine = read_new({**DROPPED_IN, "sha256": "ab" * 32})
    with refused(words):
        jars.fetch(mine.jars[0], tmp_path / "jars")


# The JVM's switches of what the JDK's own classes take of the CPU, and the algorithms that it is for.
INTRINSICS = {
    "UseAESIntrinsics": "AES",
    "UseChaCha20Intrinsics": "ChaCha20",
    "UsePoly1305Intrinsics": "ChaCha20-Poly1305",
    "UseSHA1Intrinsics": "SHA-1",
    "UseSHA256Intrinsics": "SHA-256",
    "UseSHA512Intrinsics": "SHA-512",
    "UseIntPolyIntrinsics": "EC",
}


def test_features_are_those_that_the_core_2_profile_hides():
    hidden = yaml.safe_load(cpu_profiles.FILE.read_text())["profiles"]["core2"]["forbidden"]["openssl"]
    for provider in providers.read().values():
        for algorithm, features in provider.features.items():
            assert set(features) <= set(hidden), (provider.id, algorithm)


def test_the_jdks_features_are_those_of_its_switches():
    own = providers.read()["sunjce"].features
    switches = cpu_profiles.read()["core2"].forbidden_flags
    for switch, algorithm in INTRINSICS.items():
        assert switch in switches
        assert algorithm in own


def test_what_is_plain_java_has_no_features():
    for name, provider in providers.read().items():
        if name.startswith(("bouncycastle", "gnu-crypto", "cryptix")):
            assert provider.features == {}


def test_features_must_be_lists(read_new):
    with refused("new.features.AES"):
        read_new({**JAR, "features": {"AES": "AES-NI"}})
