# Claims about growth with size.
set.seed(44)
sizes <- c("100 KB" = 102400, "1 MB" = 1048576, "10 MB" = 10485760)
linear_claim <- list(S1 = list(
  form = "linear", parameters = list(margin = 0.05, deviation = 0.05),
  compare = list(factor = "size", levels = as.list(names(sizes))), each = list("provider")
))
sized_definitions <- function() {
  definitions <- made_up_definitions(linear_claim)
  definitions$experiments[[1]]$factors$size <- lapply(sizes, function(bytes) list(bytes = bytes))
  definitions
}
sized_forks <- function(growth, levels = names(sizes), count = 10) {
  cells <- CJ(factor.cipher = c("AES", "DES"), factor.size = levels, sorted = FALSE)
  cells[, `:=`(workload = "encrypt", cell = paste(factor.cipher, factor.size), ns = growth(sizes[factor.size]))]
  made_up_forks(cells, count, cv = 0.005)
}
growth_verdict <- function(...) judge_made_up(sized_forks(...), sized_definitions())

test_that("linear growth with a cost per call holds, with the exponent and the series' ends", {
  found <- growth_verdict(function(n) 20000 + 3 * n)
  expect_identical(found$verdicts$verdict, "holds")
  expect_identical(nrow(found$contrasts), 2L)
  expect_equal(found$contrasts$ratio, c(1, 1), tolerance = 0.02)
  curve <- found$contrasts[1, intercept + slope * sizes^ratio]
  expect_equal(unname(curve), 20000 + 3 * unname(sizes), tolerance = 0.02)
  expect_identical(unique(found$contrasts[, .(numerator, denominator)]), data.table(
    numerator = "10 MB", denominator = "100 KB"
  ))
  expect_identical(found$contrasts$numerator_cell, c("AES 10 MB", "DES 10 MB"))
  expect_equal(unique(found$contrasts$target_upper), 1.05)
  expect_match(found$verdicts$reason, "^the time grows with the power (0.99|1.0)[0-9]* of the size")
  expect_match(found$verdicts$reason, "from 100 KB to 10 MB", fixed = TRUE)
  expect_match(found$verdicts$reason, "\\(encryption, [AD]ES, SunJCE\\)$")
  expect_identical(found$verdicts$forks_min, 10L)
  expect_match(found$verdicts$covers, "Triple-DES and Blowfish not in this tier")
})

test_that("growth faster than linear does not hold", {
  found <- growth_verdict(function(n) n^1.2)$verdicts
  expect_identical(found$verdict, "does-not-hold")
  expect_gt(found$lower, 1.05)
})

test_that("a tier without all sizes can't test it, and says which are missing", {
  found <- growth_verdict(function(n) n, levels = "100 KB")$verdicts
  expect_identical(found$verdict, "not-testable")
  expect_match(found$reason, "not measured here in this tier: 1 MB and 10 MB")
})

test_that("few forks give no verdict, and one fork no estimate", {
  expect_identical(growth_verdict(function(n) n, count = 4)$verdicts$verdict, "undecided")
  expect_identical(growth_verdict(function(n) n, count = 1)$verdicts$verdict, "undecided")
})

test_that("it is judged again like every other claim, but for the bootstrap, which is for ratios", {
  forks <- sized_forks(function(n) 3 * n)
  forks[, `:=`(wall_ns_per_op_unpaused = wall_ns_per_op, cpu_ns_per_op_unpaused = cpu_ns_per_op)]
  forks[, `:=`(valid = TRUE, rerun_of = NA_integer_)]
  found <- resolved(forks, sized_definitions())
  main <- judge_claims(forks, found$definitions, found$pairs)$verdicts
  expect_identical(sensitivity_table(forks, found$definitions, found$pairs, main)$changes, rep(FALSE, 4))
})

test_that("with more sizes than the curve has parameters, a curve that does not fit is not linear", {
  sized <- c("a" = 1000, "b" = 2000, "c" = 3000, "d" = 4000, "e" = 5000)
  row <- data.table(measure = "wall", scope = "", numerator = "e", denominator = "a")
  size <- rep(unname(sized), each = 6)
  noise <- exp(rnorm(30, 0, 0.002))
  parameters <- list(margin = 0.05, deviation = 0.02)
  straight <- series_estimate(row, size, 3 * size * noise, NULL, 6, parameters, 0.95)
  expect_lt(straight$p_support, 0.001)
  expect_match(straight$sentence, "the curve misses no size by more than 0")
  bent <- 3 * size * noise * ifelse(size == 3000, 1.2, 1)
  expect_identical(series_estimate(row, size, bent, NULL, 6, parameters, 0.95)$p_support, 1)
})

# The curve of growth.
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
