"""Makes a bundle of the report that stands: copies its rounds, makes the report again from them alone, and seals all of it.

A bundle has the raw rounds of a report and all that follows from them, the experiment files and this checkout.
"""

import argparse
import json
import shlex
import shutil
import subprocess
import tempfile
import zipfile
from collections import defaultdict
from pathlib import Path

from jcarerun.bundle import sealed
from jcarerun.errors import UserError, say
from jcarerun.explorer import tidy
from jcarerun.images import catalogue, image
from jcarerun.images.commands import ready
from jcarerun.plan import settings
from jcarerun.plan.settings import Folders
from jcarerun.rounds import manifest, tree
from jcarerun.run import run, run_record
from jcarerun.support import engine as engines
from jcarerun.support.files import atomic_file, load_json, read_text, sha256, where

REMEDY = "make the report first, with the same RAW, RESULTS and EXPERIMENT_DIR"
_MOST_BYTES = 64 << 20
_CLAIM = ("verdict_id", "experiment", "claim", "variant", "environment", "cpu_profile", "protocol", "verdict")
# Settings that are of the machine, not of the run.
_OF_THE_MACHINE = ("cpuset", "engine", "strict")
# What decides a report's bytes. Of the published results it is the tables that short reports show (report/report.smk).
CODE = (
    "Snakefile", "analysis", "bench", "data/published", "envs", "pyproject.toml", "uv.lock", "LICENSE",
    "report/captions", "report/explorer", "report/sections", "report/report.smk", ":(glob)report/*.typ",
    *(f"report/results/{part}tables/{name}" for part in ("", "today/", "jdk-claims/")
      for name in ("answer.json", "changes.json", "rounds.csv", "today.csv")),
    ":(exclude,glob)**/tests/**",
)  # fmt: skip


