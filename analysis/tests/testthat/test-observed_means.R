set.seed(9)
forks <- made_up_forks(four_ciphers(), 5)[, `:=`(fork = .I, stage = 1L)]
observed <- forks[, .(
  measure = c("total", "answered-share"), value = c(exp(stats::rnorm(1)), stats::runif(1)), sd = NA
), by = fork_key]

test_that("every cell and measure has its mean over forks, plain and on the log scale, each with Student's interval", {
  means <- observed_means(forks, observed)
  expect_identical(nrow(means), 8L)
  expect_identical(anyDuplicated(means$observed_id), 0L)
  for (i in seq_len(nrow(means))) {
    row <- means[i]
    own <- observed[forks[cell == row$cell], on = fork_key][measure == row$measure]$value
    plain <- t.test(own)
    expect_equal(c(row$mean, row$lower, row$upper), c(mean(own), plain$conf.int))
    logs <- t.test(log(own))
    expect_equal(c(row$geometric_mean, row$geometric_lower, row$geometric_upper), exp(c(mean(log(own)), logs$conf.int)))
  }
})

test_that("a value of 0 leaves no geometric mean, and forks that are not given are not in it", {
  none <- copy(observed)[measure == "total" & seq_len(.N) == 1, value := 0]
  means <- observed_means(forks[number > 1], none)
  expect_identical(unique(means$forks), 4L)
  expect_true(all(is.finite(means$geometric_mean)))
  means <- observed_means(forks, none)
  expect_identical(sum(is.na(means$geometric_mean)), 1L)
})

test_that("a second stage's forks are in the mean, and the first's spread is the interval's", {
  staged <- copy(forks)[number > 3, stage := 2L]
  row <- observed_means(staged, observed)[measure == "total"][1]
  own <- observed[staged[cell == row$cell], on = fork_key][measure == "total"]$value
  expect_equal(row$mean, mean(own))
  expect_equal(row$upper - row$mean, stats::qt(0.975, 2) * stats::sd(own[1:3]) / sqrt(5))
})

test_that("nothing observed is a table without rows", {
  none <- observed_means(forks, observed[0])
  expect_identical(nrow(none), 0L)
  expect_true(all(observed_mean_columns %in% names(none)))
})
