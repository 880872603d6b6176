"""The one place that knows container engines: how an image is looked up and loaded, and how a container is run.

Engines: `docker` and `podman` speak the same command line; `apptainer` has its own (apptainer.py); `host` has no container and
runs the machine's own programs.
"""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from jcarerun.errors import UserError

APPTAINER, HOST = "apptainer", "host"
ENGINES = ("docker", "podman", APPTAINER, HOST)
# Without a daemon a container ends with its process, and leaves nothing to remove.
_WITHOUT_DAEMON = (APPTAINER, HOST)

# The user that measures when the pipeline itself runs as root: nobody.
NOBODY = 65534


# The largest file that a round may have, as its container and whoever reads it have it.
MOST_FILE_BYTES = 1 << 30
# Given outright: podman would otherwise ask for limits that it may not have.
LIMITS = ["--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096", "--ulimit=core=0:0"]


# Set by the node's own daemon, so no job can have inherited it from where it was submitted (srun(1)).
NODE_VARIABLE = "SLURMD_NODENAME"


def _apptainer():
    """The module of that engine; a round of another one does without it."""
    from jcarerun.support import apptainer

    return apptainer


def node_name() -> str:
    """The name of the cluster's node that this process has a job on, fit to be part of a file's; empty outside a cluster."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", os.environ.get(NODE_VARIABLE, ""))


def node_suffix() -> str:
    """The end of a name that each node has of its own, as nodes share the checkout's folder; empty outside a cluster."""
    return f"@{name}" if (name := node_name()) else ""


# A random number of this checkout: others may have the same path, and the same process ids, on one engine (CI containers).
CHECKOUT_ID = Path("data/logs/checkout.id")


def project_label() -> str:
    """Label of every container of this checkout, on a cluster of this node, so that only its own leftovers are ever removed."""
    if not CHECKOUT_ID.is_file():
        CHECKOUT_ID.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=CHECKOUT_ID.parent, prefix=".checkout-") as file:
            file.write(uuid.uuid4().hex)
            file.flush()
            with suppress(FileExistsError):  # another process made it meanwhile
                os.link(file.name, CHECKOUT_ID)
    content = f"{Path.cwd().resolve()}{node_suffix()}{CHECKOUT_ID.read_text()}"
    return "jca-rerun=" + hashlib.sha256(content.encode()).hexdigest()[:12]


def container_name() -> str:
    """A name for a container that no other has."""
    return f"jca-rerun-{uuid.uuid4().hex[:16]}"


def _call(engine: str, *arguments: str, stdin=None) -> subprocess.CompletedProcess:
    try:
        return subprocess.run([engine, *arguments], stdin=stdin, capture_output=True, text=True)
    except FileNotFoundError:
        raise UserError(f"engine {engine}: not installed; run `make setup`, or choose ENGINE=host") from None


def _words(run: subprocess.CompletedProcess) -> str:
    return " ".join((run.stderr or run.stdout or "no message").split())[:300]


def require(engine: str) -> None:
    """Raise UserError unless the engine answers."""
    if engine == APPTAINER:
        _apptainer().require()
    if engine in _WITHOUT_DAEMON:
        return
    run = _call(engine, "info", "--format", "{{.ID}}" if engine == "docker" else "{{.Host.Arch}}")
    if run.returncode != 0:
        raise UserError(
            f"engine {engine}: does not answer ({_words(run)}); `make setup` starts it, or choose ENGINE=host"
        )


def version(engine: str) -> str | None:
    """The engine's version, or None on the host."""
    if engine in _WITHOUT_DAEMON:
        return _apptainer().version() if engine == APPTAINER else None
    return _call(engine, "version", "--format", "{{.Server.Version}}").stdout.strip() or None


def has_image(engine: str, image_id: str) -> bool:
    """Whether the engine holds the image of that id."""
    if engine == APPTAINER:
        return _apptainer().image_file(image_id).is_file()
    return _call(engine, "image", "inspect", image_id).returncode == 0


def image_id(engine: str, name: str) -> str | None:
    """The id of an image that the engine holds under a name, as `sha256:...`, or None."""
    if engine == APPTAINER:
        return _apptainer().digest(name)
    run = _call(engine, "image", "inspect", "--format", "{{.Id}}", name)
    found = run.stdout.strip()
    return f"sha256:{found.removeprefix('sha256:')}" if run.returncode == 0 and found else None


def pull(engine: str, name: str) -> str:
    """Pull an image; return what the engine said of it."""
    return _apptainer().pull(name) if engine == APPTAINER else _words(_call(engine, "pull", "--quiet", name))


def run_in(engine: str, image_id: str, argv: Sequence[str]) -> tuple[int, str]:
    """Run a short program in an image, without network or rights; its status and all it said."""
    if engine == APPTAINER:
        return _apptainer().run_in(image_id, argv)
    run = _call(
        engine, "run", "--rm", "--network=none", "--read-only", "--tmpfs=/tmp:rw,exec", "--cap-drop=ALL", *LIMITS,
        f"--user={NOBODY}:{NOBODY}", f"--label={project_label()}", "--env=HOME=/tmp", "--entrypoint=", image_id, *argv,
    )  # fmt: skip
    return run.returncode, run.stdout + run.stderr


