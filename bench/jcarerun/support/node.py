"""The node of a cluster that this process has a job on. In: what Slurm tells a job. Out: its name, and what is told apart by it.

Nodes share this checkout's folder: what one of them does there, or leaves, must not be taken for another's.
"""

import os
import re

# Set by the node's own daemon, so no job can have inherited it from where it was submitted (srun(1)).
VARIABLE = "SLURMD_NODENAME"


def name() -> str:
    """The node's name, fit to be part of a file's; empty where no cluster runs this process."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", os.environ.get(VARIABLE, ""))


def suffix() -> str:
    """What is put behind a name that each node has of its own; empty where no cluster runs this process."""
    return f"@{own}" if (own := name()) else ""
