"""Writes claim_pairs.csv, and what definitions.json says of each claim; finds the cells that claims are resolved against.

In: planned rounds, or rounds below a raw directory. Out: the table, whose rows claim_resolver.py makes.
"""

import csv
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from jcarerun.errors import UserError
from jcarerun.plan import claim_resolver, workloads
from jcarerun.plan.cells import PROGRAMME, operations
from jcarerun.plan.claim_rows import MeasuredCell, PairRow, columns, compared_dimensions, open_factors, record, sides
from jcarerun.plan.claim_words import level_words
from jcarerun.plan.cpu_profiles import CpuProfile
from jcarerun.plan.definitions import Registry
from jcarerun.plan.environments import EnvironmentWords, described
from jcarerun.plan.forms import Form
from jcarerun.plan.plan import Round
from jcarerun.rounds import forks, tables
from jcarerun.rounds.record import AUDIT, read_object
from jcarerun.rounds.tree import InvalidRound
from jcarerun.rounds.validate import OBSERVATIONS
from jcarerun.support.yamlfile import listed

_FACTOR = "factor."


def planned_cells(rounds: Iterable[Round], words: EnvironmentWords) -> dict[str, list[MeasuredCell]]:
    """Experiment to the cells of planned rounds, without an image and a machine."""
    found: dict[str, dict[tuple[str, str], MeasuredCell]] = {}
    for planned in rounds:
        cells = found.setdefault(planned.experiment, {})
        for cell in planned.cells:
            if (planned.environment, cell.id) not in cells:
                own = cell.workload, cell.provider, cell.cpu_profile, cell.factors
                cells[planned.environment, cell.id] = MeasuredCell(
                    planned.environment, "", "", cell.protocol, cell.id, words.levels(planned.environment, *own),
                    operations=tuple(operations(cell.params["programme"])) if cell.workload == PROGRAMME else (),
                )  # fmt: skip
    return {experiment: list(cells.values()) for experiment, cells in found.items()}


def measured_cells(
    raw: Path, paths: Iterable[str], words: EnvironmentWords, profiles: Mapping[str, CpuProfile]
) -> dict[str, list[MeasuredCell]]:
    """Experiment to the cells that rounds measured, each once for an image and a machine, with the CPU flags that it had.

    A round that can't be read is passed over: the analysis refuses it with a message of its own.
    """
    found: dict[str, dict[tuple, MeasuredCell]] = {}
    for path in paths:
        try:
            cells = _of_round(raw / path, words, profiles)
        except (UserError, InvalidRound, KeyError):
            continue
        found.setdefault(path.split("/")[0], {}).update(cells)
    return {experiment: list(cells.values()) for experiment, cells in found.items()}


def _of_round(folder: Path, words: EnvironmentWords, profiles: Mapping[str, CpuProfile]) -> dict[tuple, MeasuredCell]:
    record = read_object(folder, "round.json")
    place = record["environment"], record["image_id"], record["machine_id"]
    flags, rows = _cpu_flags(folder), tables.read(folder, forks.CELLS, tables.CELLS, tables.FACTOR)
    averages = _averages(folder) if any(row["workload"] == PROGRAMME for row in rows) else {}
    lacking = set()
    if os.path.lexists(folder / forks.OFFERED):
        offers = tables.read(folder, forks.OFFERED, tables.OFFERED)
        lacking = {row["fork"] for row in offers if not tables.RAN[row["offered"]]}
    found = {}
    for row in rows:
        if row["fork"] in lacking:
            continue
        factors = {key.removeprefix(_FACTOR): value for key, value in row.items() if key.startswith(_FACTOR) and value}
        levels = words.levels(place[0], row["workload"], row["provider"], row["cpu_profile"], factors)
        profile = profiles.get(row["cpu_profile"])
        found[(*place, row["cell"])] = MeasuredCell(
            *place, row["protocol"], row["cell"], levels, profile.flags_left(flags) if profile else flags,
            tuple(averages.get(row["fork"], ())),
        )  # fmt: skip
    return found


def _averages(folder: Path) -> dict[int, list[str]]:
    """Fork to the operations of its programme that have an average: neither lacked by the provider nor wrong."""
    found: dict[int, list[str]] = {}
    if os.path.lexists(folder / OBSERVATIONS):
        for row in tables.read(folder, OBSERVATIONS, tables.OBSERVATIONS):
            if row["measure"].startswith("average."):
                found.setdefault(row["fork"], []).append(row["measure"].removeprefix("average."))
    return found


