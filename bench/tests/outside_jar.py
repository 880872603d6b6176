"""A study of an external benchmark for tests: a jar as JMH would have written it, and an experiment on it."""

import hashlib
import io
import struct
import zipfile
from pathlib import Path

RUNNER = "org/openjdk/jmh/runner/Runner.class"


def listed(method: str, params: str = "E", threads: str = "E", args: str = "E") -> str:
    """A line of JMH's list for a benchmark of org.example.Crypto."""
    made = f"org.example.jmh_generated.Crypto_{method}_jmhTest"
    return (
        f"JMH S 18 org.example.Crypto S {len(made)} {made} S {len(method)} {method} S 10 Throughput {threads} A 1 1 1 "
        f"E E E E E E E E E E {args} E E {params} E E E \n"
    )


def class_file(java: int) -> bytes:
    """The head of a class file for a release of Java."""
    return struct.pack(">IHH", 0xCAFEBABE, 0, java + 44)


def jar(lines: str | bytes, java: int = 8, version: str = "1.37", left_out: tuple = ()) -> bytes:
    """A jar with JMH's list of benchmarks, without the files of `left_out`."""
    files = {
        "META-INF/BenchmarkList": lines, "jmh.properties": f"jmh.version={version}\n", RUNNER: class_file(8),
        "org/example/Crypto.class": class_file(java),
    }  # fmt: skip
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in files.keys() - set(left_out):
            archive.writestr(zipfile.ZipInfo(name), files[name])
    return content.getvalue()


def experiment(folder: Path, content: bytes) -> dict:
    """An experiment on a jar, which is written to `folder`: one workload in two environments."""
    (folder / "crypto.jar").write_bytes(content)
    tier = {"rounds": 5, "environments": ["debian-13-temurin-17", "debian-sid-openjdk-8"]}
    return {
        "title": "Outside", "measure": "wall",
        "study": {"id": "outside", "authors": "they", "where": "there", "then": "then"},
        "jar": {"path": "crypto.jar", "sha256": hashlib.sha256(content).hexdigest()},
        "workloads": {"encrypt": {"benchmark": "org.example.Crypto.encrypt", "factors": ["size"]}},
        "factors": {"size": {"16": {"size": 16}, "1024": {"size": 1024}}},
        "protocols": {"steady-state": {"mode": "average-time", "warmup": "steady-state", "iterations": 20, "iteration_ms": 100}},
        "tiers": dict.fromkeys(("smoke", "quick", "standard", "full"), tier),
    }  # fmt: skip
