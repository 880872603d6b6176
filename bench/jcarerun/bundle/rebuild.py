"""Makes tables, PDF and page from raw rounds, by the rules that every report is made by, in a folder of its own."""

import json
import subprocess
from pathlib import Path

from jcarerun.errors import UserError


def rebuild(raw: Path, experiments: list[Path], results: Path, engine: str, name: str) -> None:
    """Make the report of `raw` in `results`, which is made.

    `experiments`: the files of its experiments, in one directory; `name`: what messages call the directory that `raw` lies in.
    Raises UserError, in one line, for what can't be reported on.
    """
    paths = {"raw": raw.resolve(), "experiment_dir": experiments[0].parent.resolve(), "results": results.resolve()}
    config = [f"{key}={json.dumps(str(path))}" for key, path in paths.items()]
    config.append(f"experiments=[{','.join(file.stem for file in experiments)}]")
    done = subprocess.run(
        ["snakemake", "--cores", "all", "--quiet", "all", "--config", *config, f"engine={engine}"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        line = next((line.removeprefix("error: ") for line in said if line.startswith("error: ")), (said or ["?"])[-1])
        raise UserError(
            f"the report can't be made from its raw rounds: {line.replace(str(raw.parent.resolve()), name)}"
        )
