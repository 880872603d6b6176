# The run: reads and checks the configuration and all that it refers to, and prints the plan before anything starts.
# Gives the other files RUN (bench/jcarerun/run/run.py), CONFIG (for jobs that plan), R_IMAGE (the record of the analysis image), ON_NODES (whether rounds are jobs of a
# cluster), and every rule the locked environment's `python`.

import json
import shlex
import sys
from pathlib import Path

sys.path.insert(0, str(Path(workflow.basedir) / "bench"))

from snakemake.cli import get_argument_parser

from jcarerun.plan import settings
from jcarerun.run import session

# Paths of the configuration begin where Snakemake was started, those of rules here.
STARTED = Path.cwd()


workdir: workflow.basedir


# Which executor there will be is not known yet; those of clusters count jobs instead of this machine's cores.
ON_NODES = workflow.remote_exec or workflow.global_resources["_cores"].value is None
# `-n`: the workflow is told only when all this is read.
DRY = get_argument_parser().parse_known_args()[0].dryrun
CONFIG = json.dumps(settings.from_folder(config, STARTED))
RUN = session.read(config, main=workflow.is_main_process, started=STARTED, dry=DRY, here=not ON_NODES)
R_IMAGE = [] if RUN.settings.engine == "host" else ["envs/build/analysis/environment.json"]
shell.prefix(f"export PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH PYTHONPATH=bench; set -euo pipefail; ")


onstart:
    rules_of_jobs = {job.rule.name for job in workflow.dag.needrun_jobs()}
    session.begin(RUN, workflow.dag_settings.targets, measures="round" in rules_of_jobs)
