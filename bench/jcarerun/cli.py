"""The command line `jca-rerun`: its commands, their options, and the checkout that they work in.

Each command names the function that performs it; its module is imported only then. This file imports nothing but the standard
library: `help`, `setup` and `check-machine` work before anything is installed.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from jcarerun import errors
from jcarerun.support.engine import ENGINES

TIERS = ("smoke", "quick", "standard", "full")
# A file that every checkout has, and hardly any other directory.
MARK = Path("bench/jcarerun/cli.py")


@dataclass
class Command:
    """A command: the function that performs it ("module:function"), its parser and its options."""

    function: str
    parser: argparse.ArgumentParser
    before_setup: bool = False  # runs with any Python 3.11, before `jca-rerun setup`
    options: list = field(default_factory=list)

    def add(self, *flags: str, **settings: object) -> Command:
        """Add an option or an argument, as argparse has it."""
        self.options.append(self.parser.add_argument(*flags, **settings))
        return self

    def engine(self) -> Command:
        """Add the choice of the container engine."""
        return self.add(
            "--engine", choices=ENGINES, default="docker", help="container engine; host: this machine's own programs"
        )


@dataclass
class CommandLine:
    """All commands, by name, and the parser that they belong to."""

    parser: argparse.ArgumentParser
    commands: dict = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._parsers = self.parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(self, name: str, function: str, text: str, before_setup: bool = False, aliases: tuple = ()) -> Command:
        """Add a command."""
        parser = self._parsers.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.", aliases=aliases)
        command = Command(function, parser, before_setup)
        self.commands.update(dict.fromkeys((name, *aliases), command))
        return command


def _study(command: Command) -> Command:
    """Add the options that choose what is measured, and where its files are."""
    return (
        command.engine()
        .add("--tier", choices=TIERS, default="quick", help="how many workloads, rounds and seconds")
        .add("--experiments", metavar="A,B", help="only these experiments")
        .add("--only", metavar="KEY:LEVEL,...", help="only these, such as provider:sunjce,jdk:25")
        .add("--experiment-dir", type=Path, metavar="DIR", help="directory of your own experiment files")
        .add("--results", type=Path, metavar="DIR", help="directory for the results")
        .add("--raw", type=Path, metavar="DIR", help="report on these rounds and measure nothing")
        .add("--minutes", type=int, metavar="N", help="minutes of measuring; 0: no limit")
        .add("--wait", type=int, metavar="N", help="minutes to wait for a quiet machine")
        .add(
            "--config", nargs="+", action="extend", default=[], metavar="KEY=VALUE", help="further settings of the run"
        )
    )


def _build(line: CommandLine) -> None:
    """Commands that measure, report and test."""
    report = _study(
        line.command("report", "commands:report", "set up, measure and write the report", before_setup=True)
    )
    report.add(
        "--within", type=int, metavar="N", help="minutes in all (quick tier: 15 unless --minutes is given); 0: no limit"
    )
    _study(line.command("plan", "commands:plan", "print the plan: cells, rounds and expected time"))
    _study(
        line.command("kit", "commands:kit", "write a zip with which a machine that has only Java measures the rounds")
    )
    line.command("import-kit", "commands:import_kit", "check and import the rounds that a kit measured").add(
        "file", type=Path, help="the zip that came back"
    ).add("--config", nargs="+", action="extend", default=[], metavar="KEY=VALUE", help="settings of the run")
    measure = line.command(
        "round", "run.run_round:main", "measure a planned round, or one that was measured, once more"
    )
    measure.add("file", type=Path, help="the round's file: plan.json in the directory of a round")
    measure.add("out", type=Path, help="where to put it: OUT/<experiment>/<environment>/<round>/")
    measure.add("--schedule", type=Path, help="a file of the rounds of the run, which share its minutes")
    measure.add("--minutes", type=float, default=0, metavar="N", help="minutes of measuring in the run; 0: no limit")
    measure.add("--until", type=int, default=0, metavar="N", help="end of measuring, in seconds since 1970; 0: never")
    measure.add("--wait", type=float, default=0, metavar="N", help="minutes to wait for a quiet machine")
    setup = line.command(
        "setup", "commands:setup", "install what is missing on this machine", before_setup=True
    ).engine()
    setup.add("--browser", action="store_true", help="a browser too, which tests of the explorer need")
    setup.add("--check", action="store_true", help="say what is missing, and change nothing")
    test = line.command("test", "commands:test", "run the tests", before_setup=True)
    test.add("--fast", action="store_true", help="unit tests only: no engine build, no browser")
    check = line.command(
        "check-machine",
        "check_machine:main",
        "say what this machine can measure",
        before_setup=True,
        aliases=("doctor",),
    ).engine()
    check.add("--tier", default="quick", choices=TIERS)
    line.command("clean", "commands:clean", "show what takes space, and remove what is named", before_setup=True).add(
        "what", nargs="*", help="build, caches, logs, results, images (of the engine); nothing named: only show sizes"
    ).engine()


def _results(line: CommandLine) -> None:
    """Commands on results: this project's, and anybody's."""
    summarise = line.command(
        "summarise", "own_results:summarise", "make a table of any JMH results, with intervals over forks"
    )
    summarise.add("--raw", required=True, help="a JMH result file, or a directory of them or of rounds")
    compare = line.command(
        "compare", "own_results:compare", "find what got slower between two runs (exit status 1: something did)"
    )
    compare.add("--baseline", required=True, help="results before: a file or directory")
    compare.add("--candidate", default="", help="results after; with --pair the baseline if left out")
    pair = "benchmarks or parameters to compare with each other, such as size:10=size:20"
    compare.add("--pair", nargs="+", default=[], metavar="A=B", help=pair)
    compare.add("--margin", default="", help="share by which a benchmark may get slower (0.02)")
    compare.add("--forks", default="", help="forks that each side needs for a verdict (5)")
    fail_on = "undecided: exit status 3 also where a row has no verdict"
    compare.add("--fail-on", choices=["slower", "undecided"], default="slower", help=fail_on)
    for command in (summarise, compare):
        command.add("--out", required=True, help="the directory to write to")
        command.add("--strict", action="store_true", help="refuse what can't be used as it is").engine()
    pauses = line.command(
        "gc-pauses", "own_results:gc_pauses", "list every stop of the application threads in a GC log"
    )
    pauses.add("--log", dest="gc_log", nargs="+", required=True, help="the GC log, or the files of a rotated one")
    pauses.add("--out", required=True, help="the CSV file to write").engine()
    runs = line.command(
        "compare-runs", "commands:compare_runs", "say what differs between two runs of this project"
    ).engine()
    repeat = line.command("repeat", "bundle.repeat:main", "say how much of a run another one measured alike")
    for command in (runs, repeat):
        command.add("first", type=Path, metavar="A", help="a run: its directory of tidy tables, or its report.html")
        command.add("again", type=Path, metavar="B", help="the other run")
    repeat.add("--out", type=Path, help="write a row for each mean, ratio and verdict that both have")
    trace = line.command(
        "trace", "trace:main", "show the formula, table rows and raw files that a verdict or ratio rests on"
    )
    trace.add("id", help="id of a verdict (v10), a contrast (c3) or a ratio (r7)")
    trace.add("--results", type=Path, help="directory of the run's results")
    trace.add("--raw", type=Path, help="directory of its rounds")
    trace.add("--every", action="store_true", help="a line for each iteration that counts")
    rounds = line.command("check-rounds", "own_results:check_rounds", "check every round below some directories")
    rounds.add("folders", nargs="+", type=Path)


def _bundles(line: CommandLine) -> None:
    """Commands on archives that others check."""
    write = line.command("bundle", "bundle.make:main", "write one archive of the report and all that it was made from")
    write.add("--out", type=Path, required=True, help="the zip to write")
    write.add("--raw", type=Path, help="the rounds of the report, if they lie elsewhere")
    check = line.command(
        "verify", "bundle.verify:main", "check a bundle, and make its report again from its raw rounds"
    )
    check.add("artifact", type=Path, help="the zip: a bundle, a kit, or what a kit sent back")
    check.add("--anyway", action="store_true", help="use this checkout's code, whatever commit the bundle is of")
    check.add("--signers", type=Path, help="file of ssh's allowed signers, one of whom must have signed it")
    check.add("--strict", action="store_true", help="refuse what nobody signed")
    check.add("--measure", action="store_true", help="then measure again, and compare the verdicts")
    for command in (write, check):
        command.add("--results", type=Path, help="where the report lies, or where to measure")
        command.add("--experiment-dir", type=Path, help="where its experiment files lie").engine()
    sign = line.command("sign", "bundle.sealed:main", "sign a bundle, a kit or what a kit sent back")
    sign.add("artifact", type=Path, help="the zip")
    sign.add("--key", type=Path, required=True, help="private key, or the public one of a key that an agent holds")


def _published(line: CommandLine) -> None:
    """Commands on the published results and their raw rounds."""
    pack = line.command(
        "pack", "results.archive:pack_command", "write the raw rounds of experiments to a compact archive"
    )
    pack.add("raw", type=Path, help="directory of rounds, such as data/raw")
    pack.add("--experiments", metavar="A,B", help="only these experiments")
    pack.add("--tier", choices=TIERS, help="only rounds of this tier")
    pack.add("-o", "--out", type=Path, required=True, help="the archive: data/runs/<experiment>-<date>.tar.xz")
    unpack = line.command("unpack", "results.archive:unpack_command", "restore the raw rounds of archives, for --raw")
    unpack.add("archives", type=Path, nargs="+", help="what `jca-rerun pack` wrote")
    unpack.add("-o", "--out", type=Path, required=True, help="the directory to write to")
    spreads = line.command("spreads", "results.spreads:main", "plan the full tier by the spreads of these runs too")
    spreads.add("tidy", type=Path, nargs="+", help="directory of a run's tidy tables")
    results = line.command("results", "results.make:main", "make report/results again from the archives in data/runs")
    results.add("--experiments", metavar="A,B", help="only the report of these, to check them")
    results.add("-o", "--out", type=Path, help="the directory to write to; report/results if left out")
    results.add(
        "--bundle", type=Path, help="write the archive of a release too, which `jca-rerun verify` checks"
    ).engine()


def _studies(line: CommandLine) -> None:
    """Commands for who has a question, or writes experiments."""
    choose = line.command("choose", "choose:main", "compare algorithms, providers and JDKs, and say which is faster")
    choose.add(
        "algorithms", nargs="+", metavar="ALGORITHM", help="such as AES-GCM ChaCha20-Poly1305; see `list algorithms`"
    )
    choose.add("--jdk", default="", metavar="21,25", help="JDKs by version, or ids of environments (21)")
    choose.add("--provider", metavar="A,B", help="providers, or all (SunJCE, Bouncy Castle, Conscrypt)")
    choose.add("--operation", metavar="A,B", help="operations, such as encrypt,decrypt (the usual one)")
    choose.add("--bytes", type=int, metavar="N", help="length of the text (16384 for most)")
    choose.add("--minutes", type=int, default=10, metavar="N", help="minutes of measuring in all; more go on (10)")
    choose.add("--wait", type=int, default=0, metavar="N", help="minutes to wait for a quiet machine").engine()
    study = line.command("study", "plan.study:main", "write a first experiment file from a jar of JMH benchmarks")
    study.add("jar", type=Path)
    study.add("--out", type=Path, help="the file to write")
    study.add(
        "--needs", type=Path, nargs="+", default=[], metavar="JAR", help="jars that it can't run without, such as JMH's"
    )
    study.add(
        "--benchmarks", default="", metavar="REGEX", help="only benchmarks whose name it is found in, as JMH has it"
    )
    names = ("algorithms", "workloads", "forms", "providers", "environments")
    listed = line.command("list", "commands:show_list", "list algorithms, and what else an experiment file may name")
    listed.add("what", choices=names)
    listed.add("--provider", metavar="A,B", help="only algorithms of these providers")
    listed.add("--jdk", metavar="21,25", default="", help="JDKs whose providers are asked for algorithms").engine()
    claims = line.command(
        "claims", "commands:claims", "check every claim's encoding against the study's own numbers"
    ).engine()
    claims.add("--out", type=Path, required=True, help="the directory to write to")
    reference_forks = line.command(
        "reference-forks", "trials.reference_forks:main", "measure a long fork of each cell that nothing has warmed up"
    )
    reference_forks.add("--tier", default="quick", choices=TIERS)
    reference_forks.add("--experiments", metavar="A,B", help="only these experiments")
    reference_forks.add("--experiment-dir", type=Path, help="directory of your own experiment files")
    reference_forks.add("--open", action="store_true", help="only cells that a verdict waits for")


def _development(line: CommandLine) -> None:
    """Commands for who changes the project, and for the rules."""
    lock = line.command("lock", "commands:lock", "write the locks of environments anew")
    lock.add("environment", nargs="?", help="one environment; all without it")
    validate = line.command("validate", "commands:validate", "check the statistics by simulation").engine()
    validate.add("--tidy", type=Path, help="and on the cells of this run")
    line.command("dictionary", "dictionary:main", "write data/README.md and the column lists from data/tables.yaml")
    trial = line.command("trial", "commands:trial", "run a trial of the methods (docs/statistics.md)")
    trial.add(
        "name",
        help="plateaus, fidelity, efficiency, micros, micros-rsa, claims, replay, schedule, time-shares or cross-check",
    )
    trial.add("words", nargs=argparse.REMAINDER, metavar="...", help="the trial's own options; --help shows them")
    _images(line.command("images", "images.commands:main", "build environments, and run programs in them"))
    line.command(
        "completion", "commands:completion", 'print a completion script: eval "$(jca-rerun completion bash)"'
    ).add("shell", choices=("bash", "zsh", "tcsh"))


def _here(text: str) -> Path:
    """A path as it is where the command is called."""
    return Path(text).absolute()


def _images(command: Command) -> None:
    """Add what `images` does, each with its options."""
    actions = command.parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(name: str, text: str, *switches: tuple[str, str], engine: bool = False) -> argparse.ArgumentParser:
        parser = actions.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        for flag, meaning in switches:
            parser.add_argument(flag, action="store_true", help=meaning)
        if engine:
            parser.add_argument("--engine", choices=ENGINES, default="docker")
        return parser

    refresh, strict = (
        ("--refresh", "from today's archive, past lock and cache"),
        ("--strict", "refuse what is not as locked"),
    )
    action("rootfs", "build a root file system", refresh).add_argument("id")
    action("image", "load an environment's image and write its record", strict, refresh, engine=True).add_argument("id")
    ready = action("ready", "build an image if it isn't there", engine=True)
    ready.add_argument("id", nargs="?", default="analysis", help="the environment; the analysis image if none is named")
    action("sbom", "write the bill of materials of every environment that is built, beside its record")
    action("drift", "say how what is built differs from its lock", strict)
    action("flags", "record which flags the JVMs of built images know (envs/jvm_flags.json)", engine=True)
    maven = action(
        "maven", "run Maven with what its lock lists, and nothing else", ("--lock", "write the lock of what it fetches")
    )
    maven.add_argument("argv", nargs=argparse.REMAINDER, metavar="-- ...", help="Maven's own words")
    analyse = action("analyse", "run a program in the analysis image", engine=True)
    for flag, text in (
        ("--read", "another file or directory that it may read"),
        ("--write", "a directory that it may write to"),
    ):
        analyse.add_argument(flag, action="append", default=[], type=_here, metavar="PATH", help=text)
    analyse.add_argument("argv", nargs=argparse.REMAINDER, metavar="-- ...", help="the program and its arguments")


def command_line() -> CommandLine:
    """The whole command line."""
    parser = argparse.ArgumentParser(
        prog="jca-rerun",
        description="Reruns published Java cryptography benchmarks. Works in a checkout of the project: the one around the "
        "current directory, or --checkout.",
        epilog="`jca-rerun COMMAND --help` shows a command's options. In a checkout `make COMMAND OPTION=VALUE` is the same "
        "after set-up: `make report TIER=smoke`.",
    )
    parser.add_argument("--checkout", type=Path, metavar="DIR", help="the checkout to work in")
    parser.add_argument("--log", type=Path, metavar="FILE", help="write an error message to this file too")
    line = CommandLine(parser)
    for part in (_build, _results, _bundles, _published, _studies, _development):
        part(line)
    return line


def find_checkout(given: Path | None) -> Path:
    """The checkout's directory. Raises UserError where there is none."""
    start = (given or Path.cwd()).resolve()
    for folder in [start] if given else [start, *start.parents]:
        if (folder / MARK).is_file():
            return folder
    raise errors.UserError(
        f"{start}: is no checkout of jca-rerun{'' if given else ', and lies in none'}; clone the project and run this inside "
        "it, or name it with --checkout DIR"
    )


