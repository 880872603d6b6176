"""Runs one round: in an isolated container, alone on the machine, and keeps it whole or not at all.

In: a planned round, the built image and jar. Out: the round's directory below the raw directory, and its stamp. A round that is
there already is checked and left as it is.
"""

import fcntl
import hashlib
import json
import os
import platform
import shlex
import shutil
import subprocess
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from bench.harness import audit, manifest, round_files
from bench.harness.plan import Round
from bench.harness.progress import Progress
from bench.harness.providers import Provider
from bench.harness.settings import Settings
from envs.builder import engine as engines
from envs.builder import image
from envs.builder.catalogue import Catalogue
from envs.builder.errors import UserError
from envs.builder.rootfs import sha256
from envs.builder.yamlfile import where

JAR = Path("bench/target/benchmarks.jar")
JARS = Path("bench/target/providers")
WHEELS = Path("envs/cache/wheels")
FREE_BYTES = 200 << 20
FORK_TIMEOUT_FACTOR, FORK_TIMEOUT_LEAST_S = 20, 120


@contextmanager
def timing_lock(raw: Path):
    """Hold the machine for one timing job. The kernel drops the lock when its holder dies, however it dies."""
    raw.mkdir(parents=True, exist_ok=True)
    with (raw / ".timing.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(file, fcntl.LOCK_EX)  # an earlier run that is just being ended
        yield


def sweep(raw: Path, engine: str) -> None:
    """Remove what earlier runs left behind: containers of this checkout, and rounds that never became whole."""
    engines.reap(engine)
    for folder in raw.glob("*/*/.part-*"):
        shutil.rmtree(folder, ignore_errors=True)


class _Watch(threading.Thread):
    """Ends the container when the process that asked for the round is gone (`kill -9` of Snakemake)."""

    def __init__(self, engine: str, name: str, process: subprocess.Popen):
        super().__init__(daemon=True)
        self.engine, self.name, self.process, self.parent = engine, name, process, os.getppid()

    def run(self) -> None:
        while self.process.poll() is None:
            if os.getppid() != self.parent:
                engines.kill(self.engine, self.name)
                self.process.kill()
                return
            time.sleep(0.3)


def _argv(one: Round, engine: str) -> list[str]:
    jar = str(JAR.resolve()) if engine == engines.HOST else "/bench/benchmarks.jar"
    longest = max(cell.expected_s for cell in one.cells)
    limit = int(max(FORK_TIMEOUT_LEAST_S, FORK_TIMEOUT_FACTOR * longest))
    return [
        "java",
        "-Xmx128m",
        "-XX:+UseSerialGC",
        "-cp",
        jar,
        "jcarerun.round.RoundMain",
        "--fork-timeout",
        str(limit),
    ]


def _run(one: Round, folder: Path, image_id: str, settings: Settings, progress: Progress) -> tuple[str, str]:
    """Run the container; return what it printed to standard error, and what the engine said of it."""
    name = f"jca-rerun-{os.getpid()}-{one.id}"
    options = []
    if settings.engine != engines.HOST:
        options = engines.isolation(
            folder,
            {str(JAR): "/bench/benchmarks.jar", str(JARS): "/bench/providers"},
            settings.cpuset,
            f"{settings.memory}m",
        )
    command = engines.measuring_command(settings.engine, image_id, name, options, _argv(one, settings.engine))
    inspected = ""
    with (folder / "console.log").open("w") as console:
        console.write(shlex.join(command).replace(str(Path.cwd()), ".") + "\n")
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        _Watch(settings.engine, name, process).start()
        said: list[str] = []
        reader = threading.Thread(target=lambda: said.extend(process.stderr), daemon=True)
        reader.start()
        for line in process.stdout:
            console.write(line)
            words = line.split()
            if words[:1] == ["progress"] and len(words) >= 3:
                inspected = inspected or engines.inspect(settings.engine, name) or ""
                progress.show(int(words[1]), int(words[2]))
        status = process.wait()
        reader.join(timeout=5)
        console.writelines(said)
    if status != 0:
        words = said[-1].strip() if said else "no message"
        raise UserError(f"{one.experiment}, {one.environment}, {one.id}: the round failed (status {status}): {words}")
    return "".join(said), inspected


def _container(inspected: str) -> dict | None:
    """The part of the engine's account that bears on the measurement."""
    if not inspected:
        return None
    found = json.loads(inspected)[0]
    keys = (
        "NetworkMode", "ReadonlyRootfs", "CapDrop", "CapAdd", "SecurityOpt", "CpusetCpus", "Memory", "MemorySwap", "PidsLimit",
        "Privileged", "Tmpfs",
    )  # fmt: skip
    return {"image": found["Image"], "user": found["Config"]["User"], **{k: found["HostConfig"].get(k) for k in keys}}


def _environment(one: Round, settings: Settings, catalogue: Catalogue) -> dict:
    """The record of what the round runs in; the image is loaded again if it went missing."""
    if settings.engine == engines.HOST:
        run = subprocess.run(["java", "-version"], capture_output=True, text=True)
        words = run.stderr.strip()
        digest = hashlib.sha256(words.encode()).hexdigest()
        return {
            "environment": one.environment, "label": "host, no container", "image_id": f"host:{digest}",
            "system": platform.platform(), "suite": None, "jdk": {"id": "host", "label": words.splitlines()[0]}, "packages": [], "drift": [],
        }  # fmt: skip
    environment = catalogue.find(one.environment)
    image.ensure(settings.engine, environment, WHEELS)
    return json.loads(image.record_path(one.environment).read_text())


def _require(one: Round, settings: Settings, raw: Path) -> None:
    engines.require(settings.engine)
    if settings.engine == engines.HOST and shutil.which("java") is None:
        raise UserError("engine host: java is not installed; install a JDK of release 8 or later")
    free = shutil.disk_usage(raw).free
    if free < FREE_BYTES:
        raise UserError(f"{where(raw)}: {free >> 20} MiB free, {FREE_BYTES >> 20} MiB needed; make room and run again")


def _own(folder: Path, uid: int, gid: int) -> None:
    """Give a tree to a user; only root can, and only root needs to."""
    if os.getuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, uid, gid)


