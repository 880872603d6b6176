cell_of <- function(cell, stage, logs) {
  data.table(
    experiment = "e", environment = "v", image_id = "i", machine_id = "m", protocol = "p", cell = cell,
    measure = "wall", round = sprintf("%d-%s", stage, seq_along(logs)), number = 10 * stage + seq_along(logs),
    fork = 1, stage = stage, looks = 2L, mean_ns = exp(logs)
  )
}
pair <- data.table(
  experiment = "e", machine_id = "m", protocol = "p", measure = "wall", numerator_environment = "v",
  numerator_image_id = "i", numerator_cell = "a", denominator_environment = "v", denominator_image_id = "i",
  denominator_cell = "b", target_lower = 0, target_upper = 1
)
set.seed(20)
stage_one <- rbind(cell_of("a", 1L, rnorm(5, 0.05, 0.02)), cell_of("b", 1L, rnorm(5, 0, 0.02)))
stage_two <- rbind(cell_of("a", 2L, rnorm(10, 0.05, 0.02)), cell_of("b", 2L, rnorm(10, 0, 0.02)))
alone <- function(forks) estimate_pairs(pair, copy(forks)[, `:=`(stage = 1L, looks = 1L)])

test_that("a pair's stages are each tested by their own forks and combined with Pocock's constant for all looks", {
  found <- estimate_pairs(pair, rbind(stage_one, stage_two))
  parts <- lapply(list(stage_one, stage_two), alone)
  column <- function(name) do.call(cbind, lapply(parts, `[[`, name))
  expected <- combined_interval(column("log_ratio"), column("se_log"), column("df"), pocock_constant(2))
  expect_equal(
    unlist(found[, .(lower, upper, ratio)]), exp(unlist(expected[, .(lower, upper, ratio = middle)]))
  )
  z <- stage_z(column("log_ratio"), column("se_log"), column("df"))
  largest <- max(z[, 1], combined_z(z))
  expect_equal(found$p_refute, repeated_p(largest, 2) / 2, tolerance = 1e-6)
  expect_identical(found$method, "paired")
  expect_identical(c(found$stages, found$forks_min), c(2, 15))
})

test_that("a first look pays for those that are to come, and a claim lost there is not won back by looking", {
  looked <- estimate_pairs(pair, stage_one)
  single <- alone(stage_one)
  expect_lt(looked$lower, single$lower)
  expect_gt(looked$p_refute, single$p_refute)
  expect_equal(looked$lower, exp(single$log_ratio - qt(pnorm(pocock_constant(2)), single$df) * single$se_log))
  # The largest Z counts: a second stage that says nothing takes back no p value.
  dull <- rbind(cell_of("a", 2L, c(-0.1, 0, 0.1)), cell_of("b", 2L, c(-0.11, 0, 0.11)))
  expect_equal(estimate_pairs(pair, rbind(stage_one, dull))$p_refute, looked$p_refute)
})

test_that("a pair's looks are counted from its own first stage, and one stage more than planned changes nothing", {
  later <- function(forks, by) copy(forks)[, `:=`(stage = stage + by, number = number + 10 * by)]
  compared <- c("ratio", "lower", "upper", "p_refute", "stages")
  both <- rbind(stage_one, stage_two)
  expected <- estimate_pairs(pair, both)[, compared, with = FALSE]
  expect_equal(estimate_pairs(pair, later(both, 3L))[, compared, with = FALSE], expected)
  third <- rbind(cell_of("a", 3L, c(0.4, 0.5, 0.6)), cell_of("b", 3L, c(0, 0.1, 0.05)))
  expect_equal(estimate_pairs(pair, rbind(both, third))[, compared, with = FALSE], expected)
})

