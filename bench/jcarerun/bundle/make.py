"""Makes a bundle of the report that stands: takes what it was made from, makes it again from that alone, and seals all of it."""

import tempfile
from pathlib import Path

from jcarerun.bundle import archive, collect, commit, content, layout
from jcarerun.bundle.rebuild import rebuild
from jcarerun.errors import UserError
from jcarerun.images import catalogue, image
from jcarerun.rounds import manifest, unzip
from jcarerun.run import folders
from jcarerun.support import engine as engines
from jcarerun.support.files import sha256


def _within(folder: Path) -> str | None:
    """A directory as this checkout names it; None where it lies elsewhere."""
    place = folder.resolve()
    return place.relative_to(Path.cwd()).as_posix() if place.is_relative_to(Path.cwd()) else None


def analysis_image(engine: str) -> str | None:
    """The id of the image that R runs in here; None without a container."""
    return None if engine == engines.HOST else image.read_record(catalogue.read().analysis.id)["image_id"]


def make(out: Path, engine: str, raw: Path | None, results: Path | None, experiment_dir: Path) -> str:
    """Write the bundle, and say what it is. Raises UserError where no report stands, or the code is not committed."""
    if out.suffix != ".zip":
        raise UserError(f"{out}: a bundle is a zip; give it a name that ends with .zip")
    made_by = {"schema": 1, "commit": commit.here(), "experiment_dir": _within(experiment_dir)}
    standing = folders.of(results)
    with tempfile.TemporaryDirectory(prefix="jca-rerun-bundle-") as scratch:
        staged, again = Path(scratch) / "bundle", Path(scratch) / "again"
        told = collect.collect(standing, raw or standing.raw, staged)
        files = [experiment_dir / f"{name}.yaml" for name in sorted(collect.experiments(standing.tidy))]
        rebuild(staged / layout.RAW, files, again, engine, "the bundle")
        made_by["analysis_image"] = analysis_image(engine)
        same = [name for name in layout.REPORTS if (standing.report / name).is_file()]
        same = [name for name in same if sha256(standing.report / name) == sha256(again / name)]
        content.complete(staged / layout.RAW, files, again, made_by, staged)
        seal = manifest.write(staged, layout.NAMES, unzip.BOUNDS)
        archive.write(staged, out)
    return said(out, seal, len(told["rounds"]), [name for name in layout.REPORTS if name not in same])


def said(out: Path, seal: str, rounds: int, others: list[str]) -> str:
    """What a bundle is, for the person who made it."""
    size = out.stat().st_size / 1e6
    note = (
        f"; its {' and '.join(others)}, made just now from its rounds, differ from those that stand here"
        if others
        else ""
    )
    return f"{out}: {rounds} rounds, {size:.1f} MB, manifest {seal}{note}"
