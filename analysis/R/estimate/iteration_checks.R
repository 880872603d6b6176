# Checks of the iterations within forks: how much they differ within a JVM once it is warm, how many lie far out, and
# whether their maximum says anything that another JVM would confirm.

iteration_places <- c("experiment", "environment", "image_id", "machine_id", "protocol", "cpu_profile")

#' Checks of the iterations of every place (environment, protocol, CPU profile), each over its cells.
#'
#' Within a fork, of its measured iterations' times per operation: the coefficient of variation; the share beyond
#' Tukey's outer fences, 3 interquartile ranges from the quartiles (Tukey 1977, section 2D); the maximum and the mean. A
#' cell has the means of these over its forks (of the coefficient's logarithm: a geometric mean). Intervals are
#' Student's t over the place's cells, since a claim about iterations in general speaks of the typical cell.
#'
#' The maximum against the mean: by how many times the forks' maxima vary more than the forks' means, s(log max) /
#' s(log mean) in each cell of 3 forks or more, as a geometric mean over cells. Above 1, another JVM confirms the mean
#' better than the maximum.
#'
#' @param iterations,forks tidy tables
#' @param confidence of the intervals
#' @return data.table: `iteration_places`, `measure` (wall), `cells`, `forks`, `forks_min` (of a cell); `variation`,
#'   `variation_lower`,
#'   `variation_upper`; `far_out_share`; `unsteady_share` of forks without steady state; `maximum_cells`,
#'   `maximum_ratio`, `maximum_lower`, `maximum_upper` (NA below 2 cells)
iteration_checks <- function(iterations, forks, confidence = 0.95) {
  by <- c("experiment", "environment", "round", "fork")
  own <- fork_iterations(iterations, by)
  own <- merge(forks[, c(by, setdiff(iteration_places, by), "cell", "steady"), with = FALSE], own, by = by)
  cells <- own[, .(
    forks = .N, log_variation = mean(log(variation)), far_out = mean(far_out),
    unsteady = mean(steady == "no steady state"),
    log_ratio = maximum_log_ratio(maximum, mean)
  ), by = c(iteration_places, "cell")]
  found <- cells[, {
    variation <- exp(t_interval(log_variation, confidence))
    ratio <- exp(t_interval(log_ratio, confidence))
    list(
      measure = "wall", cells = .N, forks = sum(forks), forks_min = min(forks), variation = variation[1],
      variation_lower = variation[2],
      variation_upper = variation[3], far_out_share = mean(far_out),
      unsteady_share = sum(unsteady * forks) / sum(forks),
      maximum_cells = sum(is.finite(log_ratio)), maximum_ratio = ratio[1],
      maximum_lower = ratio[2], maximum_upper = ratio[3]
    )
  }, by = iteration_places]
  setorderv(found, iteration_places)
  found[]
}

#' One row per fork: `variation`, `far_out`, `maximum`, `mean` of its measured iterations; no variation
#' in a fork of one.
fork_iterations <- function(iterations, by) {
  iterations[measured == TRUE, {
    time <- duration_ns / operations
    quartiles <- stats::quantile(time, c(0.25, 0.75), names = FALSE)
    fence <- 3 * (quartiles[2] - quartiles[1])
    list(
      # Times have a clock's steps, so a spread of nothing is that of rounding.
      variation = if (.N > 1) max(stats::sd(time) / mean(time), 1e-9) else NA_real_,
      far_out = mean(time < quartiles[1] - fence | time > quartiles[2] + fence),
      maximum = max(time), mean = mean(time)
    )
  }, by = by]
}

#' log(s(log maximum) / s(log mean)) over a cell's forks; NA below 3 forks or without spread.
maximum_log_ratio <- function(maximum, mean) {
  if (length(maximum) < 3) return(NA_real_)
  spread <- c(stats::sd(log(maximum)), stats::sd(log(mean)))
  if (any(spread == 0)) NA_real_ else log(spread[1] / spread[2])
}

#' Mean with Student's t interval over the values that are there: c(mean, lower, upper); no interval below 2 values.
t_interval <- function(values, confidence) {
  values <- values[is.finite(values)]
  n <- length(values)
  if (n == 0) return(rep(NA_real_, 3))
  half <- if (n > 1) stats::qt((1 + confidence) / 2, n - 1) * stats::sd(values) / sqrt(n) else NA_real_
  mean(values) + c(0, -half, half)
}
