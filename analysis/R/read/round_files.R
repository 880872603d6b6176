# The files of a round: what must be there, and each of them read with its types checked.

round_keys <- c(
  "schema", "experiment", "environment", "round", "number", "stage",
  "plan_sha256", "tier", "seed", "order_seed", "engine", "machine_id",
  "image_id",
  "jar_sha256", "started_at", "finished_at", "expected_s", "elapsed_s"
)
cells_columns <- c(
  "fork", "cell", "workload", "benchmark", "protocol", "provider", "cpu_profile", "mode", "warmup", "iterations",
  "iteration_ms"
)
iterations_columns <- c(
  "fork", "iteration", "start_epoch_ms", "start_uptime_ms", "end_uptime_ms", "duration_ns", "operations",
  "all_operations",
  "worker_cpu_ns", "process_user_ns", "process_system_ns", "involuntary_switches", "gc_ms", "jit_ms"
)

#' Refuse a file of a round.
damaged <- function(file, what, expected) {
  refuse(file, what, expected, "restore the round from where it was measured, or remove it and run it again")
}

#' round.json as a list; refuses what contradicts the path.
read_round_description <- function(folder, relative) {
  file <- file.path(folder, "round.json")
  if (!file.exists(file)) damaged(file, "is missing", "the round's description")
  round <- read_json_strictly(file, "restore the round, or remove it and run it again")
  missing <- setdiff(round_keys, names(round))
  if (length(missing) > 0) damaged(file, paste("lacks", some_of(missing)), "the keys of data/README.md")
  if (!identical(as.integer(round$schema), 2L)) {
    refuse(file, paste("schema is", round$schema), "schema 2", "use the version that wrote it")
  }
  parts <- utils::tail(strsplit(relative, "/", fixed = TRUE)[[1]], 3)
  told <- c(round$experiment, round$environment, round$round)
  if (!identical(told, parts)) {
    refuse(
      file, paste("says", paste(told, collapse = "/")), paste(parts, collapse = "/"),
      "move the round back to where it belongs"
    )
  }
  round
}

#' cells.csv, one row per fork. Everything is text but the counts.
read_cells_csv <- function(folder) {
  file <- file.path(folder, "cells.csv")
  if (!file.exists(file)) damaged(file, "is missing", "a round's forks")
  forks <- read_csv_strictly(file, types = "character")
  check_columns(file, names(forks), cells_columns, "^factor\\.[a-z0-9-]+$")
  for (column in c("fork", "iterations", "iteration_ms")) {
    number <- suppressWarnings(as.numeric(forks[[column]]))
    if (anyNA(number)) {
      damaged(file, sprintf("column %s holds '%s'", column, forks[[column]][is.na(number)][1]), "a number")
    }
    set(forks, j = column, value = number)
  }
  if (nrow(forks) == 0) damaged(file, "has no row", "one row per fork")
  if (anyDuplicated(forks$fork)) {
    damaged(file, paste("has fork", forks$fork[duplicated(forks$fork)][1], "twice"), "each fork once")
  }
  check_warmup(file, forks)
  forks
}

#' Which forks are native programs, which have no GC log: forks.tsv says so of their provider.
#'
#' @param forks of `read_cells_csv`
#' @return `forks` with `native`
with_native <- function(folder, forks) {
  file <- file.path(folder, "forks.tsv")
  text <- if (file.exists(file)) readLines(file, warn = FALSE) else character()
  marked <- grep("-Djcarerun\\.provider\\.[^=\t]+=native:", text, value = TRUE)
  forks[, native := as.character(fork) %in% sub("\t.*", "", marked)][]
}

check_warmup <- function(file, forks) {
  left_out <- suppressWarnings(as.numeric(forks$warmup))
  bad <- which(forks$warmup != "steady-state" & (is.na(left_out) | left_out < 0 | left_out >= forks$iterations))
  if (length(bad) == 0) return(invisible())
  text <- sprintf("fork %g has warmup '%s' of %g iterations", forks$fork, forks$warmup, forks$iterations)[bad[1]]
  remedy <- "correct the protocol and run the round again"
  refuse(file, text, "steady-state, or fewer than the iterations", remedy)
}

#' iterations.csv, all columns double. Rounds that were measured before compilers' time was recorded have no `jit_ms`.
read_iterations_csv <- function(folder) {
  file <- file.path(folder, "iterations.csv")
  if (!file.exists(file)) damaged(file, "is missing", "a round's timings")
  rows <- read_csv_strictly(file)
  if (!"jit_ms" %in% names(rows)) rows[, jit_ms := NA_real_]
  check_columns(file, names(rows), iterations_columns)
  for (column in iterations_columns) {
    empty <- is.logical(rows[[column]]) && all(is.na(rows[[column]]))
    if (!is.numeric(rows[[column]]) && !empty) damaged(file, sprintf("column %s isn't numeric", column), "numbers")
    set(rows, j = column, value = as.numeric(rows[[column]]))
  }
  rows
}

check_columns <- function(file, found, wanted, others = "^$") {
  missing <- setdiff(wanted, found)
  if (length(missing) > 0) damaged(file, paste("lacks column", some_of(missing)), "the columns of data/README.md")
  extra <- setdiff(found[!grepl(others, found)], wanted)
  if (length(extra) > 0) damaged(file, paste("has unknown column", some_of(extra)), "the columns of data/README.md")
}
