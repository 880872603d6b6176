"""The bundle: one archive of a run that others can check, and the comparison of two runs.

May import jcarerun.explorer (the tables' reader), jcarerun.images, jcarerun.plan, jcarerun.rounds and jcarerun.run.
"""
