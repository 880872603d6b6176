"""From experiments to cells, and from cells to rounds: what is to be measured. Pure, but for the files of a plan that is resumed.

May import jcarerun.images, native, rounds, subject and support; of jcarerun.run what rounds are limited to and asked in.
"""
