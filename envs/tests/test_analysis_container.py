"""What a program of the analysis can do in its container: read the checkout, write its outputs, and nothing else."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from jcarerun.images import catalogue, image
from jcarerun.images.commands import JDKS
from jcarerun.support import engine

pytestmark = pytest.mark.containers


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs a line of shell in the analysis image, in a small checkout."""
    image_id = image.ensure("docker", catalogue.read().analysis, JDKS)
    (tmp_path / "here/data/tidy").mkdir(parents=True)
    (tmp_path / "here/code.R").write_text("code")
    monkeypatch.chdir(tmp_path / "here")

    def run(line, **mounts):
        command = engine.analysis_command("docker", image_id, ["sh", "-c", line], **mounts)
        return subprocess.run(command, capture_output=True, text=True)

    return run


def test_the_checkout_can_be_read_and_not_changed(run):
    done = run("cat code.R; echo x >code.R; echo x >new; echo x >data/tidy/new; rm -f code.R")
    assert done.stdout == "code"
    assert done.stderr.count("Read-only file system") == 4, done.stderr
    assert Path("code.R").read_text() == "code"
    assert not list(Path().rglob("new"))


def test_outputs_can_be_written_in_the_checkout_and_outside(run, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    done = run(
        f"set -e; echo x >data/tidy/new; mv data/tidy/new data/tidy/there; echo x >{outside}/new; ! echo x >data/beside",
        writable=[Path("data/tidy"), outside],
    )
    assert done.returncode == 0, done.stderr
    assert Path("data/tidy/there").exists()
    assert (outside / "new").exists()
    assert not Path("data/beside").exists()


def test_what_is_written_to_the_machines_tmp_is_there_afterwards(run):
    with tempfile.NamedTemporaryFile(dir="/tmp") as file:
        assert run(f"echo kept > {file.name}", writable=[Path("/tmp")]).returncode == 0
        assert Path(file.name).read_text() == "kept\n"


def test_outputs_beside_inputs_and_the_checkout_itself_are_mounted_once(run):
    done = run(
        "echo x >new && echo x >data/tidy/new", readable=[Path("data/tidy")], writable=[Path(), Path("data/tidy")]
    )
    assert done.returncode == 0, done.stderr


def test_what_is_only_read_outside_stays_as_it_is(run, tmp_path):
    raw = tmp_path / "raw"
    raw.mkdir()
    done = run(f"echo x >{raw}/new", readable=[raw])
    assert "Read-only file system" in done.stderr
    assert not list(raw.iterdir())


def test_it_has_no_rights_no_network_and_bounds(run):
    done = run(
        "grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status; ls /sys/class/net; "
        "cat /sys/fs/cgroup/pids*/pids.max /sys/fs/cgroup/pids.max 2>/dev/null"
    )
    words = done.stdout.split()
    assert words[:8] == ["CapEff:", "0" * 16, "CapBnd:", "0" * 16, "NoNewPrivs:", "1", "Seccomp:", "2"]
    assert words[8:] == ["lo", "512"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root runs as somebody else")
def test_root_takes_the_place_of_whom_the_output_belongs_to(run):
    os.chown("data/tidy", 1234, 1235)
    done = run("id -u; id -g; echo x >data/tidy/new", writable=[Path("data/tidy")])
    assert (done.returncode, done.stdout.split()) == (0, ["1234", "1235"]), done.stderr
    assert Path("data/tidy/new").stat().st_uid == 1234
