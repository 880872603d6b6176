forks <- data.table(
  experiment = "e", environment = "v", image_id = rep(c("i1", "i2"), c(3, 2)), machine_id = "m", cell = "c",
  workload = "w",
  protocol = "steady-state", provider = "p", cpu_profile = "native", factor.x = "1024",
  round = sprintf("r%d", c(1:3, 1:2)), number = 1,
  fork = 1, measured_iterations = 4, steady = c("flat", "no steady state", "flat", "flat", "flat"),
  warm_up_state = c("proven", "still compiling", "proven", "unproven", "by definition"),
  warm_up_why = c("", "f was compiled while it was measured", "", "g is c1", ""),
  wall_ns_per_op = c(6.25, 8.5, 4.75, 10, 12), cpu_ns_per_op = c(1, 2, 3, 4, NA),
  sd_within_wall_ns = c(sd(c(9, 5, 8, 3)), sd(c(10, 6, 7, 11)), sd(c(1, 12, 2, 4)), 1, 1), sd_within_cpu_ns = 1
)
cells <- cell_means(forks)

test_that("a cell is estimated over its forks, with the golden components", {
  wall <- cells[measure == "wall" & image_id == "i1"]
  expect_equal(wall$mean_ns, 6.5)
  expect_golden(c(wall$lower_ns, wall$upper_ns), 6.5 * exp(c(-1, 1) * 4.6887071 / 6.5))
  expect_golden(c(wall$s1_squared, wall$s2_squared, wall$t2_squared), c(12.7222222, 3.5625, 0.3819444))
  expect_equal(wall$sd_between_ns^2, wall$s2_squared)
  expect_identical(c(wall$forks, wall$forks_no_steady), c(3L, 1L))
  expect_equal(wall$half_width_pct, 100 * 4.6887071 / 6.5, tolerance = 1e-6)
})

test_that("a cell is as warm as its worst fork", {
  wall <- cells[measure == "wall"]
  expect_identical(wall$warm_up_state, c("still compiling", "unproven"))
  expect_identical(wall$forks_proven, c(2L, 1L))
  expect_identical(wall$warm_up_why, c("f was compiled while it was measured", "g is c1"))
})

test_that("different images are different cells", {
  expect_identical(cells[measure == "wall", forks], c(3L, 2L))
})

test_that("a fork without CPU time doesn't count there, and one fork has a mean without interval", {
  single <- cells[measure == "cpu" & image_id == "i2"]
  expect_identical(single$forks, 1L)
  expect_equal(single$mean_ns, 4)
  expect_true(is.na(single$lower_ns) && is.na(single$half_width_pct))
})

two_stages <- function(first, second) {
  data.table(
    experiment = "e", environment = "v", image_id = "i", machine_id = "m", cell = "c", workload = "w",
    protocol = "steady-state", provider = "p", cpu_profile = "native",
    round = as.character(seq_along(c(first, second))),
    number = seq_along(c(first, second)), fork = 1, measured_iterations = 4, steady = "flat", warm_up_state = "proven",
    warm_up_why = "",
    stage = rep(1:2, c(length(first), length(second))), wall_ns_per_op = c(first, second), cpu_ns_per_op = NA_real_,
    sd_within_wall_ns = 1, sd_within_cpu_ns = 1
  )
}
first <- c(99, 101, 100, 102, 98)
wish <- function(width, forks) {
  data.table(experiment = "e", environment = "v", cell = "c", wanted_half_width_pct = width, forks_wanted = forks)
}

test_that("after two stages the mean is over all forks, spread and freedom are stage one's (Stein)", {
  found <- cell_means(two_stages(first, c(90, 130, 100)), wish(2, 8))
  expect_identical(found$forks, 8L)
  expect_equal(found$mean_ns, mean(c(first, 90, 130, 100)))
  expect_equal(found$half_width_pct * found$mean_ns / 100, qt(0.975, 4) * sd(first) / sqrt(8))
  expect_equal(found$sd_between_ns, sd(first))
  expect_equal(found$s2_squared, var(c(first, 90, 130, 100)))
})

