# The second stage's plan from stage one's rounds.

command_plan <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
      rounds = list(
        text = "file that names stage one's rounds of one (experiment, environment)", required = TRUE, file = TRUE
      ),
      "half-widths" = list(text = "protocol=half-width, ..., such as modern=0.01 for 1 %", required = TRUE),
      most = list(text = "most rounds of both stages", required = TRUE),
      out = list(text = "the CSV to write (data/README.md, plans)", required = TRUE)
    ),
    "Plans how long and how many forks each cell needs for its wanted half-width (Kalibera-Jones, Stein).",
    words
  )
  most <- number_argument("most", arguments$most, 2, 1e6, "a whole number from 2 on")
  half_widths <- half_width_argument(arguments[["half-widths"]])
  tables <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))
  write_table(fork_plan(tables$forks, tables$iterations, half_widths, most), arguments$out)
}
