"""CPU profiles: what is forbidden is found where it is on, in every JDK's format, and native libraries obey the variables."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from bench.tests.refusals import refused
from jcarerun.plan import cpu_profiles
from jcarerun.run import limits

UNIFIED = """[Global flags]
      int UseAVX                                   = 3                                   {ARCH product} {default}
     bool UseAESIntrinsics                         = true                                   {diagnostic} {default}
     bool UseSHA                                   = false                                  {product} {command line}
ccstrlist DisableIntrinsic                         =                                        {diagnostic} {default}
"""
JDK8 = """[Global flags]
     intx UseAVX                                   := 0                                   {ARCH product}
     bool UseAESIntrinsics                          = false                               {product}
     intx UseSSE                                   := 4                                   {product}
"""


@pytest.fixture(scope="module")
def core2():
    return cpu_profiles.read()["core2"]


def test_flags_of_every_format():
    assert limits.flags(UNIFIED) == {
        "UseAVX": "3",
        "UseAESIntrinsics": "true",
        "UseSHA": "false",
        "DisableIntrinsic": "",
    }
    assert limits.flags(JDK8) == {"UseAVX": "0", "UseAESIntrinsics": "false", "UseSSE": "4"}


def test_what_is_on_is_named_and_what_the_jvm_lacks_is_not(core2):
    assert limits.forbidden_on(limits.flags(UNIFIED), core2.forbidden_flags) == ["UseAVX=3", "UseAESIntrinsics=true"]
    assert limits.forbidden_on(limits.flags(JDK8), core2.forbidden_flags) == ["UseSSE=4"]


def test_native_forbids_nothing():
    assert limits.forbidden_on(limits.flags(UNIFIED), cpu_profiles.read()["native"].forbidden_flags) == []


def test_intrinsics_are_all_that_hotspot_calls_so():
    found = limits.intrinsics(limits.flags(UNIFIED))
    assert found == {"UseAESIntrinsics": "true", "UseAVX": "3", "UseSHA": "false"}


def test_every_option_of_core2_has_its_counterpart_among_the_forbidden(core2):
    """A flag that is set is also read back."""
    unlocking = {"IgnoreUnrecognizedVMOptions", "UnlockDiagnosticVMOptions"}
    given = {re.sub(r"^-XX:[+-]?|=.*$", "", option) for option in core2.jvm_options} - unlocking
    assert given <= core2.forbidden_flags.keys()


def test_the_script_sets_the_variables_and_hands_everything_on(core2, tmp_path):
    script = tmp_path / "java-core2"
    script.write_text(core2.script_text())
    script.chmod(0o755)
    java = tmp_path / "java"
    words = " ".join(f'"${name}"' for name in core2.variables)
    java.write_text(f'#!/bin/sh\nfor word in {words} "$@"; do echo "$word"; done\n')
    java.chmod(0o755)
    run = subprocess.run(
        [script, "-Da=b c", "-version"], env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, text=True
    )
    assert run.stdout.splitlines() == [*core2.variables.values(), "-Da=b c", "-version"]


def on(words: list[int], bits: dict[str, int]) -> list[str]:
    """The features whose bits are set in OpenSSL's vectors of 64 bits; a vector that is not printed has none."""
    return [name for name, bit in bits.items() if bit // 64 < len(words) and words[bit // 64] >> bit % 64 & 1]


def with_variables(profile, *command: str) -> str:
    run = subprocess.run(command, env={**os.environ, **profile.variables}, capture_output=True, text=True)
    return run.stdout


def openssl(profile) -> list[int]:
    """OpenSSL's capability vectors under a profile's variables."""
    try:
        said = with_variables(profile, "openssl", "version", "-c")
    except FileNotFoundError:
        said = ""
    found = re.search(r"OPENSSL_ia32cap=([0-9a-fx:]+)", said)
    if found is None:
        pytest.skip("this machine has no openssl of release 3 on x86")
    return [int(word, 16) for word in found.group(1).split(":")]


def test_openssl_sees_no_forbidden_feature(core2):
    assert on(openssl(core2), core2.bits["openssl"]) == []


def test_openssl_sees_what_the_machine_has_without_the_variables(core2):
    """The check above would find what is on: this is the same machine without the mask."""
    native = cpu_profiles.read()["native"]
    assert on(openssl(native), core2.bits["openssl"]) or "aes" not in Path("/proc/cpuinfo").read_text().split()


def glibc(profile) -> list[int]:
    """The CPU features that glibc uses under a profile's variables, in the order of OpenSSL's vectors."""
    said = with_variables(profile, "/lib64/ld-linux-x86-64.so.2", "--list-diagnostics")
    active = {
        (int(leaf, 16), int(word, 16)): int(value, 16)
        for leaf, word, value in re.findall(r"cpu_features\.features\[(\w+)\]\.active\[(\w+)\]=(\w+)", said)
    }
    if not active:
        pytest.skip("this machine has no glibc of release 2.33 or later on x86")
    # A leaf's words are EAX, EBX, ECX, EDX.
    return [active[0, 3] | active[0, 2] << 32, active[1, 1] | active[1, 2] << 32]


def test_glibc_uses_no_forbidden_feature(core2):
    assert on(glibc(core2), core2.bits["glibc"]) == []


@pytest.fixture
def read_with(changed_yaml):
    """Reads the profiles with a new one; a key that is None is left out."""

    def read(**entry):
        own = {key: value for key, value in entry.items() if value is not None}
        return cpu_profiles.read(changed_yaml(cpu_profiles.FILE, lambda data: data["profiles"].update(new=own)))

    return read


NEW = {"label": "New", "jvm_options": ["-XX:UseAVX=1"], "forbidden": {"jvm": {"UseAVX": 1}}}


def test_a_new_profile_is_one_entry(read_with):
    new = read_with(**NEW)["new"]
    assert limits.forbidden_on({"UseAVX": "2"}, new.forbidden_flags) == ["UseAVX=2"]
    assert new.marker == "-Djcarerun.cpu-profile=new"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"label": None}, "new.label: missing"),
        ({"forbidden": None}, "new.forbidden: missing; say what must read back as off"),
        (
            {"forbidden": {"jvm": {"UseAVX": 1}, "openssl": ["AVXX"]}},
            "'AVXX' is no entry of features; did you mean 'AVX'",
        ),
        ({"forbidden": {"openssl": ["AVX"]}}, "forbidden.jvm: missing"),
        ({"forbidden": {"jvm": {"UseAVX": "no"}}}, "write false, true or a number"),
        ({"jvm_options": ["UseAVX=1"]}, "such as -XX:UseAVX=0"),
        ({"variables": {"A": "it's"}}, "without ' in it"),
        ({"variables": {"A-B": "x"}}, "A-B"),
        ({"limits": {"cpus": 0, "memory_mib": 2048}}, "new.limits.cpus: 0"),
        ({"limits": {"cpus": 2}}, "new.limits.memory_mib: missing"),
        ({"option": ["x"]}, "new.option: unknown key"),
    ],
)
def test_refused(read_with, change, words):
    with refused(words, "cpu_profiles.yaml"):
        read_with(**{**NEW, **change})


def test_native_stays_as_it_is(changed_yaml):
    options = {"jvm_options": ["-XX:UseAVX=0"]}
    file = changed_yaml(cpu_profiles.FILE, lambda data: data["profiles"]["native"].update(options))
    with refused("'native' is the machine as it is"):
        cpu_profiles.read(file)


def test_a_profile_leaves_the_flags_that_it_does_not_forbid(core2):
    flags = frozenset(["fpu", "ssse3", "sse4_1", "aes", "avx", "avx2", "sha_ni", "avx512f", "vaes", "pclmulqdq"])
    assert core2.flags_left(flags) == {"fpu", "ssse3"}
    assert cpu_profiles.read()["native"].flags_left(flags) == flags
