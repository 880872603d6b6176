"""The committed sample's report, made once for all tests of it."""

import pytest

from envs.tests import checkout as checkouts


@pytest.fixture(scope="session")
def sample_report(tmp_path_factory):
    """A scratch checkout in which the sample's report was made; a JVM or Maven would have failed it."""
    made = checkouts.make(tmp_path_factory.mktemp("checkout"))
    tools = made.path / "no-jvm"
    tools.mkdir()
    for name in ("java", "javac", "mvn"):
        (tools / name).write_text(f"#!/bin/sh\necho {name} was called >&2\nexit 1\n")
        (tools / name).chmod(0o755)
    path = made.environment()["PATH"]
    run = made.snakemake("raw=data/sample", PATH=f"{path.split(':')[0]}:{tools}:{path}")
    assert run.returncode == 0, run.stderr[-3000:]
    return made