def load(engine: str, image_id: str, write_archive) -> None:
    """Load the archive of an image, which `write_archive(binary file)` writes. Raises UserError if the engine refuses it."""
    if engine == APPTAINER:
        _apptainer().load(image_id, write_archive)
        return
    process = subprocess.Popen(
        [engine, "load", "--quiet"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        write_archive(process.stdin)
        process.stdin.close()
    except BrokenPipeError:
        pass
    said = process.stdout.read().decode(errors="replace").strip()
    if process.wait() != 0:
        raise UserError(f"engine {engine}: the image was refused: {said}; is the disk full?")


def reap(engine: str) -> list[str]:
    """End and remove what earlier runs of this checkout left behind; return the containers' ids."""
    if engine in _WITHOUT_DAEMON:
        return []
    left = _call(engine, "ps", "--all", "--quiet", "--filter", f"label={project_label()}").stdout.split()
    if left:
        _call(engine, "rm", "--force", *left)
    return left


def user(engine: str) -> tuple[int, int]:
    """User and group that the forks run as: in a container never root."""
    root = os.getuid() == 0 and engine not in _WITHOUT_DAEMON
    return (NOBODY, NOBODY) if root else (os.getuid(), os.getgid())


def isolation(engine: str, workdir: Path, read_only: dict[str, str], cpuset: str, memory: str) -> list[str]:
    """Options of a container that measures: no network, no rights, read-only but for its work directory and /tmp.

    Of apptainer, which bounds no memory, the whole command line before the image.
    """
    if engine == APPTAINER:
        return _apptainer().isolation(workdir, read_only, cpuset)
    uid, gid = user(engine)
    options = [
        "--network=none", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", f"--user={uid}:{gid}",
        f"--cpuset-cpus={cpuset}", f"--memory={memory}", f"--memory-swap={memory}", "--pids-limit=512",
        *LIMITS, f"--ulimit=fsize={MOST_FILE_BYTES}:{MOST_FILE_BYTES}", "--hostname=bench",
        "--tmpfs=/tmp:rw,exec,nosuid,nodev,size=512m",
        f"--label={project_label()}", _bind(workdir.resolve(), "/round"), "--workdir=/round", "--env=HOME=/tmp",
    ]  # fmt: skip
    return options + [f"--volume={Path(source).resolve()}:{target}:ro" for source, target in read_only.items()]


def measuring_command(engine: str, image_id: str, name: str, options: Sequence[str], argv: Sequence[str]) -> list[str]:
    """The command line that runs `argv` in a measuring container, whose standard input is that of this command.

    The engine closes it when the command is gone, however it went.
    """
    if engine == APPTAINER:
        return [*options, str(_apptainer().image_file(image_id)), *argv]
    return [engine, "run", "--rm", "--interactive", f"--name={name}", *options, image_id, *argv]


def inspect(engine: str, name: str) -> str | None:
    """What the engine says of a running container (JSON text), or None."""
    if engine in _WITHOUT_DAEMON:
        return None
    run = _call(engine, "container", "inspect", name)
    return run.stdout if run.returncode == 0 else None


def kill(engine: str, name: str) -> None:
    """End a container at once; no error if it is gone."""
    if engine not in _WITHOUT_DAEMON:
        _call(engine, "rm", "--force", name)


def _writer(writable: Sequence[Path]) -> tuple[int, int]:
    """User and group that the analysis runs as.

    Without capabilities root may write into its own directories only, so it takes the place of whom the output belongs to.
    """
    if os.getuid() != 0:
        return os.getuid(), os.getgid()
    owner = (writable[0] if writable else Path.cwd()).stat()
    return owner.st_uid, owner.st_gid


def _bind(path: Path, place: Path | str, mode: str = "") -> str:
    """The option that mounts a path at a place in a container.

    Engines read it as a line of CSV, so that any name can be quoted; a volume's would end at a colon.
    """
    source, target = (str(each).replace('"', '""') for each in (path, place))
    return f'--mount=type=bind,"source={source}","target={target}"{mode}'


def analysis_command(
    engine: str, image_id: str, argv: Sequence[str], readable: Sequence[Path] = (), writable: Sequence[Path] = ()
) -> list[str]:
    """The command line that runs `argv` in the analysis image at the same paths as outside; on the host `argv` itself.

    It can read this checkout and what `readable` names, and write below the directories of `writable`, which exist, and nowhere
    else but in its own /tmp.
    """
    if engine == HOST:
        if shutil.which(argv[0]) is None:
            raise UserError(
                f"{argv[0]} is not installed; `make setup ENGINE=host` says what to install, or choose ENGINE=docker"
            )
        return list(argv)
    here = Path.cwd().resolve()
    read_only = {path.resolve(): True for path in (here, *readable)} | {path.resolve(): False for path in writable}
    if engine == APPTAINER:
        return _apptainer().analysis_command(image_id, argv, read_only)
    uid, gid = _writer(writable)
    mounts = {path: ",readonly" if closed else "" for path, closed in read_only.items()}
    # A file written to the machine's /tmp would vanish with a /tmp of the container's.
    own_tmp = [] if Path("/tmp") in mounts else ["--tmpfs=/tmp:rw,exec"]
    return [
        engine, "run", "--rm", "--network=none", "--read-only", *own_tmp, "--cap-drop=ALL", *LIMITS,
        "--pids-limit=512", "--security-opt=no-new-privileges", f"--user={uid}:{gid}", f"--label={project_label()}",
        *(_bind(path, path, mode) for path, mode in mounts.items()), f"--workdir={here}", "--env=HOME=/tmp",
        "--env=LANG=C.UTF-8", "--env=TZ=UTC", image_id, *argv,
    ]  # fmt: skip
