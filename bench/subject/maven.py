"""Fetches a jar by its Maven coordinates, through Maven itself, so that its settings and mirrors hold."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from envs.support.errors import UserError
from envs.support.files import sha256

PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"


def fetch(coordinates: str, digest: str, target: Path, what: str) -> None:
    """Put the jar there. `what` names it in messages. Raises UserError where it can't be had or isn't `digest`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        run = subprocess.run(
            ["mvn", "--batch-mode", "--quiet", PLUGIN, f"-Dartifact={coordinates}", f"-DoutputDirectory={scratch}"],
            capture_output=True,
            text=True,
        )
        found = list(Path(scratch).glob("*.jar"))
        if run.returncode != 0 or len(found) != 1:
            words = [line for line in run.stdout.splitlines() if "ERROR" in line] or ["no message"]
            raise UserError(f"{what}: {coordinates} can't be fetched: {words[0][:300]}")
        if (own := sha256(found[0])) != digest:
            raise UserError(f"{what}: sha256 {digest} expected, the fetched jar has {own}; not taken")
        shutil.move(found[0], target)