def environment(checkout: Path) -> dict[str, str]:
    """The variables of every program that is started: the checkout's own Python and package come first."""
    own = [str(Path(sys.executable).parent)] if sys.prefix != sys.base_prefix else []
    path = os.pathsep.join([str(checkout / ".venv/bin"), *own, os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path, "PYTHONPATH": str(checkout / "bench")}


def _use_locked_python(checkout: Path, arguments: list[str]) -> None:
    """Start again with the checkout's own Python and package, unless these run already."""
    python = checkout / ".venv/bin/python"
    own_package = Path(__file__).resolve().parents[1] == checkout / "bench"
    if own_package and importlib.util.find_spec("snakemake"):
        return
    if not python.exists():
        raise errors.UserError(f"{checkout}: is not set up; run `jca-rerun setup` (or `make setup`) in it first")
    os.execve(python, [str(python), "-m", "jcarerun", *arguments], environment(checkout))


def _perform(command: Command, arguments: argparse.Namespace, words: list[str]) -> None:
    checkout = find_checkout(arguments.checkout)
    started = Path.cwd()
    if started != checkout:  # paths are as the user sees them
        for option in command.options:
            value = getattr(arguments, option.dest, None)
            if option.type is Path and value:
                paths = [started / each for each in value] if isinstance(value, list) else started / value
                setattr(arguments, option.dest, paths)
    if not command.before_setup:
        _use_locked_python(checkout, words)
    os.chdir(checkout)
    os.environ.update(environment(checkout))
    module, _, function = command.function.partition(":")
    sys.path[:0] = [str(checkout / "bench")]
    status = getattr(importlib.import_module(f"jcarerun.{module}"), function)(arguments)
    if status:
        sys.exit(status)


def main(words: list[str] | None = None) -> None:
    """Run a command. A user's mistake is one line and status 2."""
    words = sys.argv[1:] if words is None else words
    line = command_line()
    arguments = line.parser.parse_args(words)
    errors.handled(lambda: _perform(line.commands[arguments.command], arguments, words), arguments.log)
