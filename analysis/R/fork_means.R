# One row per fork: its mean times per operation over the measured iterations.

#' Summarise forks.
#'
#' A fork's mean is the sum of times over the sum of operations of its measured iterations. Wall time is divided by the
#' operations JMH timed, CPU time by all operations of the iteration (its window is a little wider than JMH's).
#'
#' @param iterations data.table of `mark_measured`
#' @param by columns that name a fork
#' @return data.table: `by`, then `iterations` to `sd_within_cpu_ns` as in the dictionary (times in ns per operation)
fork_means <- function(iterations, by) {
  counts <- iterations[, .(iterations = .N, steady = steady[1], steady_from = iteration[which.max(measured)]), by = by]
  means <- iterations[measured == TRUE, .(
    measured_iterations = .N,
    wall_ns_per_op = sum(duration_ns) / sum(operations),
    cpu_ns_per_op = sum(worker_cpu_ns) / sum(all_operations),
    process_cpu_ns_per_op = sum(process_user_ns + process_system_ns) / sum(all_operations),
    sd_within_wall_ns = stats::sd(duration_ns / operations),
    sd_within_cpu_ns = stats::sd(worker_cpu_ns / all_operations)
  ), by = by]
  forks <- merge(counts, means, by = by, all.x = TRUE, sort = FALSE)
  setcolorder(forks, c(by, "iterations", "measured_iterations", "steady", "steady_from"))
  forks[]
}
