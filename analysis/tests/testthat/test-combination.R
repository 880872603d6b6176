two <- list(log_ratio = cbind(0.05, 0.03), se = cbind(0.02, 0.012), df = cbind(8, 18))

test_that("stages are combined: golden values", {
  z <- stage_z(two$log_ratio, two$se, two$df)
  expect_golden(drop(z), c(2.0864041, 2.2850820))
  expect_golden(combined_z(z), 3.0911074)
})

test_that("the repeated confidence interval: golden values, to the digits that are printed", {
  found <- combined_interval(two$log_ratio, two$se, two$df, 2.1783)
  expect_equal(unlist(found), c(middle = 0.0373872, lower = 0.0122709, upper = 0.0628135), tolerance = 1e-6)
  first <- combined_interval(0.05, 0.02, 8, 2.1783)
  expect_equal(unlist(first), c(middle = 0.05, lower = -0.0029438, upper = 0.1029437), tolerance = 2e-5)
  critical <- qt(pnorm(2.1783), 8)
  expect_golden(critical, 2.6471884)
  expect_equal(c(first$lower, first$upper), 0.05 + c(-1, 1) * critical * 0.02)
})

test_that("the interval's ends are the limits that Z just refuses, of many cases at once", {
  set.seed(6)
  log_ratio <- matrix(rnorm(60), 20)
  se <- matrix(rexp(60), 20)
  df <- matrix(sample(4:30, 60, TRUE), 20)
  found <- combined_interval(log_ratio, se, df, 2)
  expect_equal(combined_z(stage_z(log_ratio, se, df, found$lower)), rep(2, 20))
  expect_equal(combined_z(stage_z(log_ratio, se, df, found$upper)), rep(-2, 20))
  expect_equal(combined_z(stage_z(log_ratio, se, df, found$middle)), rep(0, 20))
})

test_that("a stage far from its limit has a finite z of the right sign", {
  z <- stage_z(cbind(5, -5), cbind(0.001, 0.001), cbind(200, 200))
  expect_true(all(is.finite(z)))
  expect_equal(z[1], -z[2])
  expect_gt(z[1], 20)
})

# The last is 3.6136 to four decimals: 3.6136471, by Gauss and Legendre's nodes too.
test_that("Pocock's constants: golden values, to four decimals", {
  wanted <- rbind(
    c(1.8754, 2.1783, 2.7718, 3.4634), c(1.9922, 2.2895, 2.8730, 3.5542), c(2.0674, 2.3613, 2.9387, 3.6136)
  )
  for (looks in 2:4) {
    found <- vapply(c(0.1, 0.05, 0.01, 0.001), function(level) pocock_constant(looks, level), 0)
    expect_identical(round(found, 4), wanted[looks - 1, ])
  }
  expect_equal(pocock_constant(1), qnorm(0.975))
})

#' The same probability by other nodes: Gauss and Legendre's, from the eigenvalues of their recurrence.
by_gauss <- function(critical, looks, nodes = 60) {
  i <- seq_len(nodes - 1)
  recurrence <- matrix(0, nodes, nodes)
  recurrence[cbind(c(i, i + 1), c(i + 1, i))] <- i / sqrt(4 * i^2 - 1)
  found <- eigen(recurrence, symmetric = TRUE)
  at <- found$values * critical
  mass <- dnorm(at) * 2 * found$vectors[1, ]^2 * critical
  crossed <- 2 * pnorm(-critical)
  for (look in 2:looks) {
    bound <- critical * sqrt(look)
    crossed <- crossed + sum(mass * (pnorm(at - bound) + pnorm(-bound - at)))
    following <- found$values * bound
    mass <- drop(dnorm(outer(following, at, "-")) %*% mass) * 2 * found$vectors[1, ]^2 * bound
    at <- following
  }
  crossed
}

test_that("the integral has its digits, small levels too", {
  for (looks in 2:4) {
    for (critical in c(1.5, 2.2, 3.6136, 7)) {
      expect_equal(crossing_probability(critical, looks), by_gauss(critical, looks), tolerance = 1e-7)
    }
  }
  expect_equal(crossing_probability(pocock_constant(4, 1e-12), 4), 1e-12, tolerance = 1e-6)
})

# Simpson's rule on 200,001 points, for the first two stages of equal information.
test_that("repeated p values: golden values", {
  expect_golden(repeated_p(2.0864041, 2), 0.0622602456)
  expect_golden(repeated_p(c(2.0864041, 3.0911074), 2), 0.0036585258)
  expect_identical(repeated_p(c(3.0911074, 1), 2), repeated_p(3.0911074, 2))
})

test_that("a drift of all cells is marked, chance and what is too small to matter are not", {
  set.seed(7)
  noise <- matrix(rnorm(40, 0, 0.005), 2)
  found <- stage_drift(noise + log(c(1.02, 1)))
  expect_identical(found$marked, c(TRUE, FALSE))
  reference <- t.test(noise[2, ])
  expect_equal(found$p[2], reference$p.value)
  expect_equal(found$drift[2], exp(unname(reference$estimate)))
  small <- stage_drift(noise / 100 + log(1.005))
  expect_true(all(small$p < 0.001) && !any(small$marked))
})
