test_that("the number of forks: formula by hand, never fewer than there are", {
  s0 <- c(0.005, 0.02, 0.05)
  by_hand <- ceiling((qt(0.975, 4) * s0 / 0.01)^2)
  expect_identical(by_hand, c(2, 31, 193))
  expect_identical(stein_forks(s0, 5, 0.01), c(5, 31, 193))
  expect_identical(stein_forks(s0, 5, 0.01, most = 40), c(5, 31, 40))
})

test_that("the final interval is at most as wide as wanted, and keeps the first stage's spread and freedom", {
  found <- stein_interval(log(200), stein_forks(0.02, 5, 0.01), 0.02, 5)
  expect_equal(found$half_width_log, qt(0.975, 4) * 0.02 / sqrt(31))
  expect_lte(found$half_width_log, 0.01)
  expect_equal(found$lower, 200 * exp(-found$half_width_log))
  expect_equal(found$upper, 200 * exp(found$half_width_log))
})
