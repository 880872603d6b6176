# Forks to cells, with intervals, and checks of single calls.

command_estimate <- function(words) {
  arguments <- read_arguments(
    list(tidy = list(
      text = "the tidy directory; cells.csv, observed_means.csv, call_checks.csv are written there",
      required = TRUE, folder = TRUE
    )),
    "Estimates every cell's mean, its interval over forks, and its components of variation.",
    words
  )
  forks <- read_table(file.path(arguments$tidy, "forks.csv"), fork_columns)
  plans <- read_table(file.path(arguments$tidy, "plans.csv"), names(no_plans()))
  write_table(cell_means(valid_forks(forks), plans), file.path(arguments$tidy, "cells.csv"))
  observed <- read_table(file.path(arguments$tidy, "observed.csv"), observed_columns)
  write_table(observed_means(valid_forks(forks), observed), file.path(arguments$tidy, "observed_means.csv"))
  columns <- c("experiment", "environment", "round", "fork", "iteration", "measured")
  iterations <- read_table(file.path(arguments$tidy, "iterations.csv.gz"), columns)
  counts <- read_table(file.path(arguments$tidy, "counts.csv.gz"), c("iteration", "measure", "position", "count"))
  pauses <- read_table(file.path(arguments$tidy, "pauses.csv.gz"), c("fork", "uptime_ms", "pause_ms", "side"))
  calls <- call_checks(counts, iterations, pauses, valid_forks(forks))
  write_table(calls, file.path(arguments$tidy, "call_checks.csv"))
}
