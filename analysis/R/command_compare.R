# Two runs of JMH compared.
# Exit status, so that it can gate a build: 0 nothing got slower beyond the margin, 1 something did, 2 bad input, 3
# undecided.

command_compare <- function(words) {
  arguments <- read_arguments(
    list(
      baseline = list(
        text = "JMH result file (-rf json), or a directory of them or of rounds: before", required = TRUE, file = TRUE
      ),
      candidate = list(text = "the same: after", required = TRUE, file = TRUE),
      out = list(text = "directory for compare.csv", required = TRUE),
      margin = list(text = "part by which a benchmark may get slower, 0.02 (2 per cent) if left out"),
      forks = list(text = "forks that both sides need for a verdict, 5 if left out"),
      strict = list(text = "yes: refuse a run of which something can't be taken as it is")
    ),
    paste(
      "Compares two runs of the same benchmarks. Exit status 0: nothing got slower beyond the margin; 1: something",
      "did; 2: bad input; 3: undecided."
    ),
    words
  )
  margin <- number_argument("margin", arguments$margin %||% "0.02", 0, 1, "a part such as 0.05 for 5 per cent")
  least <- number_argument("forks", arguments$forks %||% as.character(verdict_forks), 2, 1e6, "a number from 2 on")
  paths <- c(arguments$baseline, arguments$candidate)
  runs <- lapply(paths, read_run, steady = FALSE)
  for (run in runs) say_left_out(run, yes_argument("strict", arguments$strict))
  check_comparable(runs[[1]]$forks, runs[[2]]$forks, paths)
  rows <- compare_runs(runs[[1]]$forks, runs[[2]]$forks, margin, least)
  written <- write_table(rows, out_file(arguments$out, "compare.csv"))
  message(sprintf("%s: %d rows", written, nrow(rows)))
  writeLines(comparison_words(rows, margin))
  quit(status = comparison_statuses[[comparison_outcome(rows)]], save = "no")
}
