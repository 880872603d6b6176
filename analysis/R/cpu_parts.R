# CPU time of a fork's whole JVM, user and system apart: what a study of CPU time draws.

# The system counts in ticks of 10 ms, and a part of an iteration's time may be less than one. A cell's forks have ten
# ticks of both parts in the mean, or none of them has a row: a limit for each fork, or for one part, would keep those
# in which it came out high.
least_cpu_ns <- 1e8

#' The table observed.csv with `user` and `system` of some experiments: ns per operation, of the sums over a fork's
#' measured iterations.
#'
#' @param observed of `observed_values`; `iterations`, `forks` of `tidy_rounds`; `experiments` ids of those whose CPU
#'   time is wanted apart
#' @return `observed` with two rows more for each of their forks, but where the system does not tell, and where the
#'   sums of a cell's forks are less than `least_cpu_ns` in the mean
with_cpu_parts <- function(observed, iterations, forks, experiments) {
  sums <- iterations[experiment %in% experiments & measured == TRUE, .(
    user = sum(process_user_ns), system = sum(process_system_ns), operations = sum(all_operations)
  ), by = fork_key]
  sums[forks, cell := i.cell, on = fork_key]
  sums[, enough := mean(user + system) >= least_cpu_ns, by = .(experiment, environment, cell)]
  sums <- sums[enough %in% TRUE][, c("cell", "enough") := NULL]
  if (nrow(sums) == 0) return(observed)
  parts <- melt(sums, id.vars = c(fork_key, "operations"), variable.name = "measure", variable.factor = FALSE)
  parts[, `:=`(value = value / operations, operations = NULL)]
  setorderv(rbind(observed, parts, fill = TRUE), c(fork_key, "measure"))[]
}
