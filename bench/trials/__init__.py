"""Trials of the pipeline itself against plain JMH: scripts that take minutes to an hour and print a table.

May import every other room.
"""
