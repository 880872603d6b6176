"""Native programs in the image that they are measured in: right answers, the same as Java's, and errors for people."""

import json
import subprocess
from pathlib import Path

import pytest

from jcarerun.images import catalogue, image
from jcarerun.native import build
from jcarerun.plan import cpu_profiles

pytestmark = pytest.mark.containers

SYSTEM = "debian-13-native"
ENVIRONMENT = f"{SYSTEM}-temurin-21"
JAR = Path("bench/target/benchmarks.jar")
# Botan has SSE2 and SSSE3 left on a Core 2, and RDTSC, by which no cipher goes faster; Crypto++ knows of SSSE3 alone.
CORE2 = {"botan": {"sse2", "ssse3", "rdtsc"}, "cryptopp": {"ssse3"}}
HEADER = (
    "fork iteration start_epoch_ms start_uptime_ms end_uptime_ms duration_ns operations all_operations worker_cpu_ns "
    "process_user_ns process_system_ns involuntary_switches gc_ms jit_ms"
)

# The workload of the Java side with its parameters, the program's operation, and the libraries that offer it.
ALL = build.LIBRARIES
SAME = [
    ("SecretKeyCipher transformation=AES/CBC/PKCS5Padding bits=128 bytes=1000 init=inside", "encrypt", ALL),
    ("SecretKeyCipher transformation=AES/ECB/PKCS5Padding bits=256 bytes=1000 init=inside", "encrypt", ALL),
    ("SecretKeyCipher transformation=AES/CTR/NoPadding bits=192 bytes=1000 init=inside", "encrypt", ALL),
    ("SecretKeyCipher transformation=AES/GCM/NoPadding bits=128 bytes=1000 init=inside", "encrypt", ALL),
    ("SecretKeyCipher transformation=DESede/CBC/PKCS5Padding bits=168 bytes=1000 init=inside", "encrypt", ALL),
    ("SecretKeyCipher transformation=DES/CBC/PKCS5Padding bits=56 bytes=1000 init=inside", "encrypt", ALL),
    ("SecretKeyCipher transformation=Blowfish/CBC/PKCS5Padding bits=128 bytes=1000 init=inside", "encrypt", ALL),
    ("SecretKeyCipher transformation=ARCFOUR bits=128 bytes=1000 init=inside", "encrypt", ALL),
    ("Digest algorithm=MD5 bytes=1000", "digest", ALL),
    ("Digest algorithm=SHA-512 bytes=1000", "digest", ALL),
    ("AuthenticationCode algorithm=HmacSHA1 bits=128 bytes=1000 init=inside", "hmac", ALL),
    ("AuthenticationCode algorithm=HmacSHA256 bits=256 bytes=1000 init=inside", "hmac", ALL),
    ("Signing algorithm=SHA256withRSA keys=RSA bits=2048 bytes=1000", "sign", ALL),
    ("Agreement algorithm=ECDH keys=EC bits=256", "agree", ALL),
    ("Agreement algorithm=DH keys=DH bits=2048", "agree", ALL),
]
# What has no answer that is the same each time; a program checks it by itself and, in the next test, another program's.
CHECKED = [
    ("key-setup", "--transformation", "AES/CBC/PKCS5Padding", "--bits", "128"),
    ("decrypt", "--transformation", "AES/GCM/NoPadding", "--bits", "128"),
    ("decrypt", "--transformation", "RSA/ECB/PKCS1Padding", "--bits", "2048"),
    ("decrypt", "--transformation", "RSA/ECB/OAEPPadding", "--bits", "1024"),
    ("generate", "--algorithm", "EC", "--bits", "256"),
    ("generate", "--algorithm", "RSA", "--bits", "1024"),
    ("agree", "--algorithm", "X25519"),
]
CROSSED = [
    ("sign", "verify", "--algorithm", "SHA256withECDSA", "--bits", "256"),
    ("sign", "verify", "--algorithm", "SHA256withDSA", "--bits", "2048"),
    ("sign", "verify", "--algorithm", "Ed25519"),
    ("encrypt", "decrypt", "--transformation", "RSA/ECB/OAEPPadding", "--bits", "2048"),
]


