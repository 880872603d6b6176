"""The start of a run: drift from a lock, under `strict`, and what can't be written are refused in one line."""

import json
import os
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from bench.tests.refusals import refused
from jcarerun.errors import UserError
from jcarerun.images import image
from jcarerun.run import session
from jcarerun.support.engine import NOBODY


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Starts a run of two environments, of which one is built with some drift."""
    monkeypatch.setattr(image, "BUILD", tmp_path)

    def start(drift, strict):
        (tmp_path / "debian-a").mkdir(exist_ok=True)
        (tmp_path / "debian-a/environment.json").write_text(json.dumps({**RECORD, "drift": drift}))
        settings = SimpleNamespace(strict=strict)
        session._refuse_drift(SimpleNamespace(environments=lambda: ["debian-a", "debian-b"], settings=settings))

    return start


RECORD = {"image_id": "sha256:0", "jdk": None, "packages": []}
DRIFT = [{"package": "libc6", "locked": "1 amd64", "found": "2 amd64"}, {"package": "x", "locked": "", "found": "1"}]


def test_drift_is_refused(start):
    words = "--config strict=true: debian-a is built, and 2 package(s) differ", "libc6 locked 1 amd64, found 2 amd64"
    with refused(*words):
        start(DRIFT, strict=True)


@pytest.mark.parametrize(("drift", "strict"), [(DRIFT, False), ([], True)])
def test_drift_without_strict_and_no_drift_go_on(start, drift, strict):
    start(drift, strict)


def test_a_data_directory_that_cannot_be_written_is_named_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)  # whose parents only their owner may enter
    tmp_path.chmod(0o755)
    raw = Path("raw")
    raw.mkdir(mode=0o555)
    root = os.geteuid() == 0
    try:
        if root:  # who may write everywhere
            os.seteuid(NOBODY)
        with pytest.raises(SystemExit) as caught, session._exit_on_mistakes():
            session._lock(raw)
    finally:
        if root:
            os.seteuid(0)
    said = capsys.readouterr().err
    assert caught.value.code == 2
    assert said == "error: raw/.run.lock: Permission denied; give this user the right to it and run again\n"


def test_a_file_in_the_place_of_the_data_directory_is_named_in_one_line(tmp_path, capsys):
    raw = tmp_path / "raw"
    raw.write_text("")
    with pytest.raises(SystemExit) as caught, session._exit_on_mistakes():
        session._lock(raw)
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith(f"error: {raw}: File exists; ")


def test_one_run_at_a_time_with_the_same_results(tmp_path, monkeypatch):
    monkeypatch.setattr(session, "_locks", [])
    session._lock(tmp_path / "raw", "with these results")
    with pytest.raises(UserError, match="another run works with these results; wait for it or end it"):
        session._lock(tmp_path / "raw", "with these results")


def test_reports_of_rounds_that_exist_share_a_checkout_with_each_other_and_not_with_a_run_that_measures(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(session, "_locks", [])
    session._lock(tmp_path, shared=True)
    session._lock(tmp_path, shared=True)
    with pytest.raises(UserError, match="another run works in this checkout"):
        session._lock(tmp_path)
    session._locks.clear()
    session._lock(tmp_path)
    with pytest.raises(UserError, match="another run works in this checkout"):
        session._lock(tmp_path, shared=True)


@pytest.mark.slow
def test_a_dry_run_writes_and_fetches_nothing(tmp_path):
    words = f"--dry-run --quiet all --cores 1 --config tier=quick minutes=6 engine=host results={tmp_path}/results"
    before = {path for path in Path("data").rglob("*") if path.is_file()}
    done = subprocess.run(["snakemake", *words.split()], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert not (tmp_path / "results").exists()
    assert {path for path in Path("data").rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("words", [["-n"], ["-np"], ["--dry-run"], ["--dryrun"], ["-pn", "--config", "a=b"]])
def test_a_dry_run_is_known_by_its_command_line(words):
    assert session.is_dry_run(words)
    assert not session.is_dry_run(["--cores", "all", "--config", "engine=host", "-p", "--", "-x/n"])
