# Forks to cells, with intervals, and what iterations tell by themselves: Rscript analysis/estimate.R --tidy DIR

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
analysis_dir <- dirname(script)
source(file.path(analysis_dir, "load.R"))

run_script(function() {
  arguments <- read_arguments(
    list(tidy = list(
      text = "the tidy directory; cells.csv, iteration_checks.csv are written there", required = TRUE, folder = TRUE
    )),
    "Estimates every cell's mean, its interval over forks, and its components of variation."
  )
  forks <- read_table(file.path(arguments$tidy, "forks.csv"), fork_columns)
  write_table(cell_means(forks), file.path(arguments$tidy, "cells.csv"))
  columns <- c("experiment", "environment", "round", "fork", "duration_ns", "operations", "measured")
  iterations <- read_table(file.path(arguments$tidy, "iterations.csv.gz"), columns)
  write_table(iteration_checks(iterations, forks), file.path(arguments$tidy, "iteration_checks.csv"))
})
