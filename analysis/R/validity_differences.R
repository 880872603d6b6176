# Differences found where there are none, and found where they are.

validity_differences <- function(simulations, seed, cores, ...) {
  normal <- function(n) exp(stats::rnorm(n, 0, 0.01))
  # One fork in three takes 1.6 times as long.
  two_modes <- function(n) ifelse(stats::runif(n) < 1 / 3, 1.6, 1) * exp(stats::rnorm(n, 0, 0.01))
  rbind(
    rbindlist(lapply(c(5L, 10L, 20L), function(forks) {
      row <- differing(normal, forks, 1, simulations, seed + 100000 * forks, cores)
      validity_row("A/A pairs found different", sprintf("%d forks, normal", forks), row, simulations, most = 5.5)
    })),
    validity_row(
      "A/A pairs found different", "10 forks in two modes, CV 24 %",
      differing(two_modes, 10L, 1, simulations, seed + 3000000, cores), simulations, most = 5.5
    ),
    validity_row(
      "an effect of 2 % found", "10 forks in rounds of their own, CV 1 %",
      differing(normal, 10L, 1.02, simulations, seed + 4000000, cores, paired = FALSE), simulations, least = 98
    ),
    validity_row(
      "an effect of 2 % found", "10 common rounds, which make a fifth of the variance, CV 1 %",
      differing(in_rounds, 10L, 1.02, simulations, seed + 5000000, cores), simulations, least = 98
    ),
    # What pairing costs where there is nothing to leave out: half of the degrees of freedom.
    validity_row(
      "an effect of 2 % found", "10 common rounds, which make none of the variance, CV 1 %",
      differing(normal, 10L, 1.02, simulations, seed + 6000000, cores), simulations
    )
  )
}

#' Forks of pairs of cells, CV 1 %: a fifth of the variance is what a round does to both. Those of the first cells come
#' first, ten a cell.
in_rounds <- function(n) {
  rounds <- rep(stats::rnorm(n / 2, 0, 0.01 * sqrt(0.2)), 2)
  exp(rounds + stats::rnorm(n, 0, 0.01 * sqrt(0.8)))
}

#' How often the interval of the ratio of two cells leaves out 1; `paired` as for `estimate_pairs`.
differing <- function(draw, forks, effect, simulations, seed, cores, paired = TRUE) {
  found <- simulate_chunks(simulations, seed, cores, function(count) {
    one <- simulated_keys(sprintf("a%05d", seq_len(count)))
    two <- simulated_keys(sprintf("b%05d", seq_len(count)))
    means <- matrix(draw(2L * forks * count), forks)
    means[, -seq_len(count)] <- effect * means[, -seq_len(count)]
    ratios <- simulated_ratios(forks_of_means(rbind(one, two), means), two, one, paired)
    sum(ratios$lower > 1 | ratios$upper < 1)
  })
  sum(unlist(found))
}
