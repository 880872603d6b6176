"""The trace: a verdict or a ratio back to its raw files, and computed again from them by code of its own.

May import jcarerun.explorer (the tables' reader) and jcarerun.rounds.
"""
