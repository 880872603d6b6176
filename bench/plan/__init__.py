"""From experiments to cells, and from cells to rounds: what is to be measured. Pure, but for the files of a plan that is resumed.

May import bench.rounds, bench.native, bench.subject and envs.
"""
