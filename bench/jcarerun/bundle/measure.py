"""Measures a bundle's experiments again, as its run did, and holds the two runs together: verdicts, and ratios of ratios.

In: an unpacked bundle, the files of its experiments. Out: a report of this machine in a results folder, and lines for people.
A run that was interrupted goes on from its last whole round, as every run does.
"""

import json
import subprocess
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path
from statistics import median

from jcarerun.bundle import layout, repeat
from jcarerun.bundle.claims import value
from jcarerun.errors import UserError
from jcarerun.explorer import tidy
from jcarerun.explorer.tidy import Row
from jcarerun.plan import calibration
from jcarerun.run import told
from jcarerun.support.files import load_json

# A contrast's estimate and its interval.
_RATIO = ("ratio", "lower", "upper")
# Of the settings, those that are of a run and not of a machine.
_CHOSEN = ("tier", "seed", "minutes", "goal", "cpu_profiles")


def command(bundle: Path, experiments: list[Path], results: Path, engine: str) -> list[str]:
    """The command that measures a bundle's experiments again, with the settings of its run."""
    found = told.read(bundle / layout.RAW)
    if not found:
        raise UserError(f"{layout.RAW}/{told.NAME}: is missing, so it is not known how to measure again")
    chosen = load_json(bundle / layout.RAW / told.NAME, told.REMEDY)["settings"]
    paths = {"experiment_dir": experiments[0].parent.resolve(), "results": results.resolve()}
    config = [f"{key}={json.dumps(str(path))}" for key, path in paths.items()]
    config += [f"{key}={value(chosen[key])}" for key in _CHOSEN]
    config.append(f"experiments=[{','.join(file.stem for file in experiments)}]")
    config.append(f"calibration={any(path.startswith(f'{calibration.NAME}/') for path in found.rounds)}")
    return ["snakemake", "--cores", "all", "--config", *config, f"engine={engine}"]


def measure(bundle: Path, experiments: list[Path], results: Path, engine: str) -> None:
    """Measure, and make the report. What a run says goes to the terminal. Raises UserError where it did not come to its end."""
    if subprocess.run(command(bundle, experiments, results, engine)).returncode:
        raise UserError(f"{results}: the run did not come to its end, see above; the same command goes on with it")


def _ratios(first: Row, again: Row) -> tuple[float, bool] | None:
    """The ratio of two ratios, and whether their intervals overlap; None where one has none."""
    one, other = (repeat.interval(row, _RATIO) for row in (first, again))
    if not one or not other:
        return None
    return (other[0] / one[0] if one[0] > 0 and other[0] > 0 else float("nan")), repeat.overlap(one, other)


def compare(first: Path, again: Path) -> tuple[list[str], bool]:
    """Hold the tidy tables of two runs together: a line for each claim, one for all, and whether all verdicts are the same."""
    verdicts = [repeat.by(tidy.read(folder, "verdicts.csv"), repeat.PLACE) for folder in (first, again)]
    contrasts = [repeat.by(tidy.read(folder, "contrasts.csv"), repeat.PAIR) for folder in (first, again)]
    places, pairs = defaultdict(list), defaultdict(list)
    for key in verdicts[0]:
        places[key[:2]].append(key)
    for key in contrasts[0].keys() & contrasts[1].keys():
        if found := _ratios(contrasts[0][key], contrasts[1][key]):
            pairs[key[:2]].append(found)
    changed = {
        key for key, row in verdicts[0].items() if key in verdicts[1] and row["verdict"] != verdicts[1][key]["verdict"]
    }
    gone = verdicts[0].keys() - verdicts[1].keys()

    def line(what: str, keys: Collection[tuple], found: list[tuple[float, bool]]) -> str:
        return f"  {what}: {_counted(len(keys), len(changed & set(keys)), len(gone & set(keys)))}{_spread(found)}"

    lines = []
    for claim, keys in sorted(places.items()):
        lines.append(line(" ".join(claim), keys, pairs[claim]))
        lines += [
            f"    {', '.join(filter(None, key[2:6]))}: {verdicts[0][key]['verdict']} then, {verdicts[1][key]['verdict']} now"
            for key in keys
            if key in changed
        ]
    lines.append(line("all claims", verdicts[0].keys(), [pair for found in pairs.values() for pair in found]))
    return lines, not changed and not gone


def _counted(every: int, changed: int, gone: int) -> str:
    return f"{every - changed - gone} of {every} verdicts the same" + (
        f", {gone} without a verdict here" if gone else ""
    )


def _spread(pairs: list[tuple[float, bool]]) -> str:
    """Ratios of ratios in words: the middle one, the outermost, and how many intervals overlap."""
    if not pairs:
        return ""
    ratios = sorted(ratio for ratio, _ in pairs if ratio == ratio)
    words = f"; ratio of ratios {median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})" if ratios else ""
    return f"{words}; {sum(overlap for _, overlap in pairs)} of {len(pairs)} intervals overlap"
