"""The benchmarks that the Java sources hold are found without compiling them."""

from jcarerun.plan import workloads


def test_benchmarks_and_their_parameters():
    found = workloads.benchmarks()
    assert {"algorithm", "bits", "mode", "bytes", "content", "provider"} <= found["FileCipher.encrypt"]
    assert {"bits", "provider"} <= found["PublicKeyCipher.decrypt"]
    assert {"transformation", "content", "init", "provider"} <= found["SecretKeyCipher.encrypt"]
    assert {"algorithm", "bits", "provider"} <= found["KeyGeneration.generate"]


def test_names_as_jmh_knows_them():
    assert workloads.qualified("FileCipher.encrypt") == "jcarerun.workload.FileCipher.encrypt"


def test_a_new_workload_is_one_class(tmp_path, monkeypatch):
    (tmp_path / "x").mkdir()
    (tmp_path / "x/Digest.java").write_text(
        'package x;\npublic class Digest {\n  @Param({"SHA-256"})\n  public String algorithm;\n\n'
        "  @Benchmark\n  public byte[] digest() {\n    return null;\n  }\n}\n"
    )
    monkeypatch.setattr(workloads, "SOURCES", tmp_path)
    workloads._classes.cache_clear()
    try:
        assert workloads.benchmarks() == {"Digest.digest": {"algorithm"}}
        assert workloads.qualified("Digest.digest") == "x.Digest.digest"
    finally:
        workloads._classes.cache_clear()