test_that("no end of a time's interval is below 0, and a narrow interval is hardly moved", {
  expect_gt(on_log_scale(-14, 50, -1), 0)
  expect_equal(c(on_log_scale(99, 101, -1), on_log_scale(99, 101, 1)), c(99, 101), tolerance = 1e-4)
  expect_equal(c(on_log_scale(-1, 1, -1), on_log_scale(-1, 1, 1)), c(-1, 1))
})

test_that("whether the wanted width was reached is told, on the log scale, and nothing where none was wanted", {
  s0 <- sd(log(first))
  least <- stein_forks(s0, 5, 0.01)
  enough <- two_stages(first, rep(100, least - 5))
  expect_identical(cell_means(enough, wish(1, least))$reached, "yes")
  expect_identical(cell_means(enough[-.N], wish(1, least))$reached, "no")
  expect_equal(cell_means(enough, wish(1, least))$forks_wanted, least)
  none <- cell_means(enough, wish(NA, NA))
  expect_identical(none$reached, "")
  expect_true(is.na(none$wanted_half_width_pct))
  expect_identical(cell_means(enough)$reached, "")
  expect_identical(cell_means(two_stages(100, c(100, 101)), wish(1, 5))$reached, "no")
})

test_that("Dyestuff: golden interval of the mean over batches", {
  batches <- colMeans(dyestuff)
  half <- t_half_width(sd(batches), 6)
  expect_golden(mean(batches) + c(-1, 1) * half, c(1477.6734, 1577.3266))
})

test_that("3 forks of 4: golden half-width", {
  forks <- c(mean(c(9, 5, 8, 3)), mean(c(10, 6, 7, 11)), mean(c(1, 12, 2, 4)))
  expect_golden(t_half_width(sd(forks), 3), 4.6887071)
})

test_that("one fork has no interval", {
  expect_identical(t_half_width(NA_real_, 1), NA_real_)
})

test_that("the pooled half-width is Student's over all iterations", {
  values <- c(dyestuff)
  found <- pooled_half_width(colMeans(dyestuff), apply(dyestuff, 2, sd), rep(5, 6))
  expect_equal(found, t_half_width(sd(values), 30))
})

test_that("negative control: intervals that pool iterations cover less than 70 %, fork means about 95 %", {
  set.seed(20260101)
  forks <- 8
  iterations <- 10
  runs <- 2000
  levels <- matrix(rnorm(runs * forks), forks)
  covered <- vapply(seq_len(runs), function(run) {
    values <- rnorm(forks * iterations, rep(levels[, run], each = iterations))
    values <- matrix(values, iterations)
    means <- colMeans(values)
    sds <- sqrt(colSums(sweep(values, 2, means)^2) / (iterations - 1))
    off <- abs(mean(means))
    c(
      pooled = off <= pooled_half_width(means, sds, rep(iterations, forks)),
      forks = off <= t_half_width(sd(means), forks)
    )
  }, logical(2))
  coverage <- rowMeans(covered)
  expect_lt(coverage[["pooled"]], 0.70)
  expect_gt(coverage[["forks"]], 0.935)
  expect_lt(coverage[["forks"]], 0.965)
})

test_that("spreads that are all missing, as one measured iteration leaves them, are none", {
  expect_true(is.finite(pooled_half_width(c(5, 6, 7), c(NA, NA, NA), c(1, 1, 1))))
})

test_that("the number of forks: formula by hand, never fewer than there are", {
  s0 <- c(0.005, 0.02, 0.05)
  by_hand <- ceiling((qt(0.975, 4) * s0 / 0.01)^2)
  expect_identical(by_hand, c(2, 31, 193))
  expect_identical(stein_forks(s0, 5, 0.01), c(5, 31, 193))
})

test_that("the final interval is at most as wide as wanted, and keeps the first stage's spread and freedom", {
  found <- stein_interval(log(200), stein_forks(0.02, 5, 0.01), 0.02, 5)
  expect_equal(found$half_width_log, qt(0.975, 4) * 0.02 / sqrt(31))
  expect_lte(found$half_width_log, 0.01)
  expect_equal(found$lower, 200 * exp(-found$half_width_log))
  expect_equal(found$upper, 200 * exp(found$half_width_log))
})

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
