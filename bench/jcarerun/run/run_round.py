"""Runs one round: in an isolated container, alone on the machine, and keeps it whole or not at all.

In: a planned round, the built image and jar. Out: the round's directory below the raw directory, and its stamp. A round that is
there already is checked and left as it is.
"""

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import image
from jcarerun.images.catalogue import Catalogue
from jcarerun.native import build as native
from jcarerun.plan import budget, cpu_profiles, gates, inputs
from jcarerun.plan.definitions import World
from jcarerun.plan.plan import Round
from jcarerun.plan.settings import Settings
from jcarerun.rounds import audit, check, hot_chain, interference, manifest, stamp
from jcarerun.rounds import record as round_record
from jcarerun.run import container, jar_identity, limits, neighbours, workplace
from jcarerun.run.progress import Progress
from jcarerun.run.workplace import Workplace
from jcarerun.support import engine as engines
from jcarerun.support import node
from jcarerun.support.files import where

WHEELS = Path("envs/cache/jdks")
# Share of the CPUs' time that others may take, where no gate says so.
QUIET = 0.1
FREE_BYTES, FULL_BYTES = 200 << 20, 4 << 20


@contextmanager
def timing_lock(raw: Path):
    """Hold the machine for one timing job, each node of a cluster by a lock of its own.

    The kernel drops the lock when its holder dies, however it dies.
    """
    raw.mkdir(parents=True, exist_ok=True)
    with (raw / f".timing{node.suffix()}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # waits for a round of a killed run, which is just being ended
        yield


def sweep(raw: Path, engine: str) -> None:
    """Remove what earlier runs left behind on this machine: containers of this checkout, and rounds that never became whole."""
    engines.reap(engine)
    for folder in raw.glob("*/*/.part-*"):
        if workplace.is_of_here(folder):
            workplace.remove(folder)


def _environment(planned: Round, settings: Settings, catalogue: Catalogue) -> dict:
    """The record of what the round runs in; the image is loaded again if it went missing."""
    if settings.engine == engines.HOST:
        run = subprocess.run(["java", "-version"], capture_output=True, text=True)
        words = run.stderr.strip()
        digest = hashlib.sha256(words.encode()).hexdigest()
        return {
            "environment": planned.environment, "label": "host, no container", "image_id": f"host:{digest}",
            "system": platform.platform(), "platform": platform.system().lower(), "caveat": None, "suite": None,
            "jdk": {"id": "host", "label": words.splitlines()[0]}, "packages": [], "drift": [],
        }  # fmt: skip
    environment = catalogue.find(planned.environment)
    image.ensure(settings.engine, environment, WHEELS)
    return image.read_record(planned.environment)


def _require(settings: Settings, raw: Path) -> None:
    engines.require(settings.engine)
    if settings.engine == engines.HOST and shutil.which("java") is None:
        raise UserError("engine host: java is not installed; install a JDK of release 8 or later")
    free = shutil.disk_usage(raw).free
    if free < FREE_BYTES:
        raise UserError(f"{where(raw)}: {free >> 20} MiB free, {FREE_BYTES >> 20} MiB needed; make room and run again")


def _platform(planned: Round, settings: Settings, catalogue: Catalogue) -> str:
    """The system that the forks run on, as the catalogue calls it."""
    if settings.engine == engines.HOST:
        return platform.system().lower()
    return catalogue.find(planned.environment).platform


def _programs(planned: Round, settings: Settings, world: World) -> Path | None:
    """The directory of native programs for the round's system, where a cell needs them and there are compilers for it."""
    if settings.engine == engines.HOST or not any(world.providers[cell.provider].native for cell in planned.cells):
        return None
    return native.place(world.catalogue, planned.environment)


def _provider_sums(planned: Round, world: World, programs: Path | None) -> dict[str, str]:
    """Provider id to SHA-256 of its jar or native program; empty for one of the JDK's own, or without a program."""
    sums = native.sums(programs) if programs else {}
    used = [world.providers[name] for name in sorted({cell.provider for cell in planned.cells})]
    return {provider.id: provider.sha256 or sums.get(provider.native, "") for provider in used}


def _jvm_options(planned: Round, settings: Settings, catalogue: Catalogue) -> tuple[str, ...]:
    """Options that every JVM of the round's environment needs."""
    return () if settings.engine == engines.HOST else catalogue.find(planned.environment).jvm_options


def measure(planned: Round, settings: Settings, world: World, raw: Path, progress: Progress) -> None:
    """Measure a round and put it in its place, whole.

    Raises UserError if anything is amiss; what there was of it is kept in `.failed` below the raw directory, to be looked at.
    """
    _require(settings, raw)
    final = raw / planned.path
    record = _environment(planned, settings, world.catalogue)
    place = Workplace(workplace.part(final))
    try:
        inputs.write_inputs(
            place.given,
            planned,
            world.providers,
            world.cpu_profiles,
            container.jars_inside(settings.engine),
            _platform(planned, settings, world.catalogue),
            _jvm_options(planned, settings, world.catalogue),
        )
        place.hand_over(*engines.user(settings.engine))
        # Asked for before anything is measured: an engine that ends just after a round takes nothing from it.
        engine_version = engines.version(settings.engine)
        seen, programs = {}, _programs(planned, settings, world)
        before, started_at, start = audit.moment(), round_record.now(), time.monotonic()
        inside = container.run(
            planned,
            place.inside,
            place.console,
            record["image_id"],
            settings,
            progress.show,
            lambda: seen.update(
                limits=limits.enforced(place.inside, settings),
                intrinsics=cpu_profiles.check_flags(
                    place.inside, [cell.cpu_profile for cell in planned.cells], world.cpu_profiles
                ),
            ),
            _platform(planned, settings, world.catalogue),
            programs,
        )
        elapsed, after = time.monotonic() - start, audit.moment()
        folder = place.take()
        hot_chain.write(folder)
        account = {
            "host": audit.host(),
            "before": before,
            "after": after,
            "steal_share": audit.steal_share(before, after),
            "engine": settings.engine,
            "engine_version": engine_version,
            "container": inside,
            **({"node": own} if (own := node.name()) else {}),
            **seen,
        }
        (folder / "environment.json").write_text(json.dumps(record, indent=1) + "\n")
        (folder / "audit.json").write_text(json.dumps(account, indent=1) + "\n")
        round_record.write(folder, planned.record(), {
            "engine": settings.engine, "machine_id": account["host"]["machine_id"], "image_id": record["image_id"],
            **jar_identity.jar_record(planned),
            "providers": _provider_sums(planned, world, programs),
            "started_at": started_at, "finished_at": round_record.now(), "elapsed_s": round(elapsed, 3),
        })  # fmt: skip
        check.contents(folder, path=planned.path)
        manifest.write(folder)
    except (UserError, OSError) as error:
        if (
            final.is_dir()
        ):  # another node of a cluster was given it too, has ended it, and removed what there was of this one
            workplace.remove(place.folder)
            return
        kept = raw / ".failed" / f"{planned.experiment}-{planned.environment}-{planned.id}"
        refused = place.keep(kept)
        told = "what there was is kept" if refused is not None else "not all that there was could be kept"
        besides = (
            f" without {refused} entries that are no plain files of a round ({workplace.REFUSED})" if refused else ""
        )
        raise UserError(f"{_of_the_disk(raw)}{error}; {told} in {where(kept)}{besides}") from None
    os.sync()
    workplace.put(folder, final)


def _of_the_disk(raw: Path) -> str:
    """What is the matter with the raw directory's disk, to stand before what came of it; empty where nothing is."""
    if os.statvfs(raw).f_flag & os.ST_RDONLY:
        return f"{where(raw)} is read-only, make it writable and run again: "
    return f"the disk is full ({where(raw)}): " if shutil.disk_usage(raw).free < FULL_BYTES else ""


def run(planned: Round, rounds: list[Round], settings: Settings, world: World, raw: Path) -> None:
    """Make sure that a round is there and whole, and stamp it. Measures only what is missing, while the run's minutes last."""
    final = raw / planned.path
    if not final.is_dir():
        if not budget.fits(raw, rounds, planned, settings.minutes, settings.until):
            if not any(budget.is_left_out(raw / one.path) for one in rounds):
                left = budget.left_s(raw, rounds, settings.minutes, settings.until)
                print(budget.short(planned, left), file=sys.stderr)
            budget.leave_out(final)
            return
        with timing_lock(raw):
            if not final.is_dir():  # else who held the machine before has measured it
                _measure_alone(planned, rounds, settings, world, raw)
    jar_identity.require_same(final, planned)
    stamp.write(final)


def _disturbed(folder: Path, others: list[tuple[str, int, float]], wait: float) -> str:
    """What disturbed a round's forks, and who, where it can be seen; empty where nothing did."""
    if not (said := interference.summary(folder)):
        return ""
    who = f"; busy beside them: {neighbours.told(others)}" if others else ""
    return f"{said}{who}{'' if wait else '; WAIT=5 (--config wait=5) waits for quiet, 5 minutes at most'}"


def _measure_alone(planned: Round, rounds: list[Round], settings: Settings, world: World, raw: Path) -> None:
    progress = Progress(raw, rounds, planned)
    sweep(raw, settings.engine)
    if settings.wait:
        neighbours.wait(settings.wait, gates.read().limits.get("others_share", (QUIET, 0))[0])
    try:
        before = neighbours.moment()
        measure(planned, settings, world, raw, progress)
        progress.finished(_disturbed(raw / planned.path, neighbours.busy(before, neighbours.moment()), settings.wait))
    finally:
        progress.close()
