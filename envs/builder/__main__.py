"""Command line of the builder: `python -m envs.builder rootfs|image|lock|analyse ...`, called by envs.smk and make."""

import argparse
import json
import os
import sys
from pathlib import Path

from envs.builder import catalogue, image, lock, rootfs
from envs.builder import engine as engines
from envs.builder.errors import UserError, entry_point

WHEELS = Path("envs/cache/wheels")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="envs.builder", description="Builds environments and runs programs in them.")
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("rootfs", help="build a root file system")
    build.add_argument("id")
    load = commands.add_parser("image", help="load an environment's image and write its record")
    load.add_argument("--engine", choices=engines.ENGINES, default="docker")
    load.add_argument("id")
    commands.add_parser("lock", help="write the locks of all built environments anew")
    analyse = commands.add_parser("analyse", help="run a program in the analysis image")
    analyse.add_argument("--engine", choices=engines.ENGINES, default="docker")
    analyse.add_argument(
        "--read", action="append", default=[], type=Path, help="a directory outside the project to read"
    )
    analyse.add_argument("argv", nargs=argparse.REMAINDER)
    return parser


def _image(engine: str, name: str) -> None:
    environment = catalogue.read().find(name)
    engines.require(engine)
    record = image.load(engine, environment, WHEELS)
    for row in record["drift"]:
        print(
            f"drift: {name}: {row['package']}: locked {row['locked'] or '-'}, found {row['found'] or '-'}",
            file=sys.stderr,
        )
    target = image.record_path(name)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    part.write_text(json.dumps(record, indent=1) + "\n")
    part.rename(target)


def _lock() -> None:
    every = catalogue.read()
    for environment in (*every.environments.values(), every.analysis):
        record = image.record_path(environment.id)
        if not record.exists():
            raise UserError(f"{record}: not built; `make lock` builds every environment first")
        print(lock.write(json.loads(record.read_text())))


def _analyse(engine: str, readable: list[Path], argv: list[str]) -> None:
    argv = argv[1:] if argv[:1] == ["--"] else argv
    image_id = ""
    if engine != engines.HOST:
        engines.require(engine)
        image_id = image.ensure(engine, catalogue.read().analysis, WHEELS)
    command = engines.analysis_command(engine, image_id, argv, readable)
    os.execvp(command[0], command)


def main(arguments: argparse.Namespace) -> None:
    """Do what the command line says."""
    if arguments.command == "rootfs":
        environment = catalogue.read().rootfs(arguments.id)
        rootfs.build(environment, image.rootfs_tar(environment), Path("envs/cache/debs") / arguments.id)
    elif arguments.command == "image":
        _image(arguments.engine, arguments.id)
    elif arguments.command == "lock":
        _lock()
    else:
        _analyse(arguments.engine, arguments.read, arguments.argv)


if __name__ == "__main__":
    entry_point(main, _parser())
