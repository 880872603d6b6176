"""Checks a bundle without a network: every hash, then all that it says made again from its raw rounds, claim by claim.

Nothing that a bundle brings is measured, unless the user asks for it by `--measure`.
"""

import argparse
import json
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from jcarerun.bundle import make, repeat, sealed
from jcarerun.errors import UserError, say
from jcarerun.explorer import tidy
from jcarerun.plan import selection
from jcarerun.rounds import tree
from jcarerun.run import run_record
from jcarerun.support.files import confined, load_json, sha256

AGAIN = Path("data/again")
# Of the settings, those that are of a run and not of a machine.
_CHOSEN = ("tier", "seed", "minutes", "goal", "cpu_profiles")


def _made_by(folder: Path) -> dict:
    found = load_json(folder / sealed.RECORD, sealed.REMEDY)
    study, code = found.get("experiment_dir"), found.get("commit")
    if found.get("schema") != 2 or not isinstance(code, str) or not tree.ID.fullmatch(code):
        raise UserError(f"{sealed.RECORD}: is of no bundle that this version knows; {sealed.REMEDY}")
    if study is not None and not Path(str(study)).resolve().is_relative_to(Path.cwd()):
        raise UserError(f"{sealed.RECORD}: experiment_dir {str(study)[:80]!r} leads out of a checkout; {sealed.REMEDY}")
    return found


def _experiments(given: Path, made_by: dict, experiment_dir: Path | None) -> list[Path]:
    """The experiment files to check with: of the named directory, or else of this checkout.

    The bundle's own where its study lies elsewhere and no directory is named.
    """
    theirs = sorted((given / sealed.EXPERIMENTS).glob("*.yaml"))
    if not theirs:
        raise UserError(f"{given}/{sealed.EXPERIMENTS}: has no experiment; {sealed.REMEDY}")
    if not experiment_dir and made_by.get("experiment_dir") is None:
        return theirs
    found = [(experiment_dir or Path(made_by["experiment_dir"])) / file.name for file in theirs]
    if missing := [file for file in found if not file.is_file()]:
        raise UserError(f"{missing[0]}: there is no such experiment, but the bundle has one; {sealed.REMEDY}")
    return found


def differing(given: Path, again: Path) -> list[str]:
    """The files of a bundle, but raw/ and the manifest, that are not the same bytes when they are made again."""

    def sums(folder: Path) -> set[tuple[str, str]]:
        every = ((file.relative_to(folder).as_posix(), file) for file in folder.rglob("*") if file.is_file())
        return {(name, sha256(file)) for name, file in every if not name.startswith(f"{sealed.RAW}/")}

    return sorted({name for name, _ in sums(given) ^ sums(again)} - {sealed.MANIFEST})


def by_claim(given: list[tidy.Row], again: list[tidy.Row]) -> list[str]:
    """A line for each claim: the verdicts of the bundle, and whether they came out again; one more for each that did not."""
    keys = (*repeat.PLACE, "image_id", "machine_id")
    there, now = ({key: row["verdict"] for key, row in repeat.by(rows, keys).items()} for rows in (given, again))
    lines = []
    for claim in sorted({key[:2] for key in there | now}):
        ours = sorted(key for key in there | now if key[:2] == claim)
        counted = Counter(there.get(key, "missing") for key in ours)
        others = [key for key in ours if there.get(key) != now.get(key)]
        counts = ", ".join(f"{number} {verdict}" for verdict, number in sorted(counted.items()))
        lines.append(f"  {' '.join(claim)}: {counts}; made again: {f'{len(others)} OTHERS' if others else 'the same'}")
        lines += [
            f"    {', '.join(filter(None, key[2:6]))}: {there.get(key, 'missing')} in the bundle, "
            f"{now.get(key, 'missing')} made again"
            for key in others
        ]
    return lines


@dataclass(frozen=True)
class Options:
    """How to check. anyway: by this checkout's code. signers: who may have signed it. strict: refuse what nobody signed.

    measure: then measure again, in `results` or below AGAIN.
    """

    engine: str
    anyway: bool = False
    experiment_dir: Path | None = None
    signers: Path | None = None
    strict: bool = False
    measure: bool = False
    results: Path | None = None


