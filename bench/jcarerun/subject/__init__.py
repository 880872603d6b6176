"""Jars of JMH benchmarks from outside: what they contain, how they are kept.

May import jcarerun.support.
"""
