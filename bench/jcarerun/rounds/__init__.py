"""What a round is: its files' names, their columns, the record, the check of it all, and how a tree that others wrote is read.

May import jcarerun.support.
"""