def _cpu_flags(folder: Path) -> frozenset[str]:
    """The flags of the CPU that a round's audit recorded; none where it recorded no CPU."""
    host = read_object(folder, AUDIT).get("host")
    return frozenset(str((host if isinstance(host, dict) else {}).get("cpu_flags") or "").split())


def write(path: Path, rows: Iterable[PairRow]) -> None:
    """Write the table; an open limit is `Inf`."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns())
        for row in rows:
            writer.writerow([_text(value) for value in record(row)])


def _text(value: object) -> object:
    return str(value).replace("inf", "Inf") if isinstance(value, float) else value


def with_decisions(experiment: dict, registered: dict[str, Form], words: EnvironmentWords) -> dict:
    """An experiment whose claims have what the analysis judges them by: their form's rules, targets and scope."""
    claims = {
        name: {**claim, "decision": _decision(experiment, claim, registered[claim["form"]], words)}
        for name, claim in experiment.get("claims", {}).items()
    }
    return {**experiment, "claims": claims} if claims else experiment


def _decision(experiment: dict, claim: dict, form: Form, words: EnvironmentWords) -> dict:
    return {
        "compares": form.compares, "partial": form.partial, "across": form.across, "reversed": form.reversed,
        "judged": form.judged, "cpu_features": form.cpu_features, "targets": form.targets(claim),
        "neutral": _neutral(experiment, claim, form),
        "dimensions": sorted(compared_dimensions(claim)), "scope": _scope(experiment, claim, form, words),
    }  # fmt: skip


def _neutral(experiment: dict, claim: dict, form: Form) -> int | None:
    """What a ratio or difference is where there is none; None where the claim's measure has no such value."""
    if form.across:
        return None
    if form.compares == "values":
        measures = claim.get("measures") or [claim.get("measure") or experiment["measure"]]
        return 1 if all(workloads.unit_of(measure) == "ratio" for measure in measures) else None
    return {"ratios": 1, "levels": 1, "differences": 0}.get(form.compares)


def _scope(experiment: dict, claim: dict, form: Form, words: EnvironmentWords) -> dict:
    """What the claim is about and a run may not have measured: levels of open factors, workloads, and compared levels."""
    closed = {claim.get("compare", {}).get("factor"), *open_factors(claim)}
    filters = [claim.get("among", {}), *sides(claim)]
    factors = {}
    for factor, defined in experiment.get("factors", {}).items():
        if factor not in closed:
            asked = {str(level) for wanted in filters for level in listed(wanted.get(factor, []))}
            levels = [level for level in defined if not asked or level in asked]
            users = [name for name, each in experiment["workloads"].items() if factor in each.get("factors", [])]
            factors[factor] = {
                "levels": levels,
                "words": [level_words(factor, each) for each in levels],
                "workloads": users,
            }
    compared = [str(level) for level in claim["compare"]["levels"]] if form.partial else []
    workloads = listed(claim.get("among", {}).get("workload", []))
    return {
        "factors": factors,
        "workloads": {"levels": workloads, "words": [level_words("workload", name) for name in workloads]},
        "each_workload": "workload" in closed, "factor": claim["compare"]["factor"] if compared else "",
        "levels": compared, "words": [words.level(claim["compare"]["factor"], level) for level in compared],
    }  # fmt: skip


def unjudged(experiments: dict[str, dict], registry: Registry, rounds: Iterable[Round]) -> list[str]:
    """A line for each study with claims that have no pair of cells in the rounds; with one study it also says why.

    A claim that another experiment of the study measures, or that no run can test, is not among them.
    """
    words = EnvironmentWords(described(registry.catalogue))
    cells = planned_cells(rounds, words)
    reasons: dict[str, dict[str, list[str]]] = {}
    for row in claim_resolver.resolve(experiments.values(), registry.forms, words, cells):
        if registry.forms[row.form].compares != "nothing":
            study = experiments[row.experiment]["study"]["id"]
            reasons.setdefault(study, {}).setdefault(row.claim, []).append(row.lacking)
    lines = []
    for study, claims in reasons.items():
        found = {claim: texts[0] for claim, texts in claims.items() if all(texts)}
        names = list(found) if len(reasons) > 1 else [f"{claim} ({reason})" for claim, reason in found.items()]
        if found:
            lines.append(f"  {study}: this run gives no verdict on {', '.join(names)}")
    return lines
