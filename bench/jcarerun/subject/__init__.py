"""What is measured when it isn't ours: jars of benchmarks, projects that make some, programs: what they hold, how they are kept.

May import jcarerun.support.
"""
