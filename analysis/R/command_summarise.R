# Anybody's JMH results, summarised.

command_summarise <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(
        text = "JMH result file (-rf json, any JMH 1.x), or a directory of them or of rounds of this project",
        required = TRUE, file = TRUE
      ),
      out = list(text = "directory for summary.csv and left_out.csv", required = TRUE),
      strict = list(text = "yes: refuse a directory of which something can't be taken as it is")
    ),
    "Summarises benchmarks: mean over forks, its 95 % interval, spread, and whether the forks were steady.",
    words
  )
  run <- read_run(arguments$raw)
  say_left_out(run, yes_argument("strict", arguments$strict))
  rows <- summarise_run(run$forks)
  written <- write_table(rows, out_file(arguments$out, "summary.csv"))
  write_table(run$left_out, out_file(arguments$out, "left_out.csv"))
  message(sprintf(
    "%s: %d rows, of %d files%s", written, nrow(rows), uniqueN(rows$file),
    if (nrow(run$left_out) > 0) sprintf("; %d findings in left_out.csv beside it", nrow(run$left_out)) else ""
  ))
}
