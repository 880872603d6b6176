"""Trials of the methods against plain JMH and long forks, which take minutes to hours and make a table; and the pilots of cells."""
