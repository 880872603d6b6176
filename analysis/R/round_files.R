# The files of a round as tables. What they hold was checked when the round was stamped (bench/rounds), and is believed.

iterations_columns <- c(
  "fork", "iteration", "start_epoch_ms", "start_uptime_ms", "end_uptime_ms", "duration_ns", "operations",
  "all_operations",
  "worker_cpu_ns", "process_user_ns", "process_system_ns", "involuntary_switches", "gc_ms", "jit_ms"
)

#' round.json as a list.
read_round_description <- function(folder) {
  read_json_strictly(file.path(folder, "round.json"), "restore the round, or remove it and run it again")
}

#' cells.csv, one row per fork. Everything is text but the counts: `1024` is a level, not a number.
read_cells_csv <- function(folder) {
  forks <- read_csv_strictly(file.path(folder, "cells.csv"), types = "character")
  for (column in c("fork", "iterations", "iteration_ms")) set(forks, j = column, value = as.numeric(forks[[column]]))
  forks
}

#' Which forks are native programs, which have no GC log: forks.tsv says so of their provider.
#'
#' @param forks of `read_cells_csv`
#' @return `forks` with `native`
with_native <- function(folder, forks) {
  text <- readLines(file.path(folder, "forks.tsv"), warn = FALSE)
  marked <- grep("-Djcarerun\\.provider\\.[^=\t]+=native:", text, value = TRUE)
  forks[, native := as.character(fork) %in% sub("\t.*", "", marked)][]
}

#' iterations.csv, all columns double. Rounds that were measured before compilers' time was recorded have no `jit_ms`.
read_iterations_csv <- function(folder) {
  rows <- read_csv_strictly(file.path(folder, "iterations.csv"))
  if (!"jit_ms" %in% names(rows)) rows[, jit_ms := NA_real_]
  for (column in iterations_columns) set(rows, j = column, value = as.numeric(rows[[column]]))
  rows[, iterations_columns, with = FALSE]
}
