"""The agreement of a report: every number of the PDF and of the page is held against its row of the tables.

May import jcarerun.explorer (the tables' reader).
"""