def verify(given: Path, options: Options) -> bool:
    """Check a bundle, print what was found, and return whether all is the same. Of kits and what they sent: hashes, signature.

    Raises UserError for what is damaged, or signed by nobody in `signers`.
    """
    if options.strict and not options.signers:
        raise UserError("STRICT=yes: what nobody signed is refused; name the file of those who may with SIGNERS=")
    with sealed.opened(given) as found:
        say(f"{given}: every file is as its manifest {found.seal} says")
        if options.signers:
            say(f"{given}: signed by {sealed.signer(found.manifest, given, options.signers)}")
        if not found.bundle:
            return True
        made_by = _made_by(found.folder)
        if not options.anyway:
            make.require_commit(made_by["commit"])
        files = _experiments(found.folder, made_by, options.experiment_dir)
        same = _is_made_again(given, found.folder, made_by, files, options.engine)
        if not same or not options.measure:
            return same
        return _is_measured_again(found.folder, files, options.results or AGAIN / found.seal[:12], options.engine)


def _is_made_again(given: Path, folder: Path, made_by: dict, files: list[Path], engine: str) -> bool:
    again = folder.with_name("again")
    make.make_report(folder / sealed.RAW, files, again / "results", engine, str(given))
    make.complete(folder / sealed.RAW, files, again / "results", made_by, again / "bundle")
    verdicts = folder / sealed.TIDY / "verdicts.csv"
    theirs = confined(lambda: tidy.read(verdicts.parent, verdicts.name), verdicts)
    say(*by_claim(theirs, tidy.read(again / "bundle" / sealed.TIDY, verdicts.name)))
    others = differing(folder, again / "bundle")
    say(*(f"{given}: {name}: differs from what is made again from its raw rounds and this checkout" for name in others))
    if others and (here := make.analysis_image(engine)) != made_by.get("analysis_image"):
        say(
            f"  the bundle's R image is {made_by.get('analysis_image')}, here it is {here}: other versions may give other bytes"
        )
    if not others:
        say("tables, PDF, page and records: the same bytes, made again from the raw rounds")
    return not others


def measuring_command(folder: Path, files: list[Path], results: Path, engine: str) -> list[str]:
    """The command that measures a bundle's experiments again, with the settings of its run."""
    found = run_record.read(folder / sealed.RAW)
    if not found:
        raise UserError(f"{sealed.RAW}/{run_record.NAME}: is missing, so it is not known how to measure again")
    chosen = load_json(folder / sealed.RAW / run_record.NAME, run_record.REMEDY)["settings"]
    paths = {"experiment_dir": files[0].parent.resolve(), "results": results.resolve()}
    config = [f"{key}={json.dumps(str(path))}" for key, path in paths.items()]
    config += [f"{key}={make.setting(chosen[key])}" for key in _CHOSEN]
    config.append(f"experiments=[{','.join(file.stem for file in files)}]")
    config.append(f"calibration={any(path.startswith(f'{selection.CALIBRATION}/') for path in found.rounds)}")
    return ["snakemake", "--cores", "all", "--config", *config, f"engine={engine}"]


def _is_measured_again(folder: Path, files: list[Path], results: Path, engine: str) -> bool:
    """Measure again, and say what came of it. A run that was interrupted goes on from its last complete round."""
    if subprocess.run(measuring_command(folder, files, results, engine)).returncode:
        raise UserError(f"{results}: the run did not come to its end, see above; the same command goes on with it")
    lines, same = repeat.changes(folder / sealed.TIDY, results / sealed.TIDY)
    say(f"measured again here, the report is in {results}:", *lines)
    return same


def main(arguments: argparse.Namespace) -> int:
    """Check what the command line names. Status 1: something is not the same when it is made again."""
    names = ("engine", "anyway", "experiment_dir", "signers", "strict", "measure", "results")
    options = Options(**{name: getattr(arguments, name) for name in names})
    return 0 if verify(arguments.artifact, options) else 1
