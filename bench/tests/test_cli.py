"""The command line `jca-rerun`, and `make` as another way to it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from jcarerun import cli, commands, make
from jcarerun.errors import UserError

ROOT = Path.cwd()
COMMANDS = cli.command_line().commands


def run(*words, cwd=ROOT, python=(sys.executable,)):
    command = [*python, "-m", "jcarerun", *map(str, words)]
    around = {"PYTHONPATH": str(ROOT / "bench"), "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, cwd=cwd, env=around, capture_output=True, text=True)


def gnu_make(*words):
    return subprocess.run(["make", "--no-print-directory", *words], capture_output=True, text=True)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_a_function_that_exists(name):
    module, _, function = COMMANDS[name].function.partition(":")
    assert re.search(
        rf"^def {function}\(", (ROOT / f"bench/jcarerun/{module.replace('.', '/')}.py").read_text(), re.MULTILINE
    )
    assert COMMANDS[name].parser.format_help().count("\n") > 3


def test_help_needs_nothing_but_python():
    done = run("--help", python=(sys.executable, "-S"))
    assert done.returncode == 0, done.stderr
    assert "check-machine" in done.stdout


def test_a_command_works_below_the_checkout_and_nowhere_else(tmp_path):
    assert "debian-13-temurin-21" in run("list", "environments", cwd=ROOT / "docs").stdout
    assert "debian-13-temurin-21" in run("--checkout", ROOT, "list", "environments", cwd=tmp_path).stdout
    lost = run("list", "environments", cwd=tmp_path)
    assert lost.returncode == 2
    assert lost.stderr.startswith(f"error: {tmp_path}: is no checkout of jca-rerun")
    assert lost.stderr.count("\n") == 1


def test_paths_begin_where_the_command_is_called(tmp_path):
    (tmp_path / "no.zip").write_text("text")
    done = run("--checkout", ROOT, "verify", "no.zip", cwd=tmp_path)
    assert f"{tmp_path}/no.zip" in done.stderr


def test_completion_is_for_every_command():
    done = run("completion", "bash")
    assert done.returncode == 0, done.stderr
    assert [name for name in COMMANDS if name not in done.stdout] == []


def test_bare_make_prints_help():
    assert gnu_make().stdout == gnu_make("help").stdout
    assert "usage: jca-rerun" in gnu_make().stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("repport",), "make repport: no such target; did you mean report?"),
        (("report", "tier=smoke"), "make report: tier=smoke: unknown variable; did you mean TIER?"),
        (("report", "MINUTE=4"), "make report: MINUTE=4: unknown variable; did you mean MINUTES?"),
        (("test", "TIER=smoke"), "make test: TIER=smoke: unknown variable; it takes FAST"),
        (("compare", "BASELINE=a"), "OUT= is missing: make compare OUT=..."),
        (("trace",), "ID= is missing: make trace ID=..."),
    ],
)
def test_make_refuses_what_it_does_not_know_in_one_line_with_the_remedy(words, message):
    done = gnu_make(*words)
    assert done.returncode == 2
    assert done.stderr.splitlines()[0].startswith(f"error: {message}")


SWITCHES = [(name, each) for name, command in COMMANDS.items() for each in command.options if each.nargs == 0]


@pytest.mark.parametrize(("name", "switch"), SWITCHES, ids=lambda each: str(getattr(each, "dest", each)))
def test_a_switch_is_on_for_yes_only(name, switch):
    """Once `ANYWAY=no`, `MEASURE=no` and `STRICT=no` meant yes."""
    given = {each.dest.upper(): "x" for each in COMMANDS[name].options if each.required and each.choices is None}

    def words(value):
        return make.command(name, {**given, switch.dest.upper(): value}, {})

    flag = switch.option_strings[0]
    assert flag in words("yes") and flag in words("1")
    assert flag not in words("no") and flag not in words("")
    with pytest.raises(UserError, match="must be yes or no"):
        words("maybe")


def test_make_expands_nothing_of_a_value(tmp_path):
    made = tmp_path / "made"
    value = f"""v$(shell touch {made})$HOME`touch {made}`'"; # &"""
    done = gnu_make("trace", f"ID={value}", f"RESULTS={tmp_path}")
    assert done.returncode == 2
    assert not made.exists()
    script = "import os; print(os.environ['MAKE_VALUE_ID'])"
    echoed = gnu_make(f'--eval=show: ; @python3 -c "{script}"', "show", f"ID={value}")
    assert echoed.stdout == f"{value}\n"


@pytest.mark.parametrize(
    ("words", "given", "around"),
    [
        ("report --engine=host", {}, {"ENGINE": "host", "EDITOR": "vi"}),
        ("report --engine=podman", {"ENGINE": "podman"}, {"ENGINE": "host"}),
        ("clean", {}, {}),
        ("clean -- logs caches", {"WHAT": "logs caches"}, {}),
        ("choose --jdk=21,25 -- AES-GCM AES-CCM", {"ALGORITHMS": "AES-GCM AES-CCM", "JDK": "21,25"}, {}),
    ],
)
def test_variables_of_make_and_of_the_environment_become_options_and_arguments(words, given, around):
    assert make.command(words.split()[0], given, around) == words.split()


@pytest.mark.parametrize(
    ("words", "has_end"),
    [
        ("", True),
        ("--experiments kofahi2013", True),
        ("--minutes 20", False),
        ("--config minutes=0", False),
        ("--tier full", False),
        ("--config tier=full", False),
        ("--within 0", False),
        ("--minutes 20 --within 30", True),
    ],
)
def test_a_report_ends_within_minutes_in_the_quick_tier_unless_its_minutes_are_chosen(monkeypatch, words, has_end):
    started = []
    monkeypatch.setattr(commands, "_setup", lambda engine: None)
    monkeypatch.setattr(commands, "_snakemake", lambda *given: started.extend(given))
    commands.report(cli.command_line().parser.parse_args(["report", *words.split()]))
    assert any(word.startswith("until=") for word in started) is has_end
