"""Trials of the pipeline itself, against plain JMH and under faults: scripts that take minutes to an hour and make a table.

May import every other room.
"""
