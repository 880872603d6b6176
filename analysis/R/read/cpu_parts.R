# CPU time of a fork's whole JVM, user and system apart: what a study of CPU time draws.

# The system counts in ticks of 10 ms, and a part of an iteration's time may be less than one. Ten ticks of both parts
# together are asked for, not of the part alone: to keep the forks in which system time came out high would raise it.
least_cpu_ns <- 1e8

#' The table observed.csv with `user` and `system` of some experiments: ns per operation, of the sums over a fork's
#' measured iterations.
#'
#' @param observed of `observed_values`; `iterations` of `tidy_rounds`; `experiments` ids of those whose CPU time is
#'   wanted apart
#' @return `observed` with two rows more for each of their forks whose system tells it, and whose sums are
#'   `least_cpu_ns` together at least
with_cpu_parts <- function(observed, iterations, experiments) {
  sums <- iterations[experiment %in% experiments & measured == TRUE, .(
    user = sum(process_user_ns), system = sum(process_system_ns), operations = sum(all_operations)
  ), by = fork_key][user + system >= least_cpu_ns]
  if (nrow(sums) == 0) return(observed)
  parts <- melt(sums, id.vars = c(fork_key, "operations"), variable.name = "measure", variable.factor = FALSE)
  parts[, `:=`(value = value / operations, operations = NULL)]
  setorderv(rbind(observed, parts, fill = TRUE), c(fork_key, "measure"))[]
}
