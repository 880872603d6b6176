# Bootstrap-t over forks: Student's interval without Student's distribution (Efron and Tibshirani 1993, chapter 12).

#' Bootstrap-t interval of a mean.
#'
#' Every resample of n forks gives t* = (mean* - mean) / (sd* / sqrt(n)); the interval is mean - quantiles of t* times
#' sd / sqrt(n), the upper quantile for the lower end. Follows skew, which Student's interval ignores; with few distinct
#' values (two modes) the quantiles can be wide. Resamples without variation have no t* and don't count.
#'
#' @param values one per fork
#' @param resamples number of bootstrap samples; `confidence` e.g. 0.95
#' @return list: `mean`, `lower`, `upper`; the ends NA below 3 values or where all values are equal
#' @section Randomness: draws from R's generator; set the seed for the same interval every time.
bootstrap_t <- function(values, confidence = 0.95, resamples = 4999) {
  n <- length(values)
  centre <- mean(values)
  spread <- if (n > 2) stats::sd(values) else 0
  if (spread == 0) return(list(mean = centre, lower = NA_real_, upper = NA_real_))
  draws <- fork_resamples(values, resamples)
  means <- colMeans(draws)
  sds <- sqrt(pmax(colMeans(draws^2) - means^2, 0) * n / (n - 1))
  # Sums of squares can't tell less than this from 0.
  kept <- sds > 1e-7 * spread
  t_star <- (means[kept] - centre) / (sds[kept] / sqrt(n))
  tails <- stats::quantile(t_star, (1 + c(1, -1) * confidence) / 2, names = FALSE, type = 6)
  ends <- centre - tails * spread / sqrt(n)
  list(mean = centre, lower = ends[1], upper = ends[2])
}

#' Bootstrap samples of forks, one per column.
fork_resamples <- function(values, resamples) {
  n <- length(values)
  matrix(values[sample.int(n, n * resamples, replace = TRUE)], n)
}