@pytest.fixture(scope="session")
def inside(tmp_path_factory):
    """Runs a command in one container of the measuring image; /scratch in it is written to, /native has the programs."""
    wanted = [build.TARGET / SYSTEM / "built.json", image.record_path(ENVIRONMENT), JAR]
    if not all(path.exists() for path in wanted):
        subprocess.run(["snakemake", "--cores", "all", "--quiet", "all", "--", *map(str, wanted)], check=True)
    image_id = image.ensure("docker", catalogue.read().find(ENVIRONMENT), build.JDKS)
    folder = tmp_path_factory.mktemp("native")
    folder.chmod(0o777)
    options = [
        "--network=none",
        "--read-only",
        "--cap-drop=ALL",
        "--user=65534:65534",
        "--tmpfs=/tmp:rw,exec",
        f"--volume={(build.TARGET / SYSTEM).resolve()}:/native:ro",
        f"--volume={JAR.resolve()}:/benchmarks.jar:ro",
        f"--volume={folder}:/scratch",
        "--workdir=/scratch",
    ]
    start = ["docker", "run", "--detach", "--rm", *options, image_id, "sleep", "900"]
    started = subprocess.run(start, check=True, capture_output=True, text=True)
    container = started.stdout.strip()

    def run(*argv, variables=None, stdin=""):
        given = [f"--env={name}={value}" for name, value in (variables or {}).items()]
        command = ["docker", "exec", "--interactive", *given, container, *argv]
        return subprocess.run(command, input=stdin, capture_output=True, text=True)

    run.folder = folder
    yield run
    subprocess.run(["docker", "rm", "--force", container], capture_output=True)


def call(inside, library, *argv, **more):
    return inside(f"/native/jca-native-{library}", *argv, **more)


def options_of(question: str) -> list[str]:
    """The program's options for the parameters of a Java workload."""
    pairs = [word.split("=", 1) for word in question.split()[1:]]
    return [word for name, value in pairs if name != "keys" for word in (f"--{name}", value)]


@pytest.fixture(scope="session")
def java(inside):
    """The JDK's answer to every question of SAME, as SHA-256."""
    lines = ["jcarerun.workload." + "\t".join(question.split()) for question, _, _ in SAME]
    argv = ("java", "-cp", "/benchmarks.jar", "jcarerun.round.CapabilityMain", "default", "/scratch/java.txt")
    run = inside(*argv, stdin="\n".join(lines) + "\n")
    assert run.returncode == 0, run.stderr
    said = (inside.folder / "java.txt").read_text().splitlines()
    assert [line for line in said if not line.startswith("yes\t")] == []
    return {question: line.split("\t")[1] for (question, _, _), line in zip(SAME, said, strict=True)}


@pytest.mark.parametrize(("question", "operation", "libraries"), SAME, ids=[row[0] for row in SAME])
def test_same_answer_as_java(inside, java, question, operation, libraries):
    given = ["--operation", operation, *options_of(question)]
    found = {}
    for library in libraries:
        checked = call(inside, library, *given, "--check")
        assert checked.returncode == 0, checked.stderr
        found[library] = call(inside, library, *given, "--digest").stdout.strip()
    assert found == dict.fromkeys(libraries, java[question])


@pytest.mark.parametrize("row", CHECKED, ids=" ".join)
def test_checks_itself(inside, row):
    for library in ALL:
        run = call(inside, library, "--operation", *row, "--check")
        assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("row", CROSSED, ids=" ".join)
def test_one_library_takes_what_another_made(inside, row):
    forth, back, *algorithm = row
    right = set()
    for maker in ALL:
        file = f"/scratch/made-{maker}"
        call(inside, maker, "--operation", forth, *algorithm, "--output", file)
        for taker in ALL:
            run = call(inside, taker, "--operation", back, *algorithm, "--input", file, "--digest")
            assert run.returncode == 0, (maker, taker, run.stderr)
            right.add(run.stdout)
    assert len(right) == 1
    if back == "verify":
        (inside.folder / "one").write_bytes(b"\1")
        assert right == {call(inside, "openssl", "--operation", "verify", *algorithm, "--digest").stdout}


@pytest.mark.parametrize("content", ["text", "random"])
def test_seeded_inputs_are_the_same_in_every_library(inside, content):
    """The text itself, and the text under AES/CBC with the seeded key. Java is not asked here."""
    given = ("--content", content, "--bytes", "1000", "--digest")
    digests = {
        call(inside, library, "--operation", "digest", "--algorithm", "SHA-256", *given).stdout for library in ALL
    }
    aes = ("--operation", "encrypt", "--transformation", "AES/CBC/PKCS5Padding", "--bits", "128")
    ciphers = {call(inside, library, *aes, *given).stdout for library in ALL}
    assert (len(digests), len(ciphers)) == (1, 1)


