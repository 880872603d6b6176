"""Makes a bundle of the report that stands: copies its rounds, makes the report again from them alone, and seals all of it."""

import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

from jcarerun.bundle import contents, layout
from jcarerun.errors import UserError
from jcarerun.images import catalogue, image
from jcarerun.plan import settings
from jcarerun.rounds import archive, manifest
from jcarerun.support import engine as engines
from jcarerun.support.files import atomic_file, load_json, sha256

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
        rounds = contents.collect(standing, raw or standing.raw, staged)
        experiments = load_json(standing.tidy / "definitions.json", contents.REMEDY)["experiments"]
        files = [experiment_dir / f"{name}.yaml" for name in sorted(each["id"] for each in experiments)]
        contents.make_report(staged / layout.RAW, files, again, engine, "the bundle")
        made_by["analysis_image"] = analysis_image(engine)
        others = [
            name for name in layout.REPORTS
            if not (standing.report / name).is_file() or sha256(standing.report / name) != sha256(again / name)
        ]  # fmt: skip
        contents.complete(staged / layout.RAW, files, again, made_by, staged)
        seal = manifest.write(staged, layout.NAMES, archive.BOUNDS, layout.MANIFEST)
        write_zip(staged, out)
    note = f"; its {' and '.join(others)}, made from its rounds, differ from those that stand here" if others else ""
    return f"{out}: {rounds} rounds, {out.stat().st_size / 1e6:.1f} MB, SHA-256 of {layout.MANIFEST} {seal}{note}"
