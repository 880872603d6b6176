"""A provider's jar that attacks the host from inside a measuring container: it spoils its own round, and nothing else."""

import json
import shutil
import subprocess

import pytest
import yaml

from bench.tests.selftest import NEEDED
from envs.tests import checkout as checkouts
from jcarerun.support.files import sha256

pytestmark = pytest.mark.containers

# It gives what SunJCE gives, so that the round itself succeeds, and plants what a round must not have.
PROVIDER = """
import java.io.RandomAccessFile;
import java.nio.file.*;
import java.security.*;

public final class Hostile extends Provider {
  private static final String VICTIM = "%s";

  public Hostile() {
    super("Hostile", 1.0, "");
    for (Provider.Service one : Security.getProvider("SunJCE").getServices()) {
      putService(new Provider.Service(this, one.getType(), one.getAlgorithm(), one.getClassName(), null, null));
    }
    plant(() -> Files.createSymbolicLink(Paths.get("audit.json"), Paths.get(VICTIM)));
    plant(() -> Files.createSymbolicLink(Paths.get("manifest.sha256"), Paths.get(VICTIM)));
    plant(() -> Files.createSymbolicLink(Paths.get("tls"), Paths.get("/etc")));
    plant(() -> Files.createLink(Paths.get("jmh/900.txt"), Paths.get("limits.txt")));
    plant(() -> Files.write(Paths.get("jmh/901.txt\\n0  root"), new byte[0]));
    plant(() -> new ProcessBuilder("mkfifo", "round.json").start().waitFor());
    plant(() -> new RandomAccessFile("jmh/902.txt", "rw").setLength(1L << 41));
    plant(() -> Files.write(Paths.get("console.log"), "forged".getBytes()));
    plant(() -> Files.write(Paths.get("cells.csv"), "forged".getBytes()));
    plant(() -> Files.write(Paths.get("../planted"), "forged".getBytes()));
    plant(() -> Files.write(Paths.get(VICTIM).resolveSibling("data/raw/planted"), "forged".getBytes()));
  }

  private interface Trick {
    void play() throws Exception;
  }

  private static void plant(Trick trick) {
    try {
      trick.play();
    } catch (Exception e) {
      // Another fork was here before, or we may not.
    }
  }
}
"""
EXPERIMENT = {
    "title": "A hostile provider",
    "study": {"authors": "this project", "year": 2026, "where": "bench/tests", "then": "Nothing."},
    "measure": "wall",
    "workloads": {"run": {"benchmark": "FileCipher.encrypt", "params": {
        "algorithm": "AES", "bits": 128, "mode": "CBC", "bytes": 10240, "content": "text",
    }}},
    "providers": ["hostile"],
    "protocols": {"steady-state": {"mode": "average-time", "warmup": "steady-state", "iterations": 4, "iteration_ms": 20}},
    "tiers": {name: {"rounds": 1, "environments": {"tag": "smoke"}} for name in ("smoke", "quick", "standard", "full")},
}  # fmt: skip
CONFIG = ("experiment_dir=bench/tests/hostile", "tier=smoke", "calibration=false")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A scratch checkout whose one experiment measures the hostile provider; `victim` lies beside its files."""
    made = checkouts.make(tmp_path_factory.mktemp("checkout"))
    (made.path / "victim").write_text("as it was\n")
    source = tmp_path_factory.mktemp("hostile") / "Hostile.java"
    source.write_text(PROVIDER % (made.path / "victim"))
    subprocess.run(["javac", "--release", "8", "-Xlint:-options", str(source)], check=True)
    jar = made.path / "bench/providers/hostile.jar"
    jar.parent.mkdir(exist_ok=True)
    classes = sorted(path.name for path in source.parent.glob("*.class"))
    subprocess.run(
        ["jar", "cf", str(jar), "-C", str(source.parent), classes[0], *classes[1:]], check=True, cwd=source.parent
    )
    entry = {
        "hostile": {
            "label": "Hostile",
            "file": "hostile.jar",
            "sha256": sha256(jar),
            "class": "Hostile",
            "offers": ["AES"],
        }
    }
    providers = made.path / "bench/providers.yaml"
    providers.write_text(providers.read_text() + "\n" + yaml.safe_dump(entry))
    (made.path / "bench/tests/hostile").mkdir()
    (made.path / "bench/tests/hostile/hostile.yaml").write_text(yaml.safe_dump(EXPERIMENT))
    return made


def below(folder):
    """Every file below a directory, with its SHA-256."""
    return {str(path.relative_to(folder)): sha256(path) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def others(checkout):
    """Rounds of another experiment that lie beside, and what they are."""
    target = checkout.path / "data/raw/phenry2014"
    shutil.copytree("data/sample/phenry2014", target)
    return target, below(target)


@pytest.fixture(scope="module")
def run(checkout, others):
    """What measuring it gave."""
    made = checkout.snakemake(*CONFIG, targets=NEEDED)
    assert made.returncode == 0, made.stderr[-3000:]
    config = {"experiment_dir": "bench/tests/hostile", "tier": "smoke", "calibration": False}
    code = f"from jcarerun.run import run; print(*run.from_config({config!r}).round_stamps(None, before=2))"
    stamps = checkout.run("python", "-c", code).stdout.split()
    return checkout.snakemake(*CONFIG, targets=tuple(stamps))


def test_its_round_is_refused_in_one_line(run):
    assert run.returncode != 0
    complaints = [line for line in run.stderr.splitlines() if line.startswith("error: ")]
    assert complaints
    assert all("hostile" in line for line in complaints)
    assert "which is not one of its files" in complaints[0]
    assert "Traceback" not in run.stderr


def test_nothing_of_the_host_is_overwritten(checkout, run):
    assert (checkout.path / "victim").read_text() == "as it was\n"


def test_no_other_round_is_touched(checkout, run, others):
    target, before = others
    assert below(target) == before
    assert not list((checkout.path / "data/raw").rglob("planted"))


def test_no_round_looks_whole(checkout, run):
    assert [folder for folder in checkout.rounds() if "phenry2014" not in folder.parts] == []
    assert not list((checkout.path / "data/raw").rglob("*.done"))
    assert not list((checkout.path / "data/raw").glob("*/*/.part-*"))


def test_what_is_kept_is_plain_and_what_is_refused_is_named(checkout, run):
    (kept,) = (checkout.path / "data/raw/.failed").iterdir()
    entries = list(kept.rglob("*"))
    assert all(path.is_dir() or (path.is_file() and not path.is_symlink()) for path in entries)
    assert sum(path.stat().st_size for path in entries) < 1 << 20
    assert (kept / "console.log").read_text() != "forged"
    named = (kept / "refused.txt").read_text()
    for name in ("audit.json", "manifest.sha256", "round.json", "console.log", "tls", "jmh/900.txt"):
        assert f"{name}: " in named
    # The container's limit on the size of a file kept it from growing.
    assert (kept / "jmh/902.txt").stat().st_size == 0
    assert r"jmh/901.txt\n0  root: " in named
    result = json.loads(next(kept.glob("jmh/001.json")).read_text())
    assert result[0]["params"]["provider"] == "hostile", "it did run"