def git(*words: str) -> subprocess.CompletedProcess:
    """Run git. Raises UserError where there is none."""
    try:
        return subprocess.run(["git", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise UserError("git: there is no such command here; install git, by which a bundle names its code") from None


def this_commit() -> str:
    """The commit of this checkout. Raises UserError where it is none, or its code has changes that are not committed."""
    found = git("rev-parse", "--verify", "HEAD^{commit}")
    if found.returncode:
        raise UserError(
            f"{found.stderr.strip().splitlines()[-1]}: a bundle names the commit of its code; work in a clone"
        )
    if changed := git("status", "--porcelain", "--", *CODE).stdout.splitlines():
        raise UserError(
            f"{changed[0][3:]}: differs from the commit ({len(changed)} such in all), so nobody could make the same bytes; "
            "commit it, or put it back"
        )
    return found.stdout.strip()


def require_commit(wanted: str) -> None:
    """Raise UserError unless this checkout's code is that of a commit: it, or one after which no code changed."""
    ours = this_commit()
    if ours == wanted or not git("diff", "--quiet", wanted, ours, "--", *CODE).returncode:
        return
    known = not git("cat-file", "-e", f"{wanted}^{{commit}}").returncode
    how = f"git checkout {wanted}" if known else f"git fetch, then git checkout {wanted}"
    raise UserError(
        f"the bundle was made by commit {wanted[:12]}, this checkout is at {ours[:12]}: {how}, or go on with ANYWAY=yes, by "
        "this checkout's code"
    )


def analysis_image(engine: str) -> str | None:
    """The id of the image that R runs in here; None without a container."""
    return None if engine == engines.HOST else image.read_record(catalogue.read().analysis.id)["image_id"]


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
    for path in paths:
        if not (source / path).is_dir():
            raise UserError(f"{where(source / path)}: is gone, though the report is made from it; {REMEDY}")
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        tree.copy_untrusted(source / path, target / path, tree.ROUND)
        for file in sealed.companion_files(source / path):
            (target / path).with_name(file.name).write_bytes(tree.read(file.parent, file.name))


def collect(standing: Folders, raw: Path, target: Path) -> int:
    """Copy rounds and reference forks of the report in `standing` into a bundle, with run.json; return the number of rounds."""
    record = made_record(standing.tidy)
    if not record["rounds"]:
        raise UserError(f"{where(standing.tidy)}: its report is made from no round; measure something first")
    _copy_rounds(raw, record["rounds"], target / sealed.RAW)
    reference_forks = raw / run_record.REFERENCE_FORKS if (raw / run_record.NAME).is_file() else run.REFERENCE_FORKS
    _copy_rounds(reference_forks, record["reference_forks"], target / sealed.RAW / run_record.REFERENCE_FORKS)
    (target / sealed.RAW / run_record.NAME).write_text(json.dumps(record, indent=1) + "\n")
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
    rows = (
        {
            **{key: row[key] for key in _CLAIM},
            "check": f"make trace ID={shlex.quote(row['verdict_id'])} RESULTS=UNPACKED",
            "command": command(row["experiment"], chosen), "minutes": f"{minutes[row['experiment']]:.3g}",
        }
        for row in tidy.read(folder, "verdicts.csv")
    )  # fmt: skip
    return tidy.text((*_CLAIM, "check", "command", "minutes"), rows)


def crate(target: Path, rounds: list[tidy.Row], made_by: dict) -> str:
    """ro-crate-metadata.json: what the bundle is, its license, and its files (https://w3id.org/ro/crate/1.1)."""
    every = sorted(file.relative_to(target).as_posix() for file in target.rglob("*") if file.is_file())
    files = [name for name in every if not name.startswith(f"{sealed.RAW}/")]
    license_ = {"@id": "https://spdx.org/licenses/Apache-2.0"}
    root = {
        "@id": "./", "@type": "Dataset", "name": "A run of jca-rerun: published Java cryptography benchmarks, rerun",
        "description": f"{len(rounds)} rounds of {', '.join(sorted({row['experiment'] for row in rounds}))} with every raw "
        f"timing, tables and reports, made by commit {made_by['commit']}",
        "datePublished": max(row["finished_at"] for row in rounds)[:10], "license": license_,
        "hasPart": [{"@id": name} for name in (f"{sealed.RAW}/", *files)],
    }  # fmt: skip
    about = {
        "@id": sealed.CRATE, "@type": "CreativeWork", "about": {"@id": "./"},
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
    }  # fmt: skip
    raw = {"@id": f"{sealed.RAW}/", "@type": "Dataset", "name": "Raw rounds, each with a manifest of its files"}
    parts = [{"@id": name, "@type": "File", "name": name} for name in files]
    graph = [about, root, license_ | {"@type": "CreativeWork"}, raw, *parts]
    return json.dumps({"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph}, indent=1) + "\n"


def complete(raw: Path, experiments: list[Path], results: Path, made_by: dict, target: Path) -> None:
    """Write all of a bundle but raw/ and the manifest.

    experiments: their files. results: the report made again from `raw`. made_by: the content of bundle.json.
    """
    files = {name: results / name for name in sealed.REPORTS} | sealed.ABOUT
    files |= {f"{sealed.TIDY}/{file.name}": file for file in (results / sealed.TIDY).iterdir()}
    files |= {f"{sealed.EXPERIMENTS}/{file.name}": file for file in experiments}
    for name, file in files.items():
        if sealed.BUNDLE.file(name):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target / name)
    chosen = load_json(raw / run_record.NAME, run_record.REMEDY)["settings"]
    (target / sealed.CLAIMS).write_text(claims(results / sealed.TIDY, chosen))
    (target / sealed.RECORD).write_text(json.dumps(made_by, indent=1) + "\n")
    (target / sealed.CRATE).write_text(crate(target, tidy.read(results / sealed.TIDY, "rounds.csv"), made_by))


def write_zip(folder: Path, target: Path) -> None:
    """Pack all files of a directory: the same bytes from the same files, by the same version of zlib."""
    with atomic_file(target) as part, zipfile.ZipFile(part, "w") as archive:
        for name in sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()):
            member = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            member.create_system, member.external_attr = 3, 0o100644 << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            with (folder / name).open("rb") as file, archive.open(member, "w") as packed:
                shutil.copyfileobj(file, packed)


def make(out: Path, engine: str, raw: Path | None, results: Path | None, experiment_dir: Path) -> str:
    """Write the bundle, and say what it is. Raises UserError where no report stands, or the code is not committed."""
    if out.suffix != ".zip":
        raise UserError(f"{out}: a bundle is a zip; give it a name that ends with .zip")
    study, here = experiment_dir.resolve(), Path.cwd()
    within = study.relative_to(here).as_posix() if study.is_relative_to(here) else None
    made_by = {"schema": 2, "commit": this_commit(), "experiment_dir": within}
    standing = settings.folders(results)
    with tempfile.TemporaryDirectory(prefix="jca-rerun-bundle-") as scratch:
        staged, again = Path(scratch) / "bundle", Path(scratch) / "again"
        rounds = collect(standing, raw or standing.raw, staged)
        experiments = load_json(standing.tidy / "definitions.json", REMEDY)["experiments"]
        files = [experiment_dir / f"{name}.yaml" for name in sorted(each["id"] for each in experiments)]
        make_report(staged / sealed.RAW, files, again, engine, "the bundle")
        made_by["analysis_image"] = analysis_image(engine)
        others = [
            name for name in sealed.REPORTS
            if not (standing.report / name).is_file() or sha256(standing.report / name) != sha256(again / name)
        ]  # fmt: skip
        complete(staged / sealed.RAW, files, again, made_by, staged)
        seal = manifest.write(staged, sealed.BUNDLE, sealed.BOUNDS, sealed.MANIFEST)
        write_zip(staged, out)
    note = f"; made from its rounds, {' and '.join(others)} came out with other bytes than here" if others else ""
    return f"{out}: {rounds} rounds, {out.stat().st_size / 1e6:.1f} MB, SHA-256 of {sealed.MANIFEST} {seal}{note}"


def main(arguments: argparse.Namespace) -> None:
    """Write the bundle of a report, whose claims are judged in the analysis image."""
    ready(arguments.engine, "analysis")
    # As a run reads them: results of a study elsewhere lie beside it.
    given = {key: str(path) for key in ("raw", "results", "experiment_dir") if (path := getattr(arguments, key))}
    chosen = settings.read(given)
    say(make(arguments.out, arguments.engine, chosen.raw, chosen.results, chosen.experiment_dir))
