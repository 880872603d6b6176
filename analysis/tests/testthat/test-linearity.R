sizes <- 4^(2:8)

test_that("the log-log trap: true linearity with a fixed cost has slope 0.857 on log-log axes, exponent 1 here", {
  slope <- linear_fit(log(sizes), log(100 + 2 * sizes))$coefficients[2]
  expect_golden(slope, 0.8566651)
  found <- linearity(sizes, 100 + 2 * sizes, margin = 0.05)
  expect_equal(found$estimate, 1, tolerance = 1e-6)
  expect_equal(c(found$intercept, found$slope), c(100, 2), tolerance = 1e-5)
  expect_lt(found$p_within, 1e-6)
  expect_gt(found$p_beyond, 1 - 1e-6)
})

forks <- function(curve, count = 5, cv = 0.01) {
  size <- rep(sizes, each = count)
  list(size = size, time = curve(size) * exp(rnorm(length(size), 0, cv)))
}

test_that("the fixed share is a / (a + b), its error by the delta method: against R's own weighted line", {
  set.seed(43)
  made <- forks(function(n) 2e4 + 3 * n)
  found <- fixed_share(made$size, made$time, margin = 0.05)
  x <- made$size / max(made$size)
  line <- stats::lm(made$time ~ x, weights = 1 / stats::ave(made$time, made$size)^2)
  ab <- unname(stats::coef(line))
  gradient <- c(ab[2], -ab[1]) / sum(ab)^2
  expect_equal(found$estimate, ab[1] / sum(ab))
  expect_equal(found$se, sqrt(drop(gradient %*% stats::vcov(line) %*% gradient)))
  expect_equal(found$upper - found$estimate, stats::qt(0.975, length(x) - 2) * found$se)
  expect_lt(found$p_beyond, 0.001)
  near <- forks(function(n) 500 + 3 * n)
  expect_lt(fixed_share(near$size, near$time, margin = 0.05)$p_within, 0.001)
})

test_that("with noise, linear growth is found linear and its interval holds 1", {
  set.seed(41)
  made <- forks(function(n) 500 + 3 * n)
  found <- linearity(made$size, made$time, margin = 0.05)
  expect_true(found$lower < 1 && found$upper > 1)
  expect_lt(found$p_within, 0.01)
  expect_gt(found$lack_of_fit_p, 0.01)
  expect_lt(found$largest_deviation, 0.02)
})

test_that("other exponents are found, and are not linear", {
  set.seed(42)
  made <- forks(function(n) 50 + 0.3 * n^1.5)
  found <- linearity(made$size, made$time, margin = 0.1)
  expect_equal(found$estimate, 1.5, tolerance = 0.02)
  expect_true(found$lower < 1.5 && found$upper > 1.5)
  expect_lt(found$p_beyond, 0.001)
  expect_gt(found$p_within, 0.999)
})

test_that("a step that no such curve has is a lack of fit", {
  set.seed(43)
  made <- forks(function(n) 100 + 2 * n * ifelse(n > 1000 & n < 10000, 1.3, 1))
  found <- linearity(made$size, made$time, margin = 0.05)
  expect_lt(found$lack_of_fit_p, 1e-6)
  expect_gt(found$largest_deviation, 0.05)
})

test_that("the profile interval agrees with the one that R takes for nls", {
  set.seed(44)
  made <- as.data.frame(forks(function(n) 500 + 3 * n, cv = 0.02))
  made$weight <- 1 / ave(made$time, made$size)^2
  start <- list(a = 500, b = 3, g = 1)
  reference <- nls(time ~ a + b * size^g, made, start, weights = weight)
  found <- linearity(made$size, made$time, margin = 0.05)
  expect_equal(found$estimate, unname(coef(reference)["g"]), tolerance = 1e-4)
  expect_equal(c(found$lower, found$upper), unname(confint(reference, "g")), tolerance = 1e-3, ignore_attr = TRUE)
})

test_that("without repeated forks there is no test of lack of fit", {
  expect_identical(linearity(sizes, 100 + 2 * sizes, 0.05)$lack_of_fit_p, NA_real_)
})

# NIST's statistical reference data sets: Norris, calibration of ozone monitors, y before x as in its file.
norris <- matrix(c(
  0.1, 0.2, 338.8, 337.4, 118.1, 118.2, 888.0, 884.6, 9.2, 10.1, 228.1, 226.5, 668.5, 666.3, 998.5, 996.3, 449.1, 448.6,
  778.9, 777.0, 559.2, 558.2, 0.3, 0.4, 0.1, 0.6, 778.1, 775.5, 668.8, 666.9, 339.3, 338.0, 448.9, 447.5, 10.8, 11.6,
  557.7, 556.0, 228.3, 228.1, 998.0, 995.8, 888.8, 887.6, 119.6, 120.2, 0.3, 0.3, 0.6, 0.3, 557.6, 556.8, 339.3, 339.1,
  888.0, 887.2, 998.5, 999.0, 778.9, 779.0, 10.2, 11.1, 117.6, 118.3, 228.9, 229.2, 668.4, 669.1, 449.2, 448.9, 0.2, 0.5
), 2)

test_that("Norris: NIST's certified values", {
  found <- linear_fit(norris[2, ], norris[1, ])
  expect_golden(found$coefficients, c(-0.262323073774029, 1.00211681802045), 1e-11)
  expect_golden(found$standard_errors, c(0.232818234301152, 0.429796848199937e-3), 1e-9)
  expect_golden(found$residual_sd, 0.884796396144373, 1e-9)
})

test_that("weights count a point as often as they say", {
  found <- linear_fit(c(1, 2, 4), c(3, 4, 9), c(1, 2, 1))
  expect_equal(found$coefficients, linear_fit(c(1, 2, 2, 4), c(3, 4, 4, 9))$coefficients)
})
