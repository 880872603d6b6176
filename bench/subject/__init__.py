"""What is measured when it isn't ours: jars of benchmarks that others built, what they hold, and how they are fetched.

May import envs.support.
"""
