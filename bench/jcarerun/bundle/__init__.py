"""The bundle: one archive of a run that others can check, and the checking of it: hashes, then all of it made again from raw.

May import jcarerun.run and all that it may, and jcarerun.explorer (the tables' reader).
"""
