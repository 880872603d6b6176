"""What a machine can give. Runs with Python alone, before anything is set up.

May import jcarerun.rounds.audit and jcarerun.support; where all is set up, jcarerun.run.
"""
