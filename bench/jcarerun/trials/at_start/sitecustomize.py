"""Put before every program of a tortured run by PYTHONPATH; does nothing but in the job of a round.

There it hastens the clock, since a replayed round takes next to no time; and does, at the point that JCA_FAULT names
(<number>:<kind>), what it says (bench/jcarerun/trials/torture_run.py).
"""

import sys

if sys.orig_argv[1:3] == ["-m", "jcarerun.run"] and "round" in sys.orig_argv:
    from jcarerun.trials import torture_run

    torture_run.in_job()
