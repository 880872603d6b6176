"""A scratch checkout for tests that run the whole pipeline: today's files, with what is already built linked in."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LINKED = ("envs/build", "envs/cache")
BUILT = (*LINKED, "bench/target")

# No fork breaks a gate: what a test measures must not depend on what else the machine does.
OPEN_GATES = "gates: {}\nreruns: {share: 0.2, reason: a test}\n"


@dataclass(frozen=True)
class Checkout:
    """A copy of the project in a directory of its own. `run` runs a command in it."""

    path: Path

    def environment(self, **more: str) -> dict[str, str]:
        """The caller's environment, with the locked Python first."""
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        return {**os.environ, "PATH": path, "PYTHONPATH": "bench", **more}

    def run(self, *command: str, **more: str) -> subprocess.CompletedProcess:
        """Run a command to its end and keep what it printed."""
        options = {"cwd": self.path, "env": self.environment(**more), "stdin": subprocess.DEVNULL}
        return subprocess.run(command, capture_output=True, text=True, **options)

    def snakemake(self, *config: str, targets: tuple[str, ...] = (), **more: str) -> subprocess.CompletedProcess:
        """Run Snakemake with `--config` entries."""
        extra = ["--config", *config] if config else []
        return self.run("snakemake", "--cores", "2", *extra, *(["--", *targets] if targets else []), **more)

    def rounds(self) -> list[Path]:
        """The whole rounds below data/raw, sorted."""
        return sorted(path.parent for path in (self.path / "data/raw").glob("*/*/*/manifest.sha256"))


def make(target: Path, gates: str = OPEN_GATES, built: tuple[str, ...] = BUILT) -> Checkout:
    """Copy what git knows or would know of this checkout, and link what is built (same file system or copied).

    `gates` is the copy's bench/gates.yaml, `built` the directories of built files that it gets.
    """
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        if Path(name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(name, target / name)
    (target / "bench/gates.yaml").write_text(gates)
    for name in built:
        if Path(name).is_dir():
            # Maven writes into the files that are there, which would then be this checkout's.
            shutil.copytree(name, target / name, copy_function=_link if name in LINKED else shutil.copy2)
    return Checkout(target)


def copy(made: Checkout, target: Path) -> Checkout:
    """Copy a scratch checkout with what was measured in it, so that a test may change the copy."""
    linked = [made.path / name for name in LINKED]

    def take(source: str, to: str) -> None:
        (_link if any(Path(source).is_relative_to(path) for path in linked) else shutil.copy2)(source, to)

    shutil.copytree(made.path, target, symlinks=True, copy_function=take)
    return Checkout(target)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
