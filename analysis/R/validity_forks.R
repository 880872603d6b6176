# How many forks a claim takes: analysis/forks_needed.csv, by which the full tier is planned before anything is
# measured.

#' The smallest distance of a ratio from its limit that so many forks decide in nine runs of ten, for each number of
#' forks.
#'
#' Simulated: the mean and standard deviation of n normal log ratios of rounds, and Student's t test with n - 1 degrees
#' of freedom at a two-sided level of 0.5 %, which is that of Holm's first step among ten claims.
#'
#' @return data.table: `forks`; `distance`, on the log scale, as a multiple of the standard deviation of one round's log
#'   ratio
forks_table <- function(simulations, seed, forks = 5:40, level = 0.005, power = 0.9) {
  set.seed(seed)
  distances <- vapply(forks, function(n) {
    noise <- stats::rnorm(simulations)
    spread <- sqrt(stats::rchisq(simulations, n - 1) / (n - 1))
    # A run decides where (noise + distance * sqrt(n)) / spread exceeds the quantile.
    stats::quantile((stats::qt(1 - level / 2, n - 1) * spread - noise) / sqrt(n), power, names = FALSE)
  }, 0)
  data.table(forks = forks, distance = signif(distances, 4))
}
