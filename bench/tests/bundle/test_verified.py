"""A bundle is checked: every altered byte is found and named, by the manifest or by what is made again from raw."""

import re

import pytest

from bench.tests.bundle.sealing import packed, replaced, unpacked
from jcarerun.bundle import verify as checking
from jcarerun.errors import UserError

pytestmark = pytest.mark.sample

# A file of each kind.
ROUND = "raw/phenry2014/debian-12-temurin-17/standard-4d630ec7-01"
KINDS = (
    f"{ROUND}/jmh/001.json",
    f"{ROUND}/manifest.sha256",
    "raw/run.json",
    "tidy/verdicts.csv",
    "tidy/iterations.csv.gz",
    "report.pdf",
    "report.html",
    "experiments/phenry2014.yaml",
    "verdict_commands.csv",
    "bundle.json",
    "ro-crate-metadata.json",
    "LICENSE",
)


def verify(clone, file, *more):
    return clone.run("python", "-m", "jcarerun", "verify", str(file), *more)


def unsealed(file):
    """Why a bundle is not what its manifest says."""
    with pytest.raises(UserError) as caught:
        checking.verify(file, checking.Options("docker"))
    return str(caught.value)


def refusal(run):
    """The one line that says why a bundle is not taken."""
    assert run.returncode == 2
    lines = run.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("error: "), run.stderr
    return lines[0]


def test_it_comes_out_again_claim_by_claim(clone, bundle):
    run = verify(clone, bundle)
    assert run.returncode == 0, run.stdout + run.stderr
    assert re.search(r"  phenry2014 P1: [^;\n]*other-size[^;\n]*; made again: the same\n", run.stdout)
    assert "tables, PDF, page and records: the same bytes" in run.stdout


@pytest.mark.parametrize("name", KINDS)
def test_one_byte_of_a_file_is_found(bundle, tmp_path, name):
    folder = unpacked(bundle, tmp_path / "bundle")
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    file = packed(folder, tmp_path / "altered.zip")
    assert f"{file}/{name}: differs from the manifest" in unsealed(file)


def test_a_plan_that_was_added_is_found(bundle, tmp_path):
    folder = unpacked(bundle, tmp_path / "bundle")
    (folder / ROUND).with_name("standard-4d630ec7.stage-2.csv").write_text("cell\n")
    file = packed(folder, tmp_path / "altered.zip")
    assert "standard-4d630ec7.stage-2.csv: not in the manifest" in unsealed(file)


def test_a_byte_of_the_manifest_is_found(bundle, tmp_path):
    """A digest that is another one names its file; what is no line of a manifest is named as that."""
    folder = unpacked(bundle, tmp_path / "bundle")
    whole = (folder / "SHA256SUMS").read_text()
    digest = next(line for line in whole.splitlines() if line.endswith("  report.pdf")).split()[0]
    swapped = digest[1:] + digest[0]
    for old, new, said in (
        (digest, swapped, "report.pdf: differs from the manifest"),
        (digest, digest[:-1] + "g", "is no line of a manifest"),
        (f"{digest}  report.pdf\n", "", "report.pdf: not in the manifest"),
    ):
        (folder / "SHA256SUMS").write_text(whole.replace(old, new))
        assert said in unsealed(packed(folder, tmp_path / "altered.zip"))


def test_what_was_altered_and_sealed_again_is_found(clone, bundle, tmp_path):
    """All that follows from raw and from the checkout is made again, so a manifest that fits doesn't help."""
    folder = unpacked(bundle, tmp_path / "bundle")
    replaced(folder / "tidy/verdicts.csv", ",other-size,", ",holds,")
    replaced(folder / "verdict_commands.csv", "other-size", "holds")
    replaced(folder / "experiments/phenry2014.yaml", "a weblog", "a Weblog")
    replaced(folder / "ro-crate-metadata.json", "A run of", "The run of")
    replaced(folder / "report.html", "<title>", "<title >")
    with (folder / "report.pdf").open("ab") as pdf:
        pdf.write(b"%\n")
    file = packed(folder, tmp_path / "altered.zip", seal=True)
    run = verify(clone, file)
    assert run.returncode == 1, run.stderr
    named = {line.split(": ")[1] for line in run.stdout.splitlines() if ": differs from what is made again" in line}
    assert named == {
        "tidy/verdicts.csv", "verdict_commands.csv", "experiments/phenry2014.yaml", "report.pdf",
        "ro-crate-metadata.json", "report.html",
    }  # fmt: skip
    assert re.search(r"phenry2014 P1: [^;\n]*1 holds[^;\n]*; made again: 1 OTHERS", run.stdout)
    assert "holds in the bundle, other-size made again" in run.stdout


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        (f"{ROUND}/round.json", '"elapsed_s": ', '"elapsed_s": 9', f"{ROUND}/round.json: differs from the manifest"),
        ("raw/run.json", '"rounds": [', '"rounds": ["a/b/c",', "a/b/c is among its rounds, but not there"),
        ("raw/run.json", '"seed": 2', '"seed": -2', "raw/run.json: settings: --config seed="),
        (
            "raw/run.json",
            '"reference_forks": []',
            '"reference_forks": ["../../x"]',
            "raw/run.json: reference_forks/0: ",
        ),
        (
            "bundle.json",
            '"bench/experiments"',
            '"../elsewhere"',
            "experiment_dir '../elsewhere' leads out of a checkout",
        ),
    ],
)
def test_raw_that_was_altered_and_sealed_again_is_refused(clone, bundle, tmp_path, name, old, new, said):
    folder = unpacked(bundle, tmp_path / "bundle")
    replaced(folder / name, old, new)
    assert said in refusal(verify(clone, packed(folder, tmp_path / "altered.zip", seal=True)))


@pytest.mark.parametrize(
    ("added", "said"),
    [
        (
            "build: {{directory: '{host}', fetch: 'id > {host}/ran', command: 'id > {host}/ran', jar: a.jar}}",
            "build: unknown key",
        ),
        ("jar: {{path: '{host}/a.jar', sha256: '{hash}'}}", "leads out of"),
        ("jar: {{maven: 'org.example:a:1', sha256: '{hash}'}}", "only a run that measures fetches it"),
    ],
    ids=["build", "jar", "maven"],
)
def test_what_a_bundle_brings_is_neither_run_nor_fetched(clone, bundle, tmp_path, added, said):
    """A bundle of a study from elsewhere brings its own experiment files."""
    folder = unpacked(bundle, tmp_path / "bundle")
    replaced(folder / "bundle.json", '"bench/experiments"', "null")
    with (folder / "experiments/phenry2014.yaml").open("a") as file:
        file.write(added.format(host=tmp_path, hash="1" * 64) + "\n")
    assert said in refusal(verify(clone, packed(folder, tmp_path / "altered.zip", seal=True)))
    assert not (tmp_path / "ran").exists()


def test_another_commit_is_named_with_the_way_there(clone, bundle, tmp_path):
    folder = unpacked(bundle, tmp_path / "bundle")
    own = clone.run("git", "rev-parse", "HEAD").stdout.strip()
    replaced(folder / "bundle.json", own, "0" * 40)
    said = refusal(verify(clone, packed(folder, tmp_path / "altered.zip", seal=True)))
    assert (
        f"made by commit 000000000000, this checkout is at {own[:12]}: git fetch, then git checkout {'0' * 40}" in said
    )
    assert "ANYWAY=yes" in said
