# What the same half-width costs the pipeline and plain JMH.

command_efficiency <- function(words) {
  purpose <- "Says for each cell what its half-width costs both ways."
  arguments <- read_arguments(trial_options("efficiency.csv"), purpose, words)
  tidy <- tidy_rounds(arguments$raw, find_rounds(arguments$raw, arguments$rounds))
  forks <- tidy$forks
  forks[, cost_s := fork_costs(forks, tidy$rounds[, .(round, elapsed_s)])]
  cells <- cell_means(valid_forks(forks))[measure == "wall", .(cell, half_width_pct)]
  plain <- plain_forks(arguments$plain)
  ours <- forks[, .(cell, mean_ns = wall_ns_per_op, cost_s)]
  # Forks that were invalid cost time too, but tell nothing.
  alike <- compare_arms(valid_forks(forks)[, .(cell, mean_ns = wall_ns_per_op)], plain)
  table <- merge(cost_of_width(ours, cells, plain), alike[, .(cell, ratio, lower, upper, alike)], by = "cell")
  write_table(table, out_file(arguments$out, "efficiency.csv"))
  print_table(table)
  same <- identical(alike[order(our_ns)]$cell, alike[order(plain_ns)]$cell)
  cat(sprintf(
    "in all: %.0f s against %.0f s, %.1f times less; the least of a cell %.1f; ranking of the means: %s\n",
    sum(table$our_s), sum(table$plain_s), sum(table$plain_s) / sum(table$our_s), min(table$times_less),
    if (same) "the same" else "not the same"
  ))
}
