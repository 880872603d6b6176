# Coverage of the intervals of means and ratios. The cases are normal effects of forks, with independent and with
# correlated iterations; forks in two modes; and skewed forks. Also shows the coverage of an interval that pools
# iterations.

iterations_of_fork <- 20L

validity_coverage <- function(simulations, seed, cores) {
  settings <- CJ(forks = c(5L, 10L, 20L), correlation = c(0, 0.7), sorted = FALSE)
  normal <- lapply(seq_len(nrow(settings)), function(row) {
    normal_rows(settings$forks[row], settings$correlation[row], simulations, seed + 100000 * row, cores)
  })
  # Single shares of the slow mode are shown without a limit: ten forks often miss a rare mode altogether.
  shown <- list(c(NA, NA), c(NA, NA))
  odd <- list(
    odd_rows("two modes, any share from 1/4 to 3/4", two_modes(0.25, 0.75), simulations, seed + 1000000, cores),
    odd_rows("two modes, one fork in three slow", two_modes(1 / 3, 1 / 3), simulations, seed + 1050000, cores, shown),
    odd_rows("two modes, one fork in ten slow", two_modes(0.1, 0.1), simulations, seed + 1060000, cores, shown),
    odd_rows("skewed (log-normal), CV 24 %", skewed(0.237), simulations, seed + 1100000, cores),
    odd_rows("skewed (log-normal), CV 53 %", skewed(0.5), simulations, seed + 1200000, cores)
  )
  rbindlist(c(normal, odd, list(pooled_row(simulations, seed + 1300000, cores))))
}

#' Iterations of forks: the level of each fork from `levels`, plus normal noise with autocorrelation.
iterations_around <- function(levels, correlation, spread, size) {
  noise <- matrix(stats::rnorm(size * length(levels)), size)
  for (row in seq_len(size)[-1]) {
    noise[row, ] <- correlation * noise[row - 1L, ] + sqrt(1 - correlation^2) * noise[row, ]
  }
  rep(levels, each = size) + spread * noise
}

#' Mean and ratio with normal effects: forks 1 %, iterations 1 %. The second cell takes 1.3 times as long.
normal_rows <- function(forks, correlation, simulations, seed, cores) {
  found <- simulate_chunks(simulations, seed, cores, function(count) {
    keys <- pair_keys(count)
    levels <- stats::rnorm(2L * count * forks, 1, 0.01)
    times <- iterations_around(levels, correlation, 0.01, iterations_of_fork)
    truth <- rep(c(100, 130), each = count * forks * iterations_of_fork)
    covered(forks_of_iterations(keys$both, truth * times, forks), keys, keys$one, 100, 1.3)
  })
  setting <- sprintf("%d forks, autocorrelation %s", forks, format(correlation))
  coverage_rows(found, setting, simulations, c(94, 96), c(94, if (forks == 5L) 96.5 else 96))
}

#' How often the intervals contain the truth: of the means of the cells `of`, and of the ratio of each pair.
covered <- function(forks, keys, of, mean, ratio) {
  means <- cell_means(forks)[measure == "wall"][of, .(lower = lower_ns, upper = upper_ns), on = "cell"]
  list(mean = containing(means, mean), ratio = containing(simulated_ratios(forks, keys$two, keys$one), ratio))
}

coverage_rows <- function(found, setting, simulations, bar_mean, bar_ratio) {
  total <- function(name) sum(vapply(found, `[[`, 0L, name))
  rbind(
    validity_row("coverage of the mean's 95 % interval", setting, total("mean"), simulations, bar_mean[1], bar_mean[2]),
    validity_row(
      "coverage of the ratio's 95 % interval", setting, total("ratio"), simulations, bar_ratio[1], bar_ratio[2]
    )
  )
}

#' Forks of cells, one column each, that start in one of two modes. The slow mode takes 1.6 times as long (CV 20 to 24
#' %). Its share is uniformly distributed between cells, since for a single share the coverage depends on it
#' irregularly.
two_modes <- function(least, most) {
  function(forks, cells) {
    share <- stats::runif(cells, least, most)
    slow <- stats::runif(forks * cells) < rep(share, each = forks)
    list(means = matrix(ifelse(slow, 1.6, 1) * stats::rnorm(forks * cells, 1, 0.01), forks), truth = 1 + 0.6 * share)
  }
}

#' Forks of cells with a long tail towards slow forks.
skewed <- function(sd_log) {
  function(forks, cells) {
    means <- exp(stats::rnorm(forks * cells, 0, sd_log))
    list(means = matrix(means, forks), truth = rep(exp(sd_log^2 / 2), cells))
  }
}

#' Mean and ratio of 10 forks that are not normal. The second cell of a pair is like the first, 1.3 times as long.
odd_rows <- function(setting, draw, simulations, seed, cores, bars = list(c(91, NA), c(94, 97))) {
  found <- simulate_chunks(simulations, seed, cores, function(count) {
    keys <- pair_keys(count)
    drawn <- draw(20L, count)
    means <- cbind(drawn$means[1:10, ], 1.3 * drawn$means[11:20, ])
    covered(forks_of_means(keys$both, means), keys, keys$one, drawn$truth, 1.3)
  })
  coverage_rows(found, paste("10 forks,", setting), simulations, bars[[1]], bars[[2]])
}

