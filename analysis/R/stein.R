# How many forks an interval of wanted width needs: Stein's two stages (Stein 1945).
# Stopping as soon as the interval looks narrow enough covers too little, because it stops when the spread is small by
# luck.

#' Forks that the second stage brings a cell to.
#'
#' N = max(n0, ceil((t_{n0-1} * s0 / d)^2)).
#'
#' @param s0 standard deviation of the log fork means of the first stage; `n0` their number (2 or more)
#' @param half_width wanted half-width d on the log scale (0.01 is 1 %)
#' @param confidence e.g. 0.95; `most` the most forks that are affordable
#' @return number of forks, those of the first stage included; vectorised over s0
stein_forks <- function(s0, n0, half_width, confidence = 0.95, most = Inf) {
  quantile <- stats::qt((1 + confidence) / 2, n0 - 1)
  pmin(pmax(n0, ceiling((quantile * s0 / half_width)^2)), pmax(n0, most))
}

#' The final interval: it keeps the first stage's standard deviation and degrees of freedom, however many forks
#' followed.
#'
#' @param log_mean mean of the log fork means of both stages; `n` the number of forks of both
#' @param s0,n0 as in `stein_forks`
#' @return data.table: `mean`, `lower`, `upper` on the fork means' own scale, `half_width_log`
stein_interval <- function(log_mean, n, s0, n0, confidence = 0.95) {
  half <- stats::qt((1 + confidence) / 2, n0 - 1) * s0 / sqrt(n)
  data.table(mean = exp(log_mean), lower = exp(log_mean - half), upper = exp(log_mean + half), half_width_log = half)
}
