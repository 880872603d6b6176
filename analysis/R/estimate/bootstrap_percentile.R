# The percentile bootstrap over forks, its tails expanded so that it is as wide as Student's (Hesterberg 2015, "What
# teachers should know about the bootstrap", section 5.3).

#' Tail probability of the expanded percentile interval.
#'
#' The plain percentile interval is too narrow by sqrt((n - 1) / n) and uses normal in place of t quantiles. Both are
#' mended by taking the quantiles at pnorm(-sqrt(n / (n - 1)) * qt(1 - alpha / 2, n - 1)).
#'
#' @param n number of forks; `confidence` e.g. 0.95
#' @return the probability in each tail
expanded_tail <- function(n, confidence = 0.95) {
  stats::pnorm(-sqrt(n / (n - 1)) * stats::qt((1 + confidence) / 2, n - 1))
}

#' Expanded percentile interval of a mean.
#'
#' @param values one per fork; `resamples` number of bootstrap samples
#' @return list: `mean`, `lower`, `upper`; the ends NA below 2 values
#' @section Randomness: draws from R's generator; set the seed for the same interval every time.
bootstrap_percentile <- function(values, confidence = 0.95, resamples = 19999) {
  n <- length(values)
  if (n < 2) return(list(mean = mean(values), lower = NA_real_, upper = NA_real_))
  means <- colMeans(fork_resamples(values, resamples))
  tail <- expanded_tail(n, confidence)
  ends <- stats::quantile(means, c(tail, 1 - tail), names = FALSE, type = 6)
  list(mean = mean(values), lower = ends[1], upper = ends[2])
}
