# Claims about a difference of two measures, in their own unit.
set.seed(72)
forks <- made_up_forks(data.table(workload = "log-on", factor.cipher = c("AES", "DES"), ns = c(1000, 2000)))
observed <- forks[, .(
  experiment, environment, round, fork, measure = "spare",
  value = fifelse(factor.cipher == "DES", 0.62, 0.3) + stats::rnorm(.N, 0, 0.005), sd = NA_real_
)]
between <- function(lower, upper = NULL, points = 100) {
  list(I7 = list(
    form = "difference-between", measure = "spare", parameters = list(lower = lower, upper = upper, points = points),
    ratios = list(list(numerator = list(cipher = "DES"), denominator = list(cipher = "AES")))
  ))
}
found <- function(claims) judge_made_up(forks, made_up_definitions(claims), observed)
sides <- split(100 * observed$value, forks$factor.cipher)

test_that("its interval and its two one-sided tests, paired by rounds, are on the measure's own scale", {
  row <- found(between(24, 40))
  test <- stats::t.test(sides$DES, sides$AES, paired = TRUE)
  expect_equal(c(row$contrasts$lower, row$contrasts$upper), as.numeric(test$conf.int))
  expect_equal(row$contrasts$ratio, unname(test$estimate))
  lower <- stats::t.test(sides$DES, sides$AES, mu = 24, alternative = "greater", paired = TRUE)$p.value
  upper <- stats::t.test(sides$DES, sides$AES, mu = 40, alternative = "less", paired = TRUE)$p.value
  expect_equal(row$contrasts$p_support, max(lower, upper))
  expect_identical(row$verdicts$verdict, "holds")
  expect_match(row$verdicts$reason, "^the spare is 3[0-9.]+ points higher for DES than for AES")
})

test_that("it does not hold outside, and may be open above; 0 is a limit like others", {
  expect_identical(found(between(40, 50))$verdicts$verdict, "other-size")
  expect_identical(found(between(28))$verdicts$verdict, "holds")
  zero <- found(between(0, 6))
  expect_identical(zero$verdicts$verdict, "other-size")
  expect_identical(zero$contrasts$target_lower, 0)
})

test_that("without points it stays in the measure's unit", {
  expect_equal(found(between(0.1, 0.5, NULL))$contrasts$ratio, diff(vapply(sides, mean, 0))[[1]] / 100)
})

test_that("a ratio between two limits is tested on logs: the golden values", {
  one <- c(10.1, 10.3, 9.9, 10.0, 10.2)
  two <- c(12.0, 12.4, 12.1, 11.8, 12.2)
  made <- made_up_forks(data.table(workload = "encrypt", factor.cipher = c("AES", "DES"), ns = 1), count = 5)
  made[, wall_ns_per_op := c(one, two)]
  claim <- list(
    form = "ratio-between", parameters = list(lower = 0.8, upper = 1.25),
    ratios = list(list(numerator = list(cipher = "DES"), denominator = list(cipher = "AES")))
  )
  row <- judged(made, list(I2 = claim))$contrasts
  expect_golden(c(row$ratio, row$lower, row$upper), c(1.1979736, 1.1682791, 1.2284228))
  expect_golden(row$p_support, 0.0023146, 1e-4)
})
