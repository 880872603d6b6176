"""The bundle: one archive of a run that others can check, and the checking of it: hashes, then all of it made again from raw.

May import bench.run and all that it may, and report.explorer (the tables' reader).
"""
