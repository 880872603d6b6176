# The pipeline's means against plain JMH's: Rscript analysis/fidelity.R --raw DIR --rounds FILE --plain DIR --out DIR

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])
analysis_dir <- dirname(script)
source(file.path(analysis_dir, "load.R"))

run_script(function() {
  arguments <- read_arguments(trial_options("fidelity.csv"), "Says for each cell whether both ways give the same mean.")
  forks <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))$forks
  ours <- valid_forks(forks)[, .(cell, block = number, mean_ns = wall_ns_per_op)]
  table <- compare_arms(ours, plain_forks(arguments$plain))
  write_table(table, out_file(arguments$out, "fidelity.csv"))
  print_table(table)
})
