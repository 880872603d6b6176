"""The files of a bundle: the raw rounds of a report, and all that follows from them, the experiment files and this checkout."""

import csv
import io
import json
import shlex
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

from jcarerun.bundle import layout
from jcarerun.errors import UserError
from jcarerun.explorer import tidy
from jcarerun.plan import settings
from jcarerun.plan.settings import Folders
from jcarerun.rounds import manifest, tree
from jcarerun.run import run, run_record
from jcarerun.support.files import load_json, read_text, where

REMEDY = "make the report first, with the same RAW, RESULTS and EXPERIMENT_DIR"
_MOST_BYTES = 64 << 20
_CLAIM = ("verdict_id", "experiment", "claim", "variant", "environment", "cpu_profile", "protocol", "verdict")
# Settings that are of the machine, not of the run.
_OF_THE_MACHINE = ("cpuset", "engine", "strict")


def made_record(folder: Path) -> dict:
    """A run's settings, rounds and reference forks, as run.json has them, from the tables of its report."""
    if not (folder / "definitions.json").is_file():
        raise UserError(f"{where(folder)}: has no report's tables; {REMEDY}")
    found = load_json(folder / "definitions.json", REMEDY)
    chosen = {**found["settings"], "memory": found["settings"]["memory_mib"]}
    lists = {name: read_text(folder / f"{name}.txt", _MOST_BYTES).split() for name in ("rounds", "reference_forks")}
    return {
        "settings": {key: chosen[key] for key in run_record.KEYS}, "kept": found["kept"], "left_out": found["left_out"], **lists,
    }  # fmt: skip


def _copy_rounds(source: Path, paths: list[str], target: Path) -> None:
    """Copy rounds with their stamps, and the plans that they are of."""
    beside: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        if not (source / path).is_dir():
            raise UserError(f"{where(source / path)}: is gone, though the report is made from it; {REMEDY}")
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        tree.copy_untrusted(source / path, target / path, tree.ROUND)
        beside[str(Path(path).parent)] |= {Path(path).name, Path(path).name.rpartition("-")[0]}
    for folder, wanted in sorted(beside.items()):
        for file in sorted((source / folder).iterdir()):
            ours = file.name.partition(".")[0] in wanted and layout.BESIDE.fullmatch(file.name)
            if ours and not manifest.is_left_out(file.with_suffix("")):
                (target / folder / file.name).write_bytes(tree.read(file.parent, file.name))


def collect(folders: Folders, raw: Path, target: Path) -> int:
    """Copy rounds and reference forks of the report in `folders` into a bundle, with run.json; return the number of rounds."""
    record = made_record(folders.tidy)
    if not record["rounds"]:
        raise UserError(f"{where(folders.tidy)}: its report is made from no round; measure something first")
    _copy_rounds(raw, record["rounds"], target / layout.RAW)
    reference_forks = raw / run_record.REFERENCE_FORKS if (raw / run_record.NAME).is_file() else run.REFERENCE_FORKS
    _copy_rounds(reference_forks, record["reference_forks"], target / layout.RAW / run_record.REFERENCE_FORKS)
    (target / layout.RAW / run_record.NAME).write_text(json.dumps(record, indent=1) + "\n")
    return len(record["rounds"])


def make_report(raw: Path, experiments: list[Path], results: Path, engine: str, name: str) -> None:
    """Make the report of `raw` in `results`. Nothing is measured, built or fetched: `raw=` sees to that.

    experiments: the files of its experiments, in one directory. name: what messages call the directory that `raw` lies in.
    """
    paths = {"raw": raw.resolve(), "experiment_dir": experiments[0].parent.resolve(), "results": results.resolve()}
    config = [f"{key}={json.dumps(str(path))}" for key, path in paths.items()]
    config.append(f"experiments=[{','.join(file.stem for file in experiments)}]")
    command = ["snakemake", "--cores", "all", "--quiet", "all", "--config", *config, f"engine={engine}"]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        line = next((line.removeprefix("error: ") for line in said if line.startswith("error: ")), (said or ["?"])[-1])
        raise UserError(
            f"the report can't be made from its raw rounds: {line.replace(str(raw.parent.resolve()), name)}"
        )


