# The hierarchical bootstrap: forks are drawn, then iterations within each drawn fork. For medians and for display only:
# with few forks its intervals are too narrow (86 to 88 % coverage at 5 forks).

#' Bootstrap distribution of a statistic over forks and iterations.
#'
#' @param forks list of numeric vectors, one per fork, its iterations
#' @param statistic function of all drawn iterations, e.g. median
#' @param resamples number of bootstrap samples
#' @return numeric, one per resample
#' @section Randomness: draws from R's generator; set the seed for the same values every time.
hierarchical_resamples <- function(forks, statistic = stats::median, resamples = 999) {
  n <- length(forks)
  vapply(seq_len(resamples), function(resample) {
    drawn <- forks[sample.int(n, n, replace = TRUE)]
    statistic(unlist(lapply(drawn, function(values) values[sample.int(length(values), replace = TRUE)])))
  }, 0)
}

#' Percentile interval of a statistic from the hierarchical bootstrap.
#'
#' @inheritParams hierarchical_resamples
#' @return list: `estimate` (the statistic of all iterations), `lower`, `upper`
hierarchical_interval <- function(forks, statistic = stats::median, confidence = 0.95, resamples = 999) {
  found <- hierarchical_resamples(forks, statistic, resamples)
  ends <- stats::quantile(found, (1 + c(-1, 1) * confidence) / 2, names = FALSE, type = 6)
  list(estimate = statistic(unlist(forks)), lower = ends[1], upper = ends[2])
}

#' The standard error that the hierarchical bootstrap of the mean tends to as resamples grow, in a balanced design.
#'
#' Var = [(n - 1) / n * S_2^2 + (m - 1) / m * S_1^2 / m] / n with n forks of m iterations, S_1^2 and S_2^2 as in
#' `variance_components`.
#'
#' @param values matrix, one column per fork
#' @return standard error in the unit of the values
hierarchical_standard_error <- function(values) {
  m <- nrow(values)
  n <- ncol(values)
  parts <- variance_components(values)$s_squared
  sqrt(((n - 1) / n * parts[2] + (m - 1) / m * parts[1] / m) / n)
}
