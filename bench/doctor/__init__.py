"""What a machine can give. Runs with Python alone, before anything is set up.

May import bench.rounds.audit and envs.support; where all is set up, bench.run.
"""
