# Two runs of the same cells compared in words.
# In: the tidy table forks.csv of each. Out: sentences on standard output.

command_compare_runs <- function(words) {
  arguments <- read_arguments(
    list(
      a = list(text = "directory with a run's forks.csv", required = TRUE, folder = TRUE),
      b = list(text = "the same of the other run", required = TRUE, folder = TRUE),
      measure = list(text = "wall or cpu; wall if left out")
    ),
    "Says how the times of the cells that two runs have in common differ.",
    words
  )
  measure <- arguments$measure %||% "wall"
  if (!measure %in% c("wall", "cpu")) {
    refuse("command line", sprintf("--measure %s", measure), "wall or cpu", "choose one")
  }
  runs <- lapply(arguments[c("a", "b")], function(folder) {
    valid_forks(read_table(file.path(folder, "forks.csv"), c(fork_columns, "number")))
  })
  rows <- two_runs(runs$a, runs$b, measure)
  keys <- c("experiment", "environment", "protocol", "cell")
  cells <- lapply(runs, function(forks) unique(forks[, keys, with = FALSE]))
  alone <- c(nrow(fsetdiff(cells$a, cells$b)), nrow(fsetdiff(cells$b, cells$a)))
  writeLines(two_runs_words(rows, alone, measure))
}