#' The negative control: equal variation of forks and iterations, 10 forks of 10 iterations, all 100 treated as
#' independent.
pooled_row <- function(simulations, seed, cores) {
  property <- "negative control: coverage of an interval that pools iterations"
  setting <- "10 forks of 10 iterations, which vary alike"
  simulated_row(property, setting, simulations, seed, cores, function(count) {
    times <- iterations_around(100 * stats::rnorm(10L * count, 1, 0.01), 0, 1, 10L)
    cells <- cell_means(forks_of_iterations(pair_keys(count)$one, times, 10L, "0"))[measure == "wall"]
    sum(abs(cells$mean_ns - 100) <= cells$pooled_half_width_pct / 100 * cells$mean_ns)
  }, most = 70, below = TRUE)
}

# How often differences are found, without and with a true difference.

validity_differences <- function(simulations, seed, cores) {
  normal <- function(n) exp(stats::rnorm(n, 0, 0.01))
  # One fork in three takes 1.6 times as long.
  two_modes <- function(n) ifelse(stats::runif(n) < 1 / 3, 1.6, 1) * exp(stats::rnorm(n, 0, 0.01))
  alike <- "A/A pairs found different"
  effect <- "an effect of 2 % found"
  rbind(
    rbindlist(lapply(c(5L, 10L, 20L), function(forks) {
      setting <- sprintf("%d forks, normal", forks)
      differing_row(alike, setting, normal, forks, 1, simulations, seed + 100000 * forks, cores, most = 5.5)
    })),
    differing_row(
      alike, "10 forks in two modes, CV 24 %", two_modes, 10L, 1, simulations, seed + 3000000, cores, most = 5.5
    ),
    differing_row(
      effect, "10 forks in rounds of their own, CV 1 %", normal, 10L, 1.02, simulations, seed + 4000000, cores,
      paired = FALSE, least = 98
    ),
    differing_row(
      effect, "10 common rounds, which make a fifth of the variance, CV 1 %", in_rounds, 10L, 1.02, simulations,
      seed + 5000000, cores, least = 98
    ),
    # The cost of pairing if rounds have no effect: half of the degrees of freedom.
    differing_row(
      effect, "10 common rounds, which make none of the variance, CV 1 %", normal, 10L, 1.02, simulations,
      seed + 6000000, cores
    )
  )
}

#' Forks of pairs of cells, CV 1 %. A fifth of the variance is the effect of a round on both. Those of the first cells
#' come first, ten per cell.
in_rounds <- function(n) {
  rounds <- rep(stats::rnorm(n / 2, 0, 0.01 * sqrt(0.2)), 2)
  exp(rounds + stats::rnorm(n, 0, 0.01 * sqrt(0.8)))
}

#' How often the interval of the ratio of two cells excludes 1; `paired` as for `estimate_pairs`.
differing_row <- function(property, setting, draw, forks, effect, simulations, seed, cores, paired = TRUE, ...) {
  simulated_row(property, setting, simulations, seed, cores, function(count) {
    keys <- pair_keys(count)
    means <- matrix(draw(2L * forks * count), forks)
    means[, -seq_len(count)] <- effect * means[, -seq_len(count)]
    ratios <- simulated_ratios(forks_of_means(keys$both, means), keys$two, keys$one, paired)
    sum(ratios$lower > 1 | ratios$upper < 1)
  }, ...)
}

# Coverage if rounds explain a part of the variation between forks: paired by rounds, and Welch's.

#' Part of the variance of log times that is between rounds.
round_part <- 0.2

validity_rounds <- function(simulations, seed, cores) {
  property <- "coverage of the ratio's 95 % interval, rounds make a fifth of the variance"
  row <- function(rounds, paired, least, most, offset) {
    way <- if (paired && rounds >= paired_from) "paired" else "Welch"
    simulated_row(
      property, sprintf("%d common rounds, %s", rounds, way), simulations, seed + offset, cores,
      function(count) in_common_rounds(count, rounds, paired), least, most
    )
  }
  rbind(
    row(5L, TRUE, 94, NA, 100000), row(10L, TRUE, 94, 96.5, 200000), row(10L, FALSE, 94, NA, 300000),
    simulated_row(
      property, "paired after two stages, 10 rounds first, CV 1 and 5 %, half-width 1 % each", simulations,
      seed + 400000, cores, two_stages_in_rounds, least = 94.5
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

#' How many intervals contain the truth: the second cell takes 1.3 times as long, CV 1 %.
in_common_rounds <- function(count, rounds, paired) {
  keys <- pair_keys(count)
  logs <- round_logs(rounds, count, c(0.01, 0.01))
  table <- forks_of_means(keys$both, exp(cbind(logs[[1]], log(1.3) + logs[[2]])))
  containing(simulated_ratios(table, keys$two, keys$one, paired), 1.3)
}

#' The same after Stein's two stages. Each cell gets the number of rounds that its first ten require.
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
  table <- forks_of_means(keys$both, exp(values), counts)
  table[, stage := fifelse(number > first, 2L, 1L)]
  containing(simulated_ratios(table, keys$two, keys$one), 1)
}
