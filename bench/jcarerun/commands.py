"""What commands of `jca-rerun` do that have no module of their own: start Snakemake, R or a script, list, clean up.

Each takes the parsed options and runs in the checkout's directory. Modules that set-up installs are imported where they are used.
"""

from __future__ import annotations

import argparse
import json
import os
import runpy
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from jcarerun.errors import UserError

# Measuring ends these seconds before a report is due: on two cores the report takes half of them, and the last round may overrun.
REPORT_S = 90
WITHIN_MIN = 15

NATIVE = "bench/target/native/debian-13-native/built.json"

# What `clean` may remove, and what happens then.
CLEANABLE = {
    "build": (("envs/build", "bench/target", "report/build"), "images are built and jars compiled again"),
    "caches": (("envs/cache",), "packages and JDKs are fetched again"),
    "logs": (("data/logs", "data/trials", "data/again", ".snakemake"), "nothing is made again"),
    "results": (
        (
            "data/raw",
            "data/choose",
            "data/reference_forks",
            "data/tidy",
            "report/report.pdf",
            "report/report.html",
            "report/report.zip",
        ),
        "all is measured again",
    ),
}
IMAGES = "images"


def _setup(engine: str, *more: str) -> None:
    if status := subprocess.run(["envs/setup.sh", engine, *more]).returncode:
        sys.exit(status)


def setup(arguments: argparse.Namespace) -> None:
    """Install what is missing, or only say what is."""
    if arguments.check and arguments.browser:
        raise UserError("setup: --check and --browser exclude each other; give one of them")
    _setup(arguments.engine, *(["ask"] if arguments.check else ["browser"] if arguments.browser else []))


def test(arguments: argparse.Namespace) -> None:
    """Run all tests, or the fast ones."""
    _setup("none" if arguments.fast else "docker")
    os.execv("envs/test.sh", ["envs/test.sh", *(["fast"] if arguments.fast else [])])


def _settings(arguments: argparse.Namespace) -> list[str]:
    """The options that choose a run, as Snakemake's KEY=VALUE."""
    chosen = {"tier": arguments.tier, "engine": arguments.engine, "minutes": arguments.minutes, "wait": arguments.wait}
    chosen |= {key: getattr(arguments, key) for key in ("raw", "experiment_dir", "results")}
    if arguments.only:
        chosen["only"] = arguments.only
    if arguments.experiments:
        chosen["experiments"] = f"[{arguments.experiments.strip('[]')}]"
    return [f"{key}={value}" for key, value in chosen.items() if value is not None] + arguments.config


def snakemake_command(config: dict, targets: Iterable[str] = (), *options: str) -> list[str]:
    """The command line by which a command has Snakemake make something: its own words are of no interest."""
    settings = [f"{key}={json.dumps(value) if isinstance(value, list) else value}" for key, value in config.items()]
    command = ["snakemake", "--cores", "all", "--quiet", "all", *options]
    return [*command, *(["--config", *settings] if settings else []), *(["--", *targets] if targets else [])]


def _snakemake(*words: str) -> None:
    os.execvp("snakemake", ["snakemake", "--cores", "all", *words])


def report(arguments: argparse.Namespace) -> None:
    """Set up what is missing, then measure and write the report, in the minutes that are given."""
    began, within, settings = time.time(), arguments.within, _settings(arguments)
    _setup(arguments.engine)
    given = dict(word.partition("=")[::2] for word in settings)
    if within is None and "minutes" not in given and given.get("tier", "quick") == "quick":
        within = WITHIN_MIN
    ends = [f"until={int(began) + within * 60 - REPORT_S}"] if within else []
    _snakemake("--quiet", "all", "--config", *ends, *settings)


def plan(arguments: argparse.Namespace) -> None:
    """Print the plan. Nothing is built, fetched or written."""
    import yaml

    from jcarerun.run import run, session

    given = dict(word.partition("=")[::2] for word in _settings(arguments))
    config = {key: yaml.safe_load(value) for key, value in given.items()}
    print(*session.plan_lines(run.with_disturbed(run.from_config(config))), sep="\n")


def kit(arguments: argparse.Namespace) -> None:
    """Write the kit."""
    _snakemake("--config", *_settings(arguments), "--", "kit")


def import_kit(arguments: argparse.Namespace) -> None:
    """Import what a kit sent back."""
    _snakemake("--config", f"from={arguments.file}", *arguments.config, "--", "import_kit")


def lock(arguments: argparse.Namespace) -> None:
    """Build what is locked, from the archive as it is now, and write its lock.

    One environment takes the packages that its root file system is locked to.
    """
    from jcarerun.images.catalogue import read
    from jcarerun.images.commands import lock as write

    environment = arguments.environment
    if environment:
        read().find(environment)
        command = snakemake_command({}, [f"envs/build/{environment}/environment.json"])
    else:
        command = snakemake_command({"refresh": "true"}, ["environments"], "--forceall")
    if status := subprocess.run(command).returncode:
        sys.exit(status)
    write(environment)


