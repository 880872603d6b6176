# Coverage where rounds explain a part of what forks differ by: paired by rounds, and Welch's.

#' Part of the variance of log times that is the rounds'.
round_part <- 0.2

validity_rounds <- function(simulations, seed, cores, ...) {
  row <- function(rounds, paired, least, most, offset) {
    found <- simulate_chunks(simulations, seed + offset, cores, function(count) in_common_rounds(count, rounds, paired))
    validity_row(
      "coverage of the ratio's 95 % interval, rounds make a fifth of the variance",
      sprintf("%d common rounds, %s", rounds, if (paired && rounds >= paired_from) "paired" else "Welch"),
      sum(unlist(found)), simulations, least, most
    )
  }
  staged <- simulate_chunks(simulations, seed + 400000, cores, two_stages_in_rounds)
  rbind(
    row(5L, TRUE, 94, NA, 100000), row(10L, TRUE, 94, 96.5, 200000), row(10L, FALSE, 94, NA, 300000),
    validity_row(
      "coverage of the ratio's 95 % interval, rounds make a fifth of the variance",
      "paired after two stages, 10 rounds first, CV 1 and 5 %, half-width 1 % each", sum(unlist(staged)), simulations,
      least = 94.5
    )
  )
}

#' Log times, a row per round and a column per pair, of both cells of each pair.
round_logs <- function(rounds, pairs, spreads) {
  common <- stats::rnorm(rounds * pairs)
  lapply(spreads, function(spread) {
    own <- stats::rnorm(rounds * pairs)
    matrix(spread * (sqrt(round_part) * common + sqrt(1 - round_part) * own), rounds)
  })
}

pair_keys <- function(count) {
  list(one = simulated_keys(sprintf("a%05d", seq_len(count))), two = simulated_keys(sprintf("b%05d", seq_len(count))))
}

#' How many intervals hold the truth: the second cell takes 1.3 times as long, CV 1 %.
in_common_rounds <- function(count, rounds, paired) {
  keys <- pair_keys(count)
  logs <- round_logs(rounds, count, c(0.01, 0.01))
  table <- forks_of_means(rbind(keys$one, keys$two), exp(cbind(logs[[1]], log(1.3) + logs[[2]])))
  ratios <- simulated_ratios(table, keys$two, keys$one, paired)
  sum(ratios$lower <= 1.3 & ratios$upper >= 1.3)
}

#' The same after Stein's two stages, each cell with as many rounds as its own first ten ask for.
two_stages_in_rounds <- function(count) {
  first <- 10L
  spreads <- c(0.01, 0.05)
  keys <- pair_keys(count)
  most <- 400L
  logs <- round_logs(most, count, spreads)
  wanted <- lapply(logs, function(own) {
    pmin(stein_forks(apply(own[seq_len(first), ], 2, stats::sd), first, 0.01), most)
  })
  counts <- unlist(wanted)
  before <- most * (seq_len(count) - 1L)
  values <- unlist(Map(function(own, wanted) own[sequence(wanted) + rep(before, wanted)], logs, wanted))
  table <- forks_of_means(rbind(keys$one, keys$two), exp(values), counts)
  table[, stage := fifelse(number > first, 2L, 1L)]
  ratios <- simulated_ratios(table, keys$two, keys$one)
  sum(ratios$lower <= 1 & ratios$upper >= 1)
}
