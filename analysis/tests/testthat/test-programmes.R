programme_studies <- list(list(
  id = "kofahi2013", workloads = list(encrypt = list(factors = list("cipher", "size"))),
  factors = list(cipher = list(AES = list(), DES = list()), size = list("100 KB" = list(), "1 MB" = list()))
))

# Forks of a programme, and what they observed: a common factor of each fork, and noise of each operation.
programme_data <- function(times, count = 6, shared = 0.3, noise = 0.002) {
  cells <- data.table(workload = "programme", cell = "programme:sunjce:as-published:native", ns = 1e9)
  forks <- made_up_forks(cells, count, cv = 0.01)
  forks[, protocol := "as-published"]
  observed <- forks[, .(measure = paste0("average.", names(times)), value = unname(times)), by = fork_key]
  observed[, value := value * exp(stats::rnorm(1, 0, shared)), by = fork_key]
  observed[, value := value * exp(stats::rnorm(.N, 0, noise))][, sd := NA_real_]
  list(forks = forks, observed = observed)
}

test_that("each operation of a programme has its cell, levels and time in every fork", {
  set.seed(1)
  data <- programme_data(c("encrypt--aes--100-kb" = 100, "encrypt--des--1-mb" = 900), shared = 0, noise = 0)
  found <- with_programmes(data$forks, data$observed, programme_studies)
  made <- found[workload == "encrypt"]
  expect_identical(nrow(found), 3L * 6L)
  expect_setequal(made$cell, paste0("encrypt:", c("aes:100-kb", "des:1-mb"), ":sunjce:as-published:native"))
  expect_identical(unique(made[factor.cipher == "DES", .(factor.size, wall_ns_per_op)]), data.table(
    factor.size = "1 MB", wall_ns_per_op = 900
  ))
  # What a fork observed stays the programme's, once.
  long <- with_observed(forks_by_measure(found), data$observed)
  expect_identical(nrow(long[startsWith(measure, "average.")]), 12L)
  expect_identical(with_programmes(data$forks, NULL, programme_studies), data$forks)
})

programme_pair <- function(forks) {
  one <- function(name) sprintf("encrypt:%s:100-kb:sunjce:as-published:native", name)
  pairs <- unique(forks[, .(experiment, machine_id, protocol, measure = "wall", environment, image_id)])
  pairs[, `:=`(
    numerator_environment = environment, denominator_environment = environment, numerator_image_id = image_id,
    denominator_image_id = image_id, numerator_cell = one("aes"), denominator_cell = one("des"), target_lower = 0,
    target_upper = 1
  )][]
}

test_that("two operations of a programme are paired by forks, however few", {
  set.seed(2)
  data <- programme_data(c("encrypt--aes--100-kb" = 100, "encrypt--des--100-kb" = 105), count = 4)
  forks <- with_programmes(data$forks, data$observed, programme_studies)
  found <- estimate_pairs(programme_pair(forks), forks_by_measure(forks))
  expect_identical(found$method, "paired")
  expect_lt(found$upper / found$lower, 1.02)
  expect_lt(found$p_support, 0.01)
})

test_that("lengths of one programme: the exponent of each fork, whatever the forks differ by", {
  set.seed(3)
  sizes <- c(131072, 262144, 524288, 1048576, 2097152)
  row <- data.table(measure = "wall", numerator = "2 MB", denominator = "128 KB", scope = "")
  estimate <- function(growth, parameters, shared = 0.3) {
    forks <- rep(paste("r", 1:5), each = 5)
    times <- growth(rep(sizes, 5)) * exp(rep(stats::rnorm(5, 0, shared), each = 5) + stats::rnorm(25, 0, 0.003))
    series_estimate(row, rep(sizes, 5), times, split(seq_along(times), forks), 5, parameters, 0.95)
  }
  linear <- estimate(function(n) 3 * n, list(margin = 0.05, deviation = 0.05))
  expect_lt(linear$p_support, 0.01)
  expect_identical(linear$df, 4)
  # The sentence has the estimate over forks, and not that of their means.
  expect_match(linear$sentence, sprintf("the power %s of the size from 128 KB to 2 MB", format_measured(linear$ratio)))
  expect_lt(estimate(function(n) n^1.2, list(margin = 0.05, deviation = 0.05))$p_refute, 0.01)
  expect_lt(estimate(function(n) 1e3 + 3 * n, list(intercept = 0.05, deviation = 0.05))$p_support, 0.01)
  fixed <- estimate(function(n) 2e6 + 3 * n, list(intercept = 0.05, deviation = 0.05))
  words <- sprintf("^the time before the first byte is %s %% of the time at 2 MB", format_measured(100 * fixed$ratio))
  expect_match(fixed$sentence, words)
})
