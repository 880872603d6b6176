"""Thousands of generated files of every kind that comes from outside: each is taken, or refused in bounded lines.

No stack trace, at most five seconds of CPU time and 512 MiB for each. `INPUTS=10000 pytest -k generated` tries as many.
"""

import gzip
import json
import os
import random
import resource
import shutil
import time
import zipfile
from pathlib import Path

import pytest

from bench.tests import kit_results, outside_jar
from bench.tests.import_kit.importing import planned_run
from bench.tests.mutations import MOST_LINES
from bench.tests.outside_jar import listed
from jcarerun.bundle import sealed
from jcarerun.errors import MOST_CHARS, UserError
from jcarerun.explorer import tidy
from jcarerun.kit import import_kit
from jcarerun.plan import definitions, plan, settings
from jcarerun.rounds import hot_path, manifest, validate
from jcarerun.run import container, round_file, run_record
from jcarerun.subject import jars
from jcarerun.support.files import MOST_MEMORY, confined

INPUTS = int(os.environ.get("INPUTS", "300"))
SEED = int(os.environ.get("INPUTS_SEED", "1"))
MOST_S = 5
SAMPLE = next(path.parent for path in sorted(Path("data/sample").glob("*/*/*/round.json")))

TOKENS = (
    b"", b"\0", b"\xff\xfe", b"\x1b[2J", b"\n", b"\r\n", b",", b"\t", b'"', b"'", b"-1", b"1e999", b"NaN", b"9" * 400, b"0",
    b"99999999999999999999", b"\xe2\x80\xae", b"../../etc/passwd", b"/dev/zero", b"{" * 3000, b"[" * 3000, b"null", b"[]", b"{}",
    b"true", b"x" * 70_000, b" " * 5000, b"a,b,c\n" * 2000, b"%s%n", b"$(id)", b"::" * 5000, b"(" * 5000, b"\\" * 2000,
)  # fmt: skip


def spoilt(chance, content):
    """Bytes with a few changes: of single bytes, tokens, lines and numbers, or cut short."""
    for _ in range(chance.randint(1, 3)):
        lines, at = content.split(b"\n"), chance.randint(0, len(content))
        row = chance.randrange(len(lines))
        what = chance.randrange(7)
        if what == 0:
            content = content[:at] + bytes([chance.randrange(256)]) + content[at + 1 :]
        elif what == 1:
            content = content[:at] + chance.choice(TOKENS) + content[at + chance.randint(0, 9) :]
        elif what == 2:
            content = content[:at]
        elif what == 3:
            content = b"\n".join(lines[:row] + lines[row : row + 1] * chance.choice([0, 2, 500]) + lines[row + 1 :])
        elif what == 4:
            lines[row] = lines[chance.randrange(len(lines))]
            content = b"\n".join(lines)
        elif what == 5:
            parts = lines[row].split(chance.choice([b",", b"\t", b":", b" "]))
            parts[chance.randrange(len(parts))] = chance.choice(TOKENS)
            lines[row] = b",".join(parts)
            content = b"\n".join(lines)
        else:
            content = bytes(chance.randrange(256) for _ in range(chance.randint(0, 200)))
    return content


class Intake:
    """A kind of input: files in a directory, and what reads them. `seal` makes their manifest anew after a change."""

    def __init__(self, folder, read, files=None, seal=None):
        self.folder, self.read, self.seal = folder, read, seal or (lambda: None)
        names = files or [path for path in folder.rglob("*") if path.is_file()]
        self.files = {path: path.read_bytes() for path in sorted(names)}

    def attempt(self, chance):
        """Spoil one file, read, and put it back."""
        path, original = chance.choice(sorted(self.files.items()))
        path.write_bytes(spoilt(chance, original))
        try:
            self.seal()
            self.read()
        finally:
            for each, content in self.files.items():
                each.parent.mkdir(parents=True, exist_ok=True)
                each.write_bytes(content)


def a_round(folder):
    target = folder / Path(*SAMPLE.parts[-3:])
    shutil.copytree(SAMPLE, target)
    return Intake(target, lambda: validate.validate_round(target), seal=lambda: kit_results.seal(target))


def a_stamped_round(folder):
    intake = a_round(folder)
    stamp = manifest.stamp_of(intake.folder)
    validate.stamp_round(intake.folder)
    return Intake(folder, lambda: validate.verify_round(intake.folder), [stamp, intake.folder / manifest.NAME])


def compilation_logs(folder):
    """The packed log and the samples of a fork, spoilt before they are packed."""
    log = Path("bench/tests/compilation/jdk-21.log").read_bytes()
    for name, content in {"plain": log, "001.stacks": b"benchmark\ta.B::run\n5\ta.B::run;c.D::e\n"}.items():
        (folder / "jit").mkdir(exist_ok=True)
        (folder / "jit" / name).write_bytes(content)
    (folder / "iterations.csv").write_text("fork,iteration,end_uptime_ms,duration_ns,operations\n1,1,50.5,9,1\n")

    def read():
        (folder / "jit/001.log.gz").write_bytes(gzip.compress((folder / "jit/plain").read_bytes(), 1))
        for name in (hot_path.CHAIN, hot_path.COMPILATIONS):
            (folder / name).unlink(missing_ok=True)
        hot_path.write(folder)

    return Intake(folder, read)


