"""One run: what its configuration selects, and the measuring of its rounds in isolated containers.

May import jcarerun.plan and all that it may.
"""
