# The pipeline's means against plain JMH's.

command_fidelity <- function(words) {
  purpose <- "Says for each cell whether both ways give the same mean."
  arguments <- read_arguments(trial_options("fidelity.csv"), purpose, words)
  forks <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))$forks
  table <- fidelity(valid_forks(forks), plain_forks(arguments$plain), plain_compiled(arguments$plain))
  write_table(table, out_file(arguments$out, "fidelity.csv"))
  print_table(table)
}