@pytest.mark.parametrize("library", ALL)
def test_a_wrong_key_gives_another_answer(inside, library):
    aes = ("--operation", "encrypt", "--transformation", "AES/ECB/NoPadding", "--bits", "128", "--bytes", "16")
    given = (*aes, "--digest")
    usual = call(inside, library, *given).stdout
    assert call(inside, library, *given, "--key", "0102030405060708090a0b0c0d0e0f10").stdout == usual
    assert call(inside, library, *given, "--key", "00" * 16).stdout != usual


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--operation", "digest", "--algorithm", "SHA-256", "--byte", "3"], "--byte: unknown option"),
        (["--operation", "hash", "--algorithm", "MD5"], "--operation hash: unknown operation; choose one of"),
        (["--operation", "encrypt"], "--algorithm: give it or --transformation"),
        (["--operation", "encrypt", "--algorithm", "ROT13", "--bits", "128"], "ROT13: no cipher of that name"),
        (["--operation", "digest", "--algorithm", "MD5", "--bytes", "-1"], "--bytes -1: write a whole number"),
        (["--operation", "sign", "--algorithm", "SHA256withRSA", "--bits", "999"], "there is no key of that algorithm"),
        (["--operation", "encrypt", "--algorithm", "DES", "--mode", "CBC", "--bits", "64"], "DES has 56"),
        (["--operation", "digest", "--algorithm", "MD5", "--bits"], "--bits: a value must follow"),
    ],
)
def test_bad_arguments_are_one_line(inside, argv, words):
    run = call(inside, "openssl", *argv)
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)
    assert words in run.stderr


@pytest.mark.parametrize(
    ("library", "algorithm"), [("openssl", "Serpent/CBC/PKCS5Padding"), ("botan", "RC2/CBC/PKCS5Padding")]
)
def test_what_is_not_offered_is_said(inside, library, algorithm):
    run = call(inside, library, "--operation", "encrypt", "--transformation", algorithm, "--bits", "128", "--check")
    assert run.returncode == 3
    assert run.stderr.startswith(f"not offered: encrypt {algorithm}, 128 bits, by {library} ")


@pytest.mark.parametrize("library", ALL)
def test_core2_hides_features(inside, library):
    core2 = cpu_profiles.read()["core2"]
    said = call(inside, library, "--cpu-features", variables=core2.variables).stdout
    if library == "openssl":
        vectors = [int(word, 16) for word in said.partition("=")[2].split()[0].split(":")]
        assert [name for name, bit in core2.bits["openssl"].items() if vectors[bit // 64] >> bit % 64 & 1] == []
    else:
        assert set(said.split()) <= CORE2[library]
    given = ["--operation", "encrypt", "--transformation", "AES/CBC/PKCS5Padding", "--bits", "128", "--check"]
    assert call(inside, library, *given, variables=core2.variables).returncode == 0


@pytest.mark.parametrize("library", ALL)
def test_version_is_the_package_s(inside, library):
    start = {"openssl": "libssl3", "botan": "libbotan", "cryptopp": "libcrypto++"}[library]
    packages = json.loads(image.record_path(ENVIRONMENT).read_text())["packages"]
    version = next(p["version"] for p in packages if p["name"].startswith(start))
    assert call(inside, library, "--version").stdout.split() == [library, version.partition("+")[0].partition("-")[0]]


@pytest.mark.parametrize(("mode", "operations"), [("avgt", None), ("ss", {1})])
def test_a_timed_run_leaves_jmh_s_result_and_rows(inside, mode, operations):
    rows, result = f"rows-{mode}.csv", f"result-{mode}.json"
    run = call(
        inside, "openssl", "--operation", "digest", "--algorithm", "SHA-256", "--bytes", "1000", "--bench-mode", mode,
        "--iterations", "3", "--iteration-ms", "5", "--fork", "7", "--rows", rows, "--json", result,
    )  # fmt: skip
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    table = [line.split(",") for line in (inside.folder / rows).read_text().splitlines()]
    assert [(len(row), row[0], row[1]) for row in table] == [(len(HEADER.split()), "7", str(n)) for n in (1, 2, 3)]
    named = [dict(zip(HEADER.split(), row, strict=True)) for row in table]
    [jmh] = json.loads((inside.folder / result).read_text())
    assert (jmh["mode"], jmh["params"]["provider"], jmh["primaryMetric"]["scoreUnit"]) == (mode, "openssl", "ns/op")
    [scores] = jmh["primaryMetric"]["rawData"]
    for row, score in zip(named, scores, strict=True):
        assert score == pytest.approx(int(row["duration_ns"]) / int(row["operations"]), rel=1e-6)
        assert row["gc_ms"] == "0" and int(row["worker_cpu_ns"]) > 0
        assert operations is None or {int(row["operations"])} == operations
