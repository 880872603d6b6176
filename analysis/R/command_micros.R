# Ours beside somebody else's benchmarks of the same.

command_micros <- function(words) {
  arguments <- read_arguments(
    list(
      raw = list(text = "the raw directory", required = TRUE, folder = TRUE),
      rounds = list(text = "file that names the trial's rounds", required = TRUE, file = TRUE),
      out = list(text = "directory for micros.csv", required = TRUE)
    ),
    "Says for each operation whether ours and theirs give the same mean.",
    words
  )
  table <- same_operations(tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))$forks)
  write_table(table, out_file(arguments$out, "micros.csv"))
  print_table(table)
}