def setting(value: object) -> str:
    """A setting's value as `--config` takes it."""
    return f"[{','.join(value)}]" if isinstance(value, list) else str(value)


def command(experiment: str, chosen: dict) -> str:
    """The shell's command that measures an experiment as a run with these settings did; most defaults are left out.

    What comes from outside is quoted: whoever reads the bundle pastes it into a shell.
    """
    usual = settings.defaults()
    keys = [key for key in run_record.KEYS if key not in _OF_THE_MACHINE]
    words = [f"{key}={setting(chosen[key])}" for key in keys if key in ("tier", "seed") or chosen[key] != usual[key]]
    return shlex.join(["snakemake", "--cores", "all", "--config", f"experiments=[{experiment}]", *words])


def claims(folder: Path, chosen: dict) -> str:
    """verdict_commands.csv: for each verdict the commands that check it and measure it again, and the minutes that took."""
    minutes: dict[str, float] = defaultdict(float)
    for row in tidy.read(folder, "rounds.csv"):
        minutes[row["experiment"]] += float(row["elapsed_s"]) / 60
    out = io.StringIO()
    table = csv.DictWriter(out, (*_CLAIM, "check", "command", "minutes"), lineterminator="\n")
    table.writeheader()
    for row in tidy.read(folder, "verdicts.csv"):
        table.writerow({
            **{key: row[key] for key in _CLAIM},
            "check": f"make trace ID={shlex.quote(row['verdict_id'])} RESULTS=UNPACKED",
            "command": command(row["experiment"], chosen), "minutes": f"{minutes[row['experiment']]:.3g}",
        })  # fmt: skip
    return out.getvalue()


def crate(target: Path, rounds: list[tidy.Row], made_by: dict) -> str:
    """ro-crate-metadata.json: what the bundle is, its license, and its files (https://w3id.org/ro/crate/1.1)."""
    every = sorted(file.relative_to(target).as_posix() for file in target.rglob("*") if file.is_file())
    files = [name for name in every if not name.startswith(f"{layout.RAW}/")]
    license_ = {"@id": "https://spdx.org/licenses/Apache-2.0"}
    root = {
        "@id": "./", "@type": "Dataset", "name": "A run of jca-rerun: published Java cryptography benchmarks, rerun",
        "description": f"{len(rounds)} rounds of {', '.join(sorted({row['experiment'] for row in rounds}))} with every raw "
        f"timing, tables and reports, made by commit {made_by['commit']}",
        "datePublished": max(row["finished_at"] for row in rounds)[:10], "license": license_,
        "hasPart": [{"@id": name} for name in (f"{layout.RAW}/", *files)],
    }  # fmt: skip
    about = {
        "@id": layout.CRATE, "@type": "CreativeWork", "about": {"@id": "./"},
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
    }  # fmt: skip
    raw = {"@id": f"{layout.RAW}/", "@type": "Dataset", "name": "Raw rounds, each with a manifest of its files"}
    parts = [{"@id": name, "@type": "File", "name": name} for name in files]
    graph = [about, root, license_ | {"@type": "CreativeWork"}, raw, *parts]
    return json.dumps({"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph}, indent=1) + "\n"


def complete(raw: Path, experiments: list[Path], results: Path, made_by: dict, target: Path) -> None:
    """Write all of a bundle but raw/ and the manifest.

    experiments: their files. results: the report made again from `raw`. made_by: the content of bundle.json.
    """
    files = {name: results / name for name in layout.REPORTS} | layout.ABOUT
    files |= {f"{layout.TIDY}/{file.name}": file for file in (results / layout.TIDY).iterdir()}
    files |= {f"{layout.EXPERIMENTS}/{file.name}": file for file in experiments}
    for name, file in files.items():
        if layout.NAMES.file(name):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target / name)
    chosen = load_json(raw / run_record.NAME, run_record.REMEDY)["settings"]
    (target / layout.CLAIMS).write_text(claims(results / layout.TIDY, chosen))
    (target / layout.RECORD).write_text(json.dumps(made_by, indent=1) + "\n")
    (target / layout.CRATE).write_text(crate(target, tidy.read(results / layout.TIDY, "rounds.csv"), made_by))
