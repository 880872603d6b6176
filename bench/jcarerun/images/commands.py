"""`jca-rerun images ACTION`: builds environments and runs programs in them. Called by rules, by make and by people."""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.images import catalogue, image, maven, rootfs
from jcarerun.images import lock as locks
from jcarerun.run.limits import flags
from jcarerun.support import engine as engines
from jcarerun.support.files import write_json

JDKS = Path("envs/cache/jdks")
DEBS = Path("envs/cache/debs")


def _rootfs(name: str, refresh: bool) -> None:
    found = catalogue.read().on_rootfs(name)
    environment = found[0]
    rootfs.build(environment, image.rootfs_tar(environment), DEBS, locks.of_rootfs(found), refresh)


def _image(engine: str, name: str, strict: bool, refresh: bool = False) -> None:
    environment, target = catalogue.read().find(name), image.record_path(name)
    if environment.elsewhere:
        record = image.resolve(environment, JDKS, DEBS, refresh)
    else:
        engines.require(engine)
        record = image.load(engine, environment, JDKS)
    if strict:
        target.unlink(missing_ok=True)
        locks.refuse(record)
    _show_drift(record)
    if record["image_id"]:
        locks.write_sbom(record, target.parent)
    write_json(target, record)


def _show_drift(record: dict) -> None:
    for row in record["drift"]:
        print(
            f"drift: {record['environment']}: {row['package']}: locked {row['locked'] or '-'}, found {row['found'] or '-'}",
            file=sys.stderr,
        )


def _built() -> list[dict]:
    """The record of every environment that is built."""
    names = [environment.id for environment in catalogue.read().every()]
    return [image.read_record(name) for name in names if image.record_path(name).exists()]


def _sboms() -> None:
    """Write the bill of every image that is built, also by a version of this program that wrote none."""
    for record in _built():
        if record["image_id"]:
            print(locks.write_sbom(record, image.record_path(record["environment"]).parent))


def _drift(strict: bool) -> None:
    """Say of every built environment how it differs from its lock."""
    records = _built()
    for record in records:
        if strict:
            locks.refuse(record)
        _show_drift(record)
    print(
        f"{len(records)} environments built, {sum(1 for record in records if record['drift'])} differ from their locks"
    )


def lock(name: str | None) -> None:
    """Write every lock, or one, and put down that what is built is what is locked: nothing is built again for it."""
    known, records = catalogue.read(), []
    for environment in [known.find(name)] if name else known.every():
        path = image.record_path(environment.id)
        if not path.exists():
            raise UserError(f"{path}: not built; `make lock` builds what it locks first")
        records.append((environment, path, image.read_record(environment.id)))
    for environment, _, record in records:
        print(locks.write(record))
        if image.tars(environment):
            os.utime(image.rootfs_tar(environment))
    for _, path, record in records:
        write_json(path, {**record, "drift": []})


def ready(engine: str, name: str) -> None:
    """What the rules would build, for those who measure nothing: without a run's plan."""
    environment = catalogue.read().find(name)
    if engine == engines.HOST or image.record_path(environment.id).exists():
        return
    print(f"building the image of {environment.label}, once; this takes a few minutes", file=sys.stderr)
    if not image.rootfs_tar(environment).exists():
        _rootfs(environment.rootfs, refresh=False)
    _image(engine, environment.id, strict=False)


def _record_flags(engine: str) -> None:
    """Ask the JVM of each Linux image that is built, once for a JDK. Raises UserError where one does not answer."""
    known, target = catalogue.read().environments.values(), catalogue.FLAGS_FILE
    found = json.loads(target.read_text()) if target.exists() else {}
    built = {
        each.jdk.id: each
        for each in known
        if each.jdk and each.platform == "linux" and image.record_path(each.id).exists()
    }
    for jdk, environment in built.items():
        words = ["java", "-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintFlagsFinal", "-version"]
        command = engines.analysis_command(engine, image.read_record(environment.id)["image_id"], words)
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise UserError(f"{environment.id}: java -XX:+PrintFlagsFinal failed: {run.stderr.strip()[-200:]}")
        found[jdk] = sorted(name for name in flags(run.stdout) if catalogue.RECORDED_FLAGS.fullmatch(name))
    write_json(target, dict(sorted(found.items())))
    print(f"{target}: {len(built)} JDKs asked")


def _words(arguments: argparse.Namespace) -> list[str]:
    """A program's own words, which may stand behind `--`."""
    return arguments.argv[1:] if arguments.argv[:1] == ["--"] else arguments.argv


def analysis(engine: str, readable: list[Path], writable: list[Path], argv: list[str]) -> list[str]:
    """The command line that runs a program in the analysis image. What it may write to is made."""
    image_id = ""
    if engine != engines.HOST:
        engines.require(engine)
        image_id = image.ensure(engine, catalogue.read().analysis, JDKS)
    for path in readable:
        if not path.exists():
            raise UserError(f"{path}: there is no such file or directory")
    for path in writable:
        path.mkdir(parents=True, exist_ok=True)
    return engines.analysis_command(engine, image_id, argv, readable, writable)


def analyse(engine: str, readable: list[Path], writable: list[Path], argv: list[str]) -> None:
    """Become a program in the analysis image."""
    command = analysis(engine, readable, writable, argv)
    os.execvp(command[0], command)


def main(arguments: argparse.Namespace) -> None:
    """Perform `jca-rerun images ACTION`."""
    actions = {
        "rootfs": lambda: _rootfs(arguments.id, arguments.refresh),
        "image": lambda: _image(arguments.engine, arguments.id, arguments.strict, arguments.refresh),
        "ready": lambda: ready(arguments.engine, arguments.id),
        "sbom": _sboms,
        "drift": lambda: _drift(arguments.strict),
        "flags": lambda: _record_flags(arguments.engine),
        "maven": lambda: (maven.lock if arguments.lock else maven.run)(_words(arguments)),
        "analyse": lambda: analyse(arguments.engine, arguments.read, arguments.write, _words(arguments)),
    }
    actions[arguments.action]()
