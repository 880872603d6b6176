inside("estimate")

a <- log(c(10.1, 10.3, 9.9, 10.0, 10.2))
b <- log(c(12.0, 12.4, 12.1, 11.8, 12.2))
welch <- welch_ratio(mean(b), var(b), 5, mean(a), var(a), 5)
found <- two_one_sided_tests(welch$log_ratio, welch$se_log, welch$df, c(0.8, 1.25))

test_that("two one-sided tests: golden values", {
  expect_golden(found$t, c(37.2718500, -3.9242284))
  expect_golden(c(found$lower, found$upper), c(1.1739987, 1.2224380))
  expect_equal(round(found$p, 7), 0.0023146)
})

test_that("p is alpha exactly where the interval touches a bound", {
  touching <- two_one_sided_tests(welch$log_ratio, welch$se_log, welch$df, c(0.8, found$upper))
  expect_equal(touching$p, 0.05)
})
