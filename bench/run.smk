# The run: reads and checks the configuration and all that it refers to, and prints the plan before anything starts.
# Gives the other files RUN (bench/jcarerun/run/run.py), CONFIG (for jobs that plan), the directories RAW, TIDY, REPORT and LOGS, R_IMAGE
# (the record of the analysis image), and every rule the locked environment's `python`.

import json
import shlex
import sys
from pathlib import Path

sys.path.insert(0, str(Path(workflow.basedir) / "bench"))

from snakemake.utils import validate

from jcarerun.plan import settings
from jcarerun.run import session

# Paths of the configuration begin where Snakemake was started, those of rules in the checkout.
config.update(settings.normalised(settings.from_folder(config, STARTED)))
DRY_RUN = workflow.is_main_process and session.is_dry_run(sys.argv[1:])
RUN = session.read(config, workflow.is_main_process, DRY_RUN)
# Defaults that depend on the tier.
config.update(minutes=RUN.settings.minutes, goal=RUN.settings.goal)
validate(config, "schemas/config.schema.yaml")
CONFIG = json.dumps(config)
# data/raw, data/tidy, report and data/logs in this checkout; with `results` below a directory of the user's.
RAW, TIDY, REPORT = str(RUN.folders.raw), str(RUN.folders.tidy), str(RUN.folders.report)
LOGS = str(RUN.folders.logs)
R_IMAGE = [] if RUN.settings.engine == "host" else ["envs/build/analysis/environment.json"]
shell.prefix(f"export PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH PYTHONPATH=bench; set -euo pipefail; ")


onstart:
    session.begin(RUN)


onsuccess:
    session.end(RUN)
    session.cancel_timers()


onerror:
    session.cancel_timers()


def every_round(wildcards):
    """The stamps of all rounds: asks for one stage after another, until one has nothing more to measure."""
    return [*RUN.round_stamps(checkpoints), *RUN.imported_stamps()]