def measure(
    one: Round, settings: Settings, providers: dict[str, Provider], catalogue: Catalogue, raw: Path, progress: Progress
) -> None:
    """Measure a round and put it in its place, whole.

    Raises UserError if anything is amiss; what there was of it is kept in `.failed` below the raw directory, to be looked at.
    """
    _require(one, settings, raw)
    final = raw / one.path
    folder = final.parent / f".part-{one.id}"
    folder.mkdir(parents=True)
    record = _environment(one, settings, catalogue)
    jars = str(JARS.resolve()) if settings.engine == engines.HOST else "/bench/providers"
    try:
        round_files.write_inputs(folder, one, providers, jars)
        (folder / "environment.json").write_text(json.dumps(record, indent=1) + "\n")
        _own(folder, *engines.user())
        before, started_at, start = audit.moment(), round_files.now(), time.monotonic()
        _, inspected = _run(one, folder, record["image_id"], settings, progress)
        elapsed, after = time.monotonic() - start, audit.moment()
        _own(folder, os.getuid(), os.getgid())
        round_files.check_outputs(folder, one)
        account = {
            "host": audit.host(), "before": before, "after": after, "steal_share": audit.steal_share(before, after),
            "engine": settings.engine, "engine_version": engines.version(settings.engine), "container": _container(inspected),
        }  # fmt: skip
        (folder / "audit.json").write_text(json.dumps(account, indent=1) + "\n")
        used = sorted({cell.provider for cell in one.cells})
        round_files.write_record(folder, one, {
            "engine": settings.engine, "machine_id": account["host"]["machine_id"], "image_id": record["image_id"],
            "jar_sha256": sha256(JAR), "providers": {name: providers[name].sha256 or "" for name in used},
            "started_at": started_at, "finished_at": round_files.now(), "elapsed_s": round(elapsed, 3),
        })  # fmt: skip
        manifest.write(folder)
    except (UserError, OSError) as error:
        kept = _keep_failed(raw, one, folder)
        raise UserError(f"{error}; what there was is kept in {where(kept)}") from None
    os.sync()
    folder.rename(final)


def _keep_failed(raw: Path, one: Round, folder: Path) -> Path:
    kept = raw / ".failed" / f"{one.experiment}-{one.environment}-{one.id}"
    shutil.rmtree(kept, ignore_errors=True)
    kept.parent.mkdir(exist_ok=True)
    if folder.exists():
        _own(folder, os.getuid(), os.getgid())
        folder.rename(kept)
    return kept


def stamp_path(raw: Path, one: Round) -> Path:
    """The stamp that says that a round is whole: it holds the SHA-256 of its manifest."""
    return raw / f"{one.path}.whole"


def run(
    one: Round, rounds: list[Round], settings: Settings, providers: dict[str, Provider], catalogue: Catalogue, raw: Path
) -> None:
    """Make sure that a round is there and whole, and stamp it. Measures only what is missing."""
    final = raw / one.path
    if not final.is_dir():
        progress = Progress(raw, rounds, one)
        with timing_lock(raw):
            sweep(raw, settings.engine)
            try:
                measure(one, settings, providers, catalogue, raw, progress)
            finally:
                progress.close()
    stamp_path(raw, one).write_text(manifest.verify(final) + "\n")
