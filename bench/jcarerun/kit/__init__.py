"""The kit, by which a machine that has nothing but Java measures rounds, and the import of what it sends back.

May import jcarerun.bundle (archives and their signatures), jcarerun.run and all that it may.
"""
