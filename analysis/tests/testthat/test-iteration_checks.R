# Cells of `forks` forks with `n` iterations: forks' levels vary by `between`, iterations by `within`, one by `spike`.
inside("estimate")

made_up_checks <- function(cells = 8, forks = 6, n = 20, between = 0.01, within = 0.005, spike = 0) {
  set.seed(5)
  keys <- data.table(expand.grid(fork = seq_len(forks), cell = seq_len(cells)))[, fork := .I]
  rows <- keys[, {
    level <- 1000 * exp(stats::rnorm(1, 0, between))
    time <- level * exp(stats::rnorm(n, 0, within))
    time[n] <- time[n] * (1 + spike * stats::rexp(1))
    list(iteration = seq_len(n), duration_ns = time, operations = 1, measured = TRUE)
  }, by = fork]
  where <- list(experiment = "e", environment = "v", round = "r")
  list(
    iterations = rows[, names(where) := where][], forks = keys[, c(
      where, list(image_id = "i", machine_id = "m", protocol = "modern", cpu_profile = "native"),
      list(cell = as.character(cell), fork = fork, steady = fifelse(fork %% 4 == 0, "no steady state", "flat"))
    )]
  )
}
checked <- function(...) {
  made <- made_up_checks(...)
  iteration_checks(made$iterations, made$forks)
}

test_that("the spread within a JVM is found, with an interval that holds it", {
  found <- checked(within = 0.005)
  expect_identical(c(found$cells, found$forks), c(8L, 48L))
  expect_true(found$variation_lower < 0.005 && 0.005 < found$variation_upper)
  expect_equal(found$unsteady_share, 0.25)
  expect_lt(found$far_out_share, 0.02)
})

test_that("a maximum that is chance repeats worse than the mean", {
  found <- checked(between = 0.002, within = 0.001, spike = 0.5)
  expect_gt(found$maximum_lower, 1)
  expect_gt(found$far_out_share, 0.03)
})

test_that("a maximum that goes with its JVM's level repeats as the mean does", {
  found <- checked(between = 0.05, within = 0.0005)
  expect_true(found$maximum_lower < 1.01 && found$maximum_upper > 0.99)
})

test_that("too few forks or cells give no interval, not an error", {
  expect_true(is.na(checked(forks = 2)$maximum_ratio))
  one <- checked(cells = 1)
  expect_true(is.finite(one$variation) && is.na(one$variation_lower))
})
