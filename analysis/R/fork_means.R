# One row per fork: its mean times per operation over the measured iterations.

#' Summarise forks.
#'
#' A fork's mean is the sum of times over the sum of operations of its measured iterations. Wall time is divided by the
#' operations JMH timed, CPU time by all operations of the iteration (its window is a little wider than JMH's).
#'
#' The same means without the iterations that a pause of the JVM hit are for the sensitivity analysis.
#'
#' @param iterations data.table of `mark_measured`; `pause_ms` in it are the pauses, none where it has no such column
#' @param by columns that name a fork
#' @return data.table: `by`, then `iterations` to `iterations_paused` as in the dictionary (times in ns per operation)
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
  forks <- merge(forks, unpaused_means(iterations, by), by = by, all.x = TRUE, sort = FALSE)
  setcolorder(forks, c(by, "iterations", "measured_iterations", "steady", "steady_from"))
  forks[]
}

#' Means over the measured iterations that no pause hit; empty where a pause hit every one. A pause as short as the log
#' can tell counts.
unpaused_means <- function(iterations, by) {
  measured <- iterations[measured == TRUE]
  hit <- if ("pause_ms" %in% names(measured)) fcoalesce(measured$pause_ms, 0) > 0 else rep(FALSE, nrow(measured))
  counts <- measured[, .(iterations_paused = 0L), by = by]
  if (any(hit)) {
    found <- measured[hit, .(n = .N), by = by]
    counts[found, iterations_paused := i.n, on = by]
  }
  means <- measured[!hit, .(
    wall_ns_per_op_unpaused = sum(duration_ns) / sum(operations),
    cpu_ns_per_op_unpaused = sum(worker_cpu_ns) / sum(all_operations)
  ), by = by]
  merge(means, counts, by = by, all.y = TRUE, sort = FALSE)
}