test_that("a stage of too few forks has no test; two forks leave a ratio without an interval", {
  rest <- rbind(cell_of("a", 2L, c(0.9, 1)), cell_of("b", 2L, c(0, 0.1)))
  found <- estimate_pairs(pair, rbind(stage_one, rest))
  expect_equal(found$lower, estimate_pairs(pair, stage_one)$lower)
  expect_identical(found$forks_min, 7L)
  few <- rbind(cell_of("a", 1L, c(0.9, 1)), cell_of("b", 1L, c(0, 0.1)))
  expect_true(is.na(estimate_pairs(pair, few)$lower))
  expect_gt(estimate_pairs(pair, few, lone = TRUE)$ratio, 2)
})

test_that("p values of one look are Pocock's, inside and outside of targets that are open, narrow or wide", {
  part <- list(log_ratio = matrix(0.05), se_log = matrix(0.02), df = matrix(8))
  z <- drop(stage_z(part$log_ratio, part$se_log, part$df))
  open <- staged_p_values(part, 0, Inf, 2)
  expect_equal(open[[1]], repeated_p(z, 2) / 2, tolerance = 1e-6)
  expect_equal(open[[2]], pnorm(z))
  point <- staged_p_values(part, 0, 0, 2)
  expect_equal(point[[2]], repeated_p(z, 2), tolerance = 1e-6)
  expect_equal(point[[1]], pnorm(z))
  wide <- staged_p_values(part, -1, 1, 4)
  expect_lt(wide[[1]], 1e-4)
  expect_identical(wide[[2]], 1)
})

test_that("the table of crossing probabilities has them to five digits, and a bound beyond its end", {
  z <- c(0.01, 0.333, 1.234, 2.3613, 4.001, 8.7)
  for (looks in c(2, 4)) {
    expect_equal(crossing_table(looks)(z), vapply(z, crossing_probability, 0, looks = looks), tolerance = 1e-5)
  }
  expect_lt(crossing_table(4)(20), 1e-80)
  expect_identical(crossing_table(4)(Inf), 0)
})

test_that("a cell's mean has the repeated interval of its stages where a plan looks more than once", {
  values <- c(10.1, 10.3, 9.9, 10, 10.2, 10.4, 10, 10.1)
  stage <- c(rep(1L, 5), rep(2L, 3))
  means <- function(values, stage, looks) {
    staged_means(data.table(cell = "c", stage = stage, looks = looks), values, "cell")
  }
  found <- unlist(means(values, stage, 4L)[, .(mean, lower, upper)])
  n <- c(5, 3)
  part <- split(values, stage)
  expected <- combined_interval(
    t(vapply(part, mean, 0)), t(vapply(part, sd, 0) / sqrt(n)), t(n - 1), pocock_constant(4)
  )
  expect_equal(found[c("lower", "upper")], unlist(expected[, .(lower, upper)]))
  expect_equal(found[["mean"]], mean(values))
  width <- function(looks) means(values[1:5], stage[1:5], looks)[, upper - lower]
  expect_gt(width(4L), width(1L))
})

test_that("cells of one table have each its own stages: none, Stein's two, several looks, and none that has a test", {
  values <- list(a = c(5, 6, 7), b = c(1, 2, 4, 3, 3), c = c(10, 11, 12, 10, 12, 11), d = c(1, 2))
  stages <- list(a = c(1L, 1L, 1L), b = c(1L, 1L, 1L, 2L, 2L), c = rep(1:2, each = 3), d = c(1L, 2L))
  looks <- rep(c(1L, 1L, 4L, 4L), lengths(values))
  table <- data.table(cell = rep(names(values), lengths(values)), stage = unlist(stages), looks = looks)
  found <- staged_means(table, unlist(values), "cell")
  expect_identical(found$cell, names(values))
  expect_equal(found$mean, unname(vapply(values, mean, 0)))
  half <- qt(0.975, 2) * c(sd(values$a) / sqrt(3), sd(values$b[1:3]) / sqrt(5))
  expect_equal(found$upper[1:2], found$mean[1:2] + half)
  alone <- staged_means(table[cell == "c"], values$c, "cell")
  expect_equal(found[3], alone)
  expect_true(all(is.na(found[4, .(lower, upper)])))
})

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
