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
  found <- staged_mean(values, stage, looks = 4L)
  n <- c(5, 3)
  part <- split(values, stage)
  expected <- combined_interval(
    t(vapply(part, mean, 0)), t(vapply(part, sd, 0) / sqrt(n)), t(n - 1), pocock_constant(4)
  )
  expect_equal(unlist(found[c("lower", "upper")]), unlist(expected[, .(lower, upper)]))
  expect_equal(found$mean, mean(values))
  width <- function(...) diff(unlist(staged_mean(values[1:5], stage[1:5], ...)[2:3]))
  expect_gt(width(looks = 4L), width())
})
