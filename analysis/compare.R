# Two runs of JMH compared: Rscript analysis/compare.R --baseline DIR --candidate DIR --out DIR [--margin PART]
# Exit status 1 when something got slower beyond the margin, so that it can gate a build; 2 for bad input.

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "rooms.R"), chdir = TRUE)

script(c("judge", "runs"), function() {
  arguments <- read_arguments(
    list(
      baseline = list(
        text = "directory of JMH result files (-rf json) or of rounds: before", required = TRUE, folder = TRUE
      ),
      candidate = list(text = "the same: after", required = TRUE, folder = TRUE),
      out = list(text = "directory for compare.csv", required = TRUE),
      margin = list(text = "part by which a benchmark may get slower, 0.02 (2 per cent) if left out"),
      forks = list(text = "forks that both sides need for a verdict, 5 if left out")
    ),
    "Compares two runs of the same benchmarks. Exit status 1 when something got slower beyond the margin, else 0."
  )
  margin <- number_argument("margin", arguments$margin %||% "0.02", 0, 1, "a part such as 0.05 for 5 per cent")
  least <- number_argument("forks", arguments$forks %||% as.character(verdict_forks), 2, 1e6, "a number from 2 on")
  folders <- c(arguments$baseline, arguments$candidate)
  runs <- lapply(folders, read_run, steady = FALSE)
  check_comparable(runs[[1]]$forks, runs[[2]]$forks, folders)
  rows <- compare_runs(runs[[1]]$forks, runs[[2]]$forks, margin, least)
  for (side in 1:2) say_passed_over(folders[side], runs[[side]]$passed_over)
  write_table(rows, out_file(arguments$out, "compare.csv"))
  writeLines(comparison_words(rows, margin))
  if (any(rows$verdict == "slower")) quit(status = 1, save = "no")
})
