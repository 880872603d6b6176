"""Checks a bundle without a network: every hash, then all that it says made again from its raw rounds, claim by claim."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from jcarerun.bundle import commit, content, layout, measure, sealed
from jcarerun.bundle.make import analysis_image
from jcarerun.bundle.rebuild import rebuild
from jcarerun.errors import UserError
from jcarerun.explorer import tidy
from jcarerun.rounds import manifest, signing, tree
from jcarerun.support.files import load_json, sha256

AGAIN = Path("data/again")
_CLAIM = ("experiment", "claim")
_PLACE = ("variant", "environment", "image_id", "machine_id", "protocol", "cpu_profile", "measure")


def _made_by(folder: Path) -> dict:
    found = load_json(folder / layout.RECORD, sealed.REMEDY)
    place, code = found.get("experiment_dir"), found.get("commit")
    if found.get("schema") != 1 or not isinstance(code, str) or not tree.ID.fullmatch(code):
        raise UserError(f"{layout.RECORD}: is of no bundle that this version knows; {sealed.REMEDY}")
    if place is not None and not Path(str(place)).resolve().is_relative_to(Path.cwd()):
        raise UserError(f"{layout.RECORD}: experiment_dir {str(place)[:80]!r} leads out of a checkout; {sealed.REMEDY}")
    return found


def _experiments(given: Path, made_by: dict, experiment_dir: Path | None) -> list[Path]:
    """The files that the bundle's experiments should be: of the directory that is named, or else of this checkout.

    The bundle's own where its study lies elsewhere and no directory is named.
    """
    own = sorted((given / layout.EXPERIMENTS).glob("*.yaml"))
    if not own:
        raise UserError(f"{given}/{layout.EXPERIMENTS}: has no experiment; {sealed.REMEDY}")
    if not experiment_dir and made_by["experiment_dir"] is None:
        return own
    found = [(experiment_dir or Path(made_by["experiment_dir"])) / file.name for file in own]
    if missing := [file for file in found if not file.is_file()]:
        raise UserError(f"{missing[0]}: there is no such experiment, but the bundle has one; {sealed.REMEDY}")
    return found


def differing(given: Path, again: Path) -> list[str]:
    """The files of a bundle, but raw/ and the manifest, that are not the same bytes when they are made again."""

    def files(folder: Path) -> set[str]:
        every = (file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
        return {name for name in every if not name.startswith(f"{layout.RAW}/") and name != manifest.NAME}

    both = files(given), files(again)
    changed = (name for name in both[0] & both[1] if sha256(given / name) != sha256(again / name))
    return sorted(both[0] ^ both[1] | set(changed))


def by_claim(given: list[tidy.Row], again: list[tidy.Row]) -> list[str]:
    """A line for each claim: the verdicts of the bundle, and whether they came out again; one more for each that did not."""
    found = [{tuple(row[key] for key in (*_CLAIM, *_PLACE)): row["verdict"] for row in rows} for rows in (given, again)]
    lines = []
    for claim in sorted({key[:2] for each in found for key in each}):
        keys = sorted(key for key in found[0].keys() | found[1].keys() if key[:2] == claim)
        told = Counter(found[0].get(key, "not there") for key in keys)
        other = [key for key in keys if found[0].get(key) != found[1].get(key)]
        counts = ", ".join(f"{number} {verdict}" for verdict, number in sorted(told.items()))
        lines.append(f"  {' '.join(claim)}: {counts}; made again: {f'{len(other)} OTHERS' if other else 'the same'}")
        lines += [
            f"    {', '.join(filter(None, key[2:4] + key[6:8]))}: {found[0].get(key, 'not there')} in the bundle, "
            f"{found[1].get(key, 'not there')} made again"
            for key in other
        ]
    return lines


@dataclass(frozen=True)
class Measuring:
    """To measure again. results: where to; by the bundle's seal below AGAIN if there is none, so that it can go on later."""

    results: Path | None = None


def verify(
    given: Path,
    engine: str,
    anyway: bool,
    experiment_dir: Path | None = None,
    signers: Path | None = None,
    strict: bool = False,
    again: Measuring | None = None,
) -> bool:
    """Check a bundle, print what was found, and return whether all is the same. Of kits and what they sent: hashes, signature.

    `experiment_dir`: where its experiments lie here, if not in this checkout; `strict`: refuse what nobody signed; `again`:
    measure again too. Raises UserError for what is damaged, or of nobody in `signers`.
    """
    if strict and not signers:
        raise UserError("STRICT=yes: what nobody signed is refused; name the file of those who may with SIGNERS=")
    with sealed.opened(given) as found:
        print(f"{given}: every file is as its manifest {found.seal} says")
        if signers:
            print(f"{given}: signed by {signing.check(found.manifest, given, signers)}")
        if not found.bundle:
            return True
        same = _made_again(given, found.folder, engine, anyway, experiment_dir)
        if not same or not again:
            return same
        results = again.results or AGAIN / found.seal[:12]
        return _measured_again(found.folder, engine, experiment_dir, results)


def _made_again(given: Path, folder: Path, engine: str, anyway: bool, experiment_dir: Path | None) -> bool:
    made_by, again = _made_by(folder), folder.with_name("again")
    if not anyway:
        commit.hold(made_by["commit"])
    files = _experiments(folder, made_by, experiment_dir)
    rebuild(folder / layout.RAW, files, again / "results", engine, str(given))
    content.complete(folder / layout.RAW, files, again / "results", made_by, again / "bundle")
    print("\n".join(by_claim(*(tidy.read(each / layout.TIDY, "verdicts.csv") for each in (folder, again / "bundle")))))
    others = differing(folder, again / "bundle")
    for name in others:
        print(f"{given}: {name}: differs from what is made again from its raw rounds and this checkout")
    if others and (own := analysis_image(engine)) != made_by.get("analysis_image"):
        print(
            f"  the bundle's R image is {made_by.get('analysis_image')}, here it is {own}: other versions may give other bytes"
        )
    if not others:
        print("tables, PDF, page, definitions and records: the same bytes, made again from the raw rounds", flush=True)
    return not others


def _measured_again(folder: Path, engine: str, experiment_dir: Path | None, results: Path) -> bool:
    """Measure again, and say what came of it."""
    measure.measure(folder, _experiments(folder, _made_by(folder), experiment_dir), results, engine)
    lines, same = measure.compare(folder / layout.TIDY, results / layout.TIDY)
    print("\n".join([f"measured again here, the report is in {results}:", *lines]))
    return same