def _run_r(arguments: argparse.Namespace, *words: str, read: tuple = (), write: tuple = ()) -> None:
    from jcarerun.images.commands import analyse, ready

    ready(arguments.engine, "analysis")
    sys.stdout.flush()
    analyse(arguments.engine, list(read), list(write), ["Rscript", "analysis/run.R", *words])


def claims(arguments: argparse.Namespace) -> None:
    """Write every claim's definition, and what the studies' own numbers give by it."""
    from jcarerun.plan.listing import write_experiments

    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    definitions = out / "definitions.json"
    write_experiments(argparse.Namespace(file=definitions))
    words = ("--definitions", str(definitions), "--published", "data/published", "--out", str(out))
    _run_r(arguments, "claims", *words, write=(out,))


def validate(arguments: argparse.Namespace) -> None:
    """Simulate what the statistics promise, on the cells of a run too."""
    tidy = arguments.tidy and arguments.tidy.resolve()
    more = ("--tidy", str(tidy)) if tidy else ()
    words = ("validate", "--out", "analysis/validity.csv", *more)
    _run_r(arguments, *words, read=(tidy,) if tidy else (), write=(Path("analysis"),))


def compare_runs(arguments: argparse.Namespace) -> None:
    """Say what differs between two runs."""
    from jcarerun.explorer import tidy

    folder = Path("data/logs/compare-runs")
    shutil.rmtree(folder, ignore_errors=True)
    for name, run in (("a", arguments.first), ("b", arguments.again)):
        tidy.write_forks(run, folder / name)
    _run_r(arguments, "compare_runs", "--a", str(folder / "a"), "--b", str(folder / "b"))


def show_list(arguments: argparse.Namespace) -> None:
    """Print what an experiment file may name."""
    if arguments.what == "environments":
        from jcarerun.images import catalogue

        for name, each in catalogue.read().environments.items():
            print(f"{name:<32} {each.label}{f'; tags: {chr(44).join(each.tags)}' if each.tags else ''}")
    elif arguments.what == "algorithms":
        from jcarerun import choose

        asked = (comma_separated(arguments.provider), comma_separated(arguments.jdk))
        print(choose.list_algorithms(arguments.engine, *asked))
    else:
        from jcarerun.plan import listing

        print(listing.LISTS[arguments.what]())


def comma_separated(text: str | None) -> list[str]:
    """The parts of `a,b`."""
    return [word.strip() for word in (text or "").split(",") if word.strip()]


def _module(name: str, words: list[str]) -> None:
    sys.argv[1:] = words
    runpy.run_module(f"jcarerun.{name}", run_name="__main__")


def trial(arguments: argparse.Namespace) -> None:
    """Run a trial: one of the methods' (jcarerun.trials.methods), or the native programs'."""
    if arguments.name == "cross-check":
        subprocess.run(snakemake_command({}, [NATIVE]), check=True)
        _module("native.cross_check", arguments.words)
    else:
        _module("trials.methods", [arguments.name, *arguments.words])


def completion(arguments: argparse.Namespace) -> None:
    """Print a shell's completion script."""
    import shtab

    from jcarerun.cli import command_line

    print(shtab.complete(command_line().parser, arguments.shell))


def _size(path: Path) -> int:
    """Bytes of a file or directory; a file with several names counts once."""
    files = [path] if path.is_file() else [each for each in path.rglob("*") if not each.is_symlink() and each.is_file()]
    return sum({(each.stat().st_dev, each.stat().st_ino): each.stat().st_size for each in files}.values())


def _engine_images(engine: str) -> list[tuple[str, str]]:
    """Id and size of each image of this project that the engine holds."""
    if engine == "host" or not shutil.which(engine):
        return []
    command = [engine, "images", "--filter", "label=jca-rerun.environment", "--format", "{{.ID}} {{.Size}}"]
    run = subprocess.run(command, capture_output=True, text=True)
    return sorted({tuple(line.split(" ", 1)) for line in run.stdout.splitlines() if " " in line})


def clean(arguments: argparse.Namespace) -> None:
    """Show sizes; remove what is named."""
    if unknown := set(arguments.what) - {*CLEANABLE, IMAGES}:
        raise UserError(f"clean {sorted(unknown)[0]}: unknown; choose from {', '.join((*CLEANABLE, IMAGES))}")
    for name, (paths, price) in CLEANABLE.items():
        found = [path for path in map(Path, paths) if path.exists()]
        removed = name in arguments.what
        row = f"{name:<9}{sum(map(_size, found)) / 1e6:>8.0f} MB  {', '.join(map(str, found)) or 'nothing'}"
        print(row, "(removed)" if removed else f"({price})")
        for path in found if removed else []:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    images = _engine_images(arguments.engine)
    removed = IMAGES in arguments.what
    row = f"{IMAGES:<9}{len(images):>8} of {arguments.engine}: {', '.join(size for _, size in images) or 'none'}"
    print(row, "(removed)" if removed else "")
    if removed and images:
        command = [arguments.engine, "rmi", "--force", *(each for each, _ in images)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            raise UserError(f"engine {arguments.engine}: {run.stderr.strip()}; end the containers that use them first")
