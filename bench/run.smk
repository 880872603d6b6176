# The run: reads and checks the configuration and all that it refers to, and prints the plan before anything starts.
# Gives the other files RUN (bench/run/run.py), R_IMAGE (the record of the analysis image), and every rule
# the locked environment's `python`.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(workflow.basedir)))

from bench.run import session

# Paths of the configuration begin where Snakemake was started, those of rules here.
STARTED = Path.cwd()


workdir: workflow.basedir


RUN = session.read(config, main=workflow.exec_mode == ExecMode.DEFAULT, started=STARTED)
R_IMAGE = [] if RUN.settings.engine == "host" else ["envs/build/analysis/environment.json"]
shell.prefix(f"export PATH={Path(sys.executable).parent}:$PATH; set -euo pipefail; ")


onstart:
    session.begin(RUN, workflow.dag_settings.targets)
