a <- log(c(10.1, 10.3, 9.9, 10.0, 10.2))
b <- log(c(12.0, 12.4, 12.1, 11.8, 12.2))
welch <- welch_ratio(mean(b), var(b), 5, mean(a), var(a), 5)

test_that("log-ratio Welch: golden values", {
  expect_golden(welch$ratio, 1.1979736)
  expect_golden(welch$df, 7.7892471)
  expect_golden(c(welch$lower, welch$upper), c(1.1682791, 1.2284228))
})

test_that("two one-sided tests: golden values", {
  expect_golden((welch$log_ratio - log(c(0.8, 1.25))) / welch$se_log, c(37.2718500, -3.9242284))
  found <- target_p_values(welch$log_ratio, welch$se_log, welch$df, 0.8, 1.25)
  expect_golden(found$p_support, 0.0023146, 1e-4)
  narrower <- welch_ratio(mean(b), var(b), 5, mean(a), var(a), 5, confidence = 0.90)
  expect_golden(c(narrower$lower, narrower$upper), c(1.1739987, 1.2224380))
})

test_that("with one end open, supporting and refuting are the two tails of one test", {
  found <- target_p_values(welch$log_ratio, welch$se_log, welch$df, 0, 1.2)
  expect_equal(found$p_support + found$p_refute, 1)
  expect_equal(found$p_support, pt((welch$log_ratio - log(1.2)) / welch$se_log, welch$df))
})

test_that("outside a target: the nearer end decides, the farther adds its tail", {
  found <- target_p_values(log(3), 0.1, 10, 1, 2)
  expect_equal(found$p_refute, pt(-log(1.5) / 0.1, 10) + pt(-log(3) / 0.1, 10))
  expect_gt(found$p_support, 0.99)
  inside <- target_p_values(log(1.4), 0.01, 10, 1, 2)
  expect_gt(inside$p_refute, 0.99)
})

test_that("identical fork means give p values, not NaN", {
  found <- target_p_values(0, 0, 8, 0, c(1, 2))
  expect_equal(found$p_support, c(0.5, 0))
  expect_equal(found$p_refute, c(0.5, 1))
})

test_that("after a second stage the freedom is that of the smaller first stage, and the variances are of the first", {
  found <- welch_ratio(1, 0.04, c(10, 10, 30), 0, 0.09, c(8, 20, 8), 0.95, 10, 8)
  welch <- (0.004 + 0.09 / 8)^2 / (0.004^2 / 9 + (0.09 / 8)^2 / 7)
  expect_equal(found$df, c(welch, 7, 7))
  expect_equal(found$se_log, sqrt(c(0.004 + 0.09 / 8, 0.004 + 0.0045, 0.04 / 30 + 0.09 / 8)))
})
