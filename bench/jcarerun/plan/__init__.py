"""From experiments to cells, and from cells to rounds: what is to be measured. Pure, but for the files of a plan that is resumed.

May import jcarerun.rounds, jcarerun.native, jcarerun.subject and envs.
"""
