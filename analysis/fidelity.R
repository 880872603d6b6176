# The pipeline's means against plain JMH's: Rscript analysis/fidelity.R --raw DIR --rounds FILE --plain DIR --out DIR

source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "rooms.R"), chdir = TRUE)

script(c("read", "runs"), function() {
  arguments <- read_arguments(trial_options("fidelity.csv"), "Says for each cell whether both ways give the same mean.")
  forks <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))$forks
  table <- fidelity(valid_forks(forks), plain_forks(arguments$plain), plain_compiled(arguments$plain))
  write_table(table, out_file(arguments$out, "fidelity.csv"))
  print_table(table)
})
