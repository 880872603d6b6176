# Several machines: one more level of replication, above rounds.

#' Machines from which on there is an interval over them.
least_machines <- 3L

#' Student's interval over machines, and the prediction interval for one more machine like these.
#'
#' What each machine gives by its own rounds is one value, however many rounds it had: machines differ, and no number of
#' rounds tells by how much. With k of them the interval is mean -+ t s / sqrt(k), that for one more mean -+ t s
#' sqrt(1 + 1/k), t of k - 1 degrees of freedom (Hahn and Meeker 1991, sections 2.2 and 2.4).
#'
#' @param values one a machine: log ratios, or differences
#' @return list: `machines`, `mean`, `se`, `df`, `spread` (standard deviation), `lower`, `upper`, `predicted_lower`,
#'   `predicted_upper`, on the scale of the values; but for the first two NA below `least_machines`
over_machines <- function(values, confidence = 0.95) {
  k <- length(values)
  enough <- k >= least_machines
  spread <- if (enough) stats::sd(values) else NA_real_
  t <- if (enough) stats::qt((1 + confidence) / 2, k - 1) else NA_real_
  half <- c(interval = 1 / sqrt(k), prediction = sqrt(1 + 1 / k)) * t * spread
  list(
    machines = k, mean = mean(values), se = spread / sqrt(k), df = if (enough) k - 1 else NA_real_, spread = spread,
    lower = mean(values) - half[["interval"]], upper = mean(values) + half[["interval"]],
    predicted_lower = mean(values) - half[["prediction"]], predicted_upper = mean(values) + half[["prediction"]]
  )
}
