# Golden values of methods that the analysis does not use itself, but is compared with.
test_that("the hierarchical bootstrap's standard error, from our components: golden value", {
  values <- matrix(c(9, 5, 8, 3, 10, 6, 7, 11, 1, 12, 2, 4), 4)
  parts <- variance_components(values)$s_squared
  # Var = [(n - 1) / n * S_2^2 + (m - 1) / m * S_1^2 / m] / n with n = 3 forks of m = 4 iterations.
  expect_golden(sqrt((2 / 3 * parts[2] + 3 / 4 * parts[1] / 4) / 3), 1.2596847)
})

test_that("tails of the expanded percentile interval (Hesterberg 2015, section 5.3): golden values", {
  n <- c(5, 10, 20)
  expect_golden(stats::pnorm(-sqrt(n / (n - 1)) * stats::qt(0.975, n - 1)), c(0.0009541006, 0.0085506390, 0.0158808299))
})

test_that("Benjamini and Hochberg's adjustment: golden values", {
  expect_golden(stats::p.adjust(c(0.01, 0.04, 0.03, 0.005), "BH"), c(0.02, 0.04, 0.04, 0.02))
})
