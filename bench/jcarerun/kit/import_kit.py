"""Imports what a kit measured elsewhere: completes and checks every round, then puts all of them below data/raw, or none.

In: the zip that came back, or a directory of its rounds. Out: data/raw/<experiment>/kit-<machine>/<round>/ and their stamps.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from jcarerun.bundle import sealed
from jcarerun.errors import UserError
from jcarerun.kit import kit_round
from jcarerun.plan import selection
from jcarerun.plan.plan import Round
from jcarerun.rounds import forks, manifest, record, tree, validate
from jcarerun.rounds.tree import RESTORE
from jcarerun.rounds.validate import RoundFacts
from jcarerun.run import verified
from jcarerun.run.run import Run
from jcarerun.support.files import where


@contextmanager
def _copied(given: Path, raw: Path) -> Iterator[Path]:
    """A directory of ours below `raw` with a copy of what was given."""
    raw.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=raw, prefix=".import-") as scratch:
        folder = Path(scratch) / "rounds"
        if given.is_dir():
            whole = given.resolve()
            tree.copy_untrusted(
                whole / "results" if (whole / "kit.sha256").is_file() else whole, folder, tree.KIT, sealed.BOUNDS
            )
        elif given.is_file():
            folder.mkdir()
            sealed.unpack(given, folder, tree.KIT, sealed.KIT_REMEDY)
        else:
            raise sealed.refuse(given, "is neither a file nor a directory")
        yield folder


def _planned(current: Run, folder: Path) -> Round:
    """The round of this checkout's plan that a directory claims to be."""
    experiment, environment, name = folder.parts[-3:]
    if not sealed.MACHINE.fullmatch(environment):
        raise sealed.refuse(
            where(folder), f"{environment} is no kit's environment", "only what a kit measured is imported"
        )
    if experiment not in current.experiments:
        raise sealed.refuse(where(folder), f"{experiment} is no experiment of this run", "see --config experiments")
    tier, seed = name.partition("-")[0], kit_round.seed(folder)
    if tier not in record.TIERS:
        raise sealed.refuse(where(folder), f"{name} is no round of a tier", kit_round.REMEDY)
    chosen = replace(current.settings, tier=tier, seed=seed)
    text = tree.read(folder, forks.CELLS).decode(errors="replace")
    profiles = tuple(profile for profile in current.registry.cpu_profiles if f",{profile}," in text)
    only = {experiment: current.experiments[experiment]}
    for round_ in selection.kit_rounds(only, chosen, current.registry, profiles or selection.KIT_PROFILES):
        if round_.id == name:
            return round_
    raise sealed.refuse(
        where(folder),
        f"this checkout plans no such round for a kit in tier {tier}",
        "import it where its kit was made: from the same sources, experiments and providers",
    )


def _imported(current: Run, but: set[Path]) -> dict[Path, RoundFacts]:
    """What the rounds that kits measured, and that are imported already, say; `but` those."""
    there = sorted(path for path in current.folders.raw.glob(f"*/{selection.KIT_PREFIX}*/[!.]*") if path.is_dir())
    return {path: validate.validate_content(path, RESTORE) for path in there if path not in but}


def _there(folder: Path, target: Path) -> bool:
    """Whether a round is imported already. Raises UserError if another result has its place."""
    if not target.is_dir():
        return False
    if manifest.verify(target) != manifest.verify(folder):
        raise sealed.refuse(
            where(target),
            "is there already, and is another result of the same round",
            "nothing is overwritten: keep it, or remove that directory and import the new one",
        )
    return True


def _put(folder: Path, target: Path) -> None:
    """Put a checked round in its place, whole, with its stamp."""
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        os.sync()
        folder.rename(target)
        validate.stamp_round(target)


def _signer(current: Run, given: Path, root: Path) -> str | None:
    """Who signed what was given, if that is asked for. Raises UserError where nobody did who may."""
    signers = current.settings.signers
    if signers is None and current.settings.strict:
        raise UserError(
            "--config strict=true: what nobody signed is refused; name the file of those who may with signers=FILE"
        )
    if signers is None:
        return None
    return sealed.signer(sealed.write_seal(root), given, signers)


def import_rounds(current: Run, given: Path) -> str:
    """Import every round that was given, and say so. Raises UserError, with nothing imported, if any is not in order.

    Strict, or with a list of signers, it must be signed by one of them, as a bundle is.
    """
    with _copied(given, current.folders.raw) as root:
        try:
            signer = _signer(current, given, root)
            folders = sealed.kit_rounds(root)
            places = {folder: current.folders.raw / folder.relative_to(root) for folder in folders}
            found = {
                folder: kit_round.complete(folder, _planned(current, folder), current.registry) for folder in folders
            }
            verified.check_distinct({**_imported(current, set(places.values())), **found})
        except UserError as error:
            # A person knows what they gave, not where it was copied.
            raise UserError(str(error).replace(where(root), str(given))) from None
        there = [_there(folder, target) for folder, target in places.items()]
        for folder, target in places.items():
            _put(folder, target)
    machines = sorted({folder.parts[-2] for folder in folders})
    by = f", signed by {signer}" if signer else ""
    return f"imported: {len(there) - sum(there)} rounds of {', '.join(machines)}{by}; {sum(there)} were there already"
