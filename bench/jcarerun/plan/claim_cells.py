"""The cells that claims are resolved against: those of planned rounds, and those that rounds below a raw directory measured."""

import os
from collections.abc import Iterable
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.plan.claim_resolver import MeasuredCell
from jcarerun.plan.claim_words import EnvironmentWords
from jcarerun.plan.plan import Round
from jcarerun.rounds import columns, documents, forks, offers, table
from jcarerun.rounds.damage import Damage

_FACTOR = "factor."


def planned_cells(rounds: Iterable[Round], words: EnvironmentWords) -> dict[str, list[MeasuredCell]]:
    """Experiment to the cells of planned rounds, without an image and a machine."""
    found: dict[str, dict[tuple[str, str], MeasuredCell]] = {}
    for planned in rounds:
        cells = found.setdefault(planned.experiment, {})
        for cell in planned.cells:
            if (planned.environment, cell.id) not in cells:
                levels = {
                    **words.parts(planned.environment), "workload": cell.workload, "provider": cell.provider,
                    "cpu-profile": cell.cpu_profile, **cell.factors,
                }  # fmt: skip
                cells[planned.environment, cell.id] = MeasuredCell(
                    planned.environment, "", "", cell.protocol, cell.id, levels
                )  # fmt: skip
    return {experiment: list(cells.values()) for experiment, cells in found.items()}


def measured_cells(raw: Path, paths: Iterable[str], words: EnvironmentWords) -> dict[str, list[MeasuredCell]]:
    """Experiment to the cells that rounds measured, each once for an image and a machine.

    A round that can't be read is passed over: the analysis refuses it with a message of its own.
    """
    found: dict[str, dict[tuple, MeasuredCell]] = {}
    for path in paths:
        try:
            cells = _of_round(raw / path, words)
        except (UserError, Damage, KeyError):
            continue
        found.setdefault(path.split("/")[0], {}).update(cells)
    return {experiment: list(cells.values()) for experiment, cells in found.items()}


def _of_round(folder: Path, words: EnvironmentWords) -> dict[tuple, MeasuredCell]:
    record = documents.record(folder, "round.json")
    place = record["environment"], record["image_id"], record["machine_id"]
    lacking = set()
    if os.path.lexists(folder / offers.NAME):
        rows = table.read(folder, offers.NAME, columns.OFFERED)
        lacking = {row["fork"] for row in rows if not columns.RAN[row["offered"]]}
    found = {}
    for row in table.read(folder, forks.CELLS, columns.CELLS, columns.FACTOR):
        if row["fork"] in lacking:
            continue
        factors = {key.removeprefix(_FACTOR): value for key, value in row.items() if key.startswith(_FACTOR) and value}
        levels = {
            **words.parts(place[0]), "workload": row["workload"], "provider": row["provider"],
            "cpu-profile": row["cpu_profile"], **factors,
        }  # fmt: skip
        found[(*place, row["cell"])] = MeasuredCell(*place, row["protocol"], row["cell"], levels)
    return found
