"""Archives of raw rounds: the same bytes again, every file proven by its round's manifest, nothing else taken.

The published numbers come out of these rounds by another program too (data/recompute.py).
"""

import io
import json
import lzma
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from jcarerun.errors import UserError
from jcarerun.results import archive
from jcarerun.rounds import manifest, tree, validate

pytestmark = pytest.mark.slow
SAMPLE = Path("data/sample")


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """The sample in an archive."""
    out = tmp_path_factory.mktemp("packed") / "sample-2026-11-24.tar.xz"
    return out, archive.pack(SAMPLE, out)


@pytest.fixture(scope="module")
def restored(packed, tmp_path_factory):
    """The sample as the archive restores it."""
    folder = tmp_path_factory.mktemp("restored")
    return folder, archive.unpack([packed[0]], folder)


def logs(folder):
    return {name for name in manifest.listed(folder) if manifest.COMPILATION_LOG.fullmatch(name)}


def test_every_kept_file_is_the_same_and_only_logs_are_left_out(restored):
    folder, made = restored
    lacking = 0
    for path in tree.folders(SAMPLE, 3):
        theirs = {name: tree.read(SAMPLE / path, name) for name in tree.file_names(SAMPLE / path, tree.ROUND)}
        ours = {name: tree.read(folder / path, name) for name in tree.file_names(folder / path, tree.ROUND)}
        assert ours.items() <= theirs.items()
        assert theirs.keys() - ours.keys() <= logs(folder / path)
        lacking += len(theirs) - len(ours)
    assert lacking == made.logs_left_out > 0


def test_one_round_of_each_experiment_keeps_its_logs(restored):
    folder, _ = restored
    paths = [path for path in tree.folders(folder, 3) if logs(folder / path)]
    whole = [
        path.split("/")[0] for path in paths if all((folder / path / name).is_file() for name in logs(folder / path))
    ]
    assert sorted(whole) == sorted({path.split("/")[0] for path in paths})


def test_packed_again_it_is_the_same_bytes(packed, restored, tmp_path):
    again = tmp_path / "again.tar.xz"
    archive.pack(restored[0], again)
    assert again.read_bytes() == packed[0].read_bytes()


def test_it_is_small(packed):
    size = sum(file.stat().st_size for file in SAMPLE.rglob("*") if file.is_file())
    assert packed[0].stat().st_size < size / 8


def test_the_restored_rounds_have_the_settings_of_their_run(restored):
    record = json.loads((restored[0] / "run.json").read_text())
    assert sorted(record["rounds"]) == tree.folders(SAMPLE, 3)
    assert (record["settings"]["engine"], record["settings"]["cpuset"]) == ("docker", "0,1")


def test_experiments_can_be_packed_apart_and_restored_together(tmp_path):
    names = sorted({path.split("/")[0] for path in tree.folders(SAMPLE, 3)})
    files = [tmp_path / f"{name}.tar.xz" for name in names]
    for name, file in zip(names, files, strict=True):
        archive.pack(SAMPLE, file, [name])
    archive.unpack(files, tmp_path / "raw")
    assert tree.folders(tmp_path / "raw", 3) == tree.folders(SAMPLE, 3)


def test_a_tier_can_be_packed_apart(tmp_path):
    own, *others = [path for path in tree.folders(SAMPLE, 3) if path.startswith("calibration/")]
    for path in (own, *others):
        shutil.copytree(SAMPLE / path, tmp_path / "raw" / path)
    (tmp_path / "raw" / own).rename(tmp_path / "raw" / own.replace("standard", "quick"))
    made = archive.pack(tmp_path / "raw", tmp_path / "out.tar.xz", tier="standard")
    assert made.rounds == len(others) > 0
    with pytest.raises(UserError, match="has no round of these experiments and this tier"):
        archive.pack(tmp_path / "raw", tmp_path / "out.tar.xz", tier="smoke")


def test_a_round_is_not_restored_over_another(packed, restored):
    with pytest.raises(UserError, match=r"is in .* already; unpack it in another directory"):
        archive.unpack([packed[0]], restored[0])


def test_a_damaged_round_is_not_packed(tmp_path):
    shutil.copytree(SAMPLE, tmp_path / "raw")
    file = sorted((tmp_path / "raw").glob("*/*/*/iterations.csv"))[0]
    file.write_text(file.read_text() + "\n")
    with pytest.raises(UserError, match=r"iterations\.csv: differs from the manifest"):
        archive.pack(tmp_path / "raw", tmp_path / "out.tar.xz")


def altered(source, target, change):
    """An archive with one member changed: `change` has name and content, and returns both, or None to leave it out."""
    with tarfile.open(source, "r:xz") as old, tarfile.open(target, "w:xz", preset=0) as new:
        for member in old:
            made = change(member.name, old.extractfile(member).read())
            if made:
                info = tarfile.TarInfo(made[0])
                info.size = len(made[1])
                new.addfile(info, io.BytesIO(made[1]))
    return target


def first_round(name):
    return sorted(path for path in tree.folders(SAMPLE, 3))[0] + f"/{name}"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda n, c: (n, c[:-2] + b"9\n") if n == first_round("iterations.csv") else (n, c),
            "differs from the manifest",
        ),
        (lambda n, c: None if n == first_round("gc/001.log") else (n, c), "missing, though the manifest lists it"),
        (lambda n, c: (f"../{n}", c) if n == first_round("gc/001.log") else (n, c), "is no file of a round"),
        (lambda n, c: None if n == "run.json" else (n, c), "has no run.json"),
    ],
    ids=["a byte", "a file", "a path", "run.json"],
)
def test_an_altered_archive_is_refused(packed, tmp_path, change, reason):
    (tmp_path / "raw").mkdir()
    with pytest.raises(UserError, match=reason):
        archive.unpack([altered(packed[0], tmp_path / "altered.tar.xz", change)], tmp_path / "raw")


def test_what_is_no_archive_is_refused(tmp_path):
    file = tmp_path / "some.tar.xz"
    file.write_bytes(lzma.compress(b"no archive"))
    with pytest.raises(UserError, match="can't be read"):
        archive.unpack([file], tmp_path)


def test_a_round_may_lack_compilation_logs_and_no_other_file(restored):
    folder, _ = restored
    path = next(
        path for path in tree.folders(folder, 3) if logs(folder / path) and not list((folder / path).glob("jit/*.gz"))
    )
    assert validate.validate_round(folder / path) == manifest.digest((SAMPLE / path / manifest.NAME).read_bytes())


def recompute(*claims):
    return subprocess.run(
        [sys.executable, "data/recompute.py", *claims], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def test_five_published_ratios_are_those_of_the_raw_rounds():
    run = recompute()
    assert run.returncode == 0, run.stdout
    assert len(run.stdout.splitlines()) == 5


def test_a_claim_without_such_a_ratio_is_refused_in_a_line():
    run = recompute("J99")
    assert run.returncode == 1
    assert run.stderr == "J99: no published row compares two times in this way; name another claim, such as J1a\n"
