"""The explorer: one file of HTML with a run's tables in it, from data/tidy and the rounds' command lines.

May import jcarerun.support.
"""
