"""Tools for anybody's own JMH results and GC logs: `make summarise`, `make compare`, `make gc-pauses`.

May import jcarerun.rounds, jcarerun.images, jcarerun.support.
"""