def kit_rounds(folder, registry):
    current = planned_run(registry, results=str(folder / "results"))
    for round_ in current.kit_rounds():
        kit_results.make(folder / "back", round_, registry)

    def seal():
        for path in (folder / "back").glob("*/*/*"):
            kit_results.seal(path)

    def read():
        shutil.rmtree(folder / "results", ignore_errors=True)
        import_kit.import_rounds(current, folder / "back")

    return Intake(folder / "back", read, seal=seal)


def archive(folder, names, read):
    """A zip of some files. The zip's own bytes are spoilt."""
    with zipfile.ZipFile(folder / "given.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for name, path in names.items():
            packed.write(path, name)
    return Intake(folder, read, [folder / "given.zip"])


def kit_zip(folder, registry):
    intake = kit_rounds(folder, registry)
    current = planned_run(registry, results=str(folder / "results"))
    names = {str(path.relative_to(folder / "back")): path for path in intake.files}
    return archive(folder, names, lambda: import_kit.import_rounds(current, folder / "given.zip"))


def bundle_zip(folder):
    (folder / "bundle").mkdir()
    for name in ("report.pdf", "bundle.json", "verdict_commands.csv"):
        (folder / "bundle" / name).write_text("content\n" * 50)
    manifest.write(folder / "bundle", sealed.BUNDLE, name=sealed.MANIFEST)

    def read():
        with sealed.opened(folder / "given.zip"):
            pass

    return archive(folder, {path.name: path for path in (folder / "bundle").iterdir()}, read)


def bundle_records(folder):
    kept = {"raw": "a/raw", "tidy": "a/tidy", "report": "a/report.html"}
    chosen = {key: settings.defaults()[key] for key in run_record.KEYS}
    content = {"settings": chosen, "kept": kept, "left_out": [], "rounds": ["a/b/c"], "reference_forks": []}
    (folder / run_record.NAME).write_text(json.dumps(content, indent=1))
    return Intake(folder, lambda: run_record.read(folder))


def bundle_tables(folder):
    (folder / "verdicts.csv").write_text("claim,verdict\n" + "A1,supported\n" * 50)
    return Intake(folder, lambda: confined(lambda: tidy.read(folder, "verdicts.csv"), folder))


def planned_rounds(folder, registry):
    (folder / "plan.json").write_text((SAMPLE / "plan.json").read_text() if (SAMPLE / "plan.json").is_file() else "{}")
    return Intake(folder, lambda: round_file.read(folder / "plan.json"))


def outside_study(folder, registry):
    made = outside_jar.experiment(folder, outside_jar.jar(listed("encrypt", params="M 1 4 size 2 2 16 4 1024")))
    made["workloads"] = {"encrypt": {"benchmark": "org.example.Crypto.encrypt", "params": {"size": "16"}}}
    made.pop("factors", None)
    (folder / "theirs.json").write_text("[]")
    (folder / "outside.yaml").write_text(json.dumps(made))

    def seal():
        made["jar"]["sha256"] = jars.sha256(folder / made["jar"]["path"])
        (folder / "outside.yaml").write_text(json.dumps(made))

    def read():
        found = definitions.read(folder / "outside.yaml", registry)
        plan.rounds({found["id"]: found}, settings.read({"tier": "smoke"}), registry)

    return Intake(folder, read, [folder / made["jar"]["path"]], seal)


def experiments(folder, registry):
    shutil.copy("bench/experiments/phenry2014.yaml", folder)

    def read():
        found = definitions.read(folder / "phenry2014.yaml", registry)
        plan.rounds({found["id"]: found}, settings.read({"tier": "smoke"}), registry)

    return Intake(folder, read)


KINDS = (
    a_round, a_stamped_round, compilation_logs, kit_rounds, kit_zip, bundle_zip, bundle_records, bundle_tables, planned_rounds,
    outside_study, experiments,
)  # fmt: skip


def cpu_s():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_generated_input_is_taken_or_refused_in_bounded_lines(kind, tmp_path, registry, monkeypatch):
    monkeypatch.setattr(jars, "FOLDER", tmp_path / "kept")
    (tmp_path / "benchmarks.jar").write_bytes(b"jar")
    monkeypatch.setattr(container, "JAR", tmp_path / "benchmarks.jar")
    (tmp_path / "given").mkdir()
    intake = kind(*(tmp_path / "given", registry)[: kind.__code__.co_argcount])
    refused = 0
    for number in range(INPUTS // len(KINDS)):
        chance, began, wall = random.Random(f"{SEED} {kind.__name__} {number}"), cpu_s(), time.monotonic()
        try:
            intake.attempt(chance)
        except UserError as error:
            refused += 1
            assert 1 <= len(error.texts) <= MOST_LINES, number
            assert all("\n" not in text and text.isprintable() and len(text) <= MOST_CHARS for text in error.texts), (
                number
            )
        assert cpu_s() - began < MOST_S, f"number {number} took {time.monotonic() - wall:.1f} s"
    assert refused
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10 <= MOST_MEMORY
