"""Trials of the methods against plain JMH and long forks, which take minutes to hours; and the reference forks of cells."""
