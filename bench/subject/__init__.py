"""What is measured when it isn't ours: jars of benchmarks and programs that others built, what they hold, and how they are kept.

May import envs.support.
"""
