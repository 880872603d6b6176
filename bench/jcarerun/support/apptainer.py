"""Apptainer, the engine of most clusters: an image is one file, and a container is a process of the user who starts it.

It needs no daemon and no root. taskset(1) gives a round its CPUs. Nothing bounds its memory or its number of processes.
"""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from jcarerun.errors import UserError

NAME = "apptainer"
STORE = Path("envs/build/apptainer")
# No network, no privileges, and of this machine's files only what is mounted. The image itself is read-only.
_CLOSED = ("--containall", "--no-home", "--net", "--network=none", "--no-privs")
_LIMITS = ("prlimit", "--nofile=4096:4096", "--core=0:0")
_FAST = "--mksquashfs-args=-comp zstd -Xcompression-level 1"


def image_file(image_id: str) -> Path:
    """Where the image of an id is kept."""
    return (STORE / f"{image_id.removeprefix('sha256:')}.sif").resolve()


def call(*arguments: str, **variables: str) -> subprocess.CompletedProcess:
    """Run apptainer with more environment variables. Raises UserError where it is not installed."""
    options = {"stdin": subprocess.DEVNULL, "env": {**os.environ, **variables}}
    try:
        return subprocess.run([NAME, *arguments], capture_output=True, text=True, **options)
    except FileNotFoundError:
        raise UserError(f"engine {NAME}: not installed; install the package {NAME}, or choose another engine") from None


def version() -> str | None:
    """Its version, or None where it says none."""
    return call("--version").stdout.strip().rpartition(" ")[2] or None


def require() -> None:
    """Raise UserError unless it answers, and the pipeline runs as an ordinary user: a container has its user's rights."""
    if os.getuid() == 0:
        raise UserError(f"engine {NAME}: a round would run as root; run this as an ordinary user, or choose docker")
    if version() is None:
        raise UserError(f"engine {NAME}: does not answer; choose another engine")


def digest(name: str) -> str | None:
    """The id of a registry's image that was pulled by its digest, or None."""
    found = f"sha256:{name.rpartition('@sha256:')[2]}"
    return found if image_file(found).is_file() else None


def _build(image_id: str, source: str) -> str:
    """Build the image's file from a source; return what apptainer said."""
    target = image_file(image_id)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".build-") as scratch:
        part = Path(scratch) / "image.sif"
        run = call("build", "--disable-cache", _FAST, str(part), source, APPTAINER_TMPDIR=scratch)
        if run.returncode == 0:
            part.rename(target)
    return " ".join((run.stderr or run.stdout).split())[-300:]


def pull(name: str) -> str:
    """Pull an image of a registry by its digest; return what apptainer said."""
    STORE.mkdir(parents=True, exist_ok=True)
    return _build(f"sha256:{name.rpartition('@sha256:')[2]}", f"docker://{name}")


def load(image_id: str, write_archive) -> None:
    """Convert an image archive, which `write_archive(binary file)` writes. Raises UserError if it is refused."""
    STORE.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=STORE, suffix=".tar") as archive:
        write_archive(archive)
        archive.flush()
        said = _build(image_id, f"docker-archive:{archive.name}")
    if not image_file(image_id).is_file():
        raise UserError(f"engine {NAME}: the image was refused: {said}; is the disk full?")


def _mount(source: Path, target: Path | str, read_only: bool) -> str:
    """The option that mounts a path: a line of CSV, so that any name can be quoted."""
    named = {"source": source, "destination": target}
    quoted = ['"{}={}"'.format(key, str(path).replace('"', '""')) for key, path in named.items()]
    return ",".join(["--mount=type=bind", *quoted, *(["ro"] if read_only else [])])


def run_in(image_id: str, argv: Sequence[str]) -> tuple[int, str]:
    """Run a short program in an image; its status and all it said."""
    run = call("--quiet", "exec", *_CLOSED, str(image_file(image_id)), *argv)
    return run.returncode, run.stdout + run.stderr


def isolation(workdir: Path, read_only: dict[str, str], cpuset: str) -> list[str]:
    """What stands before the image in the command line of a round. Its /tmp is a directory beside `workdir`."""
    scratch = workdir.with_name(f"{workdir.name}.tmp")
    scratch.mkdir(exist_ok=True)
    return [
        "taskset", "--cpu-list", cpuset, *_LIMITS, NAME, "--quiet", "exec", *_CLOSED, f"--workdir={scratch.resolve()}",
        _mount(workdir.resolve(), "/round", False), "--pwd=/round",
        *(_mount(Path(source).resolve(), target, True) for source, target in read_only.items()),
    ]  # fmt: skip


def analysis_command(image_id: str, argv: Sequence[str], mounts: dict[Path, bool]) -> list[str]:
    """The command line that runs `argv` in an image; `mounts` are paths, and whether each is read-only."""
    scratch = (STORE / ".tmp").resolve()
    scratch.mkdir(parents=True, exist_ok=True)
    return [
        NAME, "--quiet", "exec", *_CLOSED, f"--workdir={scratch}", "--env=LANG=C.UTF-8,TZ=UTC",
        *(_mount(path, path, read_only) for path, read_only in mounts.items()), f"--pwd={Path.cwd().resolve()}",
        str(image_file(image_id)), *argv,
    ]  # fmt: skip
