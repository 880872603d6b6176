inside("estimate")

test_that("expanded tails: golden values", {
  expect_golden(expanded_tail(c(5, 10, 20)), c(0.0009541006, 0.0085506390, 0.0158808299))
})

test_that("for normal forks it is as wide as Student's, the plain percentile interval narrower", {
  set.seed(21)
  values <- qnorm(ppoints(12), 100, 1)
  found <- bootstrap_percentile(values, resamples = 40000)
  half <- t_half_width(sd(values), 12)
  expect_equal((found$upper - found$lower) / 2, half, tolerance = 0.03)
  plain <- quantile(colMeans(fork_resamples(values, 40000)), c(0.025, 0.975), names = FALSE)
  expect_lt(diff(plain) / 2, 0.9 * half)
})

test_that("one fork has no interval", {
  expect_identical(bootstrap_percentile(5), list(mean = 5, lower = NA_real_, upper = NA_real_))
})
