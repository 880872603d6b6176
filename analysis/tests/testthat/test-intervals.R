test_that("Dyestuff: golden interval of the mean over batches", {
  batches <- colMeans(dyestuff)
  half <- t_half_width(sd(batches), 6)
  expect_golden(mean(batches) + c(-1, 1) * half, c(1477.6734, 1577.3266))
})

test_that("3 forks of 4: golden half-width", {
  forks <- c(mean(c(9, 5, 8, 3)), mean(c(10, 6, 7, 11)), mean(c(1, 12, 2, 4)))
  expect_golden(t_half_width(sd(forks), 3), 4.6887071)
})

test_that("one fork has no interval", {
  expect_identical(t_half_width(NA_real_, 1), NA_real_)
})

test_that("the pooled half-width is Student's over all iterations", {
  values <- c(dyestuff)
  found <- pooled_half_width(colMeans(dyestuff), apply(dyestuff, 2, sd), rep(5, 6))
  expect_equal(found, t_half_width(sd(values), 30))
})

test_that("negative control: intervals that pool iterations cover less than 70 %, fork means about 95 %", {
  set.seed(20260101)
  forks <- 8
  iterations <- 10
  runs <- 2000
  levels <- matrix(rnorm(runs * forks), forks)
  covered <- vapply(seq_len(runs), function(run) {
    values <- rnorm(forks * iterations, rep(levels[, run], each = iterations))
    values <- matrix(values, iterations)
    means <- colMeans(values)
    sds <- sqrt(colSums(sweep(values, 2, means)^2) / (iterations - 1))
    off <- abs(mean(means))
    c(
      pooled = off <= pooled_half_width(means, sds, rep(iterations, forks)),
      forks = off <= t_half_width(sd(means), forks)
    )
  }, logical(2))
  coverage <- rowMeans(covered)
  expect_lt(coverage[["pooled"]], 0.70)
  expect_gt(coverage[["forks"]], 0.935)
  expect_lt(coverage[["forks"]], 0.965)
})

test_that("spreads that are all missing, as one measured iteration leaves them, are none", {
  expect_true(is.finite(pooled_half_width(c(5, 6, 7), c(NA, NA, NA), c(1, 1, 1))))
})
