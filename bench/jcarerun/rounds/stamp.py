"""The stamp beside a round's directory: that it was checked, and the SHA-256 of the manifest that it had then.

Snakemake takes it for the round's output; whoever reads the round needs to check no more than that it is still the same.
"""

import os
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.rounds import check, manifest, tree
from jcarerun.rounds.damage import RESTORE
from jcarerun.support.files import where, write_file

# In place of a digest, where a round was left out because a run's minutes were up (bench/jcarerun/plan/budget.py).
LEFT_OUT = "left out: out of time"


def of(folder: Path) -> Path:
    """Where a round's stamp lies."""
    return folder.with_name(f"{folder.name}.whole")


def write(folder: Path) -> None:
    """Check a round, and stamp it. Raises UserError for one that can't be believed."""
    write_file(of(folder), f"{check.whole(folder)}\nchecked {check.VERSION}\n")


def verify_rounds(raw: Path) -> None:
    """Raise UserError where a raw directory has a stamp, but not the round that it is of; one that was left out has none."""
    for file in sorted(raw.glob("*/*/[!.]*.whole")):
        if not os.path.lexists(folder := file.with_suffix("")) and not left_out(folder):
            raise UserError(
                f"{where(folder)}: is gone, though its stamp is there; put it back, or remove {where(file)}"
            )


def left_out(folder: Path) -> bool:
    """Whether a stamp says that there is no round."""
    file = of(folder)
    return os.path.lexists(file) and tree.read(file.parent, file.name).decode(errors="replace").startswith(LEFT_OUT)


def verify(folder: Path, own: bool = True) -> None:
    """Hold a stamped round against its stamp; check one that has none, and anybody's but our own. Raises UserError.

    Writes nothing but the stamp of an own round that was stamped by an earlier check.
    """
    file = of(folder)
    digest = manifest.verify(folder)
    if not os.path.lexists(file):
        check.contents(folder, RESTORE)
        return
    words = tree.read(file.parent, file.name).decode(errors="replace").split("\n")
    if words[0].strip() != digest:
        raise UserError(
            f"{where(folder / manifest.NAME)}: differs from {where(file)}, so the round was changed after it was measured; "
            f"put it back, or remove {where(folder)} and its stamp"
        )
    if not own:
        check.contents(folder, RESTORE)
    elif f"checked {check.VERSION}" not in words:
        write(folder)
